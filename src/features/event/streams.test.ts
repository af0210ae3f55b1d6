import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { account, minute } from '../../../test/persistence/claims.ts';
import { newFolder } from '../../../test/support/folder.ts';
import { plainQuotes } from '../../../test/support/plain-quotes.ts';
import { createSimulatedClock, secondMs } from '../../../test/support/simulated-clock.ts';
import { anonymous } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import type { EventFilter, EventType } from './log.ts';
import { createEventService } from './service.ts';
import { createEventStreams } from './streams.ts';
import { openEventJournal } from './test/journal.ts';
import { changesFrom, domain, leaseOf, publishAll } from './test/new-events.ts';

/** Event streams over a journal. */
async function start() {
  const folder = await newFolder('events');
  const journal = await openEventJournal(join(folder, 'journal.db'));
  const { events } = journal;
  const time = createSimulatedClock();
  await events.lease(account, leaseOf('one', 0, 10));
  await events.setBaseline(account, 'one', new Date(0));
  const reads: string[] = [];
  let onRead = async (_method: string): Promise<void> => undefined;
  /** The method, which first calls `onRead`. */
  const counted =
    <Args extends readonly unknown[], T>(method: string, run: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      reads.push(method);
      await onRead(method);
      return run(...args);
    };
  const streams = createEventStreams({
    account,
    clock: time.clock,
    store: {
      lastPosition: counted('lastPosition', events.lastPosition),
      deletedUntil: counted('deletedUntil', events.deletedUntil),
      list: counted('list', events.list),
    },
  });
  onTestFinished(async () => {
    await streams.close();
    await journal.close();
    await rm(folder, { recursive: true });
  });
  let stored = 0;

  return {
    ...{ time, events, streams, reads },
    service: createEventService(
      { store: events, everyMs: 0, account, eventStreams: streams, quotes: plainQuotes },
      anonymous,
    ),
    onRead(work: (method: string) => Promise<void>): void {
      onRead = work;
    },
    /** Stores more events; the number in their ids is their position. */
    async add(count: number): Promise<void> {
      await events.change(account, 'one', changesFrom(stored + 1, count));
      await publishAll(events);
      stored += count;
    },
    /** A subscriber that takes each event at once. */
    watch(after: number | null, filter: EventFilter = {}) {
      const stream = streams.follow(after, filter);
      const got: unknown[] = [];
      const read = async () => {
        for await (const { position } of stream) got.push(position);
        got.push('end');
      };
      void read().catch((error: Error) =>
        got.push(error instanceof Fault ? error.code : error.message),
      );
      return { stream, got };
    },
  };
}

const from = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

test('a stream sends the events after its cursor at once, then each new one, once and in order', {
  tags: ['E5'],
}, async () => {
  const { time, add, watch } = await start();
  await add(5);
  const [all, some, none] = [watch(0), watch(3), watch(5)];
  await time.pass(0);
  expect([all.got, some.got, none.got]).toEqual([from(1, 5), [4, 5], []]);

  await add(2);
  await time.pass(secondMs - 1);
  expect(none.got).toEqual([]);
  await time.pass(1);
  await add(1);
  await time.pass(3 * secondMs);

  expect([all.got, some.got, none.got]).toEqual([from(1, 8), from(4, 8), from(6, 8)]);
});

test('a stream without a cursor sends the events from now on', async () => {
  const { time, add, watch } = await start();
  await add(3);
  const { got } = watch(null);
  await time.pass(2 * secondMs);
  expect(got).toEqual([]);

  await add(2);
  await time.pass(secondMs);

  expect(got).toEqual([4, 5]);
});

test('thousands of events arrive at a subscriber that takes them one by one', {
  tags: ['E5'],
}, async () => {
  const { time, add, streams, reads } = await start();
  await add(2_500);
  const stream = streams.follow(0, {});
  const got: number[] = [];

  const first = await stream.next();
  await time.pass(10 * secondMs);
  // One page, because its events are not taken yet.
  expect(reads.filter((method) => method === 'list')).toHaveLength(1);
  got.push(first.value.position);
  while (got.length < 2_500) {
    const next = stream.next();
    // Between two pages other requests run.
    await time.pass(0);
    got.push((await next).value.position);
  }

  expect(got).toEqual(from(1, 2_500));
});

test('an event that arrives while a page is read is sent once', { tags: ['E5'] }, async () => {
  const { time, add, watch, onRead } = await start();
  await add(150);
  let arriving = 3;
  onRead(async (method) => {
    if (method !== 'list' || arriving === 0) return;
    arriving -= 1;
    await add(1);
  });
  const { got } = watch(0);
  await time.pass(0);
  expect(got).toEqual(from(1, 150));
  await time.pass(5 * secondMs);

  expect(got).toEqual(from(1, 153));
});

test('a filter selects events, and one that matches nothing reads each event once', async () => {
  const { time, add, watch, reads } = await start();
  await add(250);
  const types: readonly EventType[] = ['EXPIRING'];
  const [one, none] = [watch(0, { domain: domain(240) }), watch(0, { types })];
  await time.pass(0);
  expect([one.got, none.got]).toEqual([[240], []]);
  expect(reads.filter((method) => method === 'list')).toHaveLength(2);

  await time.pass(5 * secondMs);
  expect(reads.filter((method) => method === 'list')).toHaveLength(2);
  await add(1);
  await time.pass(2 * secondMs);

  expect(reads.filter((method) => method === 'list')).toHaveLength(4);
});

test('one read per second serves all streams, and there is none without a stream', async () => {
  const { time, add, watch, reads } = await start();
  await add(1);
  const streams = [watch(1), watch(1), watch(null), watch(1)];
  await time.pass(0);
  reads.length = 0;

  await time.pass(3 * secondMs);
  expect(reads).toEqual(Array(3).fill('lastPosition'));
  for (const { stream } of streams) await stream.return();
  await time.pass(secondMs);
  reads.length = 0;
  await time.pass(3 * secondMs);

  expect(reads).toEqual([]);
  expect(time.waits()).toEqual([]);
  expect(streams.map(({ got }) => got)).toEqual(Array(4).fill(['end']));
});

test('a subscriber that leaves between two events causes no further read', async () => {
  const { time, add, streams, reads } = await start();
  await add(500);
  const stream = streams.follow(0, {});
  await stream.next();
  await stream.return();
  await time.pass(5 * secondMs);

  expect(reads.filter((method) => method === 'list')).toHaveLength(1);
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('the streams end when the gateway closes, and none begins afterwards', async () => {
  const { time, add, watch, streams } = await start();
  await add(1);
  const open = [watch(0), watch(null)];
  await time.pass(secondMs);

  await streams.close();
  await time.pass(secondMs);
  const late = watch(0);
  await time.pass(secondMs);

  expect([...open, late].map(({ got }) => got)).toEqual([[1, 'end'], ['end'], ['end']]);
  expect(time.waits()).toEqual([]);
});

test.each(['list', 'deletedUntil', 'lastPosition'])(
  'a journal that fails in %s does not end a stream, which continues without a gap',
  { tags: ['E5'] },
  async (failing) => {
    const { time, add, watch, onRead } = await start();
    const { got } = watch(0);
    await time.pass(0);
    onRead(async (method) => {
      if (method === failing) throw new Fault('JOURNAL_UNAVAILABLE');
    });
    await add(3);
    await time.pass(3 * secondMs);
    expect(got).toEqual([]);

    onRead(async () => undefined);
    await add(1);
    await time.pass(secondMs);

    expect(got).toEqual(from(1, 4));
  },
);

test('a stream reports a bug as its error', async () => {
  const { time, add, watch, onRead } = await start();
  await add(1);
  onRead(async (method) => {
    if (method === 'list') throw new Error('a bug');
  });
  const { got } = watch(0);
  await time.pass(secondMs);

  expect(got).toEqual(['a bug']);
});

test('a cursor before a deleted event is refused, by lists and by streams, and the last deleted one is not', async () => {
  const { time, add, events, service, watch } = await start();
  await add(10);
  await events.deleteBefore(account, minute(6));
  const refused = {
    code: 'INVALID_INPUT',
    inputPath: ['after'],
    message: expect.stringContaining('Events after this cursor were deleted'),
  };

  for (const after of [0, 4]) {
    await expect(service.follow(after, {})).rejects.toMatchObject(refused);
    await expect(service.list({ limit: 5, fromEnd: false, after })).rejects.toMatchObject(refused);
  }
  expect((await service.list({ limit: 9 })).items).toHaveLength(5);
  expect((await service.list({ limit: 2, after: 5 })).items).toMatchObject([
    { position: 6 },
    { position: 7 },
  ]);
  const accepted = await service.follow(5, {});
  expect(await accepted.next()).toMatchObject({ value: { position: 6 } });
  await accepted.return();
  const { got } = watch(4);
  await time.pass(0);
  expect(got).toEqual(['INVALID_INPUT']);
});

test('events that are deleted while a stream or a list reads are not left out silently', {
  tags: ['E6'],
}, async () => {
  const { time, add, events, watch, onRead } = await start();
  await add(300);
  let isDeleted = false;
  onRead(async (method) => {
    if (method !== 'list' || isDeleted) return;
    isDeleted = true;
    await events.deleteBefore(account, minute(200));
  });
  const { got } = watch(100);
  await time.pass(secondMs);

  expect(got).toEqual(['INVALID_INPUT']);
});

test('a list has its events, their number, and whether others precede and follow them', async () => {
  const { add, service } = await start();
  await add(5);
  const listed = async (page: Parameters<typeof service.list>[0]) => {
    const { items, count, ...facts } = await service.list(page);
    return [items.map(({ position }) => position), { ...facts, totalCount: await count() }];
  };
  const facts = (before: boolean, after: boolean, totalCount = 5) => ({
    ...{ before, after, totalCount },
  });

  expect(await listed({ limit: 2 })).toEqual([[1, 2], facts(false, true)]);
  expect(await listed({ limit: 2, after: 2 })).toEqual([[3, 4], facts(true, true)]);
  expect(await listed({ limit: 2, fromEnd: true })).toEqual([[4, 5], facts(true, false)]);
  expect(await listed({ limit: 9 })).toEqual([from(1, 5), facts(false, false)]);
  expect(await listed({ limit: 9, filter: { domain: domain(3) } })).toEqual([
    [3],
    facts(false, false, 1),
  ]);
  expect(await listed({ limit: 9, filter: { domain: domain(9) } })).toEqual([
    [],
    facts(false, false, 0),
  ]);
});
