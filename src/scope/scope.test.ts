import { describe, expect, test } from 'vitest';
import { noTrail } from '../../test/support/no-recorder.ts';
import { anonymous } from '../kernel/caller.ts';
import { parseDomainName } from '../kernel/domain-name.ts';
import { CacheRevision } from '../lib/lazy.ts';
import { systemClock } from '../lib/system.ts';
import { availabilityReads } from '../modules/availability/loader.ts';
import { domainReads } from '../modules/domain/loader.ts';
import { unrecorded, writeLog } from '../modules/domain/write.ts';
import { gatewayInfo } from '../modules/gateway-info/service.ts';
import { protection } from '../modules/protection/service.ts';
import { synchronization } from '../modules/sync/service.ts';
import { tldReads } from '../modules/tld/loader.ts';
import type { CallOptions } from '../upstream/client/operation.ts';
import { operationTrail } from './hooks.ts';
import { observed, Scope } from './scope.ts';
import { changedDomains, Tenant, type TenantFacts } from './tenant.ts';

/** The gate of a tenant without approval rules. */
const noRules = { require: async () => {} };

function start() {
  let nowMs = 5_000;
  const revision = new CacheRevision();
  const cacheClock = { monotonicMs: () => nowMs };
  const facts = {
    ...{ clock: systemClock, cacheClock, mayBeReal: false },
    ...{ journal: { stopped: async () => null }, upstreamState: () => ({}) },
    revision,
    maxUpstreamCalls: 10,
    limitsOf: () => ({ GATEWAY: {}, KEY: {} }),
  };
  const tenant = new Tenant(facts as unknown as TenantFacts).provide(operationTrail, noTrail);
  const scope = new Scope(tenant, {
    ...{ requestId: 'one', caller: anonymous, accountToken: null, idempotencyKey: null },
    signal: () => new AbortController().signal,
  });
  const readCached = (...lefts: readonly number[]) => {
    for (const leftMs of lefts) {
      scope.cachedReads.push({ action: 'getdetails', ageMs: 0, leftMs, stale: leftMs <= 0 });
    }
  };
  return { scope, revision, readCached, pass: (ms: number) => (nowMs += ms) };
}

describe('a response from cached data may be repeated', () => {
  test.each([
    ['for a second', [], 1_000],
    ['for a second of cached values that are fresh for longer', [60_000, 2_000], 1_000],
    ['until the first of its values is stale', [700, 60_000, 300], 300],
  ])('%s', (_what, lefts, untilMs) => {
    const { scope, readCached, pass } = start();
    readCached(...lefts);
    const isValid = scope.cacheValidity();

    pass(untilMs - 1);
    expect(isValid?.()).toBe(true);
    pass(1);
    expect(isValid?.()).toBe(false);
  });

  test('until cached data changes', () => {
    const { scope, revision } = start();
    const isValid = scope.cacheValidity();
    expect(isValid?.()).toBe(true);

    revision.increment();
    expect(isValid?.()).toBe(false);
  });
});

describe('a response is not repeated', () => {
  test('when cached data changed during its execution', () => {
    const { scope, revision } = start();
    revision.increment();

    expect(scope.cacheValidity()).toBeNull();
  });

  test('when it caused an upstream call', () => {
    const { scope } = start();
    scope.upstreamCalls.push({
      ...{ api: 'domain', action: 'getdetails', attempt: 1, durationMs: 1, outcome: 'OK' },
    });

    expect(scope.cacheValidity()).toBeNull();
  });

  test('when it has data of the journal', async () => {
    const { scope } = start();
    await scope.use(gatewayInfo).purchasesStopped();

    expect(scope.cacheValidity()).toBeNull();
  });
});

describe('the calls of a request', () => {
  function startCalls() {
    const calls: [action: string, options: CallOptions][] = [];
    const reply =
      (action: string, value: unknown) => async (_request: object, how: CallOptions) => {
        calls.push([action, how]);
        how.onCall?.({ api: 'domain', action, attempt: 1, durationMs: 1, outcome: 'OK' });
        return value;
      };
    const client = new AbortController();
    const invalidated: string[] = [];
    const domainApi = {
      getdetails: reply('getdetails', { name: 'example.com', status: 'Active' }),
      disabletheftlock: reply('disabletheftlock', { locked: false }),
      tldlist: reply('tldlist', { tlds: [], rowCount: 0, hasEveryRow: true }),
      ...{ cachedTlds: () => null, freshTlds: () => null },
      checkNames: async (names: readonly string[], how: CallOptions) => {
        calls.push(['checkNames', how]);
        return names.map(() => undefined);
      },
    };
    const facts = {
      ...{ clock: systemClock, revision: new CacheRevision(), maxUpstreamCalls: 10, domainApi },
      ...{ limitsOf: () => ({ GATEWAY: {}, KEY: {} }), mayBeReal: false },
      ...{ writeDeadlineMs: 9_000, logOperation: () => undefined },
    };
    const tenant = new Tenant(facts as unknown as TenantFacts)
      .provide(operationTrail, noTrail)
      .provide(writeLog, { of: () => () => unrecorded });
    tenant.use(changedDomains).listen((name) => invalidated.push(name));
    const scope = new Scope(tenant, {
      ...{ requestId: 'one', trace: 'trace', caller: anonymous },
      ...{ accountToken: null, idempotencyKey: null, signal: () => client.signal },
    });
    return { scope, calls, client, invalidated };
  }
  const name = parseDomainName('example.com');
  const cause = (scope: Scope) => ({ requestId: 'one', trace: 'trace', budget: scope.budget });

  test('end when the client leaves, except writes, and are attributed to the request', async () => {
    const { scope, calls, client } = startCalls();
    await scope.use(domainReads).load(name);
    await scope.fresh.use(domainReads).load(name);
    await scope.fresh.use(tldReads).catalogue();
    await scope.use(availabilityReads).load(name);
    await scope.use(protection).disableTransferLock({ domain: name }, noRules);

    const reads = calls.filter(([action]) => action !== 'disabletheftlock');
    expect(reads).not.toHaveLength(0);
    for (const [, options] of reads) {
      expect(options).toMatchObject(cause(scope));
      expect(options.budget).toBe(scope.budget);
      expect(options.signal).toBe(client.signal);
    }
    const written = calls.find(([action]) => action === 'disabletheftlock')?.[1];
    expect(written).toMatchObject(cause(scope));
    expect(written).not.toHaveProperty('signal');
    expect(scope.upstreamCalls.map(({ action }) => action)).toEqual([
      ...['getdetails', 'getdetails', 'tldlist', 'tldlist', 'disabletheftlock'],
    ]);
  });

  test('use the cache, unless the read is to be fresh', async () => {
    const { scope, calls } = startCalls();
    await scope.use(domainReads).load(name);
    await scope.fresh.use(domainReads).load(name);

    const [cached, fresh] = calls.map(([, options]) => options);
    expect(cached?.shared).toBe(true);
    cached?.onCachedRead?.({ action: 'getdetails', ageMs: 1, leftMs: 1, stale: false });
    expect(scope.cachedReads).toHaveLength(1);
    expect(fresh?.shared ?? false).toBe(false);
    expect(fresh?.onCachedRead).toBeUndefined();
  });

  test('read a domain again after a write, also those that bypass the cache', async () => {
    const { scope, calls, invalidated } = startCalls();
    const readAll = () =>
      Promise.all([scope.use(domainReads).load(name), scope.fresh.use(domainReads).load(name)]);
    await readAll();
    await scope.use(protection).disableTransferLock({ domain: name }, noRules);
    await readAll();

    expect(calls.filter(([action]) => action === 'getdetails')).toHaveLength(4);
    expect(invalidated).toEqual([name]);
  });

  test('that verify a write continue when the client leaves', async () => {
    const { scope, calls } = startCalls();
    await scope
      .use(synchronization)
      .sync({ domain: name }, true)
      .catch(() => undefined);

    expect(calls[0]?.[0]).toBe('getdetails');
    expect(calls[0]?.[1]).not.toHaveProperty('signal');
    expect(calls[0]?.[1]).toMatchObject({ urgent: true, shared: false });
  });
});

test('each call of a method of an object or of its members is reported, and nothing else', () => {
  let calls = 0;
  const store = {
    name: 'purchases',
    none: null,
    add: (one: number, other: number) => one + other,
    jobs: {
      count: 3,
      double() {
        return this.count * 2;
      },
    },
  };
  const { name, none, add, jobs } = observed(store, () => {
    calls += 1;
  });
  expect([name, none, jobs.count, calls]).toEqual(['purchases', null, 3, 0]);

  expect(add(1, 2)).toBe(3);
  expect(calls).toBe(1);
  expect(jobs.double()).toBe(6);
  expect(calls).toBe(2);
});
