import {
  chooseTenant,
  exitCodes,
  parsed,
  readTenantArguments,
  runCommand,
} from '../../console/program.ts';
import { parseTld } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { formatMoney, type RetailPrice } from '../../kernel/money.ts';
import { commandFor, UsageError } from '../../lib/programs.ts';
import { systemClock } from '../../lib/system.ts';
import type { CommandContext } from '../../seam/feature.ts';
import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import { readPrices } from './file.ts';
import { createPriceList, type MissingPrice, type PriceList } from './list.ts';
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

/** Lines of each problem. */
const maxShown = 20;

const problems: Readonly<Record<MissingPrice, string>> = {
  BELOW_COST: 'the rule would sell below the cost, or below zero',
  NO_RATE: 'the file has no rate to the currency of the rule',
  OLD_RATE: 'the rate is older than "maxRateAge"',
  TOO_LONG: 'the price has more than 18 digits',
  NO_RULE: 'no rule matches',
};

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
  now: Date,
): Row | null {
  if (cost instanceof Fault) return null;
  const item = { tld, operation, period, premium: false };
  const found = list.retail(item, cost, now);
  const isSame = typeof found !== 'string' && found.price.currency === cost.currency;
  const margin = isSame
    ? formatMoney({ ...cost, amount: found.price.amount.minus(cost.amount) })
    : '';
  return { text: `.${tld} ${operation} ${period}`, cost: formatMoney(cost), found, margin };
}

const rowsOf = (list: PriceList, tlds: readonly TldDetails[], now: Date): readonly Row[] =>
  tlds.flatMap(({ name, prices }) =>
    prices.flatMap((price) => rowOf(list, name, price, now) ?? []),
  );

/** The number of prices of each rule, and the costs without a price. It is complete unless a price cannot be computed. */
export function check(list: PriceList, tlds: readonly TldDetails[], now: Date) {
  const rows = rowsOf(list, tlds, now);
  const byResult = Map.groupBy(rows, ({ found }) =>
    typeof found === 'string' ? found : found.rule,
  );
  const rules = [...byResult.keys()]
    .filter((key) => typeof key === 'number')
    .sort((one, other) => one - other);
  const missing = Object.entries(problems).flatMap(([problem, sentence]) => {
    const found = byResult.get(problem as MissingPrice) ?? [];
    return found.length > 0 ? [{ problem, sentence, found }] : [];
  });
  const priced = rows.filter(({ found }) => typeof found !== 'string');
  const lines = [
    ...rules.map((rule) => `rule ${rule}: ${byResult.get(rule)?.length} prices`),
    ...missing.flatMap(({ sentence, found }) => [
      `no price for ${found.length}, because ${sentence}:`,
      ...found.slice(0, maxShown).map(({ text, cost }) => `  ${text}, cost ${cost}`),
      ...(found.length > maxShown ? [`  and ${found.length - maxShown} more`] : []),
    ]),
    `${priced.length} of ${rows.length} costs have a price.`,
  ];
  return {
    text: lines.join('\n'),
    isComplete: missing.every(({ problem }) => problem === 'NO_RULE'),
  };
}

/** Cost, price, margin and rule of each price of some TLDs. @throws UsageError for a TLD that is not sold */
export function show(
  list: PriceList,
  tlds: readonly TldDetails[],
  names: readonly string[],
  now: Date,
): string {
  const wanted = names.map((name) => {
    const tld = tlds.find((one) => one.name === parseTld(name));
    if (!tld) throw new UsageError(`The registrar does not sell "${name}".`);
    return tld;
  });
  const table = rowsOf(list, wanted, now).map(({ text, cost, found, margin }) =>
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
