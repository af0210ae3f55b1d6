import { connectForCommand } from '../app/upstream-clients.ts';
import { type Config, readConfig } from '../config/config.ts';
import { readPrices } from '../config/price-file.ts';
import type { TenantConfig } from '../config/tenants.ts';
import { parseTld } from '../kernel/domain-name.ts';
import { Fault } from '../kernel/faults.ts';
import { formatMoney } from '../kernel/money.ts';
import type { RetailPrice } from '../kernel/price-rules.ts';
import { UsageError } from '../lib/arguments.ts';
import { commandFor } from '../lib/command-names.ts';
import { systemClock } from '../lib/system.ts';
import { createPriceList, type MissingPrice, type PriceList } from '../modules/price/price-list.ts';
import type { TldDetails, TldPrice } from '../upstream/domain-api/tld-shapes.ts';
import {
  chooseTenant,
  exitCodes,
  parsed,
  print,
  readTenantArguments,
  runCommand,
} from './program.ts';

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

/** Lines of each problem. */
const maxShown = 20;

const problems: Readonly<Record<MissingPrice, string>> = {
  BELOW_COST: 'the rule would sell below the cost, or below zero',
  NO_RATE: 'the file has no rate to the currency of the rule',
  OLD_RATE: 'the rate is older than "maxRateAge"',
  TOO_LONG: 'the price has more than 18 digits',
  NO_RULE: 'no rule matches',
};

await runCommand('prices', help, async (args) => {
  const { positionals, tenant } = readTenantArguments(args);
  const [command, ...rest] = positionals;
  const config = readConfig();
  const [file] = command === 'check' ? rest : [];
  const source = file === undefined ? config.prices : { file };
  const isUsed = command === 'check' ? rest.length === 1 : command === 'show' && rest.length > 0;
  if (!isUsed) throw new UsageError('Give a command: check FILE, or show with TLDs; see --help.');
  if (source === 'cost' || source === 'missing')
    throw new UsageError(
      'Set PRICES_FILE to a price file; without one there is no price of a shop.',
    );
  const list = createPriceList(parsed(() => readPrices(source)));
  const tlds = await readTlds(config, chooseTenant(config, tenant));
  return command === 'check' ? check(list, tlds) : show(list, tlds, rest);
});

async function readTlds(config: Config, { login, urls }: TenantConfig) {
  const sandbox = {
    domainApiUrl: `http://127.0.0.1:${config.sandbox.port}/domain-api`,
    accountApiUrl: null,
  };
  await using opened = new AsyncDisposableStack();
  const { domainActions } = connectForCommand(config, login, urls ?? sandbox, opened);
  return (await domainActions.tldlist({ count: 1_000 }, {})).tlds;
}

interface Row {
  readonly text: string;
  readonly cost: string;
  readonly found: RetailPrice | MissingPrice;
  readonly margin: string;
}

function rowOf(
  list: PriceList,
  tld: string,
  { operation, period, price: cost }: TldPrice,
): Row | null {
  if (cost instanceof Fault) return null;
  const item = { tld, operation, period, premium: false };
  const found = list.retail(item, cost, systemClock.now());
  const isSame = typeof found !== 'string' && found.price.currency === cost.currency;
  const margin = isSame
    ? formatMoney({ ...cost, amount: found.price.amount.minus(cost.amount) })
    : '';
  return { text: `.${tld} ${operation} ${period}`, cost: formatMoney(cost), found, margin };
}

function rowsOf(list: PriceList, tlds: readonly TldDetails[]): readonly Row[] {
  return tlds.flatMap(({ name, prices }) =>
    prices.flatMap((price) => rowOf(list, name, price) ?? []),
  );
}

function check(list: PriceList, tlds: readonly TldDetails[]): string {
  const rows = rowsOf(list, tlds);
  const byResult = Map.groupBy(rows, ({ found }) =>
    typeof found === 'string' ? found : found.rule,
  );
  const rules = [...byResult.keys()]
    .filter((key) => typeof key === 'number')
    .sort((one, other) => one - other);
  for (const rule of rules) print(`rule ${rule}: ${byResult.get(rule)?.length} prices`);
  for (const [problem, sentence] of Object.entries(problems)) {
    const found = byResult.get(problem as MissingPrice) ?? [];
    if (found.length === 0) continue;
    if (problem !== 'NO_RULE') process.exitCode = exitCodes.failed;
    print(`no price for ${found.length}, because ${sentence}:`);
    for (const { text, cost } of found.slice(0, maxShown)) print(`  ${text}, cost ${cost}`);
    if (found.length > maxShown) print(`  and ${found.length - maxShown} more`);
  }
  return `${rows.filter(({ found }) => typeof found !== 'string').length} of ${rows.length} costs have a price.`;
}

function show(list: PriceList, tlds: readonly TldDetails[], names: readonly string[]): string {
  const wanted = names.map((name) => {
    const tld = tlds.find((one) => one.name === parseTld(name));
    if (!tld) throw new UsageError(`The registrar does not sell "${name}".`);
    return tld;
  });
  const table = rowsOf(list, wanted).map(({ text, cost, found, margin }) =>
    typeof found === 'string'
      ? [text, cost, `none: ${problems[found]}`]
      : [text, cost, formatMoney(found.price), margin, `rule ${found.rule}`],
  );
  const all = [['TLD, operation, years', 'cost', 'price', 'margin', 'rule'], ...table];
  const widths = [0, 1, 2, 3].map((at) =>
    Math.max(...all.filter((row) => row.length > 3).map((row) => row[at]?.length ?? 0)),
  );
  return all
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
