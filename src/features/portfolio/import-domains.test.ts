import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { account, minute, name } from '../../../test/persistence/claims.ts';
import { newFolder } from '../../../test/support/folder.ts';
import { RefusedRows } from '../../console/program.ts';
import { readCsv } from '../../lib/csv.ts';
import { headedRows, importDomains } from './import-domains.ts';
import { openLedgerJournal } from './test/journal.ts';

async function start() {
  const folder = await newFolder('import');
  const journal = await openLedgerJournal(join(folder, 'journal.db'));
  onTestFinished(async () => {
    await journal.close();
    await rm(folder, { recursive: true });
  });
  return {
    journal,
    async importRows(...rows: readonly (readonly string[])[]) {
      const refused = new RefusedRows();
      const bytes = Buffer.from(rows.map((row) => `${row.join()}\n`).join(''));
      const options = {
        ledger: journal.ledger,
        journal,
        account,
        now: () => minute(1),
        note: async () => undefined,
      };
      const imported = await importDomains(headedRows(readCsv(Readable.from([bytes]))), {
        ...{ ...options, refused, onProgress: () => undefined },
      });
      return { ...imported, refused: refused.count };
    },
  };
}

test('the labels of a domain in several rows and in the journal are at most 20 together', async () => {
  const { journal, importRows } = await start();
  const domain = name('a.com');
  const columns = Array.from({ length: 12 }, (_, at) => `label:n${at}`);
  const filled = (from: number, count: number) =>
    columns.map((_, at) => (at >= from && at < from + count ? 'x' : ''));
  const stored = Array.from({ length: 10 }, (_, at) => ({ domain, name: `s${at}`, value: 'x' }));
  await journal.customers.label(account, stored, minute(0));

  const result = await importRows(
    ['domain', ...columns],
    ['a.com', ...filled(0, 6)],
    ['a.com', ...filled(5, 6)],
    ['a.com', ...filled(5, 5)],
    ['b.com', ...filled(0, 12)],
  );

  // The second row would be the labels 11 to 21.
  expect(result).toMatchObject({ refused: 1, labels: 22 });
  expect(await journal.customers.labels(account, [domain])).toHaveLength(20);
});
