import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { account, claimNumber, unlimited } from '../../test/persistence/claims.ts';
import { newFolder } from '../../test/support/folder.ts';
import { accountOf, openJournal, requireJournal } from './journal.ts';
import { readConfig } from './read-config.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder('journal');
});
afterEach(() => rm(folder, { recursive: true }));

const live = {
  ...{ UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/domain' },
  ...{ DOMAIN_API_USERNAME: 'acme', DOMAIN_API_PASSWORD: 'secret' },
  API_KEY: 'key-of-the-shop-0123456789',
};
const elsewhere = { DOMAIN_API_URL: 'http://127.0.0.1:9', DOMAIN_API_USERNAME: 'acme' };
const configOf = (env: Record<string, string>) => readConfig({ DATA_DIR: folder, ...env });

/** Opens the journal, and returns how many purchases it has, the new one included. */
async function buy(config: ReturnType<typeof configOf>, at: number, reset?: boolean) {
  const journal = await openJournal(config, reset === undefined ? {} : { reset });
  await journal.claim(claimNumber(at), unlimited);
  const count = await journal.count(account);
  await journal.close();
  return count;
}

describe.each([
  ['a sandbox', {}, 'sandbox:demo', 'sandbox-journal.sqlite'],
  ['a sandbox elsewhere', elsewhere, 'sandbox:acme', 'sandbox-journal.sqlite'],
  ['the registrar', live, 'live:acme', 'journal.sqlite'],
])('purchases at %s', (_where, env, name, file) => {
  test('have an account and a file that no other kind of upstream has', async () => {
    const config = configOf(env);
    const [tenant] = config.tenants;

    expect(tenant && accountOf(config, tenant)).toBe(name);
    expect(() => requireJournal(config)).toThrow(
      expect.objectContaining({ code: 'JOURNAL_UNAVAILABLE' }),
    );
    expect(await buy(config, 1)).toBe(1);
    expect(existsSync(join(folder, file))).toBe(true);
    expect(() => requireJournal(config)).not.toThrow();
  });

  test('are deleted by a reset of the embedded sandbox only', async () => {
    const config = configOf(env);
    await buy(config, 1);

    expect(await buy(config, 2)).toBe(2);
    expect(await buy(config, 3, false)).toBe(3);
    expect(await buy(config, 4, true)).toBe(config.hasEmbeddedSandbox ? 1 : 4);
  });
});

test('a reset also deletes what a killed gateway left beside the file', async () => {
  const config = configOf({});
  // It is not closed, so its last writes are beside the file.
  const killed = await openJournal(config);
  await killed.claim(claimNumber(1), unlimited);

  expect(await buy(config, 2, true)).toBe(1);
  await killed.close();
});

test('a journal in PostgreSQL is opened there, and needs no file', async () => {
  const config = configOf({ DATABASE_URL: 'postgres://someone:swordfish@127.0.0.1:1/shop' });
  const reports: unknown[] = [];

  expect(() => requireJournal(config)).not.toThrow();
  await expect(openJournal(config)).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
  const journal = await openJournal(config, { onAvailability: (failure) => reports.push(failure) });
  await journal.close();
  expect(reports).toEqual([expect.stringContaining('127.0.0.1:1 is not available')]);
});
