import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { newFolder } from '../../test/support/folder.ts';
import { createSimulatedClock } from '../../test/support/simulated-clock.ts';
import { Secret } from '../kernel/secret.ts';
import { followLogin } from './followed-login.ts';

const folder = await newFolder('followed-login');
afterAll(() => rmSync(folder, { recursive: true }));

/** A login whose files the test writes. */
function follow(name: string, { inFiles = true } = {}) {
  const { clock, pass, waits } = createSimulatedClock();
  const warnings: string[] = [];
  const files = { user: join(folder, `${name}-user`), password: join(folder, `${name}-password`) };
  const write = (texts: Partial<typeof files>) => {
    for (const [which, text] of Object.entries(texts)) {
      writeFileSync(files[which as keyof typeof files], text);
    }
  };
  write({ user: 'ada\n', password: 'first\n' });
  const login = {
    username: new Secret('ada'),
    password: new Secret('first'),
    usernameFile: inFiles ? files.user : null,
    passwordFile: inFiles ? files.password : null,
  };
  const warn = (sentence: string) => void warnings.push(sentence);
  const { credentials, close } = followLogin({ name, login }, { clock, warn });
  const current = () => `${credentials().username}:${credentials().password.reveal()}`;
  return { warnings, files, write, current, close, pass, waits };
}

test('a new password is used within two seconds', async () => {
  const { write, current, pass, warnings, close } = follow('new');
  write({ password: ' second\n' });

  await pass(1_999);
  expect(current()).toBe('ada:first');
  await pass(1);

  expect(current()).toBe('ada: second');
  expect(warnings).toEqual([]);
  await close();
});

test.each([
  ['absent', undefined, 'cannot be read (ENOENT)'],
  ['empty', '\n', 'is empty'],
  ['of two lines', 'a\nb', 'has more than one line'],
  ['too long', 'p'.repeat(513), 'more than 512 characters'],
])('a password file that is %s changes nothing and is reported once', async (what, text, rule) => {
  const { files, write, current, pass, warnings, close } = follow(what.replaceAll(' ', '-'));
  if (text === undefined) rmSync(files.password);
  else write({ password: text });

  await pass(10_000);

  expect(current()).toBe('ada:first');
  expect(warnings).toEqual([expect.stringContaining(rule)]);
  expect(warnings.join()).toMatch(/^The password file /);
  await close();
});

test('a new user name is reported, and the previous one stays in use', async () => {
  const { write, current, pass, warnings, close } = follow('renamed');
  write({ user: 'bob' });
  await pass(4_000);
  expect(warnings).toEqual([expect.stringContaining('user name of "renamed"')]);
  write({ user: 'ada' });
  await pass(4_000);

  expect(current()).toBe('ada:first');
  expect(warnings).toHaveLength(1);
  expect(warnings.join()).not.toContain('bob');
  await close();
});

test('a login of the environment is not polled', async () => {
  const { current, waits, close } = follow('environment', { inFiles: false });

  expect(waits()).toEqual([]);
  expect(current()).toBe('ada:first');
  await close();
});

test('a closed login polls no more', async () => {
  const { write, current, pass, waits, close } = follow('closed');
  await close();
  write({ password: 'second' });
  await pass(10_000);

  expect(waits()).toEqual([]);
  expect(current()).toBe('ada:first');
});
