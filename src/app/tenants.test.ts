import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { claimNumber, minute, moveTo, unlimited } from '../../test/persistence/claims.ts';
import { knownNamesOf, knownOf } from '../../test/persistence/known-domains.ts';
import { jobNumber, newItems } from '../../test/persistence/new-jobs.ts';
import { newFolder } from '../../test/support/folder.ts';
import { createSimulatedClock } from '../../test/support/simulated-clock.ts';
import type { Environment } from '../config/read-values.ts';
import type { Caller } from '../kernel/caller.ts';
import { parseDomainName } from '../kernel/domain-name.ts';
import type { SpendLimits } from '../kernel/spend-limits.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { jobProgress, startJobs } from '../modules/job/parts.ts';
import { ledger, snapshot } from '../modules/portfolio/parts.ts';
import { settlementNotifier } from '../modules/purchase/parts.ts';
import { createLog } from '../observability/log.ts';
import { openSqliteJournal } from '../persistence/sqlite.ts';
import { perTenant } from '../scope/tenant.ts';
import type { SharedState } from '../shared-state/shared-state.ts';
import { observe } from './observe.ts';
import { readConfig } from './read-config.ts';
import type { SharedDeps } from './shared-deps.ts';
import { openTenants } from './tenants.ts';

const failingRunner = perTenant('failingRunner', () => async () => {
  throw new Error('This item cannot be run.');
});

const users = { one: 'demo', two: 'demo-two' };
const names = ['one', 'two'] as const;
type Name = (typeof names)[number];

let opened = new AsyncDisposableStack();
afterEach(async () => {
  await opened.disposeAsync();
  opened = new AsyncDisposableStack();
});

async function openFolder() {
  const folder = await newFolder('tenants');
  opened.defer(() => rm(folder, { recursive: true }));
  return folder;
}

async function openSandbox(): Promise<Sandbox> {
  const sandbox = await startSandbox({
    ...{ clock: systemClock, randomness: systemRandomness, reset: true, domains: 5 },
    file: join(await openFolder(), 'sandbox.sqlite'),
  });
  opened.defer(() => sandbox.close());
  return sandbox;
}

interface Options {
  readonly env?: Environment;
  /** Members of rows of TENANTS. */
  readonly rows?: Partial<Record<Name, object>>;
  readonly changes?: Partial<SharedDeps>;
}

/** The tenants `one` and `two`, whose logins are in files, with a real journal. */
async function open({ env, rows, changes }: Options = {}) {
  const folder = await openFolder();
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const entries = names.map(async (name) => [
    name,
    {
      usernameFile: await file(`${name}-user`, users[name]),
      passwordFile: await file(`${name}-password`, `${users[name]}-password`),
      ...rows?.[name],
    },
  ]);
  const config = readConfig({
    TENANTS: JSON.stringify(Object.fromEntries(await Promise.all(entries))),
    API_KEYS: JSON.stringify({ shop: { sha256: 'a'.repeat(64), tenant: 'one' } }),
    ...{ DOMAIN_MAX_AGE_SECONDS: '600', METRICS_PORT: '0', DATA_DIR: folder },
    EVENTS_INTERVAL_SECONDS: '0',
    ...env,
  });
  const journal = await openSqliteJournal({ file: join(folder, 'journal.db') });
  opened.defer(() => journal.close());
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) });
  const clock = changes?.clock ?? systemClock;
  const observation = observe(config, clock, log);
  const tenants = await openTenants({
    ...{
      config,
      clock,
      cacheClock: clock,
      wallClock: clock,
      log,
      journal,
      observation,
      prices: { current: () => null, areMissing: false, onChange: () => () => undefined },
      features: { fills: [], background: [] },
      randomness: systemRandomness,
    },
    jobRunners: { ORDER: failingRunner },
    sharedState: null,
    checksLogin: false,
    callers: null,
    embedded: changes?.embedded === undefined ? await openSandbox() : changes.embedded,
    reconcileEveryMs: 3_600_000,
    logOperation: () => undefined,
    gateway: { environment: 'SANDBOX', version: 'test' },
    ...changes,
  });
  opened.defer(() => tenants.close());
  const callerOf = (tenant: string, limits: SpendLimits = {}) => ({
    ...{ name: 'shop', tenant, customer: null, limits },
    scopes: new Set<never>(),
  });
  const depsOf = (tenant: string) => {
    const { facts, use } = tenants.of(callerOf(tenant));
    return { ...facts, use };
  };
  return {
    ...{ tenants, journal, lines, folder, depsOf },
    limitsOf: (tenant: string, limits: SpendLimits = {}) =>
      depsOf(tenant).limitsOf(callerOf(tenant, limits)),
    metrics: async () => (await observation.registry?.metrics()) ?? '',
  };
}

const idOf = ({ domainApi }: ReturnType<Awaited<ReturnType<typeof open>>['depsOf']>) =>
  domainApi.resellerdetails({}, {}).then(({ upstreamId }) => upstreamId);

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

test('a tenant looks up the domains that are imported, at once', async () => {
  const { depsOf, journal } = await open();
  const { account, use, clock } = depsOf('one');
  // Longer than the first look, and shorter than the time to the next one.
  await clock.wait(300);

  const imported = ['no-such-domain.com', 'reseller-demo.com'].map(parseDomainName);
  await use(ledger).import(imported);

  const known = async () => {
    const domains = await knownOf(journal.ledger, account);
    return domains.filter(({ name }) => imported.includes(name));
  };
  await expect.poll(known).toEqual([{ name: 'reseller-demo.com', unlisted: null }]);
});

test('the domain of a purchase that succeeds is known, and that of another one is not', async () => {
  const { depsOf, journal } = await open();
  const one = depsOf('one');
  for (const [at, state] of (['SUCCEEDED', 'FAILED'] as const).entries()) {
    const claim = claimNumber(at, { account: one.account });
    await one.journal.claim(claim, unlimited);
    await moveTo(one.journal, claim.id, state);
  }

  const known = names.map((name) => knownNamesOf(journal.ledger, depsOf(name).account));

  expect(await Promise.all(known)).toEqual([['name-0.com'], []]);
});

test('a bug of the known domains is logged with its tenant, and fails no purchase', async () => {
  const journal = await openSqliteJournal({ file: join(await openFolder(), 'journal.db') });
  opened.defer(() => journal.close());
  const fail = () => Promise.reject(new TypeError('undefined is not a function'));
  const ledger = { ...journal.ledger, add: fail, hasDue: fail };
  const { depsOf, lines } = await open({ changes: { journal: { ...journal, ledger } } });
  await expect.poll(() => lines.length).toBe(2);
  const two = depsOf('two');
  await two.journal.claim(claimNumber(1, { account: two.account }), unlimited);

  await moveTo(two.journal, claimNumber(1).id, 'SUCCEEDED');

  expect(lines).toMatchObject(
    [
      ['the background reads of domains failed', 'one'],
      ['the background reads of domains failed', 'two'],
      ['the known domains cannot be stored', 'two'],
    ].map(([msg, tenant]) => ({
      ...{ level: 'error', msg, tenant },
      error: { message: 'undefined is not a function' },
    })),
  );
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
  const listeners = new Map<string, (message: object) => void>();
  const sent: unknown[] = [];
  const sharedState = {
    of: (account: string) => ({
      publishWrite: () => undefined,
      publishSettled: () => sent.push(account),
      publishPause: () => undefined,
      onWrite(listener: (message: object) => void) {
        const others = listeners.get(account);
        listeners.set(account, (message) => {
          others?.(message);
          listener(message);
        });
      },
      onSettled: () => undefined,
      onPause: () => undefined,
      buckets: (local: unknown) => local,
    }),
    close: () => undefined,
  } as unknown as SharedState;
  const { depsOf } = await open({ changes: { sharedState } });
  const [one, two] = [depsOf('one'), depsOf('two')];
  const domain = parseDomainName('reseller-demo.com');
  const callsOf = async ({ use }: typeof one) => {
    const calls: string[] = [];
    await use(snapshot).read({ onCall: ({ action }) => void calls.push(action) });
    return calls;
  };
  await Promise.all([callsOf(one), callsOf(two)]);

  listeners.get('sandbox:demo')?.({ action: 'modifynameserver', domain });

  expect(await callsOf(two)).toEqual([]);
  expect(await callsOf(one)).toEqual(['getdetails']);
  const { id } = claimNumber(1);
  await two.journal.claim(claimNumber(1, { account: two.account, kind: 'TRANSFER' }), unlimited);
  await moveTo(two.journal, id, 'SUCCEEDED');
  expect(sent).toEqual(['sandbox:demo-two']);
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
