import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import {
  errorFields,
  openShop,
  type Payload,
  quoteFields,
  type Shop,
  transferCode,
} from '../purchases/shop.ts';

const document = /* GraphQL */ `
  query ($input: QuoteOrderInput!) {
    quoteOrder(input: $input) {
      lines { position kind domainName notChecked quote { ${quoteFields} } errors { ${errorFields} } }
      totals { price { amount currency } estimated }
      affordable
      errors { ${errorFields} }
    }
  }
`;

const quoteWith = async ({ gateway }: Shop, input: object): Promise<Payload> => {
  await gateway.resetCalls();
  const { data, errors } = await gateway.query(document, { input });
  if (errors) throw new Error(JSON.stringify(errors));
  return data.quoteOrder;
};

const register = (domain: string, more: object = {}) => ({ registration: { domain, ...more } });
const transfer = (domain: string, more: object = {}) => ({
  transfer: { domain, authCode: transferCode, ...more },
});
const usd = (amount: string) => ({ amount, currency: 'USD' });
const codesOf = ({ errors }: Payload) => errors.map(({ code }: Payload) => code);

const shop = await openShop();
afterAll(() => shop.close());
const quote = (input: object) => quoteWith(shop, input);

describe('the quote of an order', () => {
  test('of 20 names costs three upstream calls and agrees with dry runs', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `cart-${at}.${at % 2 ? 'com' : 'online'}`);

    const { lines, totals, affordable, errors } = await quote({
      lines: names.map((domain) => register(domain, { period: 2 })),
    });

    expect(await shop.gateway.countCalls()).toEqual({
      tldlist: 1,
      bulkcheckavailability: 1,
      resellerdetails: 1,
    });
    expect(lines.map(({ position, domainName }: Payload) => [position, domainName])).toEqual(
      names.map((name, at) => [at, name]),
    );
    const tried = await shop.register({ domain: names[0], period: 2, dryRun: true });
    expect(lines[0].quote).toEqual(tried.quote);
    const tenTimes = (one: number, other: number) => usd(((one + other) * 10).toFixed(4));
    const [ofOnline, ofCom] = [lines[0].quote, lines[1].quote];
    expect(totals).toEqual([
      {
        price: tenTimes(Number(ofOnline.highest.amount), Number(ofCom.highest.amount)),
        estimated: true,
      },
    ]);
    expect([affordable, errors]).toEqual([true, []]);
  });

  test('without a period is for the shortest that can be bought', async () => {
    const { lines, errors } = await quote({
      lines: ['cart-default.com', 'cart-default.ai'].map((domain) => register(domain)),
    });

    expect(lines.map((line: Payload) => line.quote.period)).toEqual([1, 2]);
    expect(errors).toEqual([]);
  });

  test('has the price and the errors of each line, and sums the lines without errors', async () => {
    const { lines, totals, errors } = await quote({
      lines: [
        register('good-name.com'),
        register('reseller-demo.com'),
        register('outside-taken.com'),
        register('casino.com'),
        register('casino.cc', { acceptPremium: true }),
        register('good-name.nosuch'),
        register('no dots'),
        register('GOOD-name.com.'),
        register('long-years.com', { period: 11 }),
        register('dear-name.com', { maxPrice: usd('1') }),
        transfer('outside-one.com'),
        transfer('unlocked-demo.com'),
        transfer('outside-two.com', { authCode: ' ' }),
        transfer('not-registered.com'),
      ],
    });

    expect(lines.map(codesOf)).toEqual([
      [],
      ['ALREADY_OWNED'],
      ['NOT_AVAILABLE'],
      ['PREMIUM_NOT_ACCEPTED'],
      [],
      ['TLD_UNSUPPORTED'],
      ['INVALID_INPUT'],
      ['INVALID_INPUT'],
      ['PERIOD_OUT_OF_RANGE'],
      ['MAX_PRICE_EXCEEDED'],
      [],
      ['ALREADY_OWNED'],
      ['AUTH_CODE_REQUIRED'],
      ['AUTH_CODE_INVALID'],
    ]);
    expect(lines[13].errors[0].path).toEqual(['input', 'lines', '13', 'transfer', 'domain']);
    expect([lines[0].notChecked, lines[10].notChecked]).toEqual([
      null,
      expect.stringMatching(/transfer lock.* 60 days.* auth code/),
    ]);
    expect(lines.map(({ kind }: Payload) => kind)).toEqual([
      ...Array(10).fill('REGISTRATION'),
      ...Array(4).fill('TRANSFER'),
    ]);
    expect(lines[7]).toMatchObject({
      domainName: 'good-name.com',
      errors: [
        {
          path: ['input', 'lines', '7', 'registration', 'domain'],
          message: 'good-name.com is in line 0 of this order already.',
        },
      ],
    });
    expect(lines[12].errors[0].path).toEqual(['input', 'lines', '12', 'transfer', 'authCode']);
    const highest = [0, 4, 10].reduce((sum, at) => sum + Number(lines[at].quote.highest.amount), 0);
    expect(totals).toMatchObject([{ price: usd(highest.toFixed(4)) }]);
    expect(errors).toEqual([]);
  });

  test('buys nothing and records nothing', async () => {
    await quote({
      lines: [register('only-quoted.com')],
      defaults: { registrant: { fields: ada } },
    });

    expect(await shop.ledger()).toEqual([]);
    const { data } = await shop.gateway.query('{ purchases { totalCount } }');
    expect(data.purchases.totalCount).toBe(0);
  });
});

describe('an order is refused as a whole', () => {
  test.each([0, 501])('with %i lines, without an upstream call', async (count) => {
    const { lines, errors } = await quote({
      lines: Array.from({ length: count }, (_, at) => register(`line-${at}.com`)),
    });

    expect(lines).toEqual([]);
    expect(errors).toMatchObject([
      { code: 'INVALID_INPUT', path: ['input', 'lines'], executed: 'NO' },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({});
  });
});

describe('the lines of an order count together', () => {
  let limited: Shop | undefined;
  afterEach(() => limited?.close());
  const lines = [register('one-of-two.com'), register('two-of-two.com')];

  test('against the balance', async () => {
    const env = { DOMAIN_API_USERNAME: 'broke', DOMAIN_API_PASSWORD: 'broke-password' };
    limited = await openShop({ env });

    const { affordable, errors } = await quoteWith(limited, { lines });

    expect(affordable).toBe(false);
    expect(errors).toMatchObject([
      {
        code: 'INSUFFICIENT_FUNDS',
        path: null,
        required: usd('22.5800'),
        available: usd('5.0000'),
      },
    ]);
  });
});
