import { describe, expect, test } from 'vitest';
import { createSimulatedClock, endOfTurn } from '../../../test/support/simulated-clock.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault, notCached } from '../../kernel/faults.ts';
import type { Notice } from '../../kernel/notice.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import {
  type CachedRead,
  type CallOptions,
  clientOf,
  type UpstreamCall,
} from '../client/operation.ts';
import type { DomainActions } from './client.ts';
import { createDomainApi } from './domain-api.ts';
import { domainApi } from './operations.ts';

interface Call {
  readonly action: string;
  readonly request: object;
  readonly options: CallOptions;
  readonly succeed: (reply: unknown) => void;
  readonly fail: (error: Error) => void;
}

const unavailable = new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
const dayMs = 24 * 3_600_000;

/** The Domain API of one replica, whose calls stay in flight until the test settles them. */
function start() {
  const { clock, pass } = createSimulatedClock();
  const calls: Call[] = [];
  const written: unknown[] = [];
  let replicaWrites = (_notice: Notice) => {};
  const actions = clientOf(
    domainApi,
    (action) => (request, options) =>
      new Promise((succeed, fail) => calls.push({ action, request, options, succeed, fail })),
  ) as DomainActions;
  const api = createDomainApi(actions, {
    ...{ clock, revision: new CacheRevision() },
    maxAges: { tldsMs: 600_000, domainsMs: 10_000, availabilityMs: 3_000 },
    notices: {
      send: (notice) => void written.push(notice),
      follow: (listener) => {
        replicaWrites = listener;
        return () => undefined;
      },
    },
  });
  const cached: CachedRead[] = [];
  const shared: CallOptions = { shared: true, onCachedRead: (read) => void cached.push(read) };
  const timed = (domain: string, options: CallOptions = shared) =>
    api.getdetails({ domain }, options);
  /** The reply as the tests sent it, without its time. */
  const details = async (domain: string, options: CallOptions = shared): Promise<unknown> => {
    const found: unknown = await timed(domain, options);
    if (typeof found !== 'object' || found === null) return found;
    const { asOf: _time, ...reply } = found as { readonly asOf: Date };
    return reply;
  };
  const prices = (options: CallOptions = shared): Promise<unknown> =>
    api.tldlist({ count: 1_000 }, options);
  /** Settles the last call. */
  const reply = async (value: unknown) => {
    const call = calls.at(-1);
    if (value instanceof Error) call?.fail(value);
    else call?.succeed(value);
    await endOfTurn();
  };
  const replicaWrite = (action: string, domain: string) =>
    replicaWrites({ kind: 'write', action, domain: parseDomainName(domain) });
  return { api, calls, cached, written, pass, timed, details, prices, shared, reply, replicaWrite };
}

test('the details of a domain have the time of their request, also from the cache', async () => {
  const { calls, timed, pass } = start();
  const first = timed('a.com');
  await pass(2_000);
  calls[0]?.succeed({ name: 'a.com' });
  const requestedAt = new Date('2026-01-31T12:00:00Z');

  expect((await first).asOf).toEqual(requestedAt);
  await pass(3_000);
  expect((await timed('a.com')).asOf).toEqual(requestedAt);
});

describe('a shared read', () => {
  test('joins the call in flight for the same request, and no other', async () => {
    const { api, calls, details, shared } = start();
    const results = [details('a.com'), details('a.com')];
    void details('b.com');
    void api.getcontacts({ domain: 'a.com' }, shared);
    void details('a.com', {});

    calls[0]?.succeed({ name: 'a.com' });

    expect(await Promise.all(results)).toEqual([{ name: 'a.com' }, { name: 'a.com' }]);
    expect(calls.map(({ action, request }) => [action, request])).toEqual([
      ['getdetails', { domain: 'a.com' }],
      ['getdetails', { domain: 'b.com' }],
      ['getcontacts', { domain: 'a.com' }],
      ['getdetails', { domain: 'a.com' }],
    ]);
  });

  test('is served from the cache until its maximum age, and reported', async () => {
    const { calls, cached, pass, details, reply } = start();
    void details('a.com');
    await reply({ name: 'a.com' });

    await pass(9_999);
    expect(await details('a.com')).toEqual({ name: 'a.com' });
    expect(cached).toEqual([{ action: 'getdetails', ageMs: 9_999, leftMs: 1, stale: false }]);
    await pass(1);
    void details('a.com');

    expect(calls).toHaveLength(2);
  });

  test('is served from the reply to a read that is not shared, without its auth code', async () => {
    const { calls, details, reply } = start();
    const own = details('a.com', {});
    await reply({ name: 'a.com', authCode: 'secret' });

    expect(await own).toEqual({ name: 'a.com', authCode: 'secret' });
    expect(await details('a.com')).toEqual({ name: 'a.com', authCode: notCached });
    expect(calls).toHaveLength(1);
  });

  test.each([[null], ['text'], [{ name: 'a.com' }]])(
    'is served %j as it was read',
    async (value) => {
      const { details, reply } = start();
      void details('a.com');
      await reply(value);

      expect(await details('a.com')).toEqual(value);
    },
  );

  test('of contacts is not cached', async () => {
    const { api, calls, shared, reply } = start();
    void api.getcontacts({ domain: 'a.com' }, shared);
    await reply({});

    void api.getcontacts({ domain: 'a.com' }, shared);

    expect(calls).toHaveLength(2);
  });

  test('is reported to each requester, and as shared to those that joined', async () => {
    const { calls, details, shared } = start();
    const reported: unknown[] = [];
    const onCall = ({ action, shared: isShared }: UpstreamCall) =>
      void reported.push([action, isShared]);
    void details('a.com', { ...shared, requestId: 'r', trace: 7, onCall });
    void details('a.com', { ...shared, onCall });
    void details('a.com');

    expect(calls[0]?.options).toMatchObject({ requestId: 'r', trace: 7 });
    calls[0]?.options.onCall?.({ action: 'getdetails' } as UpstreamCall);

    expect(reported).toEqual([
      ['getdetails', undefined],
      ['getdetails', true],
    ]);
  });

  test('is aborted when its last requester leaves', async () => {
    const { calls, details, shared } = start();
    const abort = new AbortController();
    const leaving = details('a.com', { ...shared, signal: abort.signal });

    abort.abort(new Error('gone'));

    await expect(leaving).rejects.toThrow('gone');
    expect(calls[0]?.options.signal?.aborted).toBe(true);
  });

  test('needs a call of the budget only if it does not join one', async () => {
    const { calls, details, shared, reply } = start();
    const budget = new CallBudget(0);

    await expect(details('a.com', { ...shared, budget })).rejects.toMatchObject({
      code: 'COST_LIMIT_EXCEEDED',
    });
    expect(calls).toEqual([]);
    void details('a.com');
    const joined = details('a.com', { ...shared, budget });
    await reply('read');

    expect(await joined).toBe('read');
  });

  test.each([
    ['NOT_FOUND', false],
    ['UPSTREAM_UNAVAILABLE', true],
  ] as const)('that fails with %s leaves the cached reply: %s', async (code, isLeft) => {
    const { calls, details, reply } = start();
    void details('a.com');
    await reply('read');
    const again = details('a.com', {});
    const failed = expect(again).rejects.toMatchObject({ code });
    await reply(new Fault(code));
    await failed;

    void details('a.com');

    expect(calls.length === 2).toBe(isLeft);
  });
});

test('the reads of two accounts share no call, no cached reply and no batch', async () => {
  const [one, other] = [start(), start()];
  for (const { api, details, shared, pass } of [one, other]) {
    void details('a.com');
    void api.checkNames(['a.com', 'b.com'], shared);
    await pass(10);
  }
  one.calls[0]?.succeed({ name: 'a.com' });
  one.calls[1]?.succeed(new Map([['a.com', [{}]]]));
  await endOfTurn();

  void other.details('a.com', { ...other.shared, signal: new AbortController().signal });
  void other.details('c.com');
  void other.api.checkNames(['c.com'], other.shared);
  await other.pass(10);

  const requestsOf = ({ calls }: typeof one) => calls.map(({ request }) => request);
  const both = [{ domain: 'a.com' }, { domains: ['a.com', 'b.com'] }];
  expect(requestsOf(one)).toEqual(both);
  expect(requestsOf(other)).toEqual([...both, { domain: 'c.com' }, { domain: 'c.com' }]);
  expect(other.cached).toEqual([]);
});

test('a read without a listener is served from the cache, and one that finds nothing is no error of the cache', async () => {
  const { api, details, reply } = start();
  void details('a.com');
  await reply({ name: 'a.com' });
  expect(await details('a.com', { shared: true })).toEqual({ name: 'a.com' });

  const contacts = api.getcontacts({ domain: 'a.com' }, {}).catch(({ code }) => code);
  await reply(new Fault('NOT_FOUND'));

  expect(await contacts).toBe('NOT_FOUND');
});

describe('a price list', () => {
  /** A price list that was read `ageMs` ago. */
  async function startWithPrices(ageMs: number) {
    const started = start();
    void started.prices();
    await started.reply('old');
    await started.pass(ageMs);
    return started;
  }

  test('is fresh until its maximum age, and then served while one call refreshes it', async () => {
    const { calls, cached, pass, prices, reply } = await startWithPrices(599_999);
    expect(await prices()).toBe('old');
    expect([calls.length, cached.at(-1)?.stale]).toEqual([1, false]);
    await pass(1);

    expect([await prices(), await prices()]).toEqual(['old', 'old']);
    expect(cached.at(-1)).toEqual({ action: 'tldlist', ageMs: 600_000, leftMs: 0, stale: true });
    expect(calls).toHaveLength(2);
    await reply('new');

    expect(await prices()).toBe('new');
    expect(cached.at(-1)).toMatchObject({ ageMs: 0, stale: false });
  });

  test('is refreshed again five seconds after a failed refresh, and not earlier', async () => {
    const { calls, pass, prices, reply } = await startWithPrices(600_000);
    await prices();
    await reply(unavailable);

    await pass(4_999);
    expect(await prices()).toBe('old');
    expect(calls).toHaveLength(2);
    await pass(1);
    await prices();

    expect(calls).toHaveLength(3);
  });

  test('that is ten times as old is read, and served as a last resort if that fails', async () => {
    const { calls, cached, pass, prices, reply } = await startWithPrices(6_000_000);
    const first = prices();
    await endOfTurn();
    expect(cached).toEqual([]);
    await reply(unavailable);
    expect([await first, await prices()]).toEqual(['old', 'old']);
    expect(cached).toMatchObject([{ stale: true }, { stale: true }]);
    expect(calls).toHaveLength(2);
    await pass(5_000);

    const second = prices();
    await reply('new');

    expect(await second).toBe('new');
    expect(calls).toHaveLength(3);
  });

  test.each([
    ['one millisecond younger than a day', 'old', dayMs - 1],
    ['a day old', 'UPSTREAM_UNAVAILABLE', dayMs],
  ])('that is %s is %s when it cannot be read', async (_, outcome, ageMs) => {
    const { prices, reply } = await startWithPrices(ageMs);

    const read = prices().catch(({ code }) => code);
    await reply(unavailable);

    expect(await read).toBe(outcome);
  });

  test('is not served to a requester that left', async () => {
    const { prices, shared } = await startWithPrices(6_000_000);
    const abort = new AbortController();
    const leaving = prices({ ...shared, signal: abort.signal });

    abort.abort(new Error('gone'));

    await expect(leaving).rejects.toThrow('gone');
  });
});

describe('a write', () => {
  /** The calls that shared reads of each kind cause. */
  async function readAll({ api, calls, details, pass, prices, shared }: ReturnType<typeof start>) {
    const before = calls.length;
    const reads = [
      details('a.com'),
      details('b.com'),
      prices(),
      api.getcontacts({ domain: 'a.com' }, shared),
      api.checkNames(['a.com'], shared),
    ];
    await pass(0);
    for (const read of reads) read.catch(() => {});
    return calls.slice(before).map(({ action, request }) => `${action} ${JSON.stringify(request)}`);
  }

  test('invalidates the reads of its domain that it changes, before it is sent and after its end', async () => {
    for (const moment of ['before', 'after']) {
      const started = start();
      const { api, calls, details, pass } = started;
      const write = () => api.registerdomain({ domain: 'a.com' } as never, {});
      const written = moment === 'after' ? write() : Promise.resolve();
      void details('a.com');
      void details('b.com');
      void started.prices();
      void api.checkNames(['a.com'], started.shared);
      await pass(0);
      for (const { action, succeed } of calls) if (action !== 'registerdomain') succeed([{}]);
      await endOfTurn();
      expect(await readAll(started)).toEqual(['getcontacts {"domain":"a.com"}']);

      if (moment === 'before') void write();
      else calls[0]?.succeed(null);
      await written;
      await endOfTurn();

      const again = await readAll(started);
      expect(again).toContain('getdetails {"domain":"a.com"}');
      expect(again).toContain('getcontacts {"domain":"a.com"}');
      expect(again).toContain('singlecheckavailability {"domain":"a.com"}');
      expect(again).toHaveLength(3);
    }
  });

  test('is not followed by a join of a read that began before it, whose reply is not cached', async () => {
    const { api, calls, details } = start();
    const early = details('a.com');
    void api.disabletheftlock({ domain: 'a.com' }, {});

    const late = details('a.com');
    calls[0]?.succeed('early');
    expect(await early).toBe('early');
    calls[2]?.succeed('late');

    expect(await late).toBe('late');
  });

  test('that fails has invalidated too, and is published to the replicas at its end', async () => {
    const { api, calls, written, details, reply } = start();
    void details('a.com');
    await reply('read');
    const failing = api.disabletheftlock({ domain: 'a.com' }, { requestId: 'r' });
    expect(calls.at(-1)).toMatchObject({ action: 'disabletheftlock', options: { requestId: 'r' } });
    expect(written).toEqual([]);

    calls.at(-1)?.fail(unavailable);

    await expect(failing).rejects.toBe(unavailable);
    expect(written).toEqual([{ kind: 'write', action: 'disabletheftlock', domain: 'a.com' }]);
    void details('a.com');
    expect(calls).toHaveLength(3);
  });

  test('of another replica invalidates, and one that is unknown here does not', async () => {
    const { calls, details, reply, replicaWrite } = start();
    void details('a.com');
    await reply('read');

    for (const action of ['constructor', 'renamed']) replicaWrite(action, 'a.com');
    replicaWrite('disabletheftlock', 'b.com');
    void details('a.com');
    expect(calls).toHaveLength(1);
    replicaWrite('disabletheftlock', 'a.com');
    void details('a.com');

    expect(calls).toHaveLength(2);
  });
});

test('without other replicas a write is not published', async () => {
  const actions = { disabletheftlock: async () => ({ locked: false }) };
  const { clock } = createSimulatedClock();
  const maxAges = { tldsMs: 0, domainsMs: 0, availabilityMs: 0 };
  const api = createDomainApi(actions as unknown as DomainActions, {
    ...{ clock, revision: new CacheRevision(), maxAges, notices: null },
  });

  expect(await api.disabletheftlock({ domain: 'a.com' }, {})).toEqual({ locked: false });
});
