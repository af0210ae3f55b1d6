import { closeSync } from 'node:fs';
import {
  checkInput,
  chooseTenant,
  describeFailure,
  openInput,
  printProgress,
  RefusedRows,
  readFileArguments,
  readInput,
  runCommand,
} from '../../console/program.ts';
import { recordedCommand } from '../../console/recorded-command.ts';
import { CsvError, readCsv } from '../../lib/csv.ts';
import { StartError } from '../../lib/errors.ts';
import { commandFor, UsageError } from '../../lib/programs.ts';
import { systemClock } from '../../lib/system.ts';
import { several } from '../../lib/text.ts';
import type { CommandContext } from '../../seam/feature.ts';
import { headedRows, type Imported, importDomains } from './import-domains.ts';
import { createLedgerStore } from './ledger-store.ts';
import { minutesToRead, portfolioSettings } from './settings.ts';

const helpOf = ({
  domainCommands,
}: CommandContext): string => `Adds domains that the registrar's list leaves out, sets customers and labels, and changes domains by a file.

Usage: ${commandFor('domains', '[--tenant name] import FILE')}
${Object.entries(domainCommands)
  .map(
    ([name, { needsYes }]) =>
      `       ${commandFor('domains', `${needsYes ? '[--yes] ' : ''}${name} FILE`)}\n`,
  )
  .join('')}
  import FILE    One domain name per line, or CSV whose first row names the columns "domain" (or "name"), "customer"
                 and "label:<name>" for each label; others are ignored. A blank cell changes nothing. A row that is
                 not valid is reported by its line; the others are imported, and the exit code is 1.
                 A running gateway then reads the new domains: 300 a minute with PORTFOLIO_READS_PER_MINUTE=30.
${Object.values(domainCommands)
  .map(({ does }) => does)
  .join('')}  --tenant name  The tenant of an import, by its name in TENANTS; required with several.

import writes to the journal. The others send requests to the gateway that runs at GATEWAY_URL, as the caller of
GATEWAY_KEY. The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

export const runDomains = (context: CommandContext): Promise<void> =>
  runCommand('domains', helpOf(context), (args) =>
    args.some((name) => context.domainCommands[name]?.isComparison)
      ? withoutMisuse(() => run(context, args))
      : run(context, args),
  );

async function run(context: CommandContext, args: string[]): Promise<string> {
  const { domainCommands, readConfig } = context;
  const commands = ['import', ...Object.keys(domainCommands)];
  const { command, file, tenant, isConfirmed } = readFileArguments(args, commands);
  if (tenant !== null && command !== 'import') {
    throw new UsageError('Only import has --tenant; GATEWAY_KEY chooses the tenant of the others.');
  }
  if (isConfirmed && !domainCommands[command]?.needsYes) {
    throw new UsageError(`${command} has no --yes.`);
  }
  const fd = openInput(file);
  try {
    const other = await domainCommands[command]?.run();
    return await (other ? other(readConfig(), fd, isConfirmed) : importFile(context, fd, tenant));
  } finally {
    closeSync(fd);
  }
}

/** The exit code of wrong arguments is that of a difference, so a comparison has the code of a failure instead. */
async function withoutMisuse(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    const failure = describeFailure(error);
    throw failure ? new StartError(failure.sentences.join(' ')) : error;
  }
}

async function importFile(
  { readConfig, openAccount }: CommandContext,
  fd: number,
  tenant: string | null,
): Promise<string> {
  const config = readConfig();
  await checkInput(fd);
  const chosen = chooseTenant(config, tenant);
  const { journal, account, trail } = await openAccount(config, chosen);
  const refused = new RefusedRows();
  try {
    const target = { trail, tenant: chosen.name };
    const imported = await recordedCommand(target, 'domains.import', (note) =>
      importDomains(headedRows(readCsv(readInput(fd))), {
        ...{ ledger: createLedgerStore(journal.database), journal, account, note, refused },
        now: () => systemClock.now(),
        onProgress: (count) => printProgress(`${count} rows`),
      }),
    );
    return resultOf(
      imported,
      refused.count,
      portfolioSettings.of(config).PORTFOLIO_READS_PER_MINUTE,
    );
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new StartError(`${error.message} The rows before it may be imported.`);
  } finally {
    printProgress('');
    await journal.close();
    refused.print('domains');
  }
}

function resultOf(
  { added, known, customers, labels }: Imported,
  refused: number,
  perMinute: number,
): string {
  const set = customers + labels > 0 ? ` customers set: ${customers}; labels set: ${labels};` : '';
  const result = `Domains added: ${added}; known before: ${known};${set} rows refused: ${refused}.`;
  return added === 0 ? result : `${result}\n${readsOf(added, perMinute)}`;
}

/** When the list of domains has the new ones. */
function readsOf(added: number, perMinute: number): string {
  const minutes = minutesToRead(added, perMinute);
  if (minutes === null) return 'PORTFOLIO_READS_PER_MINUTE is 0, so that no gateway reads them.';
  return `A running gateway reads those that the registrar's list leaves out in about ${several(minutes, 'minute')}; until then counts of domains are too low.`;
}
