import { Decimal } from '../kernel/money.ts';
import { pricedTlds, tailFirsts, tailSeconds, tailWords } from './catalogue-rows.ts';
import { hash } from './chance.ts';

/** A TLD as `tldlist` shows it. An empty map arrives as `[]`, as the service sends it. */
export interface TldEntry {
  readonly id: number;
  readonly status: string;
  readonly tld: string;
  readonly minchar: number;
  readonly maxchar: number;
  readonly minperiod: number;
  readonly maxperiod: number;
  readonly pricing: Readonly<Record<string, Readonly<Record<string, string>>>> | readonly never[];
  readonly currencies: Readonly<Record<string, string>> | readonly never[];
}

export interface Tld {
  readonly entry: TldEntry;
  readonly tld: string;
  readonly currency: string;
  readonly nameServers: { readonly min: number; readonly max: number };
  readonly allowsIdn: boolean;
  readonly needsRegistrantData: boolean;
  readonly canLock: boolean;
  readonly canTransfer: boolean;
  readonly isGeneric: boolean;
  /** Days from expiry until the name is free again. */
  readonly purgeAfterDays: number;
}

const split = (text: string) => text.trim().split(/\s+/);

/** The whole catalogue in the order of `tldlist`: the priced rows first, then the synthetic tail. */
export const catalogue: readonly Tld[] = [
  ...pricedTlds.trim().split('\n'),
  ...tailNames().map(tailRow),
].map(readRow);

const byName = new Map(catalogue.map((tld) => [tld.tld, tld]));

export const findTld = (tld: string): Tld | undefined => byName.get(tld);
export const isTld = (text: string): boolean => byName.has(text);

export type PricedAction = 'registration' | 'transfer';

/**
 * The price of `years`: the period's own, else the longest listed period that divides it, that many times.
 *
 * `null` when the catalogue names none.
 */
export function priceOf({ entry }: Tld, action: PricedAction, years: number): Decimal | null {
  const prices = Array.isArray(entry.pricing)
    ? undefined
    : (entry.pricing as Record<string, Record<string, string>>)[action];
  if (!prices) return null;
  for (let period = years; period >= 1; period -= 1) {
    const price = prices[String(period)];
    if (price !== undefined && years % period === 0) {
      return Decimal.parse(price).times(Decimal.parse(String(years / period)));
    }
  }
  return null;
}

/** The price that a check shows: of the shortest period there is, and what a transfer costs. */
export function listPrice({ entry }: Tld, action: PricedAction): string | null {
  if (Array.isArray(entry.pricing)) return null;
  const prices = (entry.pricing as Record<string, Record<string, string>>)[action] ?? {};
  const first = Object.keys(prices).sort((one, other) => Number(one) - Number(other))[0];
  return first === undefined ? null : (prices[first] ?? null);
}

function tailNames(): readonly string[] {
  const compounds = split(tailFirsts).flatMap((first) =>
    split(tailSeconds).map((second) => first + second),
  );
  const priced = new Set(
    pricedTlds
      .trim()
      .split('\n')
      .map((row) => split(row)[0]),
  );
  return [...new Set([...split(tailWords), ...compounds])].filter((tld) => !priced.has(tld));
}

function tailRow(tld: string): string {
  const cents = 290 + (hash(tld) % 60) * 100;
  const price = (add: number) => ((cents + add) / 100).toFixed(4);
  const idn = hash(`${tld}!`) % 5 === 0 ? 'idn' : '';
  return `${tld} 3 63 1 10 2 13 ${price(0)} ${price(400)} ${price(150)} 80.0000 USD ${idn}`;
}

function readRow(row: string, index: number): Tld {
  const [tld = '', minChars, maxChars, minYears, maxYears, minHosts, maxHosts, ...rest] =
    split(row);
  const [registration = '', renew = '', transfer = '', restore = '', currency = '', ...words] =
    rest;
  const has = (word: string) => words.includes(word);
  const extra = words.map((word) => word.split('=')).filter(([key]) => key !== 'purge');
  const period = has('two-year') ? '2' : '1';

  const keys: [string, string | undefined][] = [
    ...extra
      .filter((pair) => pair.length === 2)
      .map(([key = '', value]): [string, string | undefined] => [key, value]),
    ...(has('bare') || has('no-restore') ? [] : [['restore', restore] as [string, string]]),
    ...(has('bare') || has('no-transfer') ? [] : [['transfer', transfer] as [string, string]]),
    ['renew', renew],
    ['registration', registration],
  ];
  const priced = keys.map(([key, price = '']): [string, Record<string, string>] => {
    if (has('listed') && (key === 'registration' || key === 'renew')) return [key, yearly(price)];
    if (key === 'setup') return [key, { '0': price }];
    return [key, { [key === 'restore' ? '1' : period]: price }];
  });
  const empty = has('no-pricing');

  return {
    entry: {
      id: index + 1,
      status: has('inactive') ? 'Passive' : 'Active',
      tld,
      minchar: Number(minChars),
      maxchar: Number(maxChars),
      minperiod: Number(minYears),
      maxperiod: Number(maxYears),
      pricing: empty ? [] : Object.fromEntries(priced),
      currencies: empty ? [] : Object.fromEntries(priced.map(([key]) => [key, currency])),
    },
    tld,
    currency,
    nameServers: { min: Number(minHosts), max: Number(maxHosts) },
    allowsIdn: has('idn'),
    needsRegistrantData: has('registrant-data'),
    canLock: !has('no-lock'),
    canTransfer: !has('no-transfer') && !has('bare'),
    isGeneric: !tld.includes('.') && tld.length > 2 && !tld.startsWith('xn--'),
    purgeAfterDays: Number(words.find((word) => word.startsWith('purge='))?.slice(6) ?? 80),
  };
}

/** Each further year is 5 % cheaper than the first. */
function yearly(price: string): Record<string, string> {
  const further = Decimal.parse(price).times(Decimal.parse('0.95'));
  const prices: Record<string, string> = {};
  let sum = Decimal.parse(price);
  for (let years = 1; years <= 10; years += 1) {
    prices[String(years)] = sum.toString();
    sum = sum.plus(further);
  }
  return prices;
}
