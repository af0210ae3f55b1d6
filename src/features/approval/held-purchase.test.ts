import { expect, test } from 'vitest';
import { account, type Sender } from '../../../test/support/modules/purchase-tenant.ts';
import { money } from '../../kernel/money.ts';
import { purchaseRunner } from '../../modules/purchase-job/parts.ts';
import { openReads } from '../../modules/job/parts.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { approvalStore } from './parts.ts';
import { createRuledTenant } from './test/ruled-tenant.ts';

const minuteMs = 60_000;

/** A tenant whose registrations need an approval, and one process that works on its jobs. */
async function start(changes: Partial<TenantFacts> = {}) {
  const tenant = await createRuledTenant();
  tenant.needApprovals(['REGISTRATION']);
  Object.assign(tenant.gateway.facts, changes);
  const { gateway, journal, clock, hooks } = tenant;
  const opened: (string | null)[] = [];
  const open = gateway.use(openReads);
  gateway.provide(openReads, (customer, options) => {
    // The reads of the calls that settle a purchase have options.
    if (!options) opened.push(customer);
    return open(customer, options);
  });

  /** As the engine of a process, which may end in between. */
  const work = async () => {
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + minuteMs / 2);
    const latest = new Date(now.getTime() + 60 * minuteMs);
    const take = { owner: 'one', now, leaseUntil, latest, kinds: ['PURCHASE'], limit: 9 } as const;
    for (const item of await journal.jobs.take(account, take)) {
      const end = await gateway.use(purchaseRunner)(item, async () => true);
      if ('outcome' in end) await journal.jobs.finish(item, clock.now(), end);
      else await journal.jobs.release(item, end.state, clock.now());
    }
  };
  /** Fails the statement of this number that writes, from now on. Returns whether there was one. */
  const failWrite = (number: number) => {
    let left = number;
    hooks.beforeStatement = (sql) => {
      if (/^\s*select/i.test(sql)) return;
      left -= 1;
      if (left === 0) throw new Error('The process has ended.');
    };
    return () => {
      hooks.beforeStatement = () => undefined;
      return left <= 0;
    };
  };
  const register = (changes: object = {}, sender?: Sender) =>
    tenant.register({ idempotencyKey: 'key', ...changes }, sender);
  const store = gateway.store(approvalStore);
  const approvals = () => store.list(account, { filter: {}, limit: 9 });
  const decide = async (to: 'GRANTED' | 'REJECTED' = 'GRANTED') => {
    const [approval] = await approvals();
    const decision = { to, at: clock.now(), by: 'boss', reason: null };
    return store.decide(account, approval?.id ?? '', decision);
  };
  const state = async () => (await tenant.purchases()).map((purchase) => purchase.state);
  return { ...tenant, work, failWrite, register, approvals, decide, state, opened };
}

test('a process that ends between any two writes of a request leaves nothing that a repetition does not complete', async () => {
  for (let number = 1; ; number += 1) {
    const shop = await start();
    const hasFailed = shop.failWrite(number);
    await shop.register().catch(() => undefined);
    if (!hasFailed()) {
      expect(number).toBeGreaterThan(4);
      return;
    }
    const again = await shop.register();
    expect([number, again.errors, again.purchase?.state]).toEqual([...[number, [], 'HELD']]);
    expect(await shop.approvals()).toHaveLength(1);
    await shop.decide();
    await shop.work();
    expect(await shop.state()).toEqual(['SUCCEEDED']);
    expect(shop.sent('registerdomain')).toHaveLength(1);
  }
});

test('after a request that was not stored completely its key accepts no other input', async () => {
  const shop = await start();
  const restore = shop.failWrite(4);
  await shop.register();
  expect(restore()).toBe(true);
  const other = await shop.register({ period: 2 });
  expect(other.errors.map(({ code }) => code)).toEqual(['IDEMPOTENCY_CONFLICT']);
});

test.each([
  ['GRANTED', 'SUCCEEDED', 1],
  ['REJECTED', 'FAILED', 0],
] as const)(
  'a request whose purchase was not stored is carried out when it is %s',
  async (decision, state, calls) => {
    const shop = await start();
    const restore = shop.failWrite(4);
    await shop.register();
    restore();
    expect(await shop.state()).toEqual([]);
    await shop.decide(decision);
    await shop.work();
    expect(await shop.state()).toEqual([state]);
    expect(shop.sent('registerdomain')).toHaveLength(calls);
    expect((await shop.register()).replayed).toBe(true);
  },
);

test('a process that ends between any two writes after the approval sends the purchase at most once', async () => {
  for (let number = 1; ; number += 1) {
    const shop = await start();
    await shop.register();
    await shop.decide();
    const hasFailed = shop.failWrite(number);
    await shop.work().catch(() => undefined);
    const wasEnded = hasFailed();
    const sent = () => shop.sent('registerdomain').length;
    for (let round = 0; round < 3; round += 1) {
      shop.pass(minuteMs);
      await shop.work();
    }
    const [purchase] = await shop.purchases();
    expect([number, sent()]).toEqual([number, 1]);
    expect(['SUCCEEDED', 'SENDING', 'PENDING']).toContain(purchase?.state);
    if (!wasEnded) {
      expect(number).toBeGreaterThan(3);
      return;
    }
  }
});

test.each([
  ['within five minutes', 'SUCCEEDED', minuteMs, 1],
  ['after five minutes', 'FAILED', 5 * minuteMs, 0],
] as const)(
  'a claimed purchase that the next process continues %s is %s',
  async (_what, state, ms, calls) => {
    const shop = await start();
    await shop.register();
    await shop.decide();
    shop.hooks.beforeStatement = (sql) => {
      if (/^\s*update "purchases"[^$]*"call_until"/i.test(sql))
        throw new Error('The process has ended.');
    };
    await shop.work().catch(() => undefined);
    shop.hooks.beforeStatement = () => undefined;
    expect(await shop.state()).toEqual(['CLAIMED']);
    shop.pass(ms);
    await shop.work();

    expect(await shop.state()).toEqual([state]);
    expect(shop.sent('registerdomain')).toHaveLength(calls);
  },
);

test('a purchase that the upstream cannot check is tried again for 15 minutes after the approval', async () => {
  const shop = await start();
  await shop.register();
  shop.pass(20 * minuteMs);
  await shop.decide();
  const { tldlist } = shop.upstream;
  shop.upstream.tldlist = () => ({ status: 503, body: 'busy' });
  await shop.work();
  shop.pass(14 * minuteMs);
  await shop.work();
  expect(await shop.state()).toEqual(['HELD']);
  shop.pass(2 * minuteMs);
  await shop.work();
  expect(await shop.state()).toEqual(['FAILED']);

  Object.assign(shop.upstream, { tldlist });
  await shop.work();
  expect(shop.sent('registerdomain')).toEqual([]);
});

test('a purchase of a caller that lost its rights after the request is not sent', async () => {
  const shop = await start();
  await shop.register();
  await shop.decide();
  const other = shop.start({ currentCaller: () => null });
  other.provide(openReads, (_customer, options) => {
    if (options) return shop.gateway.use(openReads)(null, options);
    throw new Error('It reads nothing.');
  });
  const run = other.use(purchaseRunner);
  const now = shop.clock.now();
  const leaseUntil = new Date(now.getTime() + minuteMs);
  const take = { owner: 'two', now, leaseUntil, latest: leaseUntil, limit: 1 } as const;
  const [item] = await shop.journal.jobs.take(account, { ...take, kinds: ['PURCHASE'] });
  if (item) await run(item, async () => true);

  const [purchase] = await shop.purchases();
  expect(purchase).toMatchObject({ state: 'FAILED', fault: { code: 'FORBIDDEN', executed: 'NO' } });
});

test('a purchase that was approved has the limits of the token that requested it', async () => {
  const seen: object[] = [];
  const shop = await start({
    // No key has the limits of a token.
    limitsOf: (caller) => ({ GATEWAY: {}, KEY: caller.limits }),
    currentCaller(before) {
      seen.push(before.limits);
      return { ...before, tenant: 'default' };
    },
  });
  const limits = { perCall: [money('20', 'USD')] };
  await shop.register({}, { limits });
  await shop.decide();
  await shop.work();

  expect(seen).toEqual([limits]);
  expect(await shop.state()).toEqual(['SUCCEEDED']);
});

test.each([null, 'acme'])(
  'a purchase of a caller of the customer %s is checked by reads of that customer',
  async (customer) => {
    const shop = await start();
    await shop.register({}, { customer });
    await shop.decide();
    await shop.work();

    expect(shop.opened).toEqual([customer]);
    // The balance shows later whether a transfer was refunded.
    expect(await shop.purchases()).toMatchObject([
      { state: 'SUCCEEDED', balanceAfter: money('90', 'USD') },
    ]);
  },
);

test('without rules no statement of a purchase is about approvals', async () => {
  const tenant = await createRuledTenant();
  const statements: string[] = [];
  tenant.hooks.beforeStatement = (sql) => void statements.push(sql);
  const { purchase } = await tenant.register({ idempotencyKey: 'key' });
  expect(purchase?.state).toBe('SUCCEEDED');
  expect(statements.length).toBeGreaterThan(3);
  expect(statements.filter((sql) => /approvals|"jobs"|job_items/.test(sql))).toEqual([]);
});
