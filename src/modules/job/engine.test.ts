import { afterEach, beforeEach, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { jobNumber, newItems, resultOf } from '../../../test/persistence/new-jobs.ts';
import { createSharedStore } from '../../../test/simulation/store.ts';
import {
  createSimulatedClock,
  endOfTurn,
  hourMs,
  minuteMs,
  secondMs,
} from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { JobItem, TakenItem } from '../../persistence/job-record.ts';
import type { JobStore } from '../../persistence/job-store.ts';
import { createJournal } from '../../persistence/journal.ts';
import { createJobEngine, type ItemEnd } from './engine.ts';

const leaseMs = 30 * secondMs;
const store = await createSharedStore();

let time: ReturnType<typeof createSimulatedClock>;
let jobs: JobStore;
/** The items in progress, by position, and the function that ends each. */
let working: Map<number, (end: ItemEnd | Error) => void>;
let errors: unknown[];
let changed: string[];
const opened: { close(): Promise<void> }[] = [];
let engines = 0;

beforeEach(() => {
  store.clear();
  time = createSimulatedClock();
  jobs = createJournal(store.open(async () => undefined)).jobs;
  [working, errors, changed] = [new Map(), [], []];
});
afterEach(async () => {
  for (const end of working.values()) end(resultOf('SENT'));
  await Promise.all(opened.splice(0).map((engine) => engine.close()));
});

/** Settles everything that waits for no time. */
const idle = async () => {
  for (let turn = 0; turn < 30; turn += 1) await endOfTurn();
};

function startEngine(together = 2, kinds: readonly string[] = ['ORDER', 'CHANGE']) {
  engines += 1;
  const name = `engine-${engines}`;
  const work = (item: TakenItem) =>
    new Promise<ItemEnd>((resolve, reject) => {
      if (working.has(item.position)) throw new Error('The item is in progress already.');
      working.set(item.position, (end) => {
        working.delete(item.position);
        if (end instanceof Error) reject(end);
        else resolve(end);
      });
    });
  const engine = createJobEngine({
    ...{ jobs, account, clock: time.clock, together },
    randomness: { uuid: () => name, fraction: () => 0 },
    run: Object.fromEntries(kinds.map((kind) => [kind, work])),
    onChange: (jobId) => void changed.push(jobId),
    onError: (error) => void errors.push(error),
  });
  opened.push(engine);
  return engine;
}

const create = async (items: number) => {
  const { job } = await jobs.create(jobNumber(1, { createdAt: time.clock.now() }), newItems(items));
  return job;
};
const end = async (position: number, how: ItemEnd | Error = resultOf('SENT')) => {
  working.get(position)?.(how);
  await idle();
};
const fails = () => Promise.reject(new Fault('JOURNAL_UNAVAILABLE'));
const statesOf = (items: readonly JobItem[]) => items.map(({ state }) => state);
const inProgress = () => [...working.keys()];

test('a few items are in progress at a time, in their order', async () => {
  const job = await create(4);
  startEngine(2);
  await idle();
  expect(inProgress()).toEqual([0, 1]);

  await end(1);
  expect(inProgress()).toEqual([0, 2]);
  await end(0);
  await end(2);
  await end(3);

  const items = await jobs.items([job.id]);
  expect(statesOf(items)).toEqual(Array(4).fill('DONE'));
  expect(items.map(({ result }) => result)).toEqual(Array(4).fill(resultOf('SENT')));
  expect(changed).toEqual(Array(4).fill(job.id));
});

test('a new job is started at once when the engine is woken, and else after a sixth of a lease', async () => {
  const engine = startEngine();
  await idle();
  await create(1);
  engine.wake();
  await idle();
  expect(inProgress()).toEqual([0]);
  await end(0);

  await jobs.create(jobNumber(2, { createdAt: time.clock.now() }), newItems(1));
  await time.pass(leaseMs / 6 - 1, idle);
  expect(inProgress()).toEqual([]);
  await time.pass(1, idle);
  await idle();
  expect(inProgress()).toEqual([0]);
});

test('an engine that has taken all due items takes no more at their ends', async () => {
  await create(2);
  const { take } = jobs;
  let takes = 0;
  jobs.take = (...args) => {
    takes += 1;
    return take(...args);
  };
  startEngine(3);
  await idle();
  await end(0);
  await end(1);

  expect(takes).toBe(1);
});

test('an item in progress keeps its lease while its process runs', async () => {
  const job = await create(2);
  startEngine(1);
  await idle();
  await time.pass(10 * leaseMs, idle);
  startEngine(2);
  await idle();

  expect(inProgress()).toEqual([0, 1]);
  expect((await jobs.items([job.id])).map(({ fence }) => fence)).toEqual([1, 1]);
});

test('an item in progress keeps its lease when one renewal fails', async () => {
  const job = await create(1);
  const { renew } = jobs;
  jobs.renew = () => {
    jobs.renew = renew;
    return fails();
  };
  startEngine();
  await idle();
  startEngine();
  await time.pass(10 * leaseMs, idle);

  expect((await jobs.items([job.id])).map(({ fence }) => fence)).toEqual([1]);
});

test('an item in progress keeps its lease when the clock is set back by less than an hour', async () => {
  const job = await create(1);
  startEngine();
  await idle();
  time.setWall(leaseMs - hourMs);
  startEngine();
  await idle();

  expect((await jobs.items([job.id])).map(({ fence }) => fence)).toEqual([1]);
});

test('an engine that starts deletes no items whose job is being written', async () => {
  const job = await create(2);
  // Its items are written first.
  store.rows('delete from jobs');
  time.setWall(minuteMs);
  startEngine();
  await idle();

  expect(await jobs.items([job.id])).toHaveLength(2);
});

test('an engine whose first statements fail looks again after a sixth of a lease', async () => {
  await create(1);
  const { deleteOrphans, take } = jobs;
  Object.assign(jobs, { deleteOrphans: fails, take: fails });
  startEngine();
  await idle();
  Object.assign(jobs, { deleteOrphans, take });

  await time.pass(leaseMs / 6 - 1, idle);
  expect(inProgress()).toEqual([]);
  await time.pass(1, idle);
  expect(inProgress()).toEqual([0]);
});

test('an item of a process that ended is taken when its lease has ended', async () => {
  const job = await create(1);
  const now = time.clock.now();
  const later = (ms: number) => new Date(now.getTime() + ms);
  const until = { leaseUntil: later(leaseMs), latest: later(hourMs) };
  await jobs.take(account, { owner: 'ended', now, limit: 1, kinds: ['ORDER'], ...until });
  startEngine();

  await time.pass(leaseMs - 1, idle);
  expect(inProgress()).toEqual([]);
  await time.pass(leaseMs / 6 + 1, idle);

  expect(inProgress()).toEqual([0]);
  expect((await jobs.items([job.id]))[0]?.fence).toBe(2);
});

test('an item that fails with an error is reported, and taken again when its lease has ended', async () => {
  await create(1);
  startEngine();
  await idle();
  const fault = new Fault('JOURNAL_UNAVAILABLE');
  await end(0, fault);

  expect(errors).toEqual([fault]);
  expect(inProgress()).toEqual([]);
  await time.pass(leaseMs + leaseMs / 6, idle);
  expect(inProgress()).toEqual([0]);
});

test('an item that pauses waits alone, and can be cancelled when nothing was sent for it', async () => {
  const job = await create(2);
  startEngine(1);
  await idle();
  await end(0, { state: 'WAITING', pauseMs: 20 * secondMs, pausesAll: false });

  expect(inProgress()).toEqual([1]);
  expect(statesOf(await jobs.items([job.id]))).toEqual(['WAITING', 'BEGUN']);
  await end(1);
  await time.pass(19 * secondMs, idle);
  expect(inProgress()).toEqual([]);
  await time.pass(6 * secondMs, idle);
  expect(inProgress()).toEqual([0]);
});

test('an item that pauses all items of its kind stops the engine for that time', async () => {
  await create(3);
  startEngine(1);
  await idle();
  await end(0, { state: 'BEGUN', pauseMs: 20 * secondMs, pausesAll: true });

  expect(inProgress()).toEqual([]);
  await time.pass(19 * secondMs, idle);
  expect(inProgress()).toEqual([]);
  await time.pass(6 * secondMs, idle);
  expect(inProgress()).toEqual([0]);
});

test.each([
  ['ORDER', 'CHANGE'],
  ['CHANGE', 'ORDER'],
] as const)(
  'a pause of all items of the kind %s leaves those of the kind %s',
  async (kind, other) => {
    const at = (...positions: readonly number[]) =>
      newItems(3).filter(({ position }) => positions.includes(position));
    await jobs.create(jobNumber(1, { kind, createdAt: time.clock.now() }), at(0, 2));
    await jobs.create(jobNumber(2, { kind: other, createdAt: time.clock.now() }), at(1));
    startEngine(1);
    await idle();
    await end(0, { state: 'WAITING', pauseMs: 20 * secondMs, pausesAll: true });

    expect(inProgress()).toEqual([1]);
    await end(1);
    await time.pass(20 * secondMs - 1, idle);
    expect(inProgress()).toEqual([]);
    await time.pass(leaseMs / 6, idle);
    expect(inProgress()).toEqual([0]);
  },
);

test('items of a kind without code are left to other processes', async () => {
  await create(1);
  startEngine(2, ['CHANGE']);
  await time.pass(hourMs, idle);

  expect(statesOf(await jobs.items([jobNumber(1).id]))).toEqual(['WAITING']);
});

test('an engine that closes waits for its items and takes no other', async () => {
  const job = await create(2);
  const engine = startEngine(1);
  await idle();
  let isClosed = false;
  const closing = engine.close().then(() => {
    isClosed = true;
  });
  await idle();
  expect(isClosed).toBe(false);

  await end(0);
  await closing;

  expect(statesOf(await jobs.items([job.id]))).toEqual(['DONE', 'WAITING']);
  expect(time.waits()).toEqual([]);
});
