import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { CallBudget } from '../../kernel/upstream-calls.ts';
import { ThroughputEstimate } from '../../lib/throughput-estimate.ts';
import type { CallOptions, UpstreamCall } from '../client/operation.ts';
import { bisect, type Send } from './bisect.ts';

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
    ['have the result of the second call', [first, { a: [], c: lasting }], [[], lasting, lasting]],
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
