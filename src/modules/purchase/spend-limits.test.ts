import { describe, expect, test } from 'vitest';
import {
  account,
  createTenant,
  offer,
  ok,
  tldRow,
} from '../../../test/support/modules/purchase-tenant.ts';
import type { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import type { LimitScope, SpendLimits } from '../../kernel/spend-limits.ts';
import { orders } from '../../features/order/parts.ts';

const usd = (amount: string) => money(amount, 'USD');
const price = usd('10');
const hourMs = 60 * 60_000;

const shown = ({ errors }: { readonly errors: readonly Fault[] }) =>
  errors.map(({ code, facts, inputPath, retryable }) => ({
    ...{ code, facts, path: inputPath.join(' '), retryable },
  }));

const exceeded = (facts: object, path = 'input domain', retryable = false) => ({
  ...{ code: 'SPEND_LIMIT_EXCEEDED', facts, path, retryable },
});

describe('the limits of one purchase', () => {
  test.each<[SpendLimits, number]>([
    [{}, 1],
    [{ perCall: [usd('10')] }, 1],
    [{ perCall: [money('1', 'EUR'), usd('10')] }, 1],
    [{ tlds: ['net', 'com'] }, 1],
    [{ longestPeriod: 2 }, 2],
    [{ perDay: [usd('10')], perHour: 1 }, 1],
  ])('%j allow a purchase for 10 USD per year of %i year(s)', async (limits, period) => {
    const tenant = await createTenant({ GATEWAY: limits, KEY: limits });

    const { purchase, errors } = await tenant.register({ period });

    expect(shown({ errors })).toEqual([]);
    expect(purchase?.state).toBe('SUCCEEDED');
  });

  test.each<[SpendLimits, object, string?]>([
    [{ perCall: [usd('9.9999')] }, { limit: 'PER_CALL', price, allowed: usd('9.9999') }],
    [{ perCall: [money('99', 'EUR')] }, { limit: 'PER_CALL', price }],
    [{ perCall: [] }, { limit: 'PER_CALL', price }],
    [{ tlds: ['net'] }, { limit: 'TLDS', allowedTlds: ['net'] }],
    [{ tlds: [] }, { limit: 'TLDS', allowedTlds: [] }],
    [{ longestPeriod: 0 }, { limit: 'LONGEST_PERIOD', allowedPeriod: 0 }, 'input period'],
  ])('%j refuse it, with the limit and its scope', async (limits, facts, path) => {
    for (const scope of ['GATEWAY', 'KEY'] as const) {
      const tenant = await createTenant({ [scope]: limits });

      const made = await tenant.register();

      expect(shown(made)).toEqual([exceeded({ scope, ...facts }, path)]);
      expect(made.purchase).toBeNull();
    }
  });

  test('of the gateway and of the key are all reported', async () => {
    const tenant = await createTenant({ GATEWAY: { tlds: [] }, KEY: { tlds: [], perCall: [] } });

    const { errors } = await tenant.register();

    expect(errors.map(({ facts: { scope, limit } }) => `${scope} ${limit}`)).toEqual([
      ...['GATEWAY TLDS', 'KEY PER_CALL', 'KEY TLDS'],
    ]);
  });

  test.each([
    ['an unknown TLD', { domain: 'maple.zzz' }, ['TLD_UNSUPPORTED']],
    ['an unknown price', {}, ['PRICE_UNAVAILABLE']],
  ])('add no second fault to %s', async (_case, changes, codes) => {
    const limits = { tlds: ['com'], perCall: [usd('1')], perDay: [usd('1')] };
    const tenant = await createTenant({ GATEWAY: limits });
    tenant.upstream.tldlist = () => ok({ data: [tldRow('com', { pricing: [] })] });
    tenant.upstream.singlecheckavailability = () => offer({ Price: null });

    const { errors } = await tenant.register(changes);

    expect(errors.map(({ code }) => code)).toEqual(codes);
  });

  test('name at most ten of the allowed TLDs', async () => {
    const messageFor = async (count: number) => {
      const tlds = Array.from({ length: count }, (_, at) => `t${at + 1}`);
      const tenant = await createTenant({ GATEWAY: { tlds } });
      return (await tenant.register()).errors[0]?.message;
    };

    expect(await messageFor(0)).toContain('no TLD');
    expect(await messageFor(10)).toContain(
      '.t1, .t2, .t3, .t4, .t5, .t6, .t7, .t8, .t9, .t10 only',
    );
    expect(await messageFor(12)).toContain('.t10 and 2 others');
  });
});

describe('the limits of a time', () => {
  const buyTwice = async (
    limits: SpendLimits,
    passMs = 0,
    changes = {},
    scope: LimitScope = 'GATEWAY',
  ) => {
    const tenant = await createTenant({ [scope]: limits });
    await tenant.register({}, { caller: 'shop' });
    tenant.pass(passMs);
    return tenant.register({ domain: 'other.com', ...changes }, { caller: 'shop' });
  };

  const perHour = { perHour: 1 };
  const perDay = { perDay: [usd('19')] };

  test.each<[SpendLimits]>([[{ perHour: 2 }], [{ perDay: [usd('20')] }]])(
    '%j allow a second purchase at once',
    async (limits) => {
      expect((await buyTwice(limits)).purchase?.state).toBe('SUCCEEDED');
    },
  );

  describe.each(['GATEWAY', 'KEY'] as const)('of the %s', (scope) => {
    test.each<[SpendLimits, string, number, boolean]>([
      [perHour, 'PER_HOUR', hourMs - 1, false],
      [perHour, 'PER_HOUR', hourMs, true],
      [perHour, 'PER_HOUR', hourMs + 1, true],
      [perDay, 'PER_DAY', 24 * hourMs - 1, false],
      [perDay, 'PER_DAY', 24 * hourMs, true],
      [perDay, 'PER_DAY', 24 * hourMs + 1, true],
    ])(
      '%j (%s): %i ms after a purchase, another is allowed: %s',
      async (limits, limit, ms, isAllowed) => {
        const { purchase, errors } = await buyTwice(limits, ms, {}, scope);

        expect(purchase?.state).toBe(isAllowed ? 'SUCCEEDED' : undefined);
        expect(errors.map(({ facts }) => facts)).toMatchObject(isAllowed ? [] : [{ scope, limit }]);
      },
    );
  });

  test('refuse a purchase above the count, which a retry may pass later', async () => {
    const facts = { limit: 'PER_HOUR', scope: 'GATEWAY', allowedCount: 1, count: 1 };

    const made = await buyTwice(perHour);

    expect(shown(made)).toEqual([exceeded(facts, undefined, true)]);
    expect(made.errors[0]?.message).toBe(
      'This gateway makes at most 1 purchase in 60 minutes, and has made 1.',
    );
  });

  test.each([
    [2, 2, false],
    [2, 1, true],
  ])('of %i purchases refuse %i more after one: %s', async (perHour, more, isAllowed) => {
    const tenant = await createTenant({ GATEWAY: { perHour } });
    await tenant.register();
    const names = ['one.com', 'two.com'].slice(0, more);

    const { errors } = await tenant
      .request()
      .use(orders)
      .quote({
        lines: names.map((domain) => ({ transfer: { domain, period: 1, authCode: 'Auth-1' } })),
      });

    expect(errors.map(({ message, retryable }) => [message, retryable])).toEqual(
      isAllowed
        ? []
        : [
            [
              'This gateway makes at most 2 purchases in 60 minutes, and has made 1; this request has 2 more.',
              true,
            ],
          ],
    );
  });

  test('refuse every purchase when none is allowed', async () => {
    const tenant = await createTenant({ GATEWAY: { perHour: 0 } });
    const facts = { limit: 'PER_HOUR', scope: 'GATEWAY', allowedCount: 0, count: 0 };

    expect(shown(await tenant.register())).toEqual([exceeded(facts)]);
  });

  test.each([
    ['10', true],
    ['19.9999', true],
    ['9.9999', false],
  ])(
    'refuse a purchase above %s USD per day; a retry may succeed: %s',
    async (amount, mayRetry) => {
      const tenant = await createTenant({ GATEWAY: { perDay: [usd(amount)] } });
      const facts = { limit: 'PER_DAY', scope: 'GATEWAY', price, allowed: usd(amount) };
      const first = await tenant.register();
      const spent = usd(mayRetry ? '10' : '0');

      const second = await tenant.register({ domain: 'other.com' });

      expect(first.purchase?.state).toBe(mayRetry ? 'SUCCEEDED' : undefined);
      expect(shown(second)).toEqual([exceeded({ ...facts, spent }, undefined, mayRetry)]);
    },
  );

  test('refuse a currency without an entry', async () => {
    const tenant = await createTenant({ GATEWAY: { perDay: [money('99', 'EUR')] } });
    const facts = { limit: 'PER_DAY', scope: 'GATEWAY', price, spent: usd('0') };

    expect(shown(await tenant.register())).toEqual([exceeded(facts)]);
  });

  test('report the count, and not the sum, of a purchase without a price', async () => {
    const made = await buyTwice({ perHour: 1, perDay: [usd('11')] }, 0, { period: 11 });

    expect(made.errors.map(({ code, facts }) => facts.limit ?? code)).toEqual([
      ...['PERIOD_OUT_OF_RANGE', 'PER_HOUR'],
    ]);
  });

  test('of a key count the purchases of its caller only', async () => {
    const tenant = await createTenant({ KEY: { perHour: 1 } });
    await tenant.register({}, { caller: 'shop' });

    const own = await tenant.register({ domain: 'b.com', period: 2 }, { caller: 'shop' });
    const other = await tenant.register({ domain: 'other.com' }, { caller: 'other' });

    expect(own.errors.map(({ facts }) => facts.scope)).toContain('KEY');
    expect(other.purchase?.state).toBe('SUCCEEDED');
  });
});

describe('at the claim,', () => {
  test('the sum of purchases that were made during the checks refuses it', async () => {
    const tenant = await createTenant({ GATEWAY: { perDay: [usd('15')] } });
    tenant.hooks.afterSpending = async () => {
      tenant.hooks.afterSpending = async () => undefined;
      await tenant.register({ domain: 'other.com' });
    };

    const made = await tenant.register();

    const facts = { limit: 'PER_DAY', scope: 'GATEWAY', price, allowed: usd('15'), spent: price };
    expect(shown(made)).toEqual([exceeded(facts, undefined, true)]);
    expect(tenant.sent('registerdomain')).toHaveLength(1);
  });

  const since = new Date('2026-01-31T11:00:00Z');
  const stopped = {
    code: 'PURCHASES_STOPPED',
    facts: { since, reason: 'audit' },
    path: 'input domain',
  };

  test('a stop refuses a dry run too', async () => {
    const tenant = await createTenant();
    await tenant.journal.stop(account, { since, reason: 'audit' });

    expect(shown(await tenant.register({ dryRun: true }))).toMatchObject([stopped]);
  });

  test.each(['before', 'after'] as const)('a stop %s the checks refuses it', async (when) => {
    const tenant = await createTenant();
    const stop = () => tenant.journal.stop(account, { since, reason: 'audit' });
    if (when === 'before') await stop();
    else tenant.hooks.afterSpending = stop;

    const made = await tenant.register();

    expect(shown(made)).toMatchObject([stopped]);
    expect(made.errors).toHaveLength(1);
    expect(tenant.sent('registerdomain')).toEqual([]);
  });
});
