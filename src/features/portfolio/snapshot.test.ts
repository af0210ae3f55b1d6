import { describe, expect, test } from 'vitest';
import {
  createSimulatedClock,
  endOfTurn,
  settlementOf,
  withinTurns,
} from '../../../test/support/simulated-clock.ts';
import { type DomainName, parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, notCached } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import type { CachedRead, CallOptions } from '../../upstream/client/operation.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { createSnapshot } from './snapshot.ts';
import { noLedger } from './test/no-ledger.ts';

const maxAgeMs = 10_000;
const names = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com', 'f.com'].map(parseDomainName);
const [a, b] = names as [DomainName, DomainName, ...DomainName[]];

/** A call of the upstream that the test ends. It returns the state at its start. */
interface OpenCall {
  readonly action: string;
  readonly options: CallOptions;
  end(error?: Error): Promise<void>;
}

/** An account whose domains have a status. Each call stays open until the test ends it. */
function start({ age = maxAgeMs, totalCount = 2 as number | Fault } = {}) {
  const time = createSimulatedClock();
  const statuses = new Map<string, string | null>(names.slice(0, 2).map((name) => [name, 'one']));
  const revision = new CacheRevision();
  const open: OpenCall[] = [];
  const calls: string[] = [];
  const rowOf = (name: string, status: string) =>
    ({
      name,
      status,
      state: 'ACTIVE',
      nameServers: [],
      authCode: 'secret',
    }) as unknown as DomainDetails;

  const call = async <T>(action: string, options: CallOptions, reply: T): Promise<T> => {
    calls.push(action);
    const ended = Promise.withResolvers<void>();
    open.push({
      action,
      options,
      async end(error) {
        options.onCall?.({ api: 'domain', action, attempt: 1, durationMs: 1, outcome: 'OK' });
        if (error) ended.reject(error);
        else ended.resolve();
        await endOfTurn();
      },
    });
    await ended.promise;
    return reply;
  };
  const api = {
    getdomainlist: (_request: object, options: CallOptions) => {
      const domains = [...statuses].flatMap(([name, status]) =>
        status ? [rowOf(name, status)] : [],
      );
      return call('getdomainlist', options, { domains, totalCount });
    },
    async getdetails({ domain }: { domain: DomainName }, options: CallOptions) {
      const status = statuses.get(domain);
      const row = await call(`getdetails ${domain}`, options, status && rowOf(domain, status));
      if (!row) throw new Fault('NOT_FOUND');
      return row;
    },
  } as unknown as DomainApi;
  const snapshot = createSnapshot({
    ...{ api, clock: time.clock, revision, maxAgeMs: age, ledger: noLedger },
  });
  /** Ends the calls in flight, and those that follow them, until the work has ended. */
  const during = async <T>(work: Promise<T>): Promise<T> => {
    const isSettled = settlementOf(work);
    for (let turns = 0; turns < 100 && !isSettled(); turns += 1) {
      for (const one of open.splice(0)) await one.end();
      await endOfTurn();
    }
    return withinTurns(work);
  };
  const statusOf = (portfolio: Awaited<ReturnType<typeof snapshot.read>>, name: DomainName) =>
    portfolio.find(name)?.status ?? null;
  const read = async (name = a, options: CallOptions = {}) =>
    statusOf(await during(snapshot.read(options)), name);
  return {
    ...{ time, statuses, revision, open, calls, snapshot, during, statusOf, read },
    /** Two requests wait for one read, and the first one leaves; returns the read of the other. */
    async leaveShared() {
      const leaving = new AbortController();
      const left = snapshot.read({ signal: leaving.signal });
      const waiting = snapshot.read({});
      await endOfTurn();
      leaving.abort(new Error('gone'));
      await expect(left).rejects.toThrow('gone');
      return { waiting };
    },
    /** Writes a status, as a mutation of this gateway. */
    write(name: DomainName, status: string | null): void {
      statuses.set(name, status);
      snapshot.invalidate(name);
    },
  };
}

describe('a cached list', () => {
  test('is fresh below its maximum age, then stale and refreshed in the background', async () => {
    const { time, statuses, calls, read } = start();
    const cached: CachedRead[] = [];
    const onCachedRead = (one: CachedRead) => void cached.push(one);
    await read();
    statuses.set(a, 'two');

    await time.pass(maxAgeMs - 1);
    expect(await read(a, { onCachedRead })).toBe('one');
    expect(calls).toHaveLength(1);
    await time.pass(1);
    expect(await read(a, { onCachedRead })).toBe('one');

    expect(calls).toHaveLength(2);
    expect(cached).toEqual([
      { action: 'getdomainlist', ageMs: maxAgeMs - 1, leftMs: 1, stale: false },
      { action: 'getdomainlist', ageMs: maxAgeMs, leftMs: 0, stale: true },
    ]);
  });

  test('is replaced by the refresh, and its age counts from the start of the call', async () => {
    const { time, statuses, revision, open, read, snapshot } = start();
    await read();
    statuses.set(a, 'two');
    await time.pass(maxAgeMs);
    await snapshot.read({});
    await time.pass(3_000);
    const before = revision.current;
    await open[0]?.end();

    const cached: CachedRead[] = [];
    expect(await read(a, { onCachedRead: (one) => cached.push(one) })).toBe('two');
    expect(cached).toMatchObject([{ ageMs: 3_000, stale: false }]);
    expect(revision.current).toBeGreaterThan(before);
  });

  test('is served for ten times its maximum age, and no longer', async () => {
    const { time, open, read, snapshot } = start();
    await read();

    await time.pass(10 * maxAgeMs - 1);
    expect(await snapshot.read({}).then(() => 'served')).toBe('served');
    await open[0]?.end(new Fault('UPSTREAM_UNAVAILABLE'));
    await time.pass(1);
    const tooOld = snapshot.read({});
    tooOld.catch(() => undefined);
    await endOfTurn();
    await open[1]?.end(new Fault('UPSTREAM_TIMEOUT'));

    await expect(tooOld).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  test('is not refreshed for half its maximum age after a failure', async () => {
    const { time, open, calls, read, snapshot } = start();
    await read();
    await time.pass(maxAgeMs);
    await snapshot.read({});
    await open.at(-1)?.end(new Fault('UPSTREAM_UNAVAILABLE'));

    await time.pass(maxAgeMs / 2 - 1);
    await snapshot.read({});
    expect(calls).toHaveLength(2);
    await time.pass(1);
    await snapshot.read({});
    expect(calls).toHaveLength(3);
  });

  test('has no auth code', async () => {
    const { snapshot, during, write, read } = start();
    const portfolio = await during(snapshot.read({}));
    expect(portfolio.find(a)?.authCode).toBe(notCached);

    write(a, 'two');
    await read();
    expect((await snapshot.read({})).find(a)?.authCode).toBe(notCached);
  });
});

describe('without a cache', () => {
  test('each read is a call, with the options of its request', async () => {
    const { snapshot, during, open, calls } = start({ age: 0 });
    const options = { requestId: 'one', shared: true };
    const first = snapshot.read(options);
    const refreshed = snapshot.readRefreshed(options);
    expect(open.map((one) => one.options)).toEqual([options, { ...options, shared: false }]);

    await during(Promise.all([first, refreshed]));
    expect(calls).toHaveLength(2);
  });
});

test.each<[string, number | Fault, boolean]>([
  ['that has as many rows as the registrar counts', 2, true],
  ['that has more', 1, true],
  ['that has fewer', 3, false],
  ['without a count', new Fault('UPSTREAM_PROTOCOL'), false],
])('a list %s is complete or not', async (_what, totalCount, complete) => {
  const { snapshot, during } = start({ totalCount });

  const portfolio = await during(snapshot.read({}));

  expect(portfolio).toMatchObject({ complete, upstreamCount: totalCount });
});

test('a list has the time at which it was requested', async () => {
  const { time, snapshot, during } = start();
  const startedAt = time.clock.now();
  const reading = snapshot.read({});
  await time.pass(5_000);

  expect((await during(reading)).asOf).toEqual(startedAt);
});

describe('the requests that share a list', () => {
  test('cause one call, which the others report as shared', async () => {
    const { snapshot, during, calls } = start();
    const reported: unknown[][] = [[], [], []];
    const reads = reported.map((seen) =>
      snapshot.read({ onCall: ({ shared }) => seen.push(shared) }),
    );
    await during(Promise.all(reads));

    expect(calls).toEqual(['getdomainlist']);
    expect(reported).toEqual([[undefined], [true], [true]]);
  });

  test('may leave without stopping it', async () => {
    const { leaveShared, during, statusOf, open } = start();

    const { waiting } = await leaveShared();

    expect(open[0]?.options.signal?.aborted).toBe(false);
    expect(statusOf(await during(waiting), a)).toBe('one');
  });

  test('pass on the request id, trace and budget of the first', async () => {
    const { snapshot, during, open } = start();
    const budget = new CallBudget(3);
    const first = snapshot.read({ requestId: 'one', trace: 'trace', budget });
    const second = snapshot.read({ requestId: 'two' });
    await endOfTurn();

    expect(open[0]?.options).toMatchObject({ requestId: 'one', trace: 'trace', budget });
    await during(Promise.all([first, second]));
  });

  test('do not fail with the used up budget of another', async () => {
    const { snapshot, during, calls } = start();
    const poor = snapshot.read({ budget: new CallBudget(0) });
    const rich = snapshot.read({ budget: new CallBudget(1) });
    const refreshed = snapshot.readRefreshed({ budget: new CallBudget(1) });

    await expect(poor).rejects.toMatchObject({ code: 'COST_LIMIT_EXCEEDED' });
    await during(Promise.all([rich, refreshed]));
    expect(calls).toHaveLength(2);
    const { snapshot: other } = start();
    await expect(other.readRefreshed({ budget: new CallBudget(0) })).rejects.toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
    });
  });
});

describe('a refresh', () => {
  test('does not join the call in flight, and is shared by later ones', async () => {
    const { snapshot, during, statuses, statusOf, open, calls } = start();
    const early = snapshot.read({});
    await endOfTurn();
    statuses.set(a, 'two');
    const reported: unknown[][] = [[], []];
    const refreshed = reported.map((seen) =>
      snapshot.readRefreshed({ onCall: ({ shared }) => seen.push(shared) }),
    );
    await endOfTurn();
    expect(calls).toHaveLength(1);
    await open.shift()?.end();
    expect(statusOf(await early, a)).toBe('one');

    for (const one of await during(Promise.all(refreshed))) expect(statusOf(one, a)).toBe('two');
    expect(calls).toHaveLength(2);
    expect(reported).toEqual([[undefined], [true]]);
  });

  test('follows a call in flight that fails, and fails for all that wait for it', async () => {
    const { snapshot, open, calls } = start();
    const early = snapshot.read({}).catch((error: Error) => error.message);
    const refreshed = snapshot.readRefreshed({}).catch((error: Error) => error.message);
    await endOfTurn();
    await open.shift()?.end(new Error('one'));
    await open.shift()?.end(new Error('two'));

    expect([await early, await refreshed]).toEqual(['one', 'two']);
    expect(calls).toHaveLength(2);
  });

  test('reads a new list each time', async () => {
    const { snapshot, during, statuses, statusOf } = start();
    await during(snapshot.readRefreshed({}));
    statuses.set(a, 'two');

    expect(statusOf(await during(snapshot.readRefreshed({})), a)).toBe('two');
  });
});

test('the calls in flight end with the gateway', async () => {
  const { snapshot, open } = start();
  snapshot.read({}).catch(() => undefined);
  await endOfTurn();
  expect(open[0]?.options.signal?.aborted).toBe(false);

  snapshot.close();

  expect(open[0]?.options.signal?.aborted).toBe(true);
});

describe('a write', () => {
  test('shows at once for one call by name, which concurrent requests share', async () => {
    const { snapshot, during, statusOf, calls, read, write, revision } = start();
    await read();
    write(a, 'two');
    const before = revision.current;

    const found = await during(Promise.all([1, 2].map(() => snapshot.read({}))));

    expect(found.map((one) => statusOf(one, a))).toEqual(['two', 'two']);
    expect(calls.filter((one) => one !== 'getdomainlist')).toEqual([`getdetails ${a}`]);
    expect(revision.current).toBeGreaterThan(before);
  });

  test('invalidates the responses from the cached list', () => {
    const { revision, write } = start();
    const before = revision.current;

    write(a, 'two');

    expect(revision.current).toBeGreaterThan(before);
  });

  test('is read once, then a new list in the background', async () => {
    const { calls, read, write } = start();
    await read();
    write(a, 'two');
    await read();

    expect(await read()).toBe('two');
    expect(calls).toEqual(['getdomainlist', `getdetails ${a}`, 'getdomainlist']);
  });

  test('adds and removes domains', async () => {
    const { read, write } = start();
    await read();
    write(b, null);
    write(names[2] as DomainName, 'new');

    expect(await read(b)).toBeNull();
    expect(await read(names[2])).toBe('new');
  });

  test('that ends while its domain is read is read again', async () => {
    const { snapshot, during, statusOf, open, read, write } = start();
    await read();
    write(a, 'two');
    const reading = snapshot.read({});
    await endOfTurn();
    write(a, 'three');
    await open.shift()?.end();
    await during(reading);

    expect(statusOf(await during(snapshot.read({})), a)).toBe('three');
  });

  test.each([
    ['first', 0],
    ['last', 1],
  ])(
    'does not show by a read that began before it and ends %s, while the list is read in the background',
    async (_when, at) => {
      const { snapshot, statusOf, open, read, write } = start();
      await read();
      write(a, 'two');
      const before = snapshot.read({});
      await endOfTurn();
      write(a, 'three');
      const after = snapshot.read({});
      await endOfTurn();
      const [one] = open.splice(at, 1);
      for (const call of [one, ...open.splice(0)]) await call?.end();
      await withinTurns(before);

      expect(statusOf(await withinTurns(after), a)).toBe('three');
      expect(open.map(({ action }) => action)).toEqual(['getdomainlist']);
    },
  );

  test('shows in a list that was requested before it', async () => {
    const { time, snapshot, statusOf, open, read, write, during } = start();
    await read();
    await time.pass(maxAgeMs);
    await snapshot.read({});
    write(a, 'two');
    const reading = snapshot.read({});
    await endOfTurn();
    const [list, details] = open.splice(0);
    await details?.end();
    await reading;
    await list?.end();

    expect(statusOf(await during(snapshot.read({})), a)).toBe('two');
  });

  test('is not applied to a list that was requested after it', async () => {
    const { snapshot, statuses, statusOf, read, write, during } = start();
    await read();
    write(a, 'two');
    await read();
    statuses.set(a, 'outside');

    expect(statusOf(await during(snapshot.readRefreshed({})), a)).toBe('outside');
  });

  test.each([
    [5, 5],
    [6, 0],
  ])(
    'of each of %i domains is read by %i calls by name, or by a new list',
    async (count, byName) => {
      const { calls, read, write } = start();
      await read();
      for (const name of names.slice(0, count)) write(name, 'two');

      expect(await read(names[count - 1])).toBe('two');
      expect(calls.filter((one) => one.startsWith('getdetails'))).toHaveLength(byName);
      expect(calls.filter((one) => one === 'getdomainlist')).toHaveLength(2);
    },
  );

  test('whose domain cannot be read shows by a new list', async () => {
    const { snapshot, during, statusOf, open, calls, read, write } = start();
    await read();
    write(a, 'two');
    const reading = snapshot.read({});
    await endOfTurn();
    await open.shift()?.end(new Fault('UPSTREAM_UNAVAILABLE'));

    expect(statusOf(await during(reading), a)).toBe('two');
    expect(calls).toEqual(['getdomainlist', `getdetails ${a}`, 'getdomainlist']);
  });

  test('is read for the other requests when the first one leaves', async () => {
    const { leaveShared, during, statusOf, open, read, write, calls } = start();
    await read();
    write(a, 'two');

    const { waiting } = await leaveShared();

    expect(open[0]?.options.signal?.aborted ?? false).toBe(false);
    expect(statusOf(await during(waiting), a)).toBe('two');
    expect(calls.slice(0, 2)).toEqual(['getdomainlist', `getdetails ${a}`]);
  });

  test('causes no new list for a request that leaves while it is read', async () => {
    const { leaveShared, during, read, write, calls } = start();
    await read();
    write(a, 'two');
    calls.length = 0;

    const { waiting } = await leaveShared();
    expect(calls).toEqual([`getdetails ${a}`]);
    await during(waiting);
  });

  test('is read on behalf of the request that reads it', async () => {
    const { snapshot, during, open, read, write } = start();
    await read();
    write(a, 'two');
    const budget = new CallBudget(3);
    const reported: string[] = [];
    const options = { requestId: 'one', trace: 'trace', budget };
    const reading = snapshot.read({ ...options, onCall: ({ action }) => reported.push(action) });
    await endOfTurn();

    expect(open[0]?.options).toMatchObject(options);
    await during(reading);
    expect(reported).toEqual([`getdetails ${a}`]);
  });

  test('shows in a refreshed list too', async () => {
    const { snapshot, during, statusOf, open, write } = start();
    const refreshing = snapshot.readRefreshed({});
    await endOfTurn();
    write(a, 'two');
    await open.shift()?.end();

    expect(statusOf(await during(refreshing), a)).toBe('two');
  });
});
