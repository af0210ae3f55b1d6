import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  account,
  claimNumber,
  minute,
  moveTo,
  name,
  unlimited,
} from '../../../test/persistence/claims.ts';
import { jobNumber, newItems, resultOf, takeAt } from '../../../test/persistence/new-jobs.ts';
import { openTestJournal } from '../../../test/support/empty-journal.ts';
import { newFolder } from '../../../test/support/folder.ts';
import {
  createSimulatedClock,
  endOfTurn,
  secondMs,
} from '../../../test/support/simulated-clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { Claim } from '../../persistence/purchase-record.ts';
import { newFollowedJob, type ReadItem, readChanges } from './followed-job.ts';
import { createProgressNotifier, type ProgressNotifier } from './progress-notifier.ts';

const id = 'job-001';
const items = 6;

let journal: Journal;
let notifier: ProgressNotifier;
let time: ReturnType<typeof createSimulatedClock>;
/** The reads of the journal by the notifier. */
let reads: string[];
let trouble: Error | null;
let views: number;

beforeEach(async () => {
  journal = await openTestJournal(`${await newFolder('progress')}/journal.sqlite`);
  time = createSimulatedClock();
  [reads, trouble, views] = [[], null, 0];
  const read = <T>(name: string, result: () => Promise<T>): Promise<T> => {
    reads.push(name);
    return trouble ? Promise.reject(trouble) : result();
  };
  notifier = createProgressNotifier({
    ...{ account, clock: time.clock },
    journal: {
      byLines: (...args) => read('byLines', () => journal.byLines(...args)),
      jobs: {
        states: (...args) => read('states', () => journal.jobs.states(...args)),
        itemsAt: (...args) => read('itemsAt', () => journal.jobs.itemsAt(...args)),
      },
    },
  });
  await journal.jobs.create(jobNumber(1), newItems(items));
  await journal.jobs.take(account, takeAt(5));
});
afterEach(async () => {
  await notifier.close();
  await journal.close();
});

const end = (position: number, outcome = 'MADE', fence = 1) =>
  journal.jobs.finish({ jobId: id, position, fence }, minute(6), resultOf(outcome));
const report = async (work: Promise<unknown>) => {
  await work;
  void notifier.check(id);
};

const textOf = ({ item, purchase }: ReadItem) =>
  `${item.position} ${item.result?.outcome ?? item.state}${purchase ? ` ${purchase.state}` : ''}`;

const open = () =>
  notifier.progress(id, {
    viewOf(counts) {
      views += 1;
      return counts.map(({ state, amount }) => `${amount} ${state}`).toSorted();
    },
    updateOf: (view, changed) => ({ view, changed: changed.map(textOf) }),
    isLast: (counts) => counts.every(({ state }) => state === 'DONE'),
  });

/** Reads the whole stream: the changed items of each update, then `end`. */
const follow = () => {
  const stream = open();
  const updates: (readonly string[] | string)[] = [];
  const read = async () => {
    for await (const { changed } of stream) updates.push(changed);
    updates.push('end');
  };
  void read().catch((error: Error) => updates.push(error.message));
  return { stream, updates };
};

test('each subscriber gets each change once, and one read serves all of them', async () => {
  const all = Array.from({ length: 20 }, follow);
  await time.pass(secondMs);
  reads = [];
  views = 0;

  await report(end(1));
  await time.pass(secondMs / 4);
  await report(Promise.all([end(0), end(3, 'REFUSED')]));
  await time.pass(secondMs / 4);

  for (const { updates } of all) expect(updates).toEqual([[], ['1 MADE'], ['0 MADE', '3 REFUSED']]);
  expect(reads).toEqual(['states', 'itemsAt', 'byLines', 'states', 'itemsAt', 'byLines']);
  expect(views).toBe(2);
});

test('changes in quick succession are read four times a second, and the last is sent at once', async () => {
  const { updates } = follow();
  await time.pass(secondMs / 2);
  reads = [];

  for (let position = 0; position < items; position += 1) {
    await report(end(position));
    await time.pass(100);
  }

  expect(updates).toEqual([[], ['0 MADE'], ['1 MADE', '2 MADE'], ['3 MADE', '4 MADE']]);
  await time.pass(150);
  expect(updates.slice(4)).toEqual([['5 MADE'], 'end']);
  expect(reads.filter((name) => name === 'states')).toHaveLength(4);
});

test('other requests run between the reads of two jobs', async () => {
  let nowMs = 0;
  const steps: string[] = [];
  const clock = {
    now: () => minute(0),
    monotonicMs: () => nowMs,
    wait: async () => void steps.push('others'),
  };
  const states = async (jobId: string) => {
    nowMs += 1;
    steps.push(jobId);
    return [];
  };

  await readChanges(
    { account, clock, journal: { ...journal, jobs: { ...journal.jobs, states } } },
    ['job-001', 'job-002'].map(newFollowedJob),
  );

  expect(steps).toEqual(['job-001', 'others', 'job-002']);
});

test('a subscriber that does not read gets all changes with its next update', async () => {
  const { updates } = follow();
  const stalled = open();
  expect((await stalled.next()).value).toMatchObject({ changed: [] });
  await time.pass(secondMs / 2);
  const second = stalled.next();
  await report(end(0));
  expect((await second).value).toMatchObject({ changed: ['0 MADE'] });

  for (const position of [1, 2, 3, 4, 5]) {
    await report(end(position));
    await time.pass(secondMs);
  }
  expect(updates.at(-1)).toBe('end');
  expect(reads.filter((name) => name === 'itemsAt')).toHaveLength(items);

  const last = stalled.next();
  await time.pass(secondMs);
  expect((await last).value).toEqual({
    view: ['6 DONE'],
    changed: ['1 MADE', '2 MADE', '3 MADE', '4 MADE', '5 MADE'],
  });
  expect(await stalled.next()).toEqual({ done: true, value: undefined });
});

test('a change of the purchase of an item is a change, also by another replica', async () => {
  const { updates } = follow();
  await time.pass(secondMs);
  const claim = claimNumber(1, { orderId: id, orderLine: 2 });
  await journal.claim(claim, unlimited);
  await time.pass(secondMs);
  await moveTo(journal, claim.id, 'SENDING');
  await time.pass(secondMs);
  await journal.move(claim.id, ['SENDING'], { to: 'SUCCEEDED', at: minute(7) });
  await end(2, 'SENT');
  await time.pass(secondMs);

  expect(updates).toEqual([[], ['2 BEGUN CLAIMED'], ['2 BEGUN SENDING'], ['2 SENT SUCCEEDED']]);
});

test('a second purchase of an item that is in the state of the first between two reads is a change', async () => {
  const [first, second] = [1, 2].map((number) =>
    claimNumber(number, { orderId: id, orderLine: 2, domain: name('one.com') }),
  ) as [Claim, Claim];
  await journal.claim(first, unlimited);
  const { updates } = follow();
  await time.pass(secondMs);
  await journal.move(first.id, ['CLAIMED'], { to: 'FAILED', at: minute(7) });
  await journal.claim(second, unlimited);
  await time.pass(secondMs);

  expect(updates).toEqual([[], ['2 BEGUN CLAIMED']]);
});

test('an item that is restarted and ends with the same outcome between two reads is a change', async () => {
  await end(4, 'FAILED');
  const { updates } = follow();
  await time.pass(secondMs);
  await journal.jobs.restart(account, id, ['FAILED'], minute(7));
  await journal.jobs.take(account, takeAt(8));
  await journal.jobs.finish({ jobId: id, position: 4, fence: 2 }, minute(9), resultOf('FAILED'));
  await time.pass(secondMs);

  expect(updates).toEqual([[], ['4 FAILED']]);
});

test('a later subscriber begins with the state at its start', async () => {
  const first = follow();
  await time.pass(secondMs / 2);
  await report(end(0));
  await time.pass(100);
  await end(1);
  const later = follow();
  await endOfTurn();
  await report(end(2));
  await time.pass(secondMs);

  expect(first.updates).toEqual([[], ['0 MADE'], ['1 MADE', '2 MADE']]);
  expect(later.updates).toEqual([[], ['2 MADE']]);
});

test('after an outage of the journal the changes of that time are sent', async () => {
  const { updates } = follow();
  await time.pass(secondMs);
  trouble = new Fault('JOURNAL_UNAVAILABLE');
  await report(end(0));
  await time.pass(3 * secondMs);
  trouble = null;
  await end(1);
  await time.pass(secondMs);

  expect(updates).toEqual([[], ['0 MADE', '1 MADE']]);
});

test('without subscribers a job is not read, and nothing of it is stored', async () => {
  const { stream, updates } = follow();
  await time.pass(secondMs);
  await report(end(0));
  await time.pass(secondMs);
  await stream.return();
  reads = [];
  await report(end(1));
  await time.pass(5 * secondMs);

  expect([updates, reads]).toEqual([[[], ['0 MADE'], 'end'], []]);
  expect(time.waits()).toEqual([]);
  const again = follow();
  await time.pass(secondMs);
  expect([again.updates, new Set(reads)]).toEqual([[[]], new Set(['states'])]);
});
