import { beforeEach, describe, expect, test } from 'vitest';
import { ada } from '../../../test/support/ada.ts';
import {
  bulkReply,
  createTenant,
  ok,
  problems,
  tldRow,
} from '../../../test/support/modules/purchase-tenant.ts';
import { formatMoney, money } from '../../kernel/money.ts';
import { orders } from './parts.ts';
import type { OrderQuote, QuoteOrderInput } from './quote-order.ts';
import type { OrderLineInput } from './quoted-lines.ts';

const lira = { Price: '200', Currency: 'TRY' };
const taken = { Status: 'notavailable' };

const register = (domain: string, more: object = {}): OrderLineInput => ({
  registration: { domain, period: 1, acceptPremium: false, ...more },
});
const transfer = (domain: string, more: object = {}): OrderLineInput => ({
  transfer: { domain, period: 1, authCode: 'Auth-1', ...more },
});

let tenant: Awaited<ReturnType<typeof createTenant>>;
const open = async (limits = {}) => {
  tenant = await createTenant(limits);
  const inLira = { registration: 'TRY', renew: 'TRY', transfer: 'TRY' };
  tenant.upstream.tldlist = () =>
    ok({
      data: [
        tldRow('com'),
        tldRow('net'),
        tldRow('gen.tr', { pricing: { registration: { 1: '200' } }, currencies: inLira }),
      ],
    });
  tenant.upstream.bulkcheckavailability = bulkReply({
    ...Object.fromEntries(['a.com', 'b.com', 'c.com', 'd.com'].map((name) => [name, taken])),
    ...{ 'maple.gen.tr': lira, 'oak.gen.tr': lira, 'taken.com': taken, 'owned.com': taken },
    'dear.com': { Price: '900', IsFee: true },
  });
  tenant.domains.set('owned.com', 'Active');
};
beforeEach(() => open());

const quote = (lines: readonly OrderLineInput[], more: Omit<QuoteOrderInput, 'lines'> = {}) =>
  tenant
    .request()
    .use(orders)
    .quote({ lines, ...more });

const totalsOf = ({ totals }: OrderQuote) =>
  totals.map(({ lowest, highest }) => [formatMoney(lowest), formatMoney(highest)]);
const perLine = ({ lines }: OrderQuote) => lines.map(problems);

describe('the lines of an order', () => {
  test('share one price list, one balance and one bulk check', async () => {
    await quote([register('maple.com'), register('oak.com'), register('elm.net')]);

    expect(tenant.calls.map(({ action }) => action).sort()).toEqual([
      ...['bulkcheckavailability', 'resellerdetails', 'tldlist'],
    ]);
  });

  test.each([
    ['one list', 1, ['ALREADY_OWNED lines 0 transfer domain'], 0],
    ['one list, and one read for each name that it leaves out', 9, [], 5],
  ])('that are transfers share one bulk check and %s', async (_what, TotalCount, first, reads) => {
    const rows = TotalCount === 1 ? [{ ID: 7, DomainName: 'owned.com', Status: 'Active' }] : [];
    tenant.upstream.getdomainlist = () => ok({ data: { Domains: rows }, TotalCount });
    tenant.domains.delete('owned.com');

    const quoted = await quote(
      ['owned', 'a', 'b', 'c', 'd'].map((label) => transfer(`${label}.com`)),
    );

    expect(perLine(quoted)[0]).toEqual(first);
    for (const action of ['bulkcheckavailability', 'getdomainlist', 'tldlist']) {
      expect(tenant.sent(action)).toHaveLength(1);
    }
    expect(tenant.sent('getdetails')).toHaveLength(reads);
    expect(tenant.sent('singlecheckavailability')).toEqual([]);
  });

  test('have their position, kind, name and quote', async () => {
    const { lines } = await quote([
      register('MAPLE.com.', { period: 3 }),
      transfer('oak.com'),
      register(' no name '),
    ]);

    expect(lines).toMatchObject([
      { position: 0, kind: 'REGISTRATION', domain: 'maple.com', quote: { period: 3 }, errors: [] },
      { position: 1, kind: 'TRANSFER', domain: 'oak.com', quote: { certainty: 'LISTED' } },
      { position: 2, kind: 'REGISTRATION', domain: null, text: 'no name', quote: null },
    ]);
    expect(lines.map(({ quote }) => quote?.highest?.amount.toString())).toEqual([
      ...['34.0000', '8.0000', undefined],
    ]);
  });

  test('report all that is wrong with them, with a path into the line', async () => {
    const line = {
      ...{ nameServers: [], period: 11 },
      registrant: { fields: { ...ada, email: 'x' } },
      contact: { fields: { ...ada, lastName: '' } },
    };

    const quoted = await quote([
      register('maple.com', line),
      register('no name'),
      register('maple.zzz'),
      register('dear.com'),
      transfer('owned.com', { authCode: ' ', period: 0 }),
    ]);

    expect(perLine(quoted)).toEqual([
      [
        'INVALID_INPUT lines 0 registration nameServers',
        'INVALID_INPUT lines 0 registration registrant fields email',
        'INVALID_INPUT lines 0 registration contact fields lastName',
        'PERIOD_OUT_OF_RANGE lines 0 registration period',
      ],
      ['INVALID_INPUT lines 1 registration domain'],
      ['TLD_UNSUPPORTED lines 2 registration domain'],
      ['PREMIUM_NOT_ACCEPTED lines 3 registration acceptPremium'],
      [
        'AUTH_CODE_REQUIRED lines 4 transfer authCode',
        'PERIOD_OUT_OF_RANGE lines 4 transfer period',
        'ALREADY_OWNED lines 4 transfer domain',
      ],
    ]);
    expect(quoted).toMatchObject({ totals: [], affordable: null, errors: [] });
  });

  test('with a name of an earlier line are refused without another check', async () => {
    const quoted = await quote([
      register('maple.com'),
      transfer('maple.com'),
      register('Maple.COM'),
      register('oak.com'),
    ]);

    expect(perLine(quoted)).toEqual([
      [],
      ['INVALID_INPUT lines 1 transfer domain'],
      ['INVALID_INPUT lines 2 registration domain'],
      [],
    ]);
    expect(quoted.lines[2]?.errors[0]?.message).toBe(
      'maple.com is in line 0 of this order already.',
    );
    expect(totalsOf(quoted)).toEqual([['20.0000 USD', '20.0000 USD']]);
    expect(tenant.sent('getdetails')).toEqual([]);
  });

  test('with a taken name report whether the account owns it, while the request has spare calls', async () => {
    const lines = [register('taken.com'), register('owned.com')];
    const request = tenant.request();
    while (request.budget.spare > 1) request.budget.takeSpare();

    const all = await quote(lines);
    const some = await request.use(orders).quote({ lines });

    expect(perLine(all).flat()).toEqual([
      'NOT_AVAILABLE lines 0 registration domain',
      'ALREADY_OWNED lines 1 registration domain',
    ]);
    expect(perLine(some).flat()).toEqual([
      'NOT_AVAILABLE lines 0 registration domain',
      'NOT_AVAILABLE lines 1 registration domain',
    ]);
  });

  test('have limits of their own', async () => {
    await open({
      KEY: { tlds: ['com'], longestPeriod: 2 },
      GATEWAY: { perCall: [money('25', 'USD')] },
    });

    const quoted = await quote([
      register('maple.com', { maxPrice: money('9', 'USD') }),
      register('oak.com', { period: 3 }),
      register('elm.net'),
      register('ash.com'),
    ]);

    expect(perLine(quoted)).toEqual([
      ['MAX_PRICE_EXCEEDED lines 0 registration maxPrice'],
      [
        'SPEND_LIMIT_EXCEEDED lines 1 registration domain',
        'SPEND_LIMIT_EXCEEDED lines 1 registration period',
      ],
      ['SPEND_LIMIT_EXCEEDED lines 2 registration domain'],
      [],
    ]);
  });
});

describe('the totals of an order', () => {
  test('sum the lowest and the highest prices of the lines without errors, per currency', async () => {
    const quoted = await quote([
      register('maple.com', { period: 2 }),
      register('taken.com'),
      register('maple.gen.tr'),
      register('oak.com'),
      register('oak.gen.tr'),
    ]);

    expect(totalsOf(quoted)).toEqual([
      ['30.0000 USD', '32.0000 USD'],
      ['400.0000 TRY', '400.0000 TRY'],
    ]);
  });

  test.each([
    [[], ['MAX_PRICE_EXCEEDED maxTotal', 'MAX_PRICE_EXCEEDED maxTotal']],
    [[money('22', 'USD')], ['MAX_PRICE_EXCEEDED maxTotal']],
    [[money('22', 'USD'), money('200', 'TRY')], []],
    [[money('21.9999', 'USD'), money('200', 'TRY')], ['MAX_PRICE_EXCEEDED maxTotal']],
    [[money('22', 'USD'), money('300', 'USD'), money('200', 'TRY')], ['INVALID_INPUT maxTotal']],
  ])('are compared with `maxTotal`: %j', async (maxTotal, expected) => {
    const lines = [register('maple.com', { period: 2 }), register('maple.gen.tr')];
    tenant.upstream.resellerdetails = () => ok({ id: 1 });

    const quoted = await quote(lines, { maxTotal });

    expect(problems(quoted)).toEqual(expected);
  });

  test('that may be too high are reported with both amounts', async () => {
    const { errors } = await quote([register('maple.com')], { maxTotal: [money('9', 'USD')] });

    const [fault] = errors;
    expect(fault?.message).toBe(
      'The order may cost up to 10.0000 USD, which is more than "maxTotal".',
    );
    expect(fault?.facts.maxPrice && formatMoney(fault.facts.maxPrice)).toBe('9.0000 USD');
    expect(fault?.facts.highest && formatMoney(fault.facts.highest)).toBe('10.0000 USD');
  });

  test('in a currency without a maximum are reported with that currency', async () => {
    const { errors } = await quote([register('maple.com')], { maxTotal: [money('9', 'EUR')] });

    expect(errors[0]?.message).toBe(
      'The order may cost up to 10.0000 USD, and "maxTotal" has no amount in USD.',
    );
  });
});

describe('the balance', () => {
  const lines = [register('maple.com'), register('oak.com')];

  test.each([
    ['20', true, []],
    ['19.9999', false, ['INSUFFICIENT_FUNDS']],
  ])('of %s USD for 20 USD: affordable is %s', async (balance, affordable, expected) => {
    tenant.upstream.resellerdetails = () => ok({ id: 1, active: true, balance, currency: 'USD' });

    const quoted = await quote(lines);

    expect(quoted.affordable).toBe(affordable);
    expect(problems(quoted)).toEqual(expected);
  });

  test('that is not reported in a currency makes affordable null', async () => {
    const quoted = await quote([...lines, register('maple.gen.tr')]);

    expect(quoted.affordable).toBeNull();
  });

  test('that is too low in one currency decides, also when another is unknown', async () => {
    tenant.upstream.resellerdetails = () =>
      ok({ id: 1, active: true, balance: '1', currency: 'USD' });

    expect((await quote([...lines, register('maple.gen.tr')])).affordable).toBe(false);
  });
});

describe('spend limits', () => {
  test('count all lines of the order together', async () => {
    await open({ GATEWAY: { perDay: [money('20', 'USD')], perHour: 2 } });

    const two = await quote([register('maple.com'), register('oak.com')]);
    const three = await quote([register('maple.com'), register('oak.com'), register('elm.net')]);

    expect(problems(two)).toEqual([]);
    expect(problems(three)).toEqual(['SPEND_LIMIT_EXCEEDED lines', 'SPEND_LIMIT_EXCEEDED lines']);
    expect(three.errors.map(({ message, retryable }) => [message, retryable])).toEqual([
      [expect.stringContaining('this may cost 30.0000 USD'), false],
      [
        'This gateway makes at most 2 purchases in 60 minutes, and has made 0; this request has 3 more.',
        false,
      ],
    ]);
  });

  test('count no line that cannot be bought', async () => {
    await open({ GATEWAY: { perHour: 1 } });

    const quoted = await quote([register('maple.com'), register('no name'), register('taken.com')]);

    expect(problems(quoted)).toEqual([]);
  });

  test('on the number of purchases are reported once for several currencies', async () => {
    await open({ GATEWAY: { perHour: 1 } });

    const quoted = await quote([register('maple.com'), register('maple.gen.tr')]);

    expect(problems(quoted)).toEqual(['SPEND_LIMIT_EXCEEDED lines']);
  });

  test('are reported beside the stop switch', async () => {
    await tenant.journal.stop('reseller-1', { since: tenant.clock.now(), reason: 'audit' });

    expect(problems(await quote([register('maple.com')]))).toEqual(['PURCHASES_STOPPED lines']);
  });
});

describe('an order', () => {
  test.each([
    [0, ['INVALID_INPUT lines']],
    [1, []],
    [500, ['INSUFFICIENT_FUNDS']],
    [501, ['INVALID_INPUT lines']],
  ])('of %i lines', async (count, expected) => {
    const lines = Array.from({ length: count }, (_, at) => register(`name-${at}.com`));
    tenant.upstream.singlecheckavailability = () => ({
      status: 200,
      body: JSON.stringify([
        { Status: 'available', Price: '10', Currency: 'USD', Period: 1, IsFee: false },
      ]),
    });

    const quoted = await quote(lines);

    const isRefused = expected[0] === 'INVALID_INPUT lines';
    expect(problems(quoted)).toEqual(expected);
    expect(quoted.lines).toHaveLength(isRefused ? 0 : count);
    if (isRefused) {
      expect(quoted).toMatchObject({ totals: [], affordable: null });
      expect(quoted.errors[0]?.facts).toEqual({ minimum: 1, maximum: 500 });
    }
    expect(tenant.sent('bulkcheckavailability')).toHaveLength(count === 500 ? 5 : 0);
  });

  test('reports invalid values for all lines once', async () => {
    const defaults = {
      nameServers: ['a b'],
      registrant: { fields: { ...ada, phone: 'x' } },
      contact: { fields: ada },
    };

    const quoted = await quote([register('maple.com'), register('oak.com')], { defaults });

    expect(problems(quoted)).toEqual([
      'INVALID_INPUT defaults nameServers 0',
      'INVALID_INPUT defaults registrant fields phone',
    ]);
    expect(perLine(quoted)).toEqual([[], []]);
  });

  test('is quoted from the journal, so its response is not cached', async () => {
    const request = tenant.request();
    await request.use(orders).quote({ lines: [register('maple.com')] });

    expect(request.cacheValidity()).toBeNull();
  });
});
