import { Decimal } from '../../src/kernel/money.ts';
import { hash } from './chance.ts';

/**
 * The TLDs with prices of their own. Columns: tld, shortest and longest label, least and most years, least and most name
 * servers, price of a registration, renewal, transfer and restore, currency, then any of these words:
 *
 * - `idn`: labels may be internationalised; `registrant-data`: registering needs what this API cannot pass
 * - `no-lock`, `no-transfer`, `no-restore`: the TLD has no such thing
 * - `inactive`: listed, but not sold; `no-pricing`: `pricing` and `currencies` arrive as `[]`; `bare`: only two of the keys
 * - `two-year`: only period 2 is listed; `listed`: every period has its own price, each further year 5 % less; `packages`: the
 *   same for 1, 2 and 5 years only
 * - `multiplied`: a period that is not listed costs a multiple of the first one, instead of the first one and renewals
 * - `restore-once`: a restore has the period 0, so that its price arrives in a list
 * - `purge=n`: days from expiry until the name is free again, 80 otherwise
 * - any other `key=price`: a further key of `pricing`
 */
const pricedTlds = `
com 2 63 1 10 1 13 11.2900 11.4900 10.5900 85.0000 USD idn backorder=48.8500 refund=11.2900
net 3 63 1 10 1 13 13.9900 13.9900 13.9900 85.0000 USD idn backorder=49.2000 refund=13.9900
org 3 63 1 10 1 13 10.1900 12.9900 11.9900 80.0000 USD idn multiplied
info 3 63 1 10 1 13 19.9000 24.9000 21.9000 80.0000 USD idn
biz 1 63 1 10 2 13 17.9000 21.9000 18.9000 80.0000 USD idn
name 3 63 1 10 2 13 7.9000 8.5000 7.9000 80.0000 USD
mobi 3 63 1 10 2 13 29.9000 44.9000 39.9000 80.0000 USD
pro 3 63 1 10 2 13 19.9000 24.9000 21.9000 80.0000 USD
asia 3 63 1 10 2 13 11.9000 14.9000 12.9000 80.0000 USD
io 2 63 1 10 2 13 44.9000 56.9000 46.9000 100.0000 USD multiplied
ai 2 63 2 10 2 13 139.8000 159.8000 139.8000 140.0000 USD two-year
co 3 63 1 5 2 13 24.9000 32.9000 26.9000 90.0000 USD
me 2 63 1 10 2 13 12.9000 17.9000 13.9000 80.0000 USD
tv 3 63 1 10 2 13 26.9000 33.9000 27.9000 90.0000 USD
cc 3 63 1 10 1 13 8.9000 10.9000 8.9000 80.0000 USD
dev 3 63 1 10 1 10 11.9000 13.9000 11.9000 80.0000 USD
app 3 63 1 10 1 13 13.9000 15.9000 13.9000 80.0000 USD
xyz 1 63 1 10 1 13 2.4900 13.9000 12.9000 70.0000 USD multiplied
online 3 63 1 10 1 13 1.9900 28.9000 24.9000 80.0000 USD
site 3 63 1 10 1 13 1.4900 28.9000 24.9000 80.0000 USD
store 3 63 1 10 1 13 1.9900 44.9000 38.9000 80.0000 USD
tech 3 63 1 10 1 13 5.9900 52.9000 44.9000 80.0000 USD
shop 3 63 1 10 1 13 2.9900 32.9000 27.9000 80.0000 USD
club 3 63 1 10 1 13 12.9000 16.9000 13.9000 80.0000 USD multiplied
top 3 63 1 10 1 13 3.4900 4.9000 4.5000 60.0000 USD
cloud 3 63 1 10 1 13 9.9000 21.9000 18.9000 80.0000 USD idn multiplied
eu 2 63 1 10 2 9 5.9000 6.9000 5.9000 25.0000 USD idn registrant-data purge=90
de 1 63 1 1 2 13 5.4000 6.4000 5.4000 35.0000 USD idn no-lock trade=5.4000
fr 2 63 1 10 2 8 7.9000 8.9000 7.9000 30.0000 USD idn
nl 2 63 1 10 1 13 4.9000 5.9000 4.9000 25.0000 USD no-restore
es 3 63 1 5 2 7 8.9000 10.9000 8.9000 40.0000 USD idn
at 3 63 1 10 2 8 11.9000 12.9000 11.9000 50.0000 USD idn
uk 3 63 1 10 2 10 5.9000 6.9000 0.0000 30.0000 USD
co.uk 3 63 1 10 2 10 5.9000 6.9000 0.0000 30.0000 USD
us 3 63 1 10 2 13 5.9000 7.9000 5.9000 60.0000 USD registrant-data
ca 2 63 1 10 2 13 9.9000 11.9000 9.9000 50.0000 USD registrant-data
com.au 2 63 1 5 2 6 12.9000 13.9000 0.0000 50.0000 USD registrant-data
ng 2 63 1 5 2 13 5.4900 5.4900 5.4900 30.0000 USD purge=102
com.ng 2 63 1 5 2 13 3.4900 3.4900 3.4900 30.0000 USD purge=102
tr 2 63 1 10 2 13 450.0000 450.0000 450.0000 4200.0000 TL idn registrant-data purge=90
com.tr 2 63 1 10 2 13 189.0000 189.0000 189.0000 4200.0000 TL idn registrant-data purge=90
gen.tr 2 63 1 10 2 13 149.0000 149.0000 149.0000 4200.0000 TL idn purge=90
blog 3 63 1 10 2 13 18.9000 24.9000 21.9000 80.0000 USD listed setup=2.5000
museum 3 63 1 10 2 13 69.0000 79.0000 69.0000 80.0000 USD inactive
aero 3 63 1 10 2 13 42.0000 44.0000 42.0000 80.0000 USD bare
travel 3 63 1 10 2 13 99.0000 109.0000 99.0000 80.0000 USD no-pricing
tel 3 63 1 10 2 13 12.9000 14.9000 12.9000 80.0000 USD no-transfer restore-once setup=1.0000
xn--p1ai 2 63 1 1 2 13 4.9000 5.9000 4.9000 30.0000 USD idn
xn--80asehdb 2 63 1 10 2 13 9.9000 11.9000 9.9000 80.0000 USD idn additionallicence=3.0000
`;

/** Single words of the synthetic long tail, then the two halves of its compounds. */
const tailWords = `
academy actor agency apartments archi associates attorney auction audio band bargains beer bike bingo boutique builders
business cab cafe camera camp capital cards care careers casa cash catering center chat cheap church city claims cleaning
clinic clothing coach codes coffee community company computer condos construction consulting contact cooking cool coupons
courses credit cruises dance dating deals degree delivery democrat dental design diamonds diet digital direct directory
discount doctor dog domains download earth education email energy engineer engineering enterprises equipment estate events
exchange expert exposed express fail family fans farm fashion finance financial fish fishing fit fitness flights florist
football forsale foundation fund furniture futbol fyi gallery garden gifts glass gmbh golf graphics gratis green gripe
group guide guitars guru haus health hockey holdings holiday horse hospital host house immo industries institute insure
`;
const tailFirsts = `
blue bright calm city clear coast craft early east fair field fresh garden gold great green happy harbor high hill home
`;
const tailSeconds = `
bakery bank barn bay board book bridge camp chapel cinema court deck desk dome fabric ferry forge fort gate grove guild hall
kitchen lab lane lodge loft mill mint oak park pier plaza
`;

/** One in twelve tail rows each has these words, and renews at so many cents more than it registers; the others renew at 400 more. */
const tailPricing = [
  { words: 'multiplied', renewMore: 400 },
  { words: '', renewMore: -100 },
  { words: 'packages', renewMore: 400 },
  { words: 'packages multiplied', renewMore: 400 },
];

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
