import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import type { Environment } from '../../../src/config/read-values.ts';
import { ada } from '../../support/ada.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createDatabase, whyNoPostgres } from '../../support/postgres.ts';
import { countPurchases, errorFields, openShop, order, type Payload, type Shop } from './shop.ts';

const clean: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});

const openLimited = async (limits: object, env: Environment = {}): Promise<Shop> => {
  const shop = await openShop({ env: { SPEND_LIMITS: JSON.stringify(limits), ...env } });
  clean.push(() => shop.close());
  return shop;
};

const inDollars = (amount: string) => ({ amount, currency: 'USD' });
const codesOf = ({ errors }: Payload) => errors.map(({ code }: Payload) => code);
const limitsOf = ({ errors }: Payload) => errors.flatMap(({ limit }: Payload) => limit ?? []);

describe('a purchase above a limit is refused, and the error names the limit:', {
  tags: ['R12'],
}, () => {
  const nothing = {
    price: null,
    allowed: null,
    spent: null,
    allowedCount: null,
    count: null,
    allowedTlds: null,
    allowedPeriod: null,
    upstreamCode: null,
    upstreamMessage: null,
  };

  test.each<[string, object, object, string]>([
    [
      'the price of one purchase',
      { perCall: ['11.2899 USD'] },
      { limit: 'PER_CALL', allowed: inDollars('11.2899'), price: inDollars('11.2900') },
      'This gateway spends at most 11.2899 USD at a time; this may cost 11.2900 USD.',
    ],
    [
      'a currency without a limit per purchase',
      { perCall: ['999 EUR'] },
      { limit: 'PER_CALL', price: inDollars('11.2900') },
      'This gateway spends nothing in USD; this may cost 11.2900 USD.',
    ],
    [
      'a currency without a limit per day',
      { perDay: ['999 EUR'] },
      { limit: 'PER_DAY', price: inDollars('11.2900'), spent: inDollars('0.0000') },
      'This gateway spends nothing in USD; this may cost 11.2900 USD.',
    ],
    [
      'a TLD that is not listed',
      { tlds: ['co.uk', 'gen.tr'] },
      { limit: 'TLDS', allowedTlds: ['co.uk', 'gen.tr'] },
      'This gateway buys names under .co.uk, .gen.tr only, and none under .com.',
    ],
    [
      'no purchase at all',
      { perHour: 0 },
      { limit: 'PER_HOUR', allowedCount: 0, count: 0 },
      'This gateway makes at most 0 purchases in 60 minutes, and has made 0.',
    ],
  ])('%s', async (_what, limits, facts, message) => {
    const shop = await openLimited(limits);

    const { purchase, errors } = await shop.register({ domain: 'too-much.com' });

    expect(purchase).toBeNull();
    expect(errors).toEqual([
      {
        __typename: 'SpendLimitExceeded',
        code: 'SPEND_LIMIT_EXCEEDED',
        path: ['input', 'domain'],
        executed: 'NO',
        retryable: false,
        scope: 'GATEWAY',
        ...nothing,
        ...facts,
        message,
      },
    ]);
    expect(await countPurchases(shop)).toBe(0);
  });

  test('the longest period', async () => {
    const shop = await openLimited({ longestPeriod: 2 });

    const { errors } = await shop.register({ domain: 'too-long.com', period: 3 });
    expect(errors).toMatchObject([
      {
        limit: 'LONGEST_PERIOD',
        allowedPeriod: 2,
        path: ['input', 'period'],
        message: 'This gateway buys for at most 2 years; 3 were requested.',
      },
    ]);
    expect(await countPurchases(shop)).toBe(0);
    expect((await shop.register({ domain: 'too-long.com', period: 2 })).errors).toEqual([]);
  });

  test('the spend of a day, for registrations and transfers together', async () => {
    const shop = await openLimited({ perDay: ['20 USD', '149 TRY'] });
    expect((await shop.register({ domain: 'first-of-day.com' })).errors).toEqual([]);

    const second = await shop.transfer({ domain: 'outside-second.com' });

    expect(second.errors).toMatchObject([
      {
        limit: 'PER_DAY',
        allowed: inDollars('20.0000'),
        spent: inDollars('11.2900'),
        price: { currency: 'USD' },
        retryable: true,
      },
    ]);
    expect(await countPurchases(shop)).toBe(0);
    expect((await shop.register({ domain: 'other-money.gen.tr' })).errors).toEqual([]);
  });

  test('the number of purchases of an hour', async () => {
    const shop = await openLimited({ perHour: 1 });
    expect((await shop.register({ domain: 'first-of-hour.com' })).errors).toEqual([]);

    const { errors } = await shop.register({ domain: 'second-of-hour.com' });

    expect(errors).toMatchObject([
      { limit: 'PER_HOUR', allowedCount: 1, count: 1, retryable: true },
    ]);
    expect(await countPurchases(shop)).toBe(0);
  });
});

describe('the errors contain all exceeded limits', () => {
  const everything = {
    perCall: ['1 USD'],
    perDay: ['2 USD'],
    perHour: 0,
    tlds: ['net'],
    longestPeriod: 1,
  };

  test('beside the other errors of a registration', async () => {
    const shop = await openLimited(everything);

    const made = await shop.register({
      domain: 'all-wrong.com',
      period: 2,
      maxPrice: inDollars('1'),
      registrant: { fields: { ...ada, email: 'invalid' } },
    });

    expect(codesOf(made)).toEqual([
      'INVALID_INPUT',
      'MAX_PRICE_EXCEEDED',
      ...Array(5).fill('SPEND_LIMIT_EXCEEDED'),
    ]);
    expect(limitsOf(made)).toEqual(['PER_CALL', 'TLDS', 'LONGEST_PERIOD', 'PER_DAY', 'PER_HOUR']);
    expect(await countPurchases(shop)).toBe(0);
  });

  test('beside the other errors of a transfer', async () => {
    const shop = await openLimited(everything);

    const made = await shop.transfer({ domain: 'outside-all.com', authCode: ' ' });

    expect(codesOf(made)[0]).toBe('AUTH_CODE_REQUIRED');
    expect(limitsOf(made)).toEqual(['PER_CALL', 'TLDS', 'PER_DAY', 'PER_HOUR']);
    expect(await countPurchases(shop)).toBe(0);
  });

  test('but no limit of the price when the name is not available', async () => {
    const shop = await openLimited(everything);

    const made = await shop.register({ domain: 'reseller-demo.com' });

    expect(codesOf(made)[0]).toBe('ALREADY_OWNED');
    expect(limitsOf(made)).toEqual(['TLDS', 'PER_HOUR']);
  });

  test('in a dry run too, which counts against no limit', async () => {
    const shop = await openLimited({ perHour: 1, longestPeriod: 1 });
    const dry = { domain: 'tried-first.com', dryRun: true };
    for (let time = 1; time <= 3; time += 1) expect((await shop.register(dry)).errors).toEqual([]);
    await shop.register({ domain: 'tried-first.com' });

    const made = await shop.register({ ...dry, domain: 'tried-again.com', period: 2 });

    expect(limitsOf(made)).toEqual(['LONGEST_PERIOD', 'PER_HOUR']);
    expect(made).toMatchObject({ purchase: null, dryRun: true });
  });
});

describe('against the limits', () => {
  test('a failed purchase does not count', async () => {
    const shop = await openLimited({ perHour: 1, perDay: ['12 USD'] });
    await shop.arm('code', { action: 'registerdomain', code: '350' });
    const failed = await shop.register({ domain: 'given-back.com' });

    const again = await shop.register({ domain: 'given-back.com' });

    expect([failed.purchase.state, again.purchase.state]).toEqual(['FAILED', 'SUCCEEDED']);
  });

  test('a purchase with an unknown outcome counts', async () => {
    const shop = await openLimited({ perDay: ['12 USD'] });
    await shop.arm('gateway', { action: 'registerdomain' });
    const open = await shop.register({ domain: 'still-open.com' });

    const next = await shop.register({ domain: 'next-one.com' });

    expect(open.purchase.state).toBe('PENDING');
    expect(next.errors).toMatchObject([{ limit: 'PER_DAY', spent: inDollars('11.2900') }]);
  });

  test('a replayed purchase does not count', async () => {
    const shop = await openLimited({ perHour: 1 });
    const input = { domain: 'known-key.com', idempotencyKey: 'known' };
    const first = await shop.register(input);

    const again = await shop.register(input);
    const conflict = await shop.register({ ...input, domain: 'another-name.com' });

    expect(again).toMatchObject({ purchase: first.purchase, replayed: true, errors: [] });
    expect(codesOf(conflict)).toEqual(['IDEMPOTENCY_CONFLICT']);
  });
});

describe('API keys with limits', () => {
  const shopKey = 'the-key-of-the-shop';
  const officeKey = 'the-key-of-the-office';
  const digest = (key: string) => createHash('sha256').update(key).digest('hex');
  const scopes = ['domains:spend', 'account:read'];
  const keys = {
    API_KEYS: JSON.stringify({
      shop: { sha256: digest(shopKey), limits: { perHour: 1, tlds: ['com'] }, scopes },
      office: { sha256: digest(officeKey), scopes },
    }),
  };
  const by = (key: string) => ({ 'x-api-key': key });

  test('are limited separately, and the limits of the gateway count all of them', async () => {
    const folder = await newFolder('limits');
    clean.push(() => rm(folder, { recursive: true }));
    const shop = await openLimited({ perHour: 3 }, { ...keys, DATA_DIR: folder });
    const buy = (domain: string, key: string) => shop.register({ domain }, by(key));

    expect((await buy('shop-one.com', shopKey)).errors).toEqual([]);
    const second = await buy('shop-two.net', shopKey);
    const sent = await countPurchases(shop);
    for (const name of ['office-one.net', 'office-two.com']) {
      expect((await buy(name, officeKey)).errors).toEqual([]);
    }
    const last = await buy('office-three.com', officeKey);
    const both = await buy('shop-three.com', shopKey);

    expect(second.errors).toMatchObject([
      { limit: 'TLDS', scope: 'KEY', allowedTlds: ['com'] },
      {
        limit: 'PER_HOUR',
        scope: 'KEY',
        count: 1,
        message: 'This API key makes at most 1 purchase in 60 minutes, and has made 1.',
      },
    ]);
    expect(sent).toBe(0);
    expect(last.errors).toMatchObject([{ limit: 'PER_HOUR', scope: 'GATEWAY', count: 3 }]);
    expect(both.errors).toMatchObject([
      { limit: 'PER_HOUR', scope: 'GATEWAY', count: 3 },
      { limit: 'PER_HOUR', scope: 'KEY', count: 1 },
    ]);
    const journal = new DatabaseSync(join(folder, 'sandbox-journal.sqlite'));
    const rows = journal.prepare('select caller from purchases order by claimed_at').all();
    journal.close();
    expect(rows.map(({ caller }) => caller)).toEqual(['shop', 'office', 'office']);
  });

  test('are valid beside API_KEY, and every other key is refused', async () => {
    const shop = await openLimited({}, { ...keys, API_KEY: 'the-key-without-a-name' });
    const statusFor = async (headers: Record<string, string>) =>
      (await shop.gateway.query('{ purchases { totalCount } }', {}, headers)).status;

    for (const key of [shopKey, officeKey, 'the-key-without-a-name']) {
      expect(await statusFor(by(key))).toBe(200);
    }
    for (const key of ['', 'shop', digest(shopKey), `${shopKey} `.repeat(2)]) {
      expect(await statusFor(by(key))).toBe(401);
    }
    expect(await statusFor({})).toBe(401);
  });
});

describe.each(['SQLite', 'PostgreSQL'])('two gateways over one journal on %s', (driver) => {
  test('spend together no more than the limit, with twenty concurrent purchases', async ({
    skip,
  }) => {
    skip(driver === 'PostgreSQL' && whyNoPostgres !== null, whyNoPostgres ?? '');
    const folder = await newFolder('limits');
    clean.push(() => rm(folder, { recursive: true }));
    const database = driver === 'PostgreSQL' ? await createDatabase() : null;
    clean.push(async () => database?.remove());
    // Seven at 11.29 fit to the last digit.
    const limits = { perDay: ['79.03 USD'] };
    const env = { DATA_DIR: folder, ...(database && { DATABASE_URL: database.url }) };
    const shop = await openLimited(limits, env);
    const other = await startTestGateway({
      env: {
        ...env,
        SPEND_LIMITS: JSON.stringify(limits),
        DOMAIN_API_URL: `${shop.gateway.sandboxUrl}/domain-api`,
      },
    });
    clean.push(() => other.close());

    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        [shop.gateway, other][at % 2]?.query(
          `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
            purchase { state } errors { ${errorFields} } } }`,
          { input: order({ domain: `one-of-twenty-${at}.com` }) },
        ),
      ),
    );

    const made = responses.map((response) => response?.data.registerDomain);
    expect(made.filter(({ purchase }) => purchase?.state === 'SUCCEEDED')).toHaveLength(7);
    expect(made.flatMap(limitsOf)).toEqual(Array(13).fill('PER_DAY'));
    expect(await countPurchases(shop)).toBe(7);
    expect(await shop.ledger()).toHaveLength(7);
  });
});
