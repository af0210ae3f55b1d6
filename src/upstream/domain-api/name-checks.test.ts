import { describe, expect, test } from 'vitest';
import { createSimulatedClock } from '../../../test/support/simulated-clock.ts';
import { Fault, type FaultCode } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { CacheRevision } from '../../lib/lazy.ts';
import { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import type { CallOptions, UpstreamCall } from '../client/operation.ts';
import { createTtlCache } from '../policies/cache.ts';
import { ConcurrencyLimit } from '../policies/concurrency.ts';
import type { Offers } from './availability-shapes.ts';
import { bisect, NameChecks, type Send } from './name-checks.ts';

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
  places?: ConcurrencyLimit,
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
  const checks = new NameChecks(api as never, clock, cache, places);
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

describe('checks that join others', () => {
  const joins = { joins: true };

  test('are sent alone while there are places, and are one call while there is none', async () => {
    const { checks, calls, pass } = start(() => null, 100, 0, new ConcurrencyLimit(() => 2));
    const all = Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => checks.check([name, 'x'], {}, joins)),
    );
    await pass(50);
    expect(calls()).toEqual(['bulk a x', 'bulk b x']);
    await pass(400);

    expect(calls()).toEqual(['bulk a x', 'bulk b x', 'bulk c x d']);
    expect((await all)[3]).toEqual([offersOf('d'), offersOf('x')]);
  });

  test('use no cached reply', async () => {
    const { check, calls } = start(() => null);
    await check(['a'], { shared: true });
    await check(['a'], joins);

    expect(calls()).toEqual(['single a', 'single a']);
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

describe('bisect', () => {
  const lost = new Fault('UPSTREAM_TIMEOUT', { executed: 'NO' });
  const refused = new Fault('RATE_LIMITED', { executed: 'NO' });
  const attempt: UpstreamCall = {
    ...{ api: 'domain', action: 'bulkcheckavailability', attempt: 1, durationMs: 1, outcome: 'OK' },
  };
  const namesUpTo = (count: number) => Array.from({ length: count }, (_, at) => `n${at + 1}`);

  /** Checks that may be halved, at 10 ms per name, of an upstream whose reply to some names is `outcomeOf` them: null is a success. */
  function start(outcomeOf: (names: readonly string[], call: number) => Error | 'queue' | null) {
    const sent: { readonly names: readonly string[]; readonly options: CallOptions }[] = [];
    const send: Send = async (names, options) => {
      sent.push({ names, options });
      const outcome = outcomeOf(names, sent.length);
      if (outcome === 'queue') throw lost;
      options.onCall?.(attempt);
      if (outcome) throw outcome;
      return new Map(names.map((name) => [name, []]));
    };
    const run = async (names: readonly string[], options: CallOptions = {}) => {
      const pace = new ThroughputEstimate(10);
      const offersOf = await bisect(names, send, { mayHalve: true, ...options }, pace);
      return names.map(offersOf);
    };
    /** The names of each call with its timeout; a text without a number has the usual timeout. */
    const calls = () =>
      sent.map(({ names, options: { withinMs = '' } }) => `${names.join(' ')} ${withinMs}`.trim());
    return { run, calls, sent };
  }

  describe('a check that is never halved has the usual timeout and retries', () => {
    test.each([
      ['of one name', 1, 10],
      ['in a request with one spare call', 2, 1],
    ])('%s', async (_, names, spare) => {
      const { run, sent } = start(() => lost);

      await expect(run(namesUpTo(names), { budget: new CallBudget(spare) })).rejects.toBe(lost);

      expect(sent.map(({ options }) => options.once)).toEqual([undefined]);
      expect(sent[0]?.options.withinMs).toBeUndefined();
    });
  });

  test('a check of several names is sent once, with a timeout by the number of its names', async () => {
    const { run, sent } = start(() => null);
    const reported: UpstreamCall[] = [];
    const budget = new CallBudget(2);

    await run(namesUpTo(3), { budget, requestId: 'r', onCall: (call) => reported.push(call) });

    expect(sent).toMatchObject([
      { options: { once: true, withinMs: 1_060, requestId: 'r', budget } },
    ]);
    expect([reported, budget.spare]).toEqual([[attempt], 2]);
  });

  test.each([
    ['refused', refused],
    ['lost for a reason that stays', new Fault('UPSTREAM_PROTOCOL', { retryable: false })],
  ])('a check that is %s fails as a whole', async (_, fault) => {
    const { run, sent } = start(() => fault);

    await expect(run(namesUpTo(4))).rejects.toBe(fault);

    expect(sent).toHaveLength(1);
  });

  test('an error that is no fault of the upstream fails the check', async () => {
    const { run } = start(() => new Error('broken'));

    await expect(run(namesUpTo(4))).rejects.toThrow('broken');
  });

  describe('a lost check is halved', () => {
    test('down to the name that hangs, and the other names have their results', async () => {
      const { run, calls } = start((names) => (names.includes('n4') ? lost : null));

      expect(await run(namesUpTo(5))).toEqual([[], [], [], lost, []]);
      expect(calls()).toEqual([
        'n1 n2 n3 n4 n5 1100',
        'n1 n2 n3 1100',
        'n4 n5 1100',
        'n4 4000',
        'n5 4000',
      ]);
    });

    test('twice without any reply, and its parts then have the usual timeout once', async () => {
      const { run, calls } = start(() => lost);

      expect(await run(namesUpTo(8))).toEqual(Array(8).fill(lost));
      expect(calls()).toEqual([
        'n1 n2 n3 n4 n5 n6 n7 n8 1160',
        'n1 n2 n3 n4 1160',
        'n5 n6 n7 n8 1160',
        ...['n1 n2', 'n3 n4', 'n5 n6', 'n7 n8'],
      ]);
    });

    test('further when one of those parts has a reply', async () => {
      const { run, calls } = start((names) =>
        names.length > 2 || names.includes('n1') ? lost : null,
      );

      expect(await run(namesUpTo(8))).toEqual([lost, ...Array(7).fill([])]);
      expect(calls().slice(7)).toEqual(['n1 4000', 'n2 4000']);
    });

    test('not for a part that is refused, whose names have the refusal', async () => {
      const { run, sent } = start((names) => {
        if (names.length > 2) return lost;
        return names.includes('n1') ? refused : null;
      });

      expect(await run(namesUpTo(4))).toEqual([refused, refused, [], []]);
      expect(sent).toHaveLength(3);
    });

    test('at most sixteen times, and its parts then have the usual timeout once', async () => {
      const { run, calls } = start((names) =>
        names.length < 100 && names.includes('n1') ? null : lost,
      );

      const results = await run(namesUpTo(100));

      expect(results.filter((result) => result === lost)).toHaveLength(50);
      const short = calls().filter((call) => / \d+$/.test(call));
      expect(short).toHaveLength(1 + 2 * 16);
      // Each of the 17 parts that were not halved, except for the one with a reply.
      expect(calls()).toHaveLength(short.length + 16);
    });
  });

  describe('the spare calls of a request', () => {
    test('pay for each half; a part without them has the usual timeout once', async () => {
      const budget = new CallBudget(3);
      const { run, calls } = start((names) => (names.length > 1 ? lost : null));

      expect(await run(namesUpTo(4), { budget })).toEqual(Array(4).fill(lost));

      expect(calls()).toEqual(['n1 n2 n3 n4 1080', 'n1 n2 1080', 'n3 n4 1080', 'n1 n2', 'n3 n4']);
      expect(budget.spare).toBe(0);
    });

    test('are not used up by a halving that they cannot pay for completely', async () => {
      const budget = new CallBudget(4);
      const { run } = start((names) => (names.includes('n1') ? lost : null));

      expect(await run(['n1', 'n2'], { budget })).toEqual([lost, []]);
      expect(budget.spare).toBe(2);
    });
  });

  describe('a check that failed in the queue', () => {
    test('is not halved, but sent again with the usual timeout', async () => {
      const { run, calls } = start((_, call) => (call === 1 ? 'queue' : null));

      expect(await run(namesUpTo(2))).toEqual([[], []]);
      expect(calls()).toEqual(['n1 n2 1040', 'n1 n2']);
    });

    test('fails when that fails too', async () => {
      const { run, calls } = start(() => 'queue');

      expect(await run(namesUpTo(2))).toEqual([lost, lost]);
      expect(calls()).toEqual(['n1 n2 1040', 'n1 n2']);
    });
  });

  describe('a list of which one part is refused because of a name and another is lost', () => {
    const reserved = new Fault('RESERVED', { executed: 'NO' });
    const outcomeOf = (names: readonly string[]) => {
      if (names.includes('n1')) return reserved;
      return names.includes('n4') ? lost : null;
    };

    test('is halved for both reasons, and the halves of a refused call have its timeout', async () => {
      const { run, calls } = start(outcomeOf);

      expect(await run(namesUpTo(4))).toEqual([reserved, [], [], lost]);
      expect(calls()).toEqual([
        'n1 n2 n3 n4 1080',
        'n1 n2 1080',
        'n3 n4 1080',
        ...['n1 1080', 'n2 1080', 'n3 4000', 'n4 4000'],
      ]);
    });

    test('fails as a whole if lost calls may not be halved', async () => {
      const { run, calls } = start(outcomeOf);

      await expect(run(namesUpTo(4), { mayHalve: false })).rejects.toBe(lost);

      expect(calls()).toEqual(['n1 n2 n3 n4', 'n1 n2', 'n3 n4']);
    });
  });

  describe('names whose entries failed in passing', () => {
    const passing = new Fault('UPSTREAM_UNAVAILABLE', { executed: 'NO' });
    const lasting = new Fault('UPSTREAM_REJECTED', { executed: 'NO' });
    type Entries = Readonly<Record<string, Fault | []>> | null;
    /** The entries of the calls, one after the other; a call without any is lost. */
    const startWith = (...replies: readonly Entries[]) => {
      const sent: string[] = [];
      const send: Send = async (names) => {
        const entries = replies[sent.length];
        sent.push(names.join(' '));
        if (!entries) throw lost;
        return new Map(Object.entries(entries));
      };
      const run = async (options: CallOptions = {}) => {
        const offersOf = await bisect(['a', 'b', 'c'], send, options, new ThroughputEstimate(10));
        return ['a', 'b', 'c'].map(offersOf);
      };
      return { run, sent };
    };
    const first = { a: passing, b: lasting, c: passing };

    test.each<[string, readonly Entries[], readonly unknown[]]>([
      [
        'have the result of the second call',
        [first, { a: [], c: lasting }],
        [[], lasting, lasting],
      ],
      ['fail when they fail again', [first, { a: [], c: passing }], [[], lasting, passing]],
      ['fail when the second call is lost', [first, null], [passing, lasting, passing]],
    ])('%s', async (_what, replies, expected) => {
      const { run, sent } = startWith(...replies);

      expect(await run({ mayHalve: true })).toEqual(expected);
      expect(sent).toEqual(['a b c', 'a c']);
    });

    test('are not checked again without a spare call', async () => {
      const { run, sent } = startWith(first, {});

      expect(await run({ budget: new CallBudget(0) })).toEqual([passing, lasting, passing]);
      expect(sent).toHaveLength(1);
    });
  });
});
