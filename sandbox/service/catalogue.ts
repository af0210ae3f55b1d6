import { Decimal } from '../../src/kernel/money.ts';
import { pricedTlds, tailFirsts, tailPricing, tailSeconds, tailWords } from './catalogue-rows.ts';
import { hash } from './chance.ts';

export type Tld = ReturnType<typeof readRow>;

const split = (text: string) => text.trim().split(/\s+/);
const pricedRows = pricedTlds.trim().split('\n');

const everyPeriod = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
const packages = [1, 2, 5];

/** The whole catalogue in the order of `tldlist`: the priced rows first, then the synthetic tail. */
export const catalogue: readonly Tld[] = [...pricedRows, ...tailNames().map(tailRow)].map(readRow);

const byName = new Map(catalogue.map((tld) => [tld.tld, tld]));

export const findTld = (tld: string): Tld | undefined => byName.get(tld);
/** The TLD of a valid name with one label above it. */
export const tldAbove = (name: string): Tld | undefined =>
  findTld(name.slice(name.indexOf('.') + 1));
export const isTld = (text: string): boolean => byName.has(text);

export type PricedAction = 'registration' | 'transfer';

/** The listed prices of a key of `pricing`, by years, the shortest period first. */
export function listedPrices(
  { entry }: Tld,
  key: PricedAction | 'renew',
): ReadonlyMap<number, Decimal> {
  const { pricing } = entry;
  const prices = Array.isArray(pricing) ? {} : (pricing[key] ?? {});
  const byYears = Object.entries(prices).map(([years, price]): [number, Decimal] => [
    Number(years),
    Decimal.parse(price),
  ]);
  return new Map(byYears.toSorted(([one], [other]) => one - other));
}

/** The price that a check shows, which is that of the shortest listed period. */
export function listPrice(tld: Tld, action: PricedAction): string | null {
  const [first] = listedPrices(tld, action).values();
  return first?.toString() ?? null;
}

function tailNames(): readonly string[] {
  const compounds = split(tailFirsts).flatMap((first) =>
    split(tailSeconds).map((second) => first + second),
  );
  const priced = new Set(pricedRows.map((row) => split(row)[0]));
  return [...new Set([...split(tailWords), ...compounds])].filter((tld) => !priced.has(tld));
}

function tailRow(tld: string): string {
  const { words, renewMore } = tailPricing[hash(`${tld}?`) % 12] ?? { words: '', renewMore: 400 };
  const cents = 290 + (hash(tld) % 60) * 100;
  const price = (add: number) => ((cents + add) / 100).toFixed(4);
  const idn = hash(`${tld}!`) % 5 === 0 ? 'idn' : '';
  return `${tld} 3 63 1 10 2 13 ${price(0)} ${price(renewMore)} ${price(150)} 80.0000 USD ${idn} ${words}`;
}

function readRow(row: string, index: number) {
  const [tld = '', minChars, maxChars, minYears, maxYears, minHosts, maxHosts, ...rest] =
    split(row);
  const [registration = '', renew = '', transfer = '', restore = '', currency = '', ...words] =
    rest;
  const has = (word: string) => words.includes(word);
  const pairs = words.filter((word) => word.includes('=')).map((word) => word.split('='));
  const extra = pairs.filter(([key]) => key !== 'purge');
  const canTransfer = !has('no-transfer') && !has('bare');
  const period = has('two-year') ? '2' : '1';
  const years = has('listed') ? everyPeriod : has('packages') ? packages : null;
  const byYears = (price: string) => (years ? yearly(price, years) : { [period]: price });
  const pricing: Record<string, Record<string, string>> = has('no-pricing')
    ? {}
    : {
        ...Object.fromEntries(
          extra.map(([key = '', price = '']) => [key, { [key === 'setup' ? '0' : period]: price }]),
        ),
        ...(!has('bare') &&
          !has('no-restore') && {
            restore: { [has('restore-once') ? '0' : '1']: restore },
          }),
        ...(canTransfer && { transfer: { [period]: transfer } }),
        renew: byYears(renew),
        registration: byYears(registration),
      };
  const keys = Object.keys(pricing);

  return {
    /** The TLD in `tldlist`. An empty map is sent as `[]`. */
    entry: {
      id: index + 1,
      status: has('inactive') ? 'Passive' : 'Active',
      tld,
      minchar: Number(minChars),
      maxchar: Number(maxChars),
      minperiod: Number(minYears),
      maxperiod: Number(maxYears),
      pricing:
        keys.length === 0
          ? []
          : Object.fromEntries(keys.map((key) => [key, asSent(pricing[key] ?? {})])),
      currencies: keys.length === 0 ? [] : Object.fromEntries(keys.map((key) => [key, currency])),
    },
    tld,
    currency,
    nameServers: { min: Number(minHosts), max: Number(maxHosts) },
    allowsIdn: has('idn'),
    needsRegistrantData: has('registrant-data'),
    canLock: !has('no-lock'),
    canTransfer,
    isGeneric: !tld.includes('.') && tld.length > 2 && !tld.startsWith('xn--'),
    /** Whether a period that is not listed costs a multiple of the first one, instead of the first one and renewals. */
    multipliesFirstPeriod: has('multiplied'),
    /** Days from expiry until the name is free again. */
    purgeAfterDays: Number(pairs.find(([key]) => key === 'purge')?.[1] ?? 80),
  };
}

/** PHP sends a map with the keys 0, 1, … in order as a list. */
function asSent(prices: Record<string, string>): Record<string, string> | readonly string[] {
  const isList = Object.keys(prices).every((period, at) => period === String(at));
  return isList ? Object.values(prices) : prices;
}

/** Each further year is 5 % cheaper than the first. */
function yearly(price: string, periods: readonly number[]): Record<string, string> {
  const first = Decimal.parse(price);
  const further = first.times(Decimal.parse('0.95'));
  return Object.fromEntries(
    periods.map((years) => [
      years,
      first.plus(further.times(Decimal.parse(String(years - 1)))).toString(),
    ]),
  );
}
