import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/server.ts';
import { claimNumber, minute, moveTo, unlimited } from '../../test/persistence/claims.ts';
import { jobNumber, newItems } from '../../test/persistence/new-jobs.ts';
import { createFakeReplicas } from '../../test/support/fake-replicas.ts';
import { createSimulatedClock } from '../../test/support/simulated-clock.ts';
import { idOf, type Name, names, useTenants } from '../../test/support/two-tenants.ts';
import type { Caller } from '../kernel/caller.ts';
import { parseDomainName } from '../kernel/domain-name.ts';
import { jobProgress, startJobs } from '../modules/job/parts.ts';
import { settlementNotifier } from '../modules/purchase/parts.ts';
import { changedDomains } from '../scope/tenant.ts';

const { open, openSandbox } = useTenants();

test('a job continues only with the rights that its caller has now at the same tenant and customer', async () => {
  const bound = { one: 'maple', two: 'birch' };
  const callers = {
    current: (before: Caller) => ({ ...before, customer: bound[before.tenant as Name] }),
  };
  const { depsOf } = await open({ changes: { callers } });
  const before = { name: 'shop', customer: 'maple', limits: {}, scopes: new Set<never>() };

  expect(depsOf('one').currentCaller(before)).toEqual({ ...before, tenant: 'one' });
  expect(depsOf('one').currentCaller({ ...before, customer: null })).toBeNull();
  expect(depsOf('two').currentCaller(before)).toBeNull();
});

test('each tenant calls the upstream with its own login, and an unknown tenant is refused', async () => {
  const { tenants, depsOf } = await open();

  expect(await Promise.all(names.map((name) => idOf(depsOf(name))))).toEqual([100001, 100004]);
  expect(['one', 'two', 'three'].map(tenants.has)).toEqual([true, true, false]);
  expect(() => depsOf('three')).toThrow(expect.objectContaining({ code: 'FORBIDDEN' }));
  expect(names.map((name) => depsOf(name).account)).toEqual(['sandbox:demo', 'sandbox:demo-two']);
});

test('a tenant calls its own URL, and without any URL the start fails', async () => {
  const [here, elsewhere] = [await openSandbox(), await openSandbox()];
  const env = { DOMAIN_API_URL: here.domainApiUrl };
  const { depsOf } = await open({
    env,
    rows: { two: { domainApiUrl: elsewhere.domainApiUrl } },
    changes: { embedded: null },
  });
  await Promise.all(names.map((name) => idOf(depsOf(name))));

  const callersAt = async ({ url }: Sandbox) => {
    const calls = await (await fetch(`${url}/admin/calls`)).json();
    return (calls as { reseller: string }[]).map(({ reseller }) => reseller);
  };
  expect([await callersAt(here), await callersAt(elsewhere)]).toEqual([['demo'], ['demo-two']]);
  await expect(open({ changes: { embedded: null } })).rejects.toThrow('"one" has no URLs');
});

test('a tenant starts new jobs at once, streams their progress, and ends the streams when it closes', async () => {
  const { tenants, depsOf, journal } = await open();
  const { account, use, clock } = depsOf('one');
  // Longer than the first look for jobs, and shorter than the time to the next one.
  await clock.wait(300);
  const { job } = await journal.jobs.create(
    jobNumber(1, { account, createdAt: new Date() }),
    newItems(1),
  );
  const stream = use(jobProgress).progress(job.id, {
    viewOf: (counts) => counts,
    updateOf: (counts) => counts,
    isLast: () => false,
  });
  expect((await stream.next()).value).toMatchObject([{ state: 'WAITING', amount: 1 }]);

  use(startJobs)();

  // The item cannot be run, but it is taken.
  await expect.poll(async () => (await journal.jobs.items([job.id]))[0]?.state).toBe('BEGUN');
  await tenants.close();
  for (let next = await stream.next(); !next.done; next = await stream.next());
});

test.each<[string, object | undefined, object]>([
  ['no limits of its own', undefined, { perHour: 5, longestPeriod: 2 }],
  ['stricter limits', { perHour: 1 }, { perHour: 1, longestPeriod: 2 }],
  ['weaker limits', { perHour: 9, longestPeriod: 9 }, { perHour: 5, longestPeriod: 2 }],
  ['further limits', { tlds: ['com'] }, { perHour: 5, longestPeriod: 2, tlds: ['com'] }],
])(
  'a tenant with %s has the stricter ones of it and the gateway',
  async (_what, spendLimits, joined) => {
    const { limitsOf } = await open({
      env: { SPEND_LIMITS: '{"perHour":5,"longestPeriod":2}' },
      rows: { two: { spendLimits } },
    });

    const ofKey = { perHour: 7 };
    expect(limitsOf('two', ofKey)).toEqual({ GATEWAY: joined, KEY: ofKey });
    expect(limitsOf('one')).toEqual({ GATEWAY: { perHour: 5, longestPeriod: 2 }, KEY: {} });
  },
);

test('the queue, the metrics and the balance of one tenant are not those of another', async () => {
  const { tenants, depsOf, metrics, journal } = await open({
    env: { UPSTREAM_RATE_PER_SECOND: '1', QUEUE_BUDGET_MS: '100' },
  });
  const one = depsOf('one');
  await idOf(one);
  const claim = claimNumber(1, { account: 'sandbox:demo' });
  await one.journal.claim(claim, unlimited);
  await journal.stop('sandbox:demo', { since: minute(1), reason: 'why' });
  const leaving = new AbortController();
  const { signal } = leaving;
  const reads = Array.from({ length: 9 }, (_, at) =>
    one.domainApi.getdetails({ domain: `queued-${at}.com` }, { signal }).catch(() => undefined),
  );

  const overload = (name: string, isPurchase: boolean) =>
    tenants.upstreamOverloadMs(name, isPurchase) > 0;
  await expect.poll(() => overload('one', false)).toBe(true);
  expect([overload('one', true), overload('two', false), overload('three', false)]).toEqual([
    false,
    false,
    false,
  ]);
  leaving.abort();
  await Promise.all(reads);

  const text = await metrics();
  const tenantsOf = (sample: RegExp) =>
    text.split('\n').flatMap((line) => (sample.test(line) ? /tenant="(\w+)"/.exec(line)?.[1] : []));
  expect(tenantsOf(/^reseller_graph_operations{.*state="CLAIMED".* 1$/)).toEqual(['one']);
  expect(tenantsOf(/^reseller_graph_operations{.*state="UNKNOWN".* 0$/)).toEqual(['one', 'two']);
  expect(tenantsOf(/^reseller_graph_purchases_stopped.* 1$/)).toEqual(['one']);
  expect(tenantsOf(/^reseller_graph_balance{.*currency="USD".* 2500$/)).toEqual(['one']);
  expect(tenantsOf(/^reseller_graph_breaker_state{.*action="resellerdetails"/)).toEqual(['one']);
  expect(tenantsOf(/^reseller_graph_upstream_concurrency_limit{.*api="domain"/)).toEqual([
    ...names,
  ]);
  expect(tenantsOf(/^reseller_graph_upstream_concurrency_limit{.*api="account"/)).toEqual([
    ...names,
  ]);
  expect(tenants.upstreamStates().map(({ domain }) => Object.keys(domain.breakers))).toEqual([
    ['resellerdetails', 'getdetails'],
    [],
  ]);
});

test('messages of other replicas reach the tenant of their account only', async () => {
  const { replicas, sent, receive } = createFakeReplicas();
  const { depsOf } = await open({ replicas });
  const [one, two] = [depsOf('one'), depsOf('two')];
  const domain = parseDomainName('reseller-demo.com');
  const changed: string[] = [];
  for (const { account, use } of [one, two])
    use(changedDomains).listen((name) => changed.push(`${account} ${name}`));

  receive('sandbox:demo', { kind: 'write', action: 'modifynameserver', domain });

  expect(changed).toEqual(['sandbox:demo reseller-demo.com']);
  const { id } = claimNumber(1);
  await two.journal.claim(claimNumber(1, { account: two.account, kind: 'TRANSFER' }), unlimited);
  await moveTo(two.journal, id, 'SUCCEEDED');
  expect(sent.map(({ account }) => account)).toEqual(['sandbox:demo-two']);
});

test('a changed user name is reported, and closing ends every timer and stream', async () => {
  const time = createSimulatedClock();
  const { tenants, depsOf, lines, folder } = await open({ changes: { clock: time.clock } });
  const { journal, account, use } = depsOf('one');
  await journal.claim(claimNumber(1, { account }), unlimited);
  const stream = use(settlementNotifier).settled(claimNumber(1).id, () => true);
  const next = stream.next();
  await writeFile(join(folder, 'two-user'), 'another');
  await expect.poll(time.waits).toContain(1_000);
  time.passToNextTimer();
  await time.pass(2_000);
  expect(lines).toMatchObject([{ level: 'warn', msg: expect.stringContaining('"two"') }]);

  await tenants.close();

  expect(time.waits()).toEqual([]);
  expect(await next).toMatchObject({ done: true });
});
