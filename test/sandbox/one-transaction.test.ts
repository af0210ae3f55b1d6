import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { order, startTestSandbox, type TestSandbox } from './client.ts';

let directory: string;
let file: string;
let sandbox: TestSandbox;
beforeEach(async () => {
  directory = await newFolder('sandbox');
  file = join(directory, 'sandbox.sqlite');
  sandbox = await startTestSandbox({ file });
});
afterEach(async () => {
  await sandbox.close();
  await rm(directory, { recursive: true });
});

/** Makes the database refuse new domains, as a full disk does after the debit. */
const change = (sql: string) => {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
};
const strike = `CREATE TRIGGER full BEFORE INSERT ON domains BEGIN SELECT RAISE(ABORT, 'disk full'); END`;

test.each([
  ['registerdomain', order('maple-whole.com')],
  ['transferdomain', { domain: 'outside-a.com', authCode: 'Transfer-Code-01', period: 1 }],
])(
  'the sandbox reverts the debit when it cannot write the domain of %s',
  async (action, fields) => {
    change(strike);

    const { status, text } = await sandbox.act(action, fields);

    expect(status).toBe(500);
    expect(text).not.toMatch(/disk full|sqlite/i);
    expect(await sandbox.admin('GET', '/state')).toMatchObject({
      balances: [{ balance: '2500.0000' }, { balance: '60000.0000' }],
      purchases: [],
    });
    change('DROP TRIGGER full');
    expect(await sandbox.code(action, fields)).toBeNull();
  },
);
