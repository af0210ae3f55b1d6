import { rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/system.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';

const everyMs = 2_000;
/** The files that are watched, each by its own timer. */
const files = 2;

let folder: string;
let gateway: TestGateway;
/** Makes the gateway poll its files and waits for the poll. */
let look: () => Promise<void>;
beforeEach(async () => {
  folder = await newFolder('login');
  await writeFile(join(folder, 'user'), 'demo\n');
  await writeFile(join(folder, 'first'), 'not-the-password\n');
  // As Kubernetes mounts a secret: a link that is swapped as a whole.
  await symlink(join(folder, 'first'), join(folder, 'password'));

  let waiters = 0;
  let next = Promise.withResolvers<void>();
  let waiting = Promise.withResolvers<void>();
  const clock = {
    ...systemClock,
    wait(ms: number, signal?: AbortSignal) {
      if (ms !== everyMs || !signal) return systemClock.wait(ms, signal);
      waiters += 1;
      if (waiters === files) waiting.resolve();
      signal.addEventListener('abort', () => next.reject(signal.reason));
      return next.promise;
    },
  };
  look = async () => {
    await waiting.promise;
    waiting = Promise.withResolvers();
    waiters = 0;
    const { resolve } = next;
    next = Promise.withResolvers();
    next.promise.catch(() => undefined);
    resolve();
    await waiting.promise;
  };
  const DOMAIN_API_USERNAME_FILE = join(folder, 'user');
  const DOMAIN_API_PASSWORD_FILE = join(folder, 'password');
  gateway = await startTestGateway({
    clock,
    sandboxDomains: 40,
    env: { DOMAIN_API_USERNAME_FILE, DOMAIN_API_PASSWORD_FILE },
  });
});
afterEach(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true });
});

const swapTo = async (text: string) => {
  const file = join(folder, `next-${Math.random()}`);
  await writeFile(file, text);
  await symlink(file, `${file}-link`);
  await rename(`${file}-link`, join(folder, 'password'));
};

/** Null when the upstream accepted the login. */
const faultOfACall = async () => {
  const { errors } = await gateway.query('{ reseller { name } }');
  return errors?.[0].extensions.code ?? null;
};
const warnings = () => gateway.lines.map(({ msg }) => msg);

test('a changed password file applies to the next call, without a restart', async () => {
  expect(await faultOfACall()).toBe('UPSTREAM_AUTH');

  await swapTo('demo-password\n');
  await look();

  expect(await faultOfACall()).toBe(null);
  expect(warnings()).toEqual([]);
});

test('an unusable file keeps the previous password and is reported once', async () => {
  await swapTo('demo-password');
  await look();

  await swapTo('\n');
  await look();
  await look();
  await rm(join(folder, 'password'));
  await look();
  await look();

  expect(await faultOfACall()).toBe(null);
  expect(warnings()).toEqual([
    'The password file of "default" is empty; the previous password stays in use.',
    'The password file of "default" cannot be read (ENOENT); the previous password stays in use.',
  ]);
});

test('a changed user name is reported and needs a restart', async () => {
  await swapTo('demo-password');
  await writeFile(join(folder, 'user'), 'demo-two');
  await look();
  await look();

  const { data } = await gateway.query('{ reseller { name } }');

  expect(data.reseller.name).toBe('Demo Reseller');
  expect(warnings()).toEqual([
    'The user name of "default" has changed, which needs a restart of the gateway.',
  ]);
});
