import {
  chooseTenant,
  exitCodes,
  parsed,
  readTenantArguments,
  runCommand,
} from '../../console/program.ts';
import { commandFor, UsageError } from '../../lib/programs.ts';
import { systemClock } from '../../lib/system.ts';
import type { CommandContext } from '../../seam/feature.ts';
import { readPrices } from './file.ts';
import { createPriceList } from './list.ts';
import { check, show } from './report.ts';
import { priceSourceOf } from './settings.ts';

const help = `Shows the prices of a price file for the costs of the registrar.

Usage: ${commandFor('prices', '[--tenant name] check FILE')}
       ${commandFor('prices', '[--tenant name] show com net …')}

  check FILE     Checks a price file, and prints the number of prices of each rule and the costs without a price. The exit code is 1
                 when a rule would sell below the cost, or a rate is missing or too old.
  show TLD …     Prints cost, price, margin and rule of each price of some TLDs, by PRICES_FILE or the prices of the sandbox.
  --tenant name  The tenant, by its name in TENANTS; required with several.

One call at the registrar reads the price list. With the embedded sandbox the gateway must be running.
The settings are those of the gateway; see ${commandFor('start', '--help')}.
`;

export const runPrices = (context: CommandContext): Promise<void> =>
  runCommand('prices', help, (args) => reportPrices(context, args));

async function reportPrices(
  { readConfig, connect }: CommandContext,
  args: string[],
): Promise<string> {
  const { positionals, tenant } = readTenantArguments(args);
  const [command, ...rest] = positionals;
  const config = readConfig();
  const [file] = command === 'check' ? rest : [];
  const source = file === undefined ? priceSourceOf(config) : { file };
  const isUsed = command === 'check' ? rest.length === 1 : command === 'show' && rest.length > 0;
  if (!isUsed) throw new UsageError('Give a command: check FILE, or show with TLDs; see --help.');
  if (source === 'cost' || source === 'missing')
    throw new UsageError(
      'Set PRICES_FILE to a price file; without one there is no price of a shop.',
    );
  const list = createPriceList(parsed(() => readPrices(source)));
  const chosen = chooseTenant(config, tenant);
  await using opened = new AsyncDisposableStack();
  const { domainActions } = await connect(config, chosen, opened);
  const { tlds } = await domainActions.tldlist({ count: 1_000 }, {});
  const now = systemClock.now();
  if (command !== 'check') return show(list, tlds, rest, now);
  const { text, isComplete } = check(list, tlds, now);
  if (!isComplete) process.exitCode = exitCodes.failed;
  return text;
}
