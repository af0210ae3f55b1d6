import { beforeEach, describe, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { jobNumber, newItems, resultOf } from '../../../test/persistence/new-jobs.ts';
import { createTenant } from '../../../test/support/modules/purchase-tenant.ts';
import { anonymous } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { money } from '../../kernel/money.ts';
import type { Lease } from '../../persistence/job-record.ts';
import { domainReads } from '../domain/loader.ts';
import { openReads } from '../job/parts.ts';
import { type CommitDeps, commitPurchase, type SendPurchase, sendClaimed } from './commit.ts';
import { settlingTenant } from './parts.ts';

let tenant: Awaited<ReturnType<typeof createTenant>>;
beforeEach(async () => {
  tenant = await createTenant();
});

const domain = parseDomainName('maple.com');
const line = { orderId: 'job-001', orderLine: 3 };
const minuteMs = 60_000;

/** The lease of a line of an order. */
async function leaseOfLine(): Promise<Lease> {
  const { jobs } = tenant.journal;
  const now = tenant.clock.now();
  const later = new Date(now.getTime() + minuteMs);
  await jobs.create(jobNumber(1, { createdAt: now }), newItems(4));
  const whole = { kinds: ['ORDER'], limit: 4, leaseUntil: later, latest: later } as const;
  const items = await jobs.take(account, { owner: 'one', now, ...whole });
  const taken = items[line.orderLine];
  if (!taken) throw new Error('The line was not taken.');
  return taken;
}

function depsOf(): CommitDeps {
  const { facts, use } = tenant.gateway;
  return {
    ...{
      ...use(settlingTenant),
      caller: anonymous,
      limits: facts.limitsOf(anonymous),
      options: {},
    },
    domains: use(openReads)(null).use(domainReads),
    readReseller: () => facts.domainApi.resellerdetails({}, {}),
    spendObserver: null,
    invalidate: () => undefined,
  };
}
let sent = 0;
const ok: SendPurchase = async () => {
  sent += 1;
  return { name: domain, status: 'Active', state: 'ACTIVE' };
};
const commit = (lease: Lease | null, send: SendPurchase = ok) =>
  commitPurchase(
    depsOf(),
    {
      ...{ kind: 'REGISTRATION', domain, fingerprint: 'f', key: 'key', period: 1, lease },
      ...{ cost: money('11.29', 'USD'), retail: null, balanceAfter: null, customer: null },
    },
    send,
  );
const recorded = () => tenant.journal.byKey(account, 'key');

describe('while the domain cannot be read', () => {
  beforeEach(() => {
    sent = 0;
    tenant.upstream.getdetails = () => ({ status: 503, body: '' });
  });

  test('a single purchase is FAILED, and nothing is sent', async () => {
    const { purchase } = await commit(null);

    expect(purchase).toMatchObject({ state: 'FAILED', fault: { executed: 'NO' } });
    expect(sent).toBe(0);
  });

  test('the line of an order stays claimed, and is sent later', async () => {
    await expect(commit(await leaseOfLine())).rejects.toMatchObject({ retryable: true });
    expect(await recorded()).toMatchObject({ state: 'CLAIMED', ...line });
    expect(sent).toBe(0);

    tenant.upstream.getdetails = () => ({
      status: 200,
      body: '{"result":"ERROR","error":{"Code":"API_510_ERROR","Message":"","Details":""}}',
    });
    const claimed = await recorded();
    const purchase = claimed && (await sendClaimed(depsOf(), claimed, ok));

    expect([purchase?.state, sent]).toEqual(['SUCCEEDED', 1]);
  });

  test('a bug is thrown', async () => {
    const deps = depsOf();
    const bug = new TypeError('a bug');
    const domains = { ...deps.domains, verify: () => Promise.reject(bug) };
    await commit(await leaseOfLine()).catch(() => undefined);
    const claimed = await recorded();

    await expect(claimed && sendClaimed({ ...deps, domains }, claimed, ok)).rejects.toBe(bug);
  });
});

test('nothing is claimed for a line that another process has ended', async () => {
  const lease = await leaseOfLine();
  await tenant.journal.jobs.finish(lease, tenant.clock.now(), resultOf('CANCELLED'));

  await expect(commit(lease)).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
  expect(await recorded()).toBeNull();
});

test('a refusal that does not pass ends the line of an order', async () => {
  tenant.upstream.getdetails = () => ({
    status: 200,
    body: '{"result":"ERROR","error":{"Code":"API_100_ERROR","Message":"","Details":""}}',
  });

  const { purchase } = await commit(await leaseOfLine());

  expect(purchase).toMatchObject({ state: 'FAILED', fault: { executed: 'NO' } });
});

test('a bug during the call leaves the outcome unknown', async () => {
  const { purchase } = await commit(null, () => Promise.reject(new TypeError('a bug')));

  expect(purchase).toMatchObject({
    state: 'PENDING',
    fault: { code: 'INTERNAL', executed: 'UNKNOWN' },
  });
});

test.each([
  [
    { name: parseDomainName('other.com'), status: 'Active', state: 'ACTIVE' },
    'does not name this domain',
  ],
  [{ name: null, status: 'Active', state: 'ACTIVE' }, 'does not name this domain'],
  [{ name: domain, status: 'Deleted', state: 'DELETED' }, 'shows a status that is no success'],
] as const)('a reply that contradicts the purchase is no success: %o', async (reply, why) => {
  const { purchase } = await commit(null, async () => reply as never);

  expect(purchase).toMatchObject({
    state: 'PENDING',
    fault: {
      code: 'UPSTREAM_PROTOCOL',
      executed: 'UNKNOWN',
      message: expect.stringContaining(why),
    },
  });
});

test.each([
  [{ name: domain, status: '', state: 'UNKNOWN' }],
  [{ name: domain, status: new Fault('UPSTREAM_PROTOCOL'), state: 'UNKNOWN' }],
])('a reply without a status is a success: %o', async (reply) => {
  const { purchase } = await commit(null, async () => reply as never);

  expect(purchase.state).toBe('SUCCEEDED');
});
