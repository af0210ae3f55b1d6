import { afterAll, describe, expect, test } from 'vitest';
import { priceOf } from '../../support/prices.ts';
import { countPurchases, openShop, quoteFields } from './shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

const usd = (amount: string) => ({ amount, currency: 'USD' });
const listed = (period: number, amount: string, renewal: string | null) => ({
  period,
  certainty: 'LISTED',
  lowest: usd(amount),
  highest: usd(amount),
  renewalPrice: renewal === null ? null : usd(renewal),
  reason: null,
});
const withoutPrice = (period: number, certainty: 'NOT_SOLD' | 'UNKNOWN') => ({
  ...{ period, certainty, lowest: null, highest: null, renewalPrice: null },
  reason: expect.any(String),
});

describe('five years of .online, at 3.98 for the first and 57.80 for each further year', {
  tags: ['G27'],
}, () => {
  const domain = 'promo-maple.online';
  const quote = {
    period: 5,
    certainty: 'ESTIMATED',
    lowest: usd('19.9000'),
    highest: usd('235.1800'),
    renewalPrice: usd('57.8000'),
    reason: null,
  };

  test('have the same quote in search, availability, TLD, dry run and purchase', {
    tags: ['G30'],
  }, async () => {
    const { data, errors } = await shop.gateway.query(`{
      searchDomains(labels: ["promo-maple"], tlds: ["online"]) { totals { ${quoteFields} } }
      availability(name: "${domain}") { quote(period: 5) { ${quoteFields} } }
      tld(name: "online") { quote(operation: REGISTRATION, period: 5) { ${quoteFields} } }
    }`);
    const tried = await shop.register({ domain, period: 5, dryRun: true });

    expect(errors).toBeUndefined();
    expect(data.searchDomains[0].totals[2]).toEqual(quote);
    expect(data.availability.quote).toEqual(quote);
    expect(data.tld.quote).toEqual(quote);
    expect(tried).toMatchObject({ quote, errors: [] });
    expect(tried.balanceAfter).toEqual(usd('2382.4100'));
  });

  test('with a maxPrice below the highest price are refused with the quote, before the upstream purchase', {
    tags: ['G29'],
  }, async () => {
    const made = await shop.register({ domain, period: 5, maxPrice: usd('20') });

    expect(made).toMatchObject({
      purchase: null,
      quote,
      errors: [
        {
          __typename: 'MaxPriceExceeded',
          code: 'MAX_PRICE_EXCEEDED',
          maxPrice: usd('20.0000'),
          lowest: quote.lowest,
          highest: quote.highest,
          message: 'It may cost up to 235.1800 USD, which is more than "maxPrice".',
        },
      ],
    });
    expect(await countPurchases(shop)).toBe(0);
  });

  test('with a maxPrice equal to the highest price are bought and recorded at that price', {
    tags: ['G30'],
  }, async () => {
    const made = await shop.register({ domain, period: 5, maxPrice: usd('235.18') });

    expect(made).toMatchObject({
      purchase: { state: 'SUCCEEDED', price: quote.highest },
      quote,
      errors: [],
    });
    expect((await shop.ledger()).at(-1)).toMatchObject({ domain, price: '117.5900' });
  });
});

test('a period that the catalogue lists has a LISTED quote', { tags: ['I7', 'G27'] }, async () => {
  const made = await shop.register({ domain: 'listed-maple.blog', period: 3 });

  expect(made).toMatchObject({ quote: listed(3, '109.6200', '49.8000'), errors: [] });
  expect((await shop.ledger()).at(-1)?.price).toBe('54.8100');
});

test('a TLD that multiplies the first year debits the lowest price, and the purchase records the highest', {
  tags: ['I7'],
}, async () => {
  const made = await shop.register({ domain: 'multiplied-maple.xyz', period: 3 });

  expect(made.quote).toMatchObject({ lowest: usd('14.9400'), highest: usd('60.5800') });
  expect(made.purchase).toMatchObject({ price: usd('60.5800'), cost: usd('30.2900') });
  expect((await shop.ledger()).at(-1)?.price).toBe('7.4700');
});

test.each([
  ['three years of .ai, which lists two', { domain: 'odd-years.ai', period: 3 }],
  ['a premium name for another period than offered', { domain: 'casino.cc', period: 2 }],
  ['a TLD without prices', { domain: 'no-price.travel', period: 1 }],
])(
  '%s has an UNKNOWN quote and is refused before the upstream purchase',
  { tags: ['G27', 'G28', 'G29'] },
  async (_case, input) => {
    const made = await shop.register({ ...input, acceptPremium: true });

    expect(made).toMatchObject({
      purchase: null,
      quote: withoutPrice(input.period, 'UNKNOWN'),
      balanceAfter: null,
      errors: [
        {
          __typename: 'PlainError',
          code: 'PRICE_UNAVAILABLE',
          path: ['input', 'period'],
          executed: 'NO',
        },
      ],
    });
    expect(made.errors).toHaveLength(1);
    expect(await countPurchases(shop)).toBe(0);
  },
);

describe('a transfer', () => {
  const transferQuote = {
    period: 3,
    certainty: 'ESTIMATED',
    lowest: usd('63.5400'),
    highest: usd('67.1400'),
    renewalPrice: usd('22.9800'),
    reason: null,
  };

  test('for three years is possible where only one year is listed', async () => {
    const made = await shop.transfer({ domain: 'outside-three.com', period: 3 });

    expect(made).toMatchObject({
      purchase: { state: 'IN_PROGRESS', price: transferQuote.highest, cost: usd('33.5700') },
      quote: transferQuote,
      errors: [],
    });
    expect((await shop.ledger()).at(-1)?.price).toBe('33.5700');
  });

  test('that is free has a LISTED quote of 0.0000', async () => {
    const { quote } = await shop.transfer({ domain: 'outside-free.uk', dryRun: true });

    expect(quote).toEqual(listed(1, '0.0000', '13.8000'));
  });

  test('with a maxPrice below the highest price is refused before the upstream purchase', async () => {
    const input = { domain: 'outside-guarded.com', period: 3, maxPrice: usd('67') };
    const made = await shop.transfer(input);

    expect(made).toMatchObject({
      purchase: null,
      quote: transferQuote,
      errors: [{ code: 'MAX_PRICE_EXCEEDED' }],
    });
    expect(await countPurchases(shop)).toBe(0);
  });
});

describe('the payload contains the quote beside any error:', { tags: ['G30'] }, () => {
  test.each([
    ['a dry run', true],
    ['a purchase', false],
  ])('%s with a bad contact and no name servers', async (_case, dryRun) => {
    const made = await shop.register({
      domain: 'wrong-maple.com',
      nameServers: [],
      registrant: { fields: badContact },
      dryRun,
    });

    expect(made.errors.length).toBeGreaterThan(1);
    expect(made).toMatchObject({
      purchase: null,
      quote: listed(1, '22.5800', '22.9800'),
      balanceAfter: null,
    });
  });

  test('a transfer without an auth code', async () => {
    const made = await shop.transfer({ domain: 'outside-code.com', authCode: ' ' });

    expect(made).toMatchObject({
      errors: [{ code: 'AUTH_CODE_REQUIRED' }],
      quote: listed(1, '21.1800', '22.9800'),
    });
  });

  test('a TLD that is not sold has no quote', async () => {
    const made = await shop.register({ domain: 'maple.zzzz' });

    expect(made).toMatchObject({ quote: null, errors: [{ code: 'TLD_UNSUPPORTED' }] });
  });
});

const badContact = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'invalid',
  phone: '+49 30 123456',
  address: { line1: 'Musterweg 1', city: 'Berlin', zipCode: '10115', country: 'DE' },
};

test('a spend limit counts the highest cost', { tags: ['G29'] }, async () => {
  const limited = await openShop({ env: { SPEND_LIMITS: '{ "perCall": ["20 USD"] }' } });

  const made = await limited.register({ domain: 'limited-maple.xyz', period: 3 });
  const calls = await countPurchases(limited);
  await limited.close();

  expect(made.errors).toMatchObject([
    { code: 'SPEND_LIMIT_EXCEEDED', limit: 'PER_CALL', price: usd('30.2900') },
  ]);
  expect(calls).toBe(0);
});

test('a domain has a quote of its renewal', async () => {
  const { data } = await shop.gateway.query(`{
    domain(name: "reseller-demo.com") {
      one: renewalQuote { ${quoteFields} }
      three: renewalQuote(period: 3) { certainty highest { amount } }
      never: renewalQuote(period: 0) { certainty }
    }
  }`);

  expect(data.domain).toEqual({
    one: listed(1, '22.9800', '22.9800'),
    three: { certainty: 'LISTED', highest: { amount: '68.9400' } },
    never: { certainty: 'NOT_SOLD' },
  });
});

test('a domain that was deleted has no quote of its renewal', async () => {
  const { data } = await shop.gateway.query(`{
    domains(filter: { states: [DELETED] }, first: 1) {
      nodes { renewalQuote { certainty highest { amount } reason } }
    }
  }`);

  expect(data.domains.nodes).toEqual([
    {
      renewalQuote: {
        ...{ certainty: 'NOT_SOLD', highest: null },
        reason: 'A domain in the state DELETED cannot be renewed.',
      },
    },
  ]);
});

test('a taken name has a renewal price only', async () => {
  const { data } = await shop.gateway.query(
    `{ availability(name: "weather.net") { quote { ${quoteFields} } } }`,
  );

  expect(data.availability.quote).toEqual({
    ...withoutPrice(1, 'NOT_SOLD'),
    renewalPrice: usd('27.9800'),
  });
});

describe('without a period', { tags: ['G30'] }, () => {
  test.each([
    ['a name of a TLD for one year', 'default-maple.com', 1, '22.5800'],
    ['a name of a TLD that sells two years or more', 'default-maple.ai', 2, '279.6000'],
    ['a premium name for the offered year', 'casino.cc', 1, undefined],
  ])('%s is quoted and bought for %s years', async (_what, domain, period, amount) => {
    const { data } = await shop.gateway.query(`{
      availability(name: "${domain}") { period price { amount } quote { ${quoteFields} } }
    }`);
    const made = await shop.register({ domain, period: null, acceptPremium: true });

    const { quote, price } = data.availability;
    expect(data.availability.period).toBe(period);
    expect(quote).toMatchObject({ period, certainty: 'LISTED', highest: { amount: price.amount } });
    if (amount) expect(price.amount).toBe(amount);
    expect(made).toMatchObject({ purchase: { state: 'SUCCEEDED', period }, quote });
    const booking = (await shop.ledger()).at(-1);
    expect(booking?.domain).toBe(domain);
    expect(priceOf(booking?.price ?? '')).toBe(price.amount);
  });

  test('a premium name whose offered year is not sold cannot be bought, and the quote says so', async () => {
    const domain = 'casino.ai';
    const { data } = await shop.gateway.query(`{
      availability(name: "${domain}") {
        state period one: quote(period: 1) { certainty reason } quote { ${quoteFields} }
      }
    }`);
    const reason =
      'The registrar offers this premium name at a price that is not for a known period of .ai.';
    const tooShort = '"period" must be between 2 and 10 years for .ai; 1 was given.';
    const unpriced = `The price of 2 years of ${domain} is unknown, so nothing was sent. ${reason}`;
    const buy = (period: number | null) => shop.register({ domain, period, acceptPremium: true });

    expect(data.availability).toEqual({
      ...{ state: 'AVAILABLE', period: null, one: { certainty: 'NOT_SOLD', reason: tooShort } },
      quote: { ...withoutPrice(2, 'UNKNOWN'), reason },
    });
    for (const [period, code, message] of [
      [1, 'PERIOD_OUT_OF_RANGE', tooShort],
      [2, 'PRICE_UNAVAILABLE', unpriced],
      [null, 'PRICE_UNAVAILABLE', unpriced],
    ] as const) {
      expect((await buy(period)).errors).toMatchObject([{ code, message }]);
    }
    expect(await countPurchases(shop)).toBe(0);
  });
});
