import { describe, expect, test } from 'vitest';
import { anonymous } from '../../src/kernel/caller.ts';
import { CacheRevision } from '../../src/lib/cache-revision.ts';
import { systemClock } from '../../src/lib/system.ts';
import type { TenantDeps } from '../../src/modules/deps.ts';
import { Scope } from '../../src/modules/scope.ts';

function start() {
  let nowMs = 5_000;
  const revision = new CacheRevision();
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const deps = {
    clock,
    revision,
    maxUpstreamCalls: 10,
    limitsOf: () => ({ GATEWAY: {}, KEY: {} }),
  };
  const scope = new Scope(deps as unknown as TenantDeps, {
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

  test.each(['purchases', 'gatewayInfo'] as const)(
    'when it has data of the journal: %s',
    (service) => {
      const { scope } = start();
      void scope.services[service];

      expect(scope.cacheValidity()).toBeNull();
    },
  );
});
