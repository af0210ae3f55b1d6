import { describe, expect, test } from 'vitest';
import {
  account,
  createTenant,
  ok,
  refusal,
  tldRow,
} from '../../../test/support/modules/purchase-tenant.ts';
import { createSimulatedClock, hourMs, minuteMs } from '../../../test/support/simulated-clock.ts';
import { money } from '../../kernel/money.ts';
import { fromStoredJson, type StoredFault } from '../../kernel/stored-json.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { lineRunner, orders } from './parts.ts';
import type { PlaceOrderInput } from './place-order.ts';

const checksAgeMs = 5 * minuteMs;

/** A tenant with an order of two transfers at 8 USD each, whose lines only the test takes and runs, with the changed parts. */
async function placeOrder(
  onFailure: PlaceOrderInput['onFailure'] = 'CONTINUE',
  changes: Partial<TenantFacts> = {},
) {
  const tenant = await createTenant();
  const { jobs } = tenant.journal;
  const time = createSimulatedClock();
  const run = tenant.start({ clock: time.clock, ...changes }).use(lineRunner);
  const names = ['maple.com', 'oak.com'];
  for (const name of names) tenant.elsewhere.add(name);
  const { order, errors } = await tenant
    .request()
    .use(orders)
    .place({
      lines: names.map((domain) => ({ transfer: { domain, authCode: 'Auth-1' } })),
      ...{ idempotencyKey: 'order', onFailure },
    });
  expect(errors).toEqual([]);

  const take = async (limit = 2) => {
    const now = time.clock.now();
    const later = (ms: number) => new Date(now.getTime() + ms);
    const until = { leaseUntil: later(minuteMs), latest: later(hourMs) };
    return jobs.take(account, { owner: 'one', now, limit, kinds: ['ORDER'], ...until });
  };
  /** Works on a line as the engine does. Returns its outcome with the codes of its faults, or the state in which it waits. */
  const work = async (item: TakenItem | undefined): Promise<string> => {
    if (!item) throw new Error('The line was not taken.');
    const end = await run(item, async () => true);
    const now = time.clock.now();
    if (!('outcome' in end)) {
      await jobs.release(item, end.state, now);
      return end.state;
    }
    await jobs.finish(item, now, end);
    const details = fromStoredJson<readonly StoredFault[] | object>(end.details);
    const codes = Array.isArray(details) ? details.map(({ code }: StoredFault) => code) : [];
    return [end.outcome, ...codes].join(' ');
  };
  return {
    ...{ ...tenant, time, take, work, jobId: order?.job.id ?? '' },
    setPrice(amount: string, currency = 'USD'): void {
      const changes = { pricing: { transfer: { 1: amount } }, currencies: { transfer: currency } };
      tenant.upstream.tldlist = () => ok({ data: [tldRow('com', changes)] });
    },
    sentDomains: () => tenant.sent('transferdomain').map(({ domain }) => domain),
  };
}

describe('a line', () => {
  test.each([
    ['checked less than five minutes ago', 'SENT', checksAgeMs - 1],
    ['checked five minutes ago', 'REFUSED MAX_PRICE_EXCEEDED', checksAgeMs],
    // The clock was set back: how old the checks are is not known.
    ['checked in the future', 'REFUSED MAX_PRICE_EXCEEDED', -1],
  ])('%s, whose price has risen since, is %s', async (_what, end, ageMs) => {
    const { take, work, time, setPrice } = await placeOrder();
    const [line] = await take();
    setPrice('8.0001');
    time.setWall(ageMs);

    expect(await work(line)).toBe(end);
  });

  test.each([
    ['the quoted price', 'SENT', '8', 'USD'],
    ['a lower price', 'SENT', '7.9999', 'USD'],
    ['a lower amount in another currency', 'REFUSED MAX_PRICE_EXCEEDED', '7', 'EUR'],
  ])('that waited, and now has %s, is %s', async (_what, end, amount, currency) => {
    const { take, work, time, setPrice, sentDomains } = await placeOrder();
    const [line] = await take();
    setPrice(amount, currency);
    time.setWall(checksAgeMs);

    expect(await work(line)).toBe(end);
    expect(sentDomains()).toEqual(end === 'SENT' ? ['maple.com'] : []);
  });
});

test.each([
  ['lower', '7.99', 'REFUSED SPEND_LIMIT_EXCEEDED'],
  ['high enough', '8', 'SENT'],
])(
  'a limit of the key that is set after the quote, and is %s, counts for each line',
  async (_what, amount, end) => {
    const { take, work } = await placeOrder('CONTINUE', {
      limitsOf: ({ limits }) => ({ GATEWAY: {}, KEY: limits }),
      currentCaller: (before) => ({
        ...before,
        tenant: 'default',
        limits: { perCall: [money(amount, 'USD')] },
      }),
    });
    const [line] = await take();

    expect(await work(line)).toBe(end);
  },
);

describe('a line whose process ends between its claim and its call', () => {
  const endBeforeCall = async (
    { hooks, work }: Awaited<ReturnType<typeof placeOrder>>,
    line: TakenItem | undefined,
  ) => {
    hooks.beforeStatement = (sql) => {
      if (/^\s*update "purchases"/i.test(sql)) throw new Error('The process has ended.');
    };
    await work(line).catch(() => undefined);
    hooks.beforeStatement = () => undefined;
  };
  async function placeClaimed(checkedAfterMs = 0, changes: Partial<TenantFacts> = {}) {
    const shop = await placeOrder('CONTINUE', changes);
    const { time, take } = shop;
    time.setWall(checkedAfterMs);
    const [line] = await take();
    await endBeforeCall(shop, line);
    expect((await shop.purchases()).map(({ state }) => state)).toEqual(['CLAIMED']);
    return shop;
  }
  const takeAgain = async ({ time, take }: Awaited<ReturnType<typeof placeClaimed>>) => {
    const [line] = (await take()).filter(({ domain }) => domain === 'maple.com');
    if (line) return line;
    time.setWall(minuteMs);
    return (await take()).find(({ domain }) => domain === 'maple.com');
  };

  test.each([
    ['by the next process within five minutes', 'SENT', 0, 2 * minuteMs, 1],
    ['never after five minutes', 'BEGUN', 0, checksAgeMs, 0],
    ['never when the clock was set back', 'BEGUN', 0, -2 * hourMs, 0],
    ['never after five minutes from its quote', 'BEGUN', checksAgeMs - minuteMs, 2 * minuteMs, 0],
    ['after its own checks within five minutes', 'SENT', 2 * checksAgeMs, 4 * minuteMs, 1],
    ['never five minutes after its own checks', 'BEGUN', 2 * checksAgeMs, checksAgeMs, 0],
  ])('is sent %s', async (_what, end, checkedAfterMs, passedMs, calls) => {
    const shop = await placeClaimed(checkedAfterMs);
    shop.setPrice('499');
    shop.time.setWall(passedMs);

    expect(await shop.work(await takeAgain(shop))).toBe(end);
    expect(shop.sentDomains()).toHaveLength(calls);
    if (calls > 0) return;
    shop.time.setWall(checksAgeMs + minuteMs);
    expect(await shop.work(await takeAgain(shop))).toBe('REFUSED MAX_PRICE_EXCEEDED');
    expect(shop.sentDomains()).toEqual([]);
    expect((await shop.purchases()).map(({ state }) => state)).toEqual(['FAILED']);
  });

  test('is given up when its key is revoked in between', async () => {
    let isRevoked = false;
    const shop = await placeClaimed(0, {
      currentCaller: (before) => (isRevoked ? null : { ...before, tenant: 'default' }),
    });
    isRevoked = true;
    await shop.work(await takeAgain(shop));

    expect(await shop.purchases()).toMatchObject([
      { state: 'FAILED', fault: { code: 'FORBIDDEN', executed: 'NO' } },
    ]);
    expect(shop.sentDomains()).toEqual([]);
  });

  test('is sent after any number of such ends, once', async () => {
    const shop = await placeClaimed();
    const { time, work } = shop;
    for (let end = 0; end < 4; end += 1) {
      time.setWall(checksAgeMs + minuteMs);
      expect(await work(await takeAgain(shop))).toBe('BEGUN');
      await endBeforeCall(shop, await takeAgain(shop));
    }
    expect(await work(await takeAgain(shop))).toBe('SENT');
    expect(shop.sentDomains()).toEqual(['maple.com']);
    expect((await shop.purchases()).map(({ state }) => state).toSorted()).toEqual([
      ...['FAILED', 'FAILED', 'FAILED', 'FAILED', 'IN_PROGRESS'],
    ]);
  });
});

describe('the reads that the lines of an order share', () => {
  test('are repeated after one that failed', async () => {
    const { take, work, time, upstream, sentDomains } = await placeOrder();
    const [line] = await take();
    time.setWall(checksAgeMs);
    const { tldlist } = upstream;
    upstream.tldlist = () => ({ status: 503, body: '' });

    expect(await work(line)).toBe('WAITING');
    if (tldlist) upstream.tldlist = tldlist;
    const [again] = await take();
    expect(await work(again)).toBe('SENT');
    expect(sentDomains()).toEqual(['maple.com']);
  });

  test.each([
    ['are used for five minutes', checksAgeMs, 'SENT'],
    ['are repeated after more than five minutes', checksAgeMs + 1, 'REFUSED MAX_PRICE_EXCEEDED'],
  ])('%s', async (_what, passedMs, end) => {
    const { take, work, time, setPrice } = await placeOrder();
    const [first, second] = await take();
    time.setWall(checksAgeMs);
    expect(await work(first)).toBe('SENT');
    setPrice('9');
    time.advance(passedMs);

    expect(await work(second)).toBe(end);
  });
});

test.each([
  ['FAILED', 'STOPPED'],
  ['UNKNOWN', 'STOPPED'],
  ['SUCCEEDED', undefined],
] as const)(
  'with onFailure STOP a purchase that ends as %s leaves the line that waits as %s',
  async (to, outcome) => {
    const { take, work, upstream, journal, purchases, jobId } = await placeOrder('STOP');
    upstream.transferdomain = () => ({ status: 503, body: '' });
    const [first] = await take(1);
    expect(await work(first)).toBe('BEGUN');
    const [lost] = await purchases();
    const at = lost?.claimedAt ?? new Date(0);
    await journal.move(lost?.id ?? '', ['PENDING'], { to, at });
    expect(await work(first)).toBe('SENT');

    const [, waiting] = await journal.jobs.items([jobId]);
    expect(waiting?.result?.outcome).toBe(outcome);
  },
);

describe('of two lines that were taken together, the second', () => {
  test.each([
    ['STOP', 'STOPPED', ['maple.com']],
    ['CONTINUE', 'SENT', ['maple.com', 'oak.com']],
  ] as const)(
    'begins after the failure of the first with onFailure %s, and is %s',
    async (onFailure, end, sent) => {
      const { take, work, upstream, sentDomains } = await placeOrder(onFailure);
      const [first, second] = await take();
      upstream.transferdomain = () => refusal(2304, 'Object status prohibits operation');
      await work(first);

      expect(await work(second)).toBe(end);
      expect(sentDomains()).toEqual(sent);
    },
  );

  test('is not sent with onFailure STOP when the outcome of the first is unknown', async () => {
    const { take, work, upstream, journal, purchases, sentDomains } = await placeOrder('STOP');
    const [first, second] = await take();
    upstream.transferdomain = () => ({ status: 503, body: '' });
    await work(first);
    const [lost] = await purchases();
    const at = lost?.claimedAt ?? new Date(0);
    await journal.move(lost?.id ?? '', ['PENDING'], { to: 'UNKNOWN', at });

    expect(await work(second)).toBe('STOPPED');
    expect(sentDomains()).toEqual(['maple.com']);
  });

  test('is sent with onFailure STOP when the first succeeds', async () => {
    const { take, work, sentDomains } = await placeOrder('STOP');
    const [first, second] = await take();
    await work(first);

    expect(await work(second)).toBe('SENT');
    expect(sentDomains()).toEqual(['maple.com', 'oak.com']);
  });
});
