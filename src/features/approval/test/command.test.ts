import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeysOf } from '../../../../test/access/keys.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { runCommand } from '../../../../test/support/process.ts';

const folder = await newFolder('approvals-command');
afterAll(() => rm(folder, { recursive: true }));
const file = join(folder, 'approvals.json');

async function check(content: object) {
  await writeFile(file, JSON.stringify(content));
  const env = { DATA_DIR: folder, API_KEYS: apiKeysOf({ bot: [], 'bot-2': [] }) };
  return runCommand('src/cli/feature', env, ['approvals', 'check', file]);
}

test('the command prints what each rule matches', async () => {
  const when = {
    ...{ costAbove: { amount: '50', currency: 'USD' }, premium: true, countAbove: 5 },
    ...{ keys: ['bot', 'bot-2'], scopes: ['ops'], mcp: true },
  };
  const { exitCode, stdout } = await check({
    rules: [
      { operations: ['REGISTRATION', 'TRANSFER'], when, expiresAfter: '30m' },
      { operations: ['UNLOCK'] },
    ],
    samePerson: [['bot', 'bot-2']],
  });

  expect(exitCode).toBe(0);
  expect(stdout.trimEnd().split('\n')).toEqual([
    'rule 1: REGISTRATION and TRANSFER, with all conditions below. Expires after 30 minutes.',
    '  the cost is above 50.0000 USD, in another currency, or not known',
    '  and the name is a premium name, or that is not known',
    '  and it has more than 5 lines or domains',
    '  and the caller is bot or bot-2',
    '  and the caller has the scope ops',
    '  and it comes from a tool for models',
    'rule 2: UNLOCK, always. Expires after 24 hours.',
    'One person: bot and bot-2.',
    'The first rule that matches counts. A request that no rule matches needs no approval.',
    'No rule is about AUTH_CODE or BULK_CHANGE.',
  ]);
});

test('the command prints the faults of the file', async () => {
  const { exitCode, stderr } = await check({
    rules: [{ operations: ['RENEWAL'] }, { operations: ['UNLOCK'], when: { keys: ['bto'] } }],
  });

  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^approvals: The approval file must be corrected: "rules"\.\[0\]\."operations"\.\[0\] is one of .+; "keys" of rule 2 has "bto", which is the name of no key or issuer\.\n$/,
  );
});
