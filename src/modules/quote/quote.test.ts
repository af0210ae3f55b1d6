import { describe, expect, test } from 'vitest';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { formatMoney } from '../../kernel/money.ts';
import { offersReply } from '../../upstream/domain-api/availability-shapes.ts';
import { type TldDetails, tldEntry } from '../../upstream/domain-api/tld-shapes.ts';
import type { CheckedName } from '../availability/loader.ts';
import type { Above } from '../tld/loader.ts';
import {
  type CostQuote,
  costOfRegistration,
  costOfTld,
  firstPrice,
  isWithinTerm,
  listedRenewal,
  offeredPeriod,
  termOf,
} from './quote.ts';
import { createQuoteService } from './service.ts';

type Prices = Readonly<Record<number, unknown>>;

interface PriceList {
  readonly registration?: Prices;
  readonly renew?: Prices;
  readonly renewal?: Prices;
  readonly transfer?: Prices;
  readonly restore?: Prices;
  readonly setup?: Prices;
  readonly currencies?: Readonly<Record<string, string>>;
  readonly minperiod?: unknown;
  readonly maxperiod?: unknown;
}

/** A TLD as the upstream lists it: in USD and for 1 to 10 years, unless the list says otherwise. */
function tldWith({ currencies = {}, minperiod = 1, maxperiod = 10, ...pricing }: PriceList) {
  const usd = Object.keys(pricing).map((key) => [key, 'USD']);
  const entry = {
    ...{ id: 1, status: 'Active', tld: 'test', minchar: 1, maxchar: 63, minperiod, maxperiod },
    ...{ pricing, currencies: { ...Object.fromEntries(usd), ...currencies } },
  };
  return tldEntry(entry) as TldDetails;
}

/** The check of an available name, at 10 USD for one year unless the test says otherwise. */
function checked(
  changes: object,
  state: CheckedName['state'] = 'AVAILABLE',
): Omit<CheckedName, 'name'> {
  const [offer = null] =
    offersReply([
      { Status: 'available', Price: '10', Currency: 'USD', Period: 1, IsFee: false, ...changes },
    ]) ?? [];
  return { state, offer, fault: null };
}

function shown({ certainty, lowest, highest }: CostQuote): string {
  if (!lowest || !highest) return certainty;
  const [from, to] = [formatMoney(lowest), formatMoney(highest)];
  return from === to ? `${certainty} ${from}` : `${certainty} ${from} to ${to}`;
}

const unreadable = { any: 'thing' };

describe('the catalogue says that', () => {
  test.each<[string, PriceList, number, string]>([
    [
      'a listed period has the listed price',
      { registration: { 1: '10', 2: '18' }, renew: { 1: '12' } },
      2,
      'LISTED 18.0000 USD',
    ],
    ['a price of zero is no price', { registration: { 1: '0' }, renew: { 1: '12' } }, 1, 'UNKNOWN'],
    [
      'a zero in place of a longer period is no price',
      { registration: { 1: '10', 2: '0.0000' }, renew: { 1: '12', 2: 0 } },
      2,
      'ESTIMATED 20.0000 USD to 22.0000 USD',
    ],
    [
      'another period costs a multiple, or one period and renewals',
      { registration: { 1: '10' }, renew: { 1: '12' } },
      3,
      'ESTIMATED 30.0000 USD to 34.0000 USD',
    ],
    [
      'a first year on sale may be multiplied or followed by renewals',
      { registration: { 1: '1.99' }, renew: { 1: '28.90' } },
      5,
      'ESTIMATED 9.9500 USD to 117.5900 USD',
    ],
    [
      'a first year above the renewal is estimated too',
      { registration: { 1: '12' }, renew: { 1: '10' } },
      3,
      'ESTIMATED 32.0000 USD to 36.0000 USD',
    ],
    [
      'equal estimates are no listed price',
      { registration: { 1: '10' }, renew: { 1: '10' } },
      3,
      'ESTIMATED 30.0000 USD',
    ],
    [
      'every shorter period that divides the term may be multiplied',
      { registration: { 1: '10', 2: '15' }, renew: { 1: '12' } },
      4,
      'ESTIMATED 30.0000 USD to 46.0000 USD',
    ],
    [
      'no other period but the shortest is multiplied in part',
      { registration: { 1: '10', 2: '15' }, renew: { 1: '12' } },
      5,
      'ESTIMATED 50.0000 USD to 58.0000 USD',
    ],
    [
      'the shortest period is rounded down and up',
      { registration: { 2: '20' }, renew: { 1: '12' } },
      3,
      'ESTIMATED 20.0000 USD to 40.0000 USD',
    ],
    [
      'a longer period says nothing about a shorter one',
      { registration: { 3: '10' }, renew: { 1: '12' } },
      2,
      'UNKNOWN',
    ],
    [
      'renewals of several lengths all count',
      { registration: { 1: '10' }, renew: { 1: '12', 2: '18' } },
      3,
      'ESTIMATED 28.0000 USD to 34.0000 USD',
    ],
    [
      'renewals must add up to the term',
      { registration: { 1: '10' }, renew: { 2: '18' } },
      4,
      'UNKNOWN',
    ],
    [
      'renewals of several years may add up to the term',
      { registration: { 1: '10' }, renew: { 3: '33' } },
      4,
      'ESTIMATED 40.0000 USD to 43.0000 USD',
    ],
    ['without renewals nothing is estimated', { registration: { 1: '10' } }, 2, 'UNKNOWN'],
    ['without prices nothing is known', { renew: { 1: '12' } }, 2, 'UNKNOWN'],
    [
      'a price for zero years is no price',
      { registration: { 0: '5', 1: '10' }, renew: { 0: '5', 1: '12' } },
      2,
      'ESTIMATED 20.0000 USD to 22.0000 USD',
    ],
    [
      'an unreadable price of the period is not estimated',
      { registration: { 1: '10', 3: unreadable }, renew: { 1: '12' } },
      3,
      'UNKNOWN',
    ],
    [
      'an unreadable price of another period is left out',
      { registration: { 1: '10', 2: unreadable }, renew: { 1: '12', 2: unreadable } },
      3,
      'ESTIMATED 30.0000 USD to 34.0000 USD',
    ],
    [
      'renewals in another currency cannot be added',
      { registration: { 1: '10' }, renew: { 1: '12' }, currencies: { renew: 'EUR' } },
      3,
      'UNKNOWN',
    ],
    [
      'a listed price needs no renewals in its currency',
      {
        registration: { 1: '10' },
        renew: { 1: '12' },
        currencies: { renew: 'EUR' },
      },
      1,
      'LISTED 10.0000 USD',
    ],
    [
      'a term below the minimum is not estimated',
      { registration: { 1: '10' }, renew: { 1: '12' }, minperiod: 3 },
      2,
      'NOT_SOLD',
    ],
    [
      'the shortest term is estimated',
      { registration: { 1: '10' }, renew: { 1: '12' }, minperiod: 3 },
      3,
      'ESTIMATED 30.0000 USD to 34.0000 USD',
    ],
    [
      'the longest term is estimated',
      { registration: { 1: '10' }, renew: { 1: '10' }, maxperiod: 5 },
      5,
      'ESTIMATED 50.0000 USD',
    ],
    [
      'a term above the maximum is not estimated',
      { registration: { 1: '10' }, renew: { 1: '10' }, maxperiod: 5 },
      6,
      'NOT_SOLD',
    ],
    [
      'without bounds ten years are the longest term',
      { registration: { 1: '10' }, renew: { 1: '10' }, minperiod: null, maxperiod: null },
      10,
      'ESTIMATED 100.0000 USD',
    ],
    [
      'without bounds eleven years are above the longest term',
      { registration: { 1: '10' }, renew: { 1: '10' }, minperiod: null, maxperiod: null },
      11,
      'NOT_SOLD',
    ],
  ])('%s', (_title, list, period, expected) => {
    const quote = costOfTld(tldWith(list), 'REGISTRATION', period);

    expect(shown(quote)).toBe(expected);
    expect(quote.period).toBe(period);
  });

  test.each<[string, Parameters<typeof costOfTld>[1], PriceList, number, string]>([
    [
      'a transfer is estimated like a registration',
      'TRANSFER',
      { transfer: { 1: '8' }, renew: { 1: '12' } },
      2,
      'ESTIMATED 16.0000 USD to 20.0000 USD',
    ],
    [
      'the minimum of registrations does not bind a transfer',
      'TRANSFER',
      { transfer: { 1: '8' }, renew: { 1: '12' }, minperiod: 3 },
      2,
      'ESTIMATED 16.0000 USD to 20.0000 USD',
    ],
    [
      'a transfer of 0 years has its listed price',
      'TRANSFER',
      { transfer: { 0: '0' } },
      0,
      'LISTED 0.0000 USD',
    ],
    [
      'a transfer of 0 years says nothing about other periods',
      'TRANSFER',
      { transfer: { 0: '0' }, renew: { 1: '12' } },
      1,
      'UNKNOWN',
    ],
    [
      'a listed registration below the minimum is not sold',
      'REGISTRATION',
      { registration: { 1: '10', 2: '20' }, minperiod: 2 },
      1,
      'NOT_SOLD',
    ],
    [
      'a transfer above the maximum is not estimated',
      'TRANSFER',
      { transfer: { 1: '8' }, renew: { 1: '12' }, maxperiod: 1 },
      2,
      'NOT_SOLD',
    ],
    [
      'a renewal is not bound to the terms of registrations',
      'RENEWAL',
      { renew: { 1: '12' }, minperiod: 2, maxperiod: 2 },
      10,
      'ESTIMATED 120.0000 USD',
    ],
    ['a renewal of eleven years is not sold', 'RENEWAL', { renew: { 1: '12' } }, 11, 'NOT_SOLD'],
    ['a renewal of no year is not sold', 'RENEWAL', { renew: { 1: '12' } }, 0, 'NOT_SOLD'],
    [
      'two prices of one period bound the price',
      'RENEWAL',
      { renew: { 1: '14' }, renewal: { 1: '12' } },
      1,
      'ESTIMATED 12.0000 USD to 14.0000 USD',
    ],
    [
      'two equal prices of one period are one',
      'RENEWAL',
      { renew: { 1: '12' }, renewal: { 1: '12.00000' } },
      1,
      'LISTED 12.0000 USD to 12.00000 USD',
    ],
    [
      'two currencies of one period cannot be compared',
      'RENEWAL',
      { renew: { 1: '12' }, renewal: { 1: '12' }, currencies: { renewal: 'EUR' } },
      1,
      'UNKNOWN',
    ],
    [
      'one unreadable price of two makes a period unknown',
      'RENEWAL',
      { renew: { 1: '12' }, renewal: { 1: unreadable } },
      1,
      'UNKNOWN',
    ],
    [
      'a restore has its listed price',
      'RESTORE',
      { restore: { 1: '85' }, renew: { 1: '12' } },
      1,
      'LISTED 85.0000 USD',
    ],
    [
      'a restore is not estimated',
      'RESTORE',
      { restore: { 1: '85' }, renew: { 1: '12' } },
      2,
      'UNKNOWN',
    ],
    ['a price of other operations is unknown', 'OTHER', { setup: { 1: '5' } }, 1, 'UNKNOWN'],
  ])('%s', (_title, operation, list, period, expected) => {
    expect(shown(costOfTld(tldWith(list), operation, period))).toBe(expected);
  });

  test.each<[Parameters<typeof costOfTld>[1], PriceList, string]>([
    ['REGISTRATION', { registration: { 1: '10', 2: '20' }, minperiod: 2 }, '2 LISTED'],
    ['REGISTRATION', { minperiod: 2 }, '2 UNKNOWN'],
    ['RENEWAL', { renew: { 2: '24', 3: '36' } }, '2 LISTED'],
    ['TRANSFER', { transfer: { 0: '0', 1: '8' } }, '0 LISTED'],
    ['RESTORE', { restore: { 1: '85' } }, '1 LISTED'],
    ['RESTORE', {}, '1 UNKNOWN'],
  ])('without a period a %s by %j is quoted for %s', (operation, list, expected) => {
    const { period, certainty } = costOfTld(tldWith(list), operation);

    expect(`${period} ${certainty}`).toBe(expected);
  });

  test.each<[PriceList, string | null]>([
    [{ renew: { 1: '12', 2: '20' } }, '12.0000 USD'],
    [{ renew: { 2: '20' } }, null],
    [{ registration: { 1: '10' } }, null],
    [{ renew: { 1: unreadable } }, null],
    [{ renew: { 1: '0.0000' } }, null],
  ])('the renewal of %j costs %s per year', (list, expected) => {
    const { renewalPrice: renewal } = costOfTld(tldWith(list), 'REGISTRATION', 1);

    expect(renewal && formatMoney(renewal)).toBe(expected);
    expect(listedRenewal(tldWith(list))).toEqual(renewal);
  });

  test.each<[PriceList, string | null]>([
    [{ registration: { 1: '10', 2: '18' } }, '10.0000 USD'],
    [{ registration: { 1: '10', 2: '18' }, minperiod: 2 }, '18.0000 USD'],
    [{ registration: { 0: '5', 1: '10' }, minperiod: 0 }, '10.0000 USD'],
    [{ registration: { 1: '10' }, minperiod: null }, '10.0000 USD'],
    [{ registration: { 2: '18' } }, null],
  ])('the first price of %j is %s', (list, expected) => {
    const first = firstPrice(tldWith(list));

    expect(first && formatMoney(first.price)).toBe(expected);
  });
});

describe('the years of', () => {
  test.each<[string, PriceList, number, ReturnType<typeof termOf>]>([
    ['that has no price', { registration: { 2: '20' } }, 1, { minimum: 1, maximum: 10 }],
    ['that has two prices', { transfer: { 1: '9', 3: '27' } }, 1, { minimum: 1, maximum: 10 }],
    ['of 0 years', { transfer: { 0: '0', 1: '9' } }, 0, { minimum: 0, maximum: 10 }],
    ['of three years', { transfer: { 3: '27' }, maxperiod: 5 }, 3, { minimum: 1, maximum: 5 }],
    [
      'whose shortest price cannot be read',
      { transfer: { 0: unreadable, 2: '18' } },
      2,
      { minimum: 1, maximum: 10 },
    ],
  ])('a transfer %s', (_title, list, period, term) => {
    const tld = tldWith(list);

    expect(costOfTld(tld, 'TRANSFER').period).toBe(period);
    expect(termOf(tld, 'TRANSFER')).toEqual(term);
  });

  test.each<[Parameters<typeof termOf>[1], PriceList, readonly number[]]>([
    ['REGISTRATION', { minperiod: 2, maxperiod: 4 }, [2, 3, 4]],
    ['REGISTRATION', { registration: { 0: '5', 3: '30' }, minperiod: 0, maxperiod: 2 }, [1, 2]],
    ['REGISTRATION', { minperiod: -1, maxperiod: 1 }, [1]],
    ['TRANSFER', { transfer: { 1: '9', 9: '90' }, minperiod: 2, maxperiod: 3 }, [1, 2, 3, 9]],
    ['TRANSFER', { transfer: { 0: '0' }, maxperiod: 2 }, [0, 1, 2]],
    ['TRANSFER', { transfer: { 9: unreadable }, maxperiod: 1 }, [1]],
  ])('a %s by %j are %j', (operation, list, expected) => {
    const years = Array.from({ length: 14 }, (_, index) => index - 2);

    expect(years.filter((period) => isWithinTerm(tldWith(list), operation, period))).toEqual(
      expected,
    );
  });

  const fromTwo = { registration: { 2: '20', 3: '30' }, minperiod: 2 };
  const atFirst = { Price: '20' };

  test.each<[string, PriceList, object, number | string | null]>([
    ['that the TLD sells', { registration: { 1: '10' } }, {}, 1],
    ['for the shortest registration', fromTwo, atFirst, 2],
    ['for a listed registration below the minimum', { ...fromTwo, minperiod: 3 }, atFirst, null],
    [
      'beside a minimum and a maximum of 0',
      { registration: { 1: '10' }, minperiod: 0, maxperiod: 0 },
      {},
      1,
    ],
    ['that is not listed', fromTwo, { Price: '10' }, null],
    ['in another currency', fromTwo, { ...atFirst, Currency: 'EUR' }, null],
    ['of a premium name', fromTwo, { ...atFirst, IsFee: true }, null],
    ['of a name that may be premium', fromTwo, { ...atFirst, IsFee: unreadable }, null],
    ['that is absent', fromTwo, { Price: null }, null],
    ['that cannot be read', fromTwo, { Price: unreadable }, null],
    ['without a listed price', { minperiod: 2 }, atFirst, null],
    ['without any price', { minperiod: 2 }, { Price: null }, null],
    ['without a period', fromTwo, { ...atFirst, Period: null }, null],
    ['whose period cannot be read', fromTwo, { Period: unreadable }, 'UPSTREAM_PROTOCOL'],
  ])('a price %s', (_title, list, changes, expected) => {
    const found = offeredPeriod(tldWith(list), checked(changes));

    expect(found instanceof Fault ? found.code : found).toBe(expected);
  });
});

describe('for a name that was checked,', () => {
  const failed = new Fault('UPSTREAM_TIMEOUT');
  const nothing = { state: 'UNKNOWN', offer: null, fault: failed } as const;
  const listed = { registration: { 1: '10' }, renew: { 1: '12' } };
  const inEuro = { Currency: 'EUR' };

  test.each<[string, PriceList, ReturnType<typeof checked>, number, string]>([
    ['the offer and the list agree', listed, checked({}), 1, 'LISTED 10.0000 USD'],
    [
      'an offer above the list makes its period an estimate',
      listed,
      checked({ Price: '11' }),
      1,
      'ESTIMATED 10.0000 USD to 11.0000 USD',
    ],
    [
      'an offer below the list makes its period an estimate',
      listed,
      checked({ Price: '9' }),
      1,
      'ESTIMATED 9.0000 USD to 10.0000 USD',
    ],
    [
      'an offer on sale counts in the estimate of several years',
      listed,
      checked({ Price: '1' }),
      3,
      'ESTIMATED 3.0000 USD to 34.0000 USD',
    ],
    ['an offer in another currency', listed, checked(inEuro), 1, 'UNKNOWN'],
    [
      'an offer whose currency differs from the list of another period',
      { registration: { 2: '18' }, renew: { 1: '12' } },
      checked(inEuro),
      5,
      'UNKNOWN',
    ],
    [
      'a list whose currency differs from the offer and the renewals',
      { registration: { 2: '18' }, renew: { 1: '12' }, currencies: { registration: 'EUR' } },
      checked({}),
      3,
      'UNKNOWN',
    ],
    [
      'an offer without a list is listed',
      { renew: { 1: '12' } },
      checked({}),
      1,
      'LISTED 10.0000 USD',
    ],
    ['an offer of zero is no price', {}, checked({ Price: '0' }), 1, 'UNKNOWN'],
    [
      'an offer of zero leaves the list',
      listed,
      checked({ Price: '0.0000' }),
      1,
      'LISTED 10.0000 USD',
    ],
    [
      'a premium offer of zero is no price',
      listed,
      checked({ Price: '0.0000', IsFee: true }),
      1,
      'UNKNOWN',
    ],
    [
      'an offer without a price leaves the list',
      listed,
      checked({ Price: null }),
      1,
      'LISTED 10.0000 USD',
    ],
    [
      'an offer without a period leaves the list',
      listed,
      checked({ Price: '99', Period: null }),
      1,
      'LISTED 10.0000 USD',
    ],
    [
      'an offer with an unreadable period leaves the list',
      listed,
      checked({ Price: '99', Period: unreadable }),
      1,
      'LISTED 10.0000 USD',
    ],
    ['an offer with an unreadable price', listed, checked({ Price: unreadable }), 1, 'UNKNOWN'],
    [
      'an offer below the shortest term is no price',
      { registration: { 2: '18' }, renew: { 1: '12' }, minperiod: 2 },
      checked({}),
      2,
      'LISTED 18.0000 USD',
    ],
    [
      'an offer below the shortest term is not estimated with',
      { registration: { 2: '18' }, renew: { 1: '12' }, minperiod: 2 },
      checked({ Price: '1' }),
      4,
      'ESTIMATED 36.0000 USD to 42.0000 USD',
    ],
    [
      'a term that is not sold is not estimated',
      { ...listed, maxperiod: 2 },
      checked({}),
      3,
      'NOT_SOLD',
    ],
    ['a taken name', listed, checked({}, 'TAKEN'), 1, 'NOT_SOLD'],
    ['an INVALID name', listed, checked({}, 'INVALID'), 1, 'NOT_SOLD'],
    ['a name without a result', listed, nothing, 1, 'UNKNOWN'],
    ['a name without an offer', listed, { ...nothing, state: 'AVAILABLE' }, 1, 'UNKNOWN'],
    [
      'a premium name costs its offer',
      listed,
      checked({ Price: '900', IsFee: true }),
      1,
      'LISTED 900.0000 USD',
    ],
    [
      'a premium name for another period',
      listed,
      checked({ Price: '900', IsFee: true }),
      2,
      'UNKNOWN',
    ],
    [
      'a name that may be premium has no price of the list',
      listed,
      checked({ Price: null, IsFee: unreadable }),
      1,
      'UNKNOWN',
    ],
  ])('%s', (_title, list, availability, period, expected) => {
    const quote = costOfRegistration(tldWith(list), availability, period);

    expect(shown(quote)).toBe(expected);
    expect(quote.period).toBe(period);
  });

  const fromTwo = { registration: { 2: '18' }, renew: { 1: '12' }, minperiod: 2 };
  const premium = { Price: '900', IsFee: true };
  const { message: failure } = failed;

  test.each<[string, PriceList, Parameters<typeof costOfRegistration>[1], string, string | null]>([
    ['one year', listed, checked({}), '1 LISTED', null],
    ['the shortest term', fromTwo, checked({}), '2 LISTED', null],
    [
      'the first priced term',
      { registration: { 3: '30' } },
      checked({ Price: null }),
      ...(['3 LISTED', null] as const),
    ],
    ['the offered years of a premium name', listed, checked(premium), '1 LISTED', null],
    [
      'the offered years of a premium name, also when they are not the shortest',
      listed,
      checked({ ...premium, Period: 2 }),
      ...(['2 LISTED', null] as const),
    ],
    [
      'no term of a premium name whose offered term is not sold',
      fromTwo,
      checked(premium),
      '2 UNKNOWN',
      'The registrar offers this premium name at a price that is not for a known period of .test.',
    ],
    [
      'no term without prices',
      {},
      checked({ Price: null }),
      '1 UNKNOWN',
      'The price list of .test does not determine a price of 1 year.',
    ],
    [
      'no term at a price that cannot be read',
      listed,
      checked({ Price: unreadable }),
      '1 UNKNOWN',
      'The registrar sent a price that cannot be read.',
    ],
    [
      'no term of a taken name',
      fromTwo,
      checked({}, 'TAKEN'),
      '2 NOT_SOLD',
      'This domain is not available for registration.',
    ],
    ['no term of a name without a result', listed, nothing, '1 UNKNOWN', failure],
  ])('without a period the quote is for %s', (_title, list, availability, expected, reason) => {
    const quote = costOfRegistration(tldWith(list), availability);

    expect(`${quote.period} ${quote.certainty}`).toBe(expected);
    expect(quote.reason).toBe(reason);
  });

  test('a premium name that is offered at 0 has the reason', () => {
    expect(costOfRegistration(tldWith(listed), checked({ ...premium, Price: '0' })).reason).toBe(
      'The registrar sent no price for this premium name.',
    );
  });

  test('another period than the offered one of a premium name has the reason', () => {
    expect(costOfRegistration(tldWith(listed), checked(premium), 2).reason).toBe(
      'The registrar offers this premium name for 1 year only.',
    );
  });

  test.each<[string, ReturnType<typeof checked>, string | null]>([
    ['a name that is not premium', checked({}), '12.0000 USD'],
    ['a taken name', checked({}, 'TAKEN'), '12.0000 USD'],
    ['a premium name', checked({ IsFee: true }), null],
    ['a name that may be premium', checked({ IsFee: unreadable }), null],
    ['a name without an offer', nothing, null],
  ])('%s has the renewal %o', (_title, availability, expected) => {
    const tld = tldWith(listed);
    const { renewalPrice: renewal } = costOfRegistration(tld, availability, 1);

    expect(renewal && formatMoney(renewal)).toBe(expected);
    expect(costOfRegistration(tld, availability).renewalPrice).toEqual(renewal);
  });
});

describe('the quotes of a request', () => {
  const domain = parseDomainName('maple.test');
  const tld = tldWith({ registration: { 1: '10' }, renew: { 1: '12' } });
  const failed = new Fault('UPSTREAM_TIMEOUT');
  /** The catalogue of a request, as far as it can be read. */
  const serviceOver = (above: () => Promise<Above | null>) =>
    createQuoteService(plainQuotes, { above, tldOf: async () => (await above())?.tld ?? null });
  const failing = serviceOver(() => Promise.reject(failed));
  const sold = { label: 'maple', tld, labelFault: null };
  const selling = serviceOver(async () => sold);
  const labelFault = new Fault('INVALID_INPUT');
  const { offer } = checked({});
  const checkedName: CheckedName = { ...checked({}), name: domain, fault: null };
  const invalidText: CheckedName = { ...checkedName, name: null, text: 'maple' };

  test.each([
    ['a name of a sold TLD', selling, checkedName, 'LISTED 10.0000 USD'],
    ['text that is no name', selling, invalidText, 'NOT_SOLD'],
    [
      'a name that the TLD does not accept',
      serviceOver(async () => ({ ...sold, labelFault })),
      checkedName,
      'NOT_SOLD',
    ],
    ['a name of no sold TLD', serviceOver(async () => null), checkedName, 'NOT_SOLD'],
    ['a name whose catalogue cannot be read', failing, checkedName, 'UNKNOWN'],
  ])('%s has the quote %4$s', async (_title, service, name, expected) => {
    const quote = await service.ofRegistration(name, 1);

    expect(shown(quote)).toBe(expected);
    expect(quote.period).toBe(1);
  });

  const badPeriod = new Fault('UPSTREAM_PROTOCOL');

  test.each<[string, typeof selling, CheckedName, number | Fault | null]>([
    ['an available name', selling, checkedName, 1],
    ['text that is no name', selling, invalidText, null],
    ['a taken name', selling, { ...checkedName, state: 'TAKEN' }, null],
    ['a name without an offer', selling, { ...checkedName, offer: null }, null],
    ['a name of no sold TLD', serviceOver(async () => null), checkedName, null],
    ['a name whose catalogue cannot be read', failing, checkedName, null],
    [
      'an offer whose period cannot be read',
      failing,
      { ...checkedName, offer: offer && { ...offer, period: badPeriod } },
      badPeriod,
    ],
  ])('the price of %s covers the years %3$s', async (_title, service, name, expected) => {
    expect(await service.offeredPeriod(name)).toBe(expected);
  });

  test('a bug in the read of the catalogue is not hidden by a quote', async () => {
    const service = serviceOver(() => Promise.reject(new TypeError('bug')));

    await expect(service.ofRegistration(checkedName, 1)).rejects.toThrow(TypeError);
    await expect(service.offeredPeriod(checkedName)).rejects.toThrow(TypeError);
  });

  test('a renewal is quoted by the catalogue, and is UNKNOWN without it', async () => {
    const active = { name: domain, state: 'ACTIVE' } as const;

    expect(shown(await selling.ofRenewal(active, 2))).toBe('ESTIMATED 24.0000 USD');
    expect(await serviceOver(async () => null).ofRenewal(active, 2)).toMatchObject({
      ...{ period: 2, certainty: 'UNKNOWN', lowest: null, highest: null, renewalPrice: null },
      reason: 'The price list does not have the TLD of the domain.',
    });
    await expect(failing.ofRenewal(active, 2)).rejects.toBe(failed);
  });

  test.each(['DELETED', 'REDEMPTION', 'TRANSFERRED_OUT', 'TRANSFER_FAILED'] as const)(
    'a renewal in the state %s is not sold',
    async (state) => {
      expect(await selling.ofRenewal({ name: domain, state }, null)).toMatchObject({
        certainty: 'NOT_SOLD',
        reason: `A domain in the state ${state} cannot be renewed.`,
      });
    },
  );
});
