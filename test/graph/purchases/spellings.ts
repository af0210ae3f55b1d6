import { domainToASCII } from 'node:url';
import fc from 'fast-check';

// Registrations, and the spellings of each.

interface Person {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string | null;
  readonly email: string;
  readonly phone: string;
  readonly address: {
    readonly line1: string;
    readonly line2: string | null;
    readonly city: string;
    readonly state: string | null;
    readonly zipCode: string;
    readonly country: string;
  };
}

/** Names in lower-case Unicode, texts without blanks around them, amounts without a zero too many. */
export interface Meaning {
  readonly domain: string;
  readonly period: number;
  readonly nameServers: readonly string[];
  readonly registrant: Person;
  readonly contact: Person | null;
  readonly privacyProtected: boolean;
  readonly transferLocked: boolean;
  readonly acceptPremium: boolean;
  readonly maxPrice: { readonly amount: string; readonly currency: string } | null;
}

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const name = fc.oneof(
  fc.tuple(label, fc.constantFrom('com', 'de', 'co.uk')).map((parts) => parts.join('.')),
  fc.constantFrom('bücher.de', 'faß.de', 'кто.рф', '日本語.jp', 'ns1.bücher.de', 'a-b.example'),
);
const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((one) => one.trim())
  .filter((one) => one !== '');
const optionalText = fc.option(text, { nil: null });
const person: fc.Arbitrary<Person> = fc.record({
  firstName: text,
  lastName: text,
  company: optionalText,
  email: text,
  phone: text,
  address: fc.record({
    line1: text,
    line2: optionalText,
    city: text,
    state: optionalText,
    zipCode: text,
    country: fc.constantFrom('DE', 'GB', 'TR'),
  }),
});
const amount = fc
  .tuple(fc.nat(999_999), fc.stringMatching(/^([0-9]{0,11}[1-9])?$/))
  .map(([whole, fraction]) => (fraction === '' ? String(whole) : `${whole}.${fraction}`));

export const meaning: fc.Arbitrary<Meaning> = fc.record({
  domain: name,
  period: fc.integer({ min: 1, max: 10 }),
  nameServers: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
  registrant: person,
  contact: fc.option(person, { nil: null }),
  privacyProtected: fc.boolean(),
  transferLocked: fc.boolean(),
  acceptPremium: fc.boolean(),
  maxPrice: fc.option(fc.record({ amount, currency: fc.constantFrom('USD', 'EUR', 'TRY') }), {
    nil: null,
  }),
});

const blank = fc.constantFrom('', '', ' ', '\t', '\n ', '\u00a0');
const between = (written: fc.Arbitrary<string>) =>
  fc.tuple(blank, written, blank).map((parts) => parts.join(''));

/** Letters in any case, where the other case is one letter that leads back. */
const inAnyCase = (word: string): fc.Arbitrary<string> =>
  fc.infiniteStream(fc.boolean()).map((upper) =>
    [...word]
      .map((letter) => {
        const other = letter.toUpperCase();
        return other.length === 1 && other.toLowerCase() === letter && upper.next().value
          ? other
          : letter;
      })
      .join(''),
  );

const spelledName = (unicode: string) =>
  between(
    fc
      .tuple(
        fc.constantFrom(unicode, domainToASCII(unicode)).chain(inAnyCase),
        fc.constantFrom('', '.', '。'),
      )
      .map((parts) => parts.join('')),
  );

const spelledText = (words: string) => between(fc.constant(words));
/** Undefined stands for a field that is not written at all. */
const absent = fc.constantFrom<null | undefined>(null, undefined);
const spelledOptional = (words: string | null): fc.Arbitrary<unknown> =>
  words === null ? fc.oneof(absent, blank) : spelledText(words);

const zeros = (most: number) => fc.nat(most).map((count) => '0'.repeat(count));
const spelledAmount = (exact: string) => {
  const [, fraction = ''] = exact.split('.');
  const point = fraction === '' ? fc.constantFrom('', '.0') : fc.constant('');
  const behind = (dot: string) => (fraction === '' && dot === '' ? 0 : 11 - fraction.length);
  return point.chain((dot) =>
    between(
      fc
        .tuple(fc.constantFrom('', '+'), zeros(3), zeros(Math.max(0, behind(dot))))
        .map(([sign, front, back]) => `${sign}${front}${exact}${dot}${back}`),
    ),
  );
};

const currencies: Readonly<Record<string, readonly string[]>> = { TRY: ['TRY', 'TL'] };
const spelledCurrency = (code: string) =>
  between(
    fc.constantFrom(...(currencies[code] ?? [code])).chain((one) => inAnyCase(one.toLowerCase())),
  );

/** The fields in any order; undefined fields are omitted. */
const inAnyOrder = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(fields).chain((written) => {
    const entries = Object.entries(written).filter(([, one]) => one !== undefined);
    return fc
      .shuffledSubarray(entries, { minLength: entries.length })
      .map((shuffled): object => Object.fromEntries(shuffled));
  });

const spelledPerson = ({ address, company, ...texts }: Person) =>
  inAnyOrder({
    ...Object.fromEntries(Object.entries(texts).map(([key, one]) => [key, spelledText(one)])),
    company: spelledOptional(company),
    address: inAnyOrder({
      line1: spelledText(address.line1),
      line2: spelledOptional(address.line2),
      city: spelledText(address.city),
      state: spelledOptional(address.state),
      zipCode: spelledText(address.zipCode),
      country: between(inAnyCase(address.country.toLowerCase())),
    }),
  });

const withDefault = <T>(value: T, initial: T): fc.Arbitrary<T | undefined> =>
  fc.constantFrom(...(value === initial ? [value, undefined] : [value]));

/** Each host in its place, and any of them written again behind it. */
const spelledHosts = (hosts: readonly string[]) =>
  fc
    .array(fc.constantFrom(...hosts), { maxLength: 3 })
    .chain((again) => fc.tuple(...[...hosts, ...again].map(spelledName)));

/** The `input` of `registerDomain` in one of the ways to write it. */
export const spelled = (it: Meaning): fc.Arbitrary<object> =>
  inAnyOrder({
    domain: spelledName(it.domain),
    period: fc.constant(it.period),
    nameServers: spelledHosts(it.nameServers),
    registrant: inAnyOrder({ fields: spelledPerson(it.registrant) }),
    contact: it.contact ? inAnyOrder({ fields: spelledPerson(it.contact) }) : absent,
    // Without a value they are those of the stored defaults.
    privacyProtected: fc.constant(it.privacyProtected),
    transferLocked: fc.constant(it.transferLocked),
    acceptPremium: withDefault(it.acceptPremium, false),
    maxPrice: it.maxPrice
      ? inAnyOrder({
          amount: spelledAmount(it.maxPrice.amount),
          currency: spelledCurrency(it.maxPrice.currency),
        })
      : absent,
  });

/** As a literal of a document. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, one]) => `${key}: ${literal(one)}`);
  return `{ ${members.join(', ')} }`;
}

type Path = readonly string[];

const fieldsOf = (value: object, path: Path = []): readonly Path[] =>
  Object.entries(value).flatMap(([key, one]) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? fieldsOf(one, [...path, key])
      : [[...path, key]],
  );

const at = (value: unknown, path: Path): unknown =>
  path.reduce((one, key) => (one as Record<string, unknown> | null | undefined)?.[key], value);

function replaced(value: object, [key = '', ...rest]: Path, by: unknown): object {
  const member = (value as Record<string, unknown>)[key];
  return { ...value, [key]: rest.length === 0 ? by : replaced(member as object, rest, by) };
}

/** Its leaf fields and its nullable objects. */
const changeable = (it: Meaning): readonly Path[] => [
  ...fieldsOf(it).filter((path) => path.length > 1 || at(it, path) !== null),
  ['contact'],
  ['maxPrice'],
];

/** One meaning, another that has another value in one field, and where that is. */
export const twoMeanings: fc.Arbitrary<readonly [Meaning, Meaning, string]> = fc
  .tuple(meaning, meaning)
  .chain(([one, other]) =>
    fc
      .constantFrom(...changeable(one).filter((path) => at(other, path) !== undefined))
      .map((path) => {
        const changed = replaced(one, path, at(other, path)) as Meaning;
        return [one, changed, path.join('.')] as const;
      }),
  )
  .filter(([one, changed]) => JSON.stringify(one) !== JSON.stringify(changed));
