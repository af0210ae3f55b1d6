import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../test/support/folder.ts';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import { createSinks } from '../../../test/support/sinks.ts';
import { readConfig } from '../../app/read-config.ts';
import { followApprovals } from './followed-file.ts';
import type { ApprovalSubject } from './rules.ts';

const folder = await newFolder('approvals');
const file = join(folder, 'approvals.json');
const keysFile = join(folder, 'keys.json');
const write = (...operations: readonly string[]) =>
  writeFile(file, JSON.stringify({ rules: [{ operations, when: { keys: ['shop'] } }] }));
const key = {
  prefix: '0123456789',
  sha256: 'a'.repeat(64),
  scopes: ['domains:spend'],
  made: '2026-01-01T00:00:00Z',
};
beforeEach(async () => {
  await writeFile(keysFile, JSON.stringify({ shop: key }));
  await write('REGISTRATION');
});
afterAll(() => rm(folder, { recursive: true }));

function open(APPROVALS_FILE = file) {
  const { sinks, lines } = createSinks();
  const usable: boolean[] = [];
  const clock = { wake: (): void => undefined };
  const approvals = followApprovals({
    file: APPROVALS_FILE || undefined,
    auth: readConfig({ KEYS_FILE: keysFile }).auth,
    clock: {
      ...sinks.clock,
      wait: (_ms, signal) =>
        new Promise((resolve, reject) => {
          const before = clock.wake;
          clock.wake = () => {
            before();
            resolve();
          };
          signal?.addEventListener('abort', () => reject(new Error('closed')));
        }),
    },
    log: sinks.log,
    onRead: (isUsable) => void usable.push(isUsable),
  });
  onTestFinished(() => approvals.close());
  return {
    ...{ current: approvals.current, lines, usable },
    async pass() {
      const { wake } = clock;
      clock.wake = () => undefined;
      wake();
      await endOfTurn();
    },
    matches: (operation: ApprovalSubject['operation']) =>
      approvals.current()?.matching({
        ...{ operation, viaTool: false, cost: null, premium: false, count: 1 },
        caller: { name: 'shop', scopes: new Set() },
      })?.position ?? null,
  };
}

test('without a file there are no rules', async () => {
  expect(open('').current()).toBeNull();
});

test('a change of the file takes effect with the next read', async () => {
  const { matches, pass, lines, usable } = open();
  expect([matches('REGISTRATION'), matches('UNLOCK')]).toEqual([1, null]);

  await write('UNLOCK');
  await pass();

  expect([matches('REGISTRATION'), matches('UNLOCK')]).toEqual([null, 1]);
  expect(lines()).toEqual([{ level: 'info', msg: 'approval rules changed' }]);
  expect(usable).toEqual([true, true]);
});

const noJson = /^APPROVALS_FILE: The approval file is no JSON; correct its syntax\.$/;
const corrected = /^APPROVALS_FILE: The approval file must be corrected: .+\.$/;

test.each([
  ['is cut', '{"rules": [', noJson],
  ['is empty', '', noJson],
  ['has no rules', '{"rules": []}', corrected],
  [
    'names an unknown key',
    '{"rules":[{"operations":["UNLOCK"],"when":{"keys":["shpo"]}}]}',
    corrected,
  ],
])('a file that %s changes nothing, and is an error at the start', async (_, text, sentence) => {
  const { matches, pass, lines, usable } = open();

  await writeFile(file, text);
  await pass();
  await pass();
  expect(matches('REGISTRATION')).toBe(1);
  expect(lines()).toEqual([
    expect.objectContaining({ level: 'error', msg: 'approval rules unchanged' }),
  ]);
  expect(usable).toEqual([true, false]);
  expect(() => open()).toThrow(sentence);

  await write('REGISTRATION');
  await pass();
  expect(usable.at(-1)).toBe(true);
});

test('a file that is removed changes nothing', async () => {
  const { matches, pass, usable } = open();

  await rm(file);
  await pass();

  expect(matches('REGISTRATION')).toBe(1);
  expect(usable).toEqual([true, false]);
  expect(() => open()).toThrow(/^APPROVALS_FILE: The approval file ".+" cannot be read: ENOENT/);
});

test('a key that the rules name and that is revoked is a warning', async () => {
  const { matches, pass, lines } = open();

  await writeFile(keysFile, JSON.stringify({ staff: { ...key, prefix: '0123456780' } }));
  await pass();
  await pass();

  expect(matches('REGISTRATION')).toBe(1);
  expect(lines()).toEqual([
    {
      level: 'warn',
      msg: 'approval rules name unknown keys',
      reason: '"keys" of rule 1 has "shop", which is the name of no key or issuer',
    },
  ]);
});
