import { closeSync, createReadStream, openSync } from 'node:fs';
import { accountOf, openJournal, requireJournal } from '../app/journal.ts';
import { readConfig } from '../config/config.ts';
import { commandFor } from '../lib/command-names.ts';
import { CsvError, readCsv } from '../lib/read-csv.ts';
import { StartError } from '../lib/start-error.ts';
import { systemClock } from '../lib/system.ts';
import { type Imported, importDomains } from './import-domains.ts';
import { chooseTenant, parsed, printProgress, readImportArguments, runCommand } from './program.ts';
import { RefusedRows } from './refused-rows.ts';

const help = `Adds domains of the account that the registrar's list leaves out, and sets customers and labels of domains.

Usage: ${commandFor('domains', '[--tenant name] import FILE')}

  FILE           One domain name per line, or CSV with the names in its first column. A first row may name the columns
                 "domain" (or "name"), "customer" and "label:<name>" for each label; others are ignored. A blank
                 cell changes nothing. A row that is not valid is reported by its line; the others are imported.
  --tenant name  The tenant, by its name in TENANTS; required with several.

A running gateway reads the new domains within PORTFOLIO_READS_PER_MINUTE. The settings are those of the gateway;
see ${commandFor('start', '--help')}.
`;

await runCommand('domains', help, async (args) => {
  const { file, tenant } = readImportArguments(args);
  const fd = parsed(() => openSync(file, 'r'));
  const refused = new RefusedRows();
  try {
    return resultOf(await importFile(fd, tenant, refused), refused.count);
  } finally {
    closeSync(fd);
    refused.print('domains');
  }
});

async function importFile(
  fd: number,
  tenant: string | null,
  refused: RefusedRows,
): Promise<Imported> {
  const config = readConfig();
  requireJournal(config);
  const account = accountOf(config, chooseTenant(config, tenant));
  const journal = await openJournal(config);
  const rows = readCsv(createReadStream('', { fd, autoClose: false }));
  try {
    return await importDomains(rows, {
      journal,
      account,
      refused,
      now: () => systemClock.now(),
      onProgress: (count) => printProgress(`${count} rows`),
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new StartError(`${error.message} The rows before it may be imported.`);
  } finally {
    printProgress('');
    await journal.close();
  }
}

function resultOf({ added, known, customers, labels }: Imported, refused: number): string {
  const set = customers + labels > 0 ? ` customers set: ${customers}; labels set: ${labels};` : '';
  return `Domains added: ${added}; known before: ${known};${set} rows refused: ${refused}.`;
}
