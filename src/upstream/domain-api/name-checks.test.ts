import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { CacheRevision } from '../../lib/cache-revision.ts';
import type { CallOptions } from '../client/operation.ts';
import { createTtlCache } from '../policies/cache.ts';
import type { Offers } from './availability-shapes.ts';
import { NameChecks } from './name-checks.ts';

const lost = new Fault('UPSTREAM_TIMEOUT', { executed: 'NO' });
const namesUpTo = (count: number) => Array.from({ length: count }, (_, at) => `n${at + 1}`);
/** The offers of a name in these tests. */
const offersOf = (name: string) => [{ label: name }] as unknown as Offers;

interface Sent {
  readonly action: string;
  readonly names: readonly string[];
  readonly options: CallOptions;
}

/** Checks that are cached for 3,000 ms, at an upstream that takes `msPerCall` and `msPerName` and whose reply is `replyTo` some names. */
function start(
  replyTo: (names: readonly string[], call: number) => Error | ReadonlyMap<string, unknown> | null,
  msPerCall = 0,
  msPerName = 0,
) {
  const { clock, pass } = createSimulatedClock();
  const sent: Sent[] = [];
  const send = async (action: string, names: readonly string[], options: CallOptions) => {
    sent.push({ action, names, options });
    const call = sent.length;
    await clock.wait(msPerCall + names.length * msPerName);
    const reply = replyTo(names, call) ?? new Map(names.map((name) => [name, offersOf(name)]));
    options.onCall?.({ action } as never);
    if (reply instanceof Error) throw reply;
    return reply as ReadonlyMap<string, Offers>;
  };
  const cache = createTtlCache<Offers>({
    ...{ clock, revision: new CacheRevision(), maxAgeMs: 3_000, maxEntries: 100 },
  });
  const api = {
    singlecheckavailability: async ({ domain }: { domain: string }, options: CallOptions) =>
      (await send('single', [domain], options)).get(domain),
    bulkcheckavailability: ({ domains }: { domains: string[] }, options: CallOptions) =>
      send('bulk', domains, options),
  };
  const checks = new NameChecks(api as never, clock, cache);
  const check = async (names: readonly string[], options: CallOptions = {}) => {
    const results = checks.check(names, options, options);
    results.catch(() => {});
    await pass(10 * (msPerCall + names.length * msPerName) + 20);
    return results;
  };
  const shared = (...names: string[]) => check(names, { shared: true });
  const calls = () => sent.map(({ action, names }) => `${action} ${names.join(' ')}`);
  return { checks, check, shared, sent, calls, pass };
}

describe('a check of its own', () => {
  test('of one name is single and of several is bulk, with the results in the order of the names', async () => {
    const { check, calls } = start((names) =>
      names.length === 1
        ? null
        : new Map([
            ['c', offersOf('c')],
            ['a', offersOf('a')],
          ]),
    );

    expect(await check(['a'])).toEqual([offersOf('a')]);
    expect(await check(['a', 'b', 'c'])).toEqual([offersOf('a'), undefined, offersOf('c')]);
    expect(calls()).toEqual(['single a', 'bulk a b c']);
  });

  test('uses no cached reply, and its reply is cached for shared checks', async () => {
    const { check, shared, calls, pass } = start(() => null);
    await check(['a', 'b']);
    await check(['a']);
    expect(await shared('b', 'a')).toEqual([offersOf('b'), offersOf('a')]);
    expect(calls()).toHaveLength(2);

    await pass(3_000);
    await shared('a');

    expect(calls()).toHaveLength(3);
  });

  test('is halved instead of retried only if it may be', async () => {
    const { check, sent } = start((names) => (names.length > 1 ? lost : null));
    expect(await check(['a', 'b'])).toEqual([lost, lost]);
    expect(sent.map(({ options }) => options.once)).toEqual([undefined]);

    expect(await check(['a', 'b'], { mayHalve: true })).toEqual([offersOf('a'), offersOf('b')]);
  });
});

test.each<[what: string, offers: unknown]>([
  ['a fault', new Fault('UPSTREAM_REJECTED')],
  ['no offer', []],
  ['nothing', undefined],
])('the result of a name that is %s is not cached', async (_, offers) => {
  const { shared, calls } = start(() => new Map([['a', offers]]));

  expect(await shared('a', 'b')).toEqual([offers, undefined]);
  await shared('a', 'c');

  expect(calls()).toEqual(['bulk a b', 'bulk a c']);
});

describe('shared checks', () => {
  test('request the names that are not cached, and report the cached ones', async () => {
    const { check, shared, calls, pass } = start(() => null);
    await shared('a', 'c');
    await pass(1_000);
    const reported: unknown[] = [];

    const results = await check(['a', 'b', 'c', 'd'], {
      shared: true,
      onCachedRead: (read) => reported.push(read),
    });

    expect(results).toEqual(['a', 'b', 'c', 'd'].map(offersOf));
    expect(calls()).toEqual(['bulk a c', 'bulk b d']);
    const cached = { action: 'bulkcheckavailability', stale: false };
    expect(reported).toMatchObject([cached, cached]);
    const [{ ageMs, leftMs }] = reported as [{ ageMs: number; leftMs: number }];
    expect(ageMs).toBeGreaterThanOrEqual(1_000);
    expect(ageMs + leftMs).toBe(3_000);
  });

  test('that fail have the results of the cached names, and the fault for the others', async () => {
    const { shared } = start((names) => (names.includes('b') ? lost : null));
    await shared('a', 'c');

    expect(await shared('a', 'b', 'c')).toEqual([offersOf('a'), lost, offersOf('c')]);
    expect(await shared('b')).toEqual([lost]);
  });

  test('that are aborted reject with the reason, also if some names are cached', async () => {
    const { check, shared } = start(() => null);
    await shared('a');
    const signal = AbortSignal.abort(new Error('gone'));

    await expect(check(['a', 'b'], { shared: true, signal })).rejects.toThrow('gone');
  });

  test('of several requesters are one call of at most two seconds, with the context of the first', async () => {
    const { check, sent } = start(() => null);
    const budget = new CallBudget(10);
    await Promise.all([
      check(['a'], { shared: true, requestId: 'first', budget }),
      check(['b', 'c'], { shared: true, requestId: 'second' }),
    ]);

    expect(sent).toMatchObject([
      { names: ['a', 'b', 'c'], options: { withinMs: 2_000, requestId: 'first', budget } },
    ]);
    expect(sent[0]?.options.once).toBeUndefined();
  });

  test('of one requester are halved when they are lost', async () => {
    const { shared, sent } = start((names) => (names.length > 1 ? lost : null));

    expect(await shared('a', 'b')).toEqual([offersOf('a'), offersOf('b')]);
    expect(sent).toMatchObject([
      { options: { once: true } },
      ...['a', 'b'].map((name) => ({ action: 'single', names: [name] })),
    ]);
  });

  test.each<[code: FaultCode, calls: number]>([
    ['RATE_LIMITED', 1],
    ['UPSTREAM_AUTH', 1],
    ['IP_NOT_ALLOWED', 1],
    ['NOT_FOUND', 3],
  ])('of several requesters that fail with %s are sent %i times', async (code, count) => {
    const { shared, calls } = start((names) => (names.length > 1 ? new Fault(code) : null));

    const results = (await Promise.all([shared('a'), shared('b')])).flat();

    expect(calls()).toHaveLength(count);
    const expected =
      count === 1 ? [new Fault(code), new Fault(code)] : [offersOf('a'), offersOf('b')];
    expect(results).toEqual(expected);
  });

  test('that fail with an error of the gateway are sent for each requester', async () => {
    const { shared, calls } = start((names) => (names.length > 1 ? new Error('broken') : null));

    await Promise.all([shared('a'), shared('b')]);

    expect(calls()).toHaveLength(3);
  });

  test('are of fewer names after a timeout, and of as many after another failure', async () => {
    for (const [fault, sizes] of [
      [lost, [3, 1]],
      [new Fault('UPSTREAM_UNAVAILABLE'), [4]],
    ] as const) {
      const { shared, sent } = start((_, call) => (call === 1 ? fault : null));
      await Promise.allSettled([shared('lost')]);
      await Promise.all(['a', 'b', 'c', 'd'].map((name) => shared(name)));

      expect(sent.slice(1).map(({ names }) => names.length)).toEqual(sizes);
    }
  });

  test('are of as many names as the upstream takes a second for', async () => {
    const { check, shared, sent } = start(() => null, 0, 400);
    await shared(...namesUpTo(4));
    expect(sent[0]?.options.withinMs).toBe(1_080);
    // The estimate moves halfway from 10 ms to 400 ms with each call.
    for (const names of [1, 2, 1, 4, 1]) await check(namesUpTo(names), { mayHalve: true });
    expect(sent.at(-2)?.options.withinMs).toBeGreaterThan(3_500);

    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => shared(name)));

    expect(sent.slice(6).map(({ names }) => names.length)).toEqual([3, 2]);
  });

  test('are not smaller at an upstream whose calls are slow whatever their names', async () => {
    const { check, shared, sent } = start(() => null, 1_900, 10);
    for (const names of [1, 4, 1, 4]) await check(namesUpTo(names), { mayHalve: true });

    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => shared(name)));

    expect(sent.slice(4).map(({ names, options }) => [names.length, options.withinMs])).toEqual([
      [5, 2_000 + 1_900],
    ]);
  });

  test('of an invalidated name do not use its cached reply and do not join its call', async () => {
    const { checks, shared, calls } = start(() => null, 100);
    await shared('a');
    checks.invalidate('a');
    const early = shared('a', 'b');
    await Promise.resolve();
    await shared('a');
    await early;

    expect(calls()[1]).toBe('bulk a b');
    expect(calls()).toHaveLength(2);
  });
});

describe('a check of several names of which one is refused', () => {
  const refusal = new Fault('INVALID_INPUT', {
    executed: 'NO',
    upstream: { code: 'API_550_ERROR', message: 'Invalid.' },
  });

  test.each<FaultCode>(['INVALID_INPUT', 'TLD_UNSUPPORTED', 'IDN_UNSUPPORTED', 'RESERVED'])(
    'with %s is split until that name is found',
    async (code) => {
      const fault = new Fault(code, { executed: 'NO' });
      const { check, calls } = start((names) => (names.includes('n3') ? fault : null));

      expect(await check(namesUpTo(4))).toEqual([
        ...[offersOf('n1'), offersOf('n2')],
        ...[fault, offersOf('n4')],
      ]);
      expect(calls()).toEqual([
        'bulk n1 n2 n3 n4',
        'bulk n1 n2',
        'bulk n3 n4',
        'single n3',
        'single n4',
      ]);
    },
  );

  test('for another reason fails as a whole', async () => {
    const fault = new Fault('NOT_FOUND');
    const { check, calls } = start(() => fault);

    expect(await check(namesUpTo(4))).toEqual(Array(4).fill(fault));
    expect(calls()).toHaveLength(1);

    const broken = start(() => new Error('broken'));
    await expect(broken.check(namesUpTo(4))).rejects.toThrow('broken');
    expect(broken.calls()).toHaveLength(1);
  });

  test('is split sixteen times at most; the other names are reported as refused together', async () => {
    const { check, calls } = start(() => refusal);

    const results = await check(namesUpTo(100));

    expect(calls()).toHaveLength(1 + 2 * 16);
    const codes = new Set(results.map((result) => (result as unknown as Fault).code));
    expect(codes).toEqual(new Set(['UPSTREAM_REJECTED']));
    expect(results[0]).toMatchObject({
      ...{ executed: 'NO', upstream: { code: 'API_550_ERROR', message: 'Invalid.' } },
    });
  });

  test('of which a part exceeds the budget has that fault for the names of the part', async () => {
    const spent = new Fault('COST_LIMIT_EXCEEDED', { executed: 'NO' });
    const { check } = start((names, call) => {
      if (call === 1) return refusal;
      return names.includes('n1') ? spent : null;
    });

    expect(await check(namesUpTo(4))).toEqual([spent, spent, offersOf('n3'), offersOf('n4')]);
    expect(await start(() => spent).check(namesUpTo(4))).toEqual(Array(4).fill(spent));
  });
});

test('the refusal of one name alone is its result', async () => {
  const refusal = new Fault('RESERVED', { executed: 'NO' });
  const { check } = start(() => refusal);

  expect(await check(['a'])).toEqual([refusal]);
});
