import { readFileSync } from 'node:fs';
import { accountOf, openJournal, requireJournal } from '../app/journal.ts';
import { type Config, readConfig } from '../config/config.ts';
import { type DomainName, parseDomainName } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import { parseArguments, UsageError } from '../lib/arguments.ts';
import { commandFor } from '../lib/command-names.ts';
import { decodeText } from '../lib/decode-text.ts';
import { systemClock } from '../lib/system.ts';
import { chooseTenant, parsed, printErrors, printProgress, runCommand } from './program.ts';

const help = `Adds domains of the account that the registrar's list leaves out.

Usage: ${commandFor('domains', '[--tenant name] import FILE')}

  FILE           One domain name per line, or CSV with the names in its first column. A first line "name" is
                 skipped. A line without a domain name is reported by its number; the others are imported.
  --tenant name  The tenant, by its name in TENANTS; required with several.

A running gateway reads the new domains within PORTFOLIO_READS_PER_MINUTE. The settings are those of the gateway;
see ${commandFor('start', '--help')}.
`;

/** Names that are added between two reports of the progress. */
const namesPerStep = 5_000;

/** Lines of which each is reported. */
const maxReports = 100;

await runCommand('domains', help, async (args) => {
  const { positionals, values } = parseArguments({
    args,
    options: { tenant: { type: 'string' } },
    allowPositionals: true,
  });
  const [command, file, ...more] = positionals;
  if (command !== 'import' || file === undefined || more.length > 0) {
    throw new UsageError('Give a command and a file: import FILE; see --help.');
  }
  const { names, broken } = readNames(parsed(() => decodeText(readFileSync(file))));
  const config = readConfig();
  requireJournal(config);
  const account = accountOf(config, chooseTenant(config, values.tenant ?? null));
  const added = await add(config, account, names);
  report(broken);
  return `Domains added: ${added}; known before: ${names.length - added}; lines without a domain name: ${broken.length}.`;
});

interface BrokenLine {
  readonly number: number;
  readonly reason: string;
}

/** The names of a file, each once. Blank lines are skipped. */
function readNames(text: string) {
  const names = new Set<DomainName>();
  const broken: BrokenLine[] = [];
  for (const [at, line] of text.split(/\r\n|\n|\r/).entries()) {
    const cell = firstCell(line);
    if (cell === '' || (at === 0 && cell.toLowerCase() === 'name')) continue;
    try {
      names.add(parseDomainName(cell));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      broken.push({ number: at + 1, reason: error.message });
    }
  }
  return { names: [...names], broken };
}

/** A domain name has no comma, semicolon or quote, so that a cell ends at the first one. */
function firstCell(line: string): string {
  const [cell = ''] = line
    .trim()
    .replace(/^"/, '')
    .split(/[",;\t]/, 1);
  return cell.trim();
}

async function add(config: Config, account: string, names: readonly DomainName[]): Promise<number> {
  const journal = await openJournal(config);
  try {
    const at = systemClock.now();
    let added = 0;
    for (let from = 0; from < names.length; from += namesPerStep) {
      printProgress(`${from} of ${names.length} domains`);
      const step = names.slice(from, from + namesPerStep);
      added += await journal.ledger.add(account, step, { source: 'IMPORTED', at, dueAt: at });
    }
    printProgress('');
    return added;
  } finally {
    await journal.close();
  }
}

function report(broken: readonly BrokenLine[]): void {
  const sentences = broken
    .slice(0, maxReports)
    .map(({ number, reason }) => `line ${number}: ${reason}`);
  const rest = broken.length - sentences.length;
  printErrors('domains', rest > 0 ? [...sentences, `${rest} more lines.`] : sentences);
}
