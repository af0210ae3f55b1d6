import { parseTld } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { formatMoney, type RetailPrice } from '../../kernel/money.ts';
import { UsageError } from '../../lib/programs.ts';
import type { TldDetails, TldPrice } from '../../upstream/domain-api/tld-shapes.ts';
import type { MissingPrice, PriceList } from './list.ts';

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
