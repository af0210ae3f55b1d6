import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Take } from '../../src/persistence/job-leases.ts';
import type { TakenItem } from '../../src/persistence/job-record.ts';
import type { JobStore } from '../../src/persistence/job-store.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { account, claimNumber, minute, unlimited } from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';
import { jobNumber, newItems, placesOf, resultOf, takeAt } from './new-jobs.ts';

/** The contract of every driver about the work on items: who has one, for how long, and how it ends. */
export function describeJobLeases(driver: string, createStore: () => Promise<JournalStore>): void {
  describe(`leases of job items on ${driver}`, () => {
    const { connect } = useStore(createStore);
    let journal: Journal;
    let jobs: JobStore;
    let otherJobs: JobStore;

    beforeEach(async () => {
      journal = await connect();
      jobs = journal.jobs;
      otherJobs = (await connect()).jobs;
    });

    const itemOf = async (jobId: string, position = 0) => (await jobs.items([jobId]))[position];

    /** The only item of a new job, taken until minute 15. */
    const takeOne = async (at = 1): Promise<TakenItem> => {
      await jobs.create(jobNumber(at), newItems(1));
      const [taken] = await jobs.take(account, takeAt(5));
      if (!taken) throw new Error('Nothing is due.');
      return taken;
    };

    const takenAt = async (at: number, changes: Partial<Take> = {}) =>
      placesOf(await jobs.take(account, takeAt(at, changes)));

    describe('a claim with a lease', () => {
      const claim = (lease: TakenItem, at = 1) =>
        journal.claim(claimNumber(at, { orderId: lease.jobId, orderLine: 0 }), unlimited, lease);

      test('is claimed while the lease is valid, and the same key is replayed afterwards', async () => {
        const lease = await takeOne();
        await takeOne(2);

        expect(await claim(lease)).toMatchObject({ outcome: 'claimed' });
        await jobs.finish(lease, minute(6), resultOf('SENT'));
        expect(await claim(lease)).toMatchObject({ outcome: 'replayed' });
      });

      test.each<[string, (lease: TakenItem) => Promise<unknown>]>([
        ['was taken again', () => otherJobs.take(account, takeAt(15, { owner: 'two' }))],
        ['has ended', (lease) => otherJobs.finish(lease, minute(6), resultOf('SENT'))],
        ['was released', (lease) => otherJobs.release(lease, 'WAITING', minute(6))],
      ])('is refused when the item %s', async (_how, end) => {
        const lease = await takeOne();
        await end(lease);

        expect(await claim(lease)).toEqual({ outcome: 'lease-lost' });
        expect(await journal.byKey(account, 'key-1')).toBeNull();
      });
    });

    describe('take', () => {
      test('returns items by position over all jobs, then by the time and the id of their job', async () => {
        await jobs.create(jobNumber(3), newItems(3));
        await jobs.create(jobNumber(1), newItems(2).toReversed());
        await jobs.create(jobNumber(2, { createdAt: minute(3), kind: 'CHANGE' }), newItems(1));

        expect(await takenAt(5, { limit: 4 })).toEqual([
          ...['job-001/0', 'job-002/0', 'job-003/0', 'job-001/1'],
        ]);
        expect(await takenAt(5)).toEqual(['job-003/1', 'job-003/2']);
        expect(await takenAt(5)).toEqual([]);
      });

      test('gives items of one position to the oldest jobs, and of jobs of one time by id', async () => {
        await jobs.create(jobNumber(3, { createdAt: minute(2) }), newItems(1));
        await jobs.create(jobNumber(2, { createdAt: minute(2) }), newItems(1));
        await jobs.create(jobNumber(4, { createdAt: minute(1) }), newItems(1));
        const inOrder = ['job-004/0', 'job-002/0', 'job-003/0'];

        for (const place of inOrder) expect(await takenAt(5, { limit: 1 })).toEqual([place]);
        expect(await takenAt(15)).toEqual(inOrder);
      });

      test('returns each item completely, with its job', async () => {
        await jobs.create(jobNumber(1), newItems(1));
        await jobs.create(jobNumber(2), newItems(1));

        const taken = await jobs.take(account, takeAt(5));

        const item = { ...newItems(1)[0], state: 'BEGUN', fence: 1, doneAt: null };
        expect(taken).toEqual([
          { ...item, jobId: 'job-001', job: jobNumber(1) },
          { ...item, jobId: 'job-002', job: jobNumber(2) },
        ]);
        expect(await jobs.items(['job-001'])).toEqual([{ ...item, jobId: 'job-001' }]);
      });

      test('returns no item of another account', async () => {
        await jobs.create(jobNumber(1), newItems(1));
        await jobs.create(jobNumber(2, { account: 'reseller-2' }), newItems(1));

        expect(await takenAt(5)).toEqual(['job-001/0']);
        expect(await itemOf('job-002')).toMatchObject({ state: 'WAITING', fence: 0 });
      });

      test('returns an item when it is due, to the millisecond', async () => {
        const justBefore = (at: number) => new Date(minute(at).getTime() - 1);
        await jobs.create(jobNumber(1), newItems(1));

        expect(await takenAt(1, { now: justBefore(1) })).toEqual([]);
        expect(await takenAt(1)).toEqual(['job-001/0']);
        expect(await takenAt(11, { now: justBefore(11) })).toEqual([]);
        expect(await takenAt(11)).toEqual(['job-001/0']);
      });

      test('returns an item whose due time a wrong clock wrote, and no earlier one', async () => {
        const lease = await takeOne();
        await jobs.release(lease, 'WAITING', minute(90));

        expect(await takenAt(30, { latest: minute(90) })).toEqual([]);
        expect(await takenAt(29, { latest: minute(89) })).toEqual(['job-001/0']);
      });

      test('continues an item whose lease has ended, and its previous owner can no longer write', async () => {
        const old = await takeOne();

        const [item] = await otherJobs.take(account, takeAt(15, { owner: 'two' }));

        expect(item).toMatchObject({ jobId: 'job-001', state: 'BEGUN', fence: 2 });
        const before = await jobs.items(['job-001']);
        expect(await jobs.finish(old, minute(16), resultOf('BOUGHT'))).toBe(false);
        expect(await jobs.release(old, 'WAITING', minute(16))).toBe(false);
        expect(await jobs.saveFacts(old, '{"line":"old"}')).toBe(false);
        await jobs.renew(account, 'one', minute(59));
        expect(await jobs.items(['job-001'])).toEqual(before);
        expect(await takenAt(25)).toEqual(['job-001/0']);
      });

      test('of 200 items by three owners at once gives each to one owner', async () => {
        const stores = [jobs, otherJobs, (await connect()).jobs];
        let run = 0;
        const sizes = fc.array(fc.integer({ min: 1, max: 199 }), { maxLength: 4 });
        const limits = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 3, maxLength: 3 });

        await fc.assert(
          fc.asyncProperty(sizes, limits, async (cuts, limitOf) => {
            run += 1;
            const payer = `reseller-of-run-${run}`;
            const bounds = [...new Set([0, ...cuts, 200])].toSorted((a, b) => a - b);
            const items = bounds.slice(1).map((end, at) => newItems(end - (bounds[at] ?? 0)));
            for (const [at, some] of items.entries()) {
              await jobs.create(jobNumber(at, { id: `${run}-${at}`, account: payer }), some);
            }

            const work = async (store: JobStore, at: number) => {
              const taken: TakenItem[] = [];
              for (;;) {
                const limit = limitOf[at] ?? 1;
                const some = await store.take(payer, takeAt(10, { owner: `owner-${at}`, limit }));
                expect(some.length).toBeLessThanOrEqual(limit);
                if (some.length === 0) return taken;
                taken.push(...some);
              }
            };
            const taken = (await Promise.all(stores.map(work))).flat();
            const expected = items.flatMap((some, at) =>
              some.map((_, line) => `${run}-${at}/${line}`),
            );

            expect(placesOf(taken).toSorted()).toEqual(expected.toSorted());
            expect(taken.every(({ fence }) => fence === 1)).toBe(true);
          }),
          { numRuns: 5 },
        );
      });
    });

    describe('renew', () => {
      test('extends each lease of the owner', async () => {
        await jobs.create(jobNumber(1), newItems(2));
        await jobs.create(jobNumber(2), newItems(1));
        await jobs.take(account, takeAt(5));

        await jobs.renew(account, 'one', minute(30));

        expect(await takenAt(29)).toEqual([]);
        expect(await takenAt(30)).toEqual(['job-001/0', 'job-002/0', 'job-001/1']);
      });

      test('extends nothing else: other owners, accounts, and items that it released', async () => {
        await jobs.create(jobNumber(1), newItems(4));
        await jobs.create(jobNumber(2, { account: 'reseller-2' }), newItems(1));
        const [first, second] = await jobs.take(account, takeAt(5, { limit: 3 }));
        await jobs.take(account, takeAt(5, { owner: 'two', limit: 1 }));
        await jobs.take('reseller-2', takeAt(5));
        if (!first || !second) throw new Error('Nothing is due.');
        await jobs.release(first, 'WAITING', minute(20));
        await jobs.release(second, 'BEGUN', minute(20));

        await jobs.renew(account, 'one', minute(30));

        expect(await takenAt(15)).toEqual(['job-001/3']);
        expect(placesOf(await jobs.take('reseller-2', takeAt(15)))).toEqual(['job-002/0']);
        expect(await takenAt(20)).toEqual(['job-001/0', 'job-001/1']);
        expect(await takenAt(30)).toEqual([0, 1, 2, 3].map((at) => `job-001/${at}`));
      });
    });

    describe('finish', () => {
      test('ends an item once, and deletes its input', async () => {
        const lease = await takeOne();

        expect(await jobs.finish(lease, minute(6), resultOf('BOUGHT'))).toBe(true);

        const { job: _job, ...item } = lease;
        const done = {
          ...item,
          state: 'DONE',
          input: null,
          result: resultOf('BOUGHT'),
          doneAt: minute(6),
        };
        expect(await itemOf('job-001')).toEqual(done);
        expect(await jobs.finish(lease, minute(7), resultOf('FAILED'))).toBe(false);
        expect(await jobs.release(lease, 'WAITING', minute(7))).toBe(false);
        expect(await jobs.saveFacts(lease, '{}')).toBe(false);
        await jobs.renew(account, 'one', minute(7));
        expect(await itemOf('job-001')).toEqual(done);
        expect(await takenAt(100)).toEqual([]);
      });

      test('concerns only the item of the lease', async () => {
        await jobs.create(jobNumber(1), newItems(2));
        await jobs.create(jobNumber(2), newItems(2));
        const [, , lease] = await jobs.take(account, takeAt(5));
        if (!lease) throw new Error('Nothing is due.');

        await jobs.saveFacts(lease, '{"new":true}');
        await jobs.finish(lease, minute(6), resultOf('BOUGHT'));

        const items = await jobs.items(['job-001', 'job-002']);
        expect(items.map(({ state }) => state)).toEqual(['BEGUN', 'DONE', 'BEGUN', 'BEGUN']);
        expect(items.filter(({ facts }) => facts === '{"new":true}')).toHaveLength(1);
      });

      test('ends an item whose lease has ended and that was not taken since', async () => {
        const lease = await takeOne();

        expect(await jobs.finish(lease, minute(50), resultOf('BOUGHT'))).toBe(true);
      });
    });

    describe('release', () => {
      test.each(['WAITING', 'BEGUN'] as const)(
        'leaves the item %s and due at that time, with its input',
        async (state) => {
          const lease = await takeOne();

          expect(await otherJobs.release(lease, state, minute(8))).toBe(true);

          const { job, ...item } = lease;
          expect(await itemOf('job-001')).toEqual({ ...item, state });
          expect(await takenAt(7)).toEqual([]);
          expect(await jobs.take(account, takeAt(8))).toEqual([{ ...lease, fence: 2, job }]);
        },
      );

      test('to WAITING ends the lease', async () => {
        const lease = await takeOne();
        await jobs.release(lease, 'WAITING', minute(8));

        expect(await jobs.saveFacts(lease, '{}')).toBe(false);
        expect(await jobs.finish(lease, minute(8), resultOf('BOUGHT'))).toBe(false);
        expect(await itemOf('job-001')).toMatchObject({ state: 'WAITING', facts: '{"line":0}' });
      });
    });

    test('saved facts replace those of the item', async () => {
      const lease = await takeOne();

      expect(await jobs.saveFacts(lease, '{"sent":true}')).toBe(true);

      const { job: _job, ...item } = lease;
      expect(await itemOf('job-001')).toEqual({ ...item, facts: '{"sent":true}' });
    });

    describe('endWaiting', () => {
      test('ends all WAITING items of the job, deletes their inputs, and leaves BEGUN and DONE ones', async () => {
        await jobs.create(
          jobNumber(1),
          newItems(5, (at) => (at === 0 ? { result: resultOf('INVALID') } : {})),
        );
        await jobs.create(jobNumber(2), newItems(2));
        await jobs.take(account, takeAt(5, { limit: 2 }));

        const ended = await jobs.endWaiting(account, 'job-001', minute(6), resultOf('STOPPED'));

        expect(ended).toBe(3);
        const items = await jobs.items(['job-001']);
        expect(items.map(({ result }) => result?.outcome)).toEqual([
          ...['INVALID', undefined, 'STOPPED', 'STOPPED', 'STOPPED'],
        ]);
        expect(items[1]).toMatchObject({ state: 'BEGUN', input: '{"secret":1}' });
        expect(items[2]).toMatchObject({
          state: 'DONE',
          input: null,
          facts: '{"line":2}',
          result: resultOf('STOPPED'),
          doneAt: minute(6),
        });
        expect(await jobs.endWaiting(account, 'job-001', minute(7), resultOf('LATE'))).toBe(0);
        expect(await takenAt(6)).toEqual(['job-002/1']);
      });

      test('of a job of another account ends nothing', async () => {
        await jobs.create(jobNumber(1), newItems(2));

        const ended = await jobs.endWaiting('other', 'job-001', minute(6), resultOf('STOPPED'));

        expect(ended).toBe(0);
        expect(await takenAt(6)).toHaveLength(2);
      });

      test('and a take at the same time end or take each item, and never both', async () => {
        await jobs.create(jobNumber(1), newItems(100));

        const [ended, ...taken] = await Promise.all([
          otherJobs.endWaiting(account, 'job-001', minute(6), resultOf('STOPPED')),
          ...Array.from({ length: 4 }, () => jobs.take(account, takeAt(5, { limit: 10 }))),
        ]);

        const items = await jobs.items(['job-001']);
        const begun = items.filter(({ state }) => state === 'BEGUN');
        expect(placesOf(begun)).toEqual(placesOf(taken.flat()).toSorted(byLine));
        expect(ended + begun.length).toBe(100);
        expect(items.filter(({ state }) => state === 'DONE')).toHaveLength(ended);
      });
    });

    describe('restart', () => {
      const outcomes = ['STOPPED', 'FAILED', 'BOUGHT', 'FAILED', 'INVALID'];
      beforeEach(async () => {
        await jobs.create(jobNumber(1), newItems(5));
        await jobs.create(
          jobNumber(2),
          newItems(2, () => ({ result: resultOf('FAILED') })),
        );
        for (const item of await jobs.take(account, takeAt(5))) {
          await jobs.finish(item, minute(6), resultOf(outcomes[item.position] ?? ''));
        }
      });

      test('lets the items of the job with these outcomes wait until then, without their inputs', async () => {
        const restarted = await jobs.restart(
          account,
          'job-001',
          ['FAILED', 'STOPPED', 'OTHER'],
          minute(9),
        );

        expect(restarted).toBe(3);
        const items = await jobs.items(['job-001']);
        expect(items.map(({ state }) => state)).toEqual([
          ...['WAITING', 'WAITING', 'DONE', 'WAITING', 'DONE'],
        ]);
        expect(items[1]).toEqual({
          ...newItems(2)[1],
          jobId: 'job-001',
          state: 'WAITING',
          input: null,
          fence: 1,
          doneAt: null,
        });
        expect(items[2]).toMatchObject({ result: resultOf('BOUGHT'), doneAt: minute(6) });
        await jobs.renew(account, 'one', minute(50));
        expect(await takenAt(8)).toEqual([]);
        const again = await jobs.take(account, takeAt(9));
        expect(placesOf(again)).toEqual(['job-001/0', 'job-001/1', 'job-001/3']);
        expect(again.map(({ fence }) => fence)).toEqual([2, 2, 2]);
        expect(again[0] && (await jobs.finish(again[0], minute(9), resultOf('BOUGHT')))).toBe(true);
      });

      test('with other outcomes, without outcomes or in another account changes nothing', async () => {
        const before = await jobs.items(['job-001', 'job-002']);

        expect([
          await jobs.restart(account, 'job-001', ['OTHER'], minute(9)),
          await jobs.restart(account, 'job-001', [], minute(9)),
          await jobs.restart('reseller-2', 'job-001', ['FAILED'], minute(9)),
        ]).toEqual([0, 0, 0]);
        expect(await jobs.items(['job-001', 'job-002'])).toEqual(before);
      });

      test('leaves items that have no outcome', async () => {
        await jobs.restart(account, 'job-001', ['FAILED'], minute(9));
        await jobs.take(account, takeAt(9, { limit: 1 }));
        const before = await jobs.items(['job-001']);

        expect(await jobs.restart(account, 'job-001', ['FAILED'], minute(30))).toBe(0);
        expect(await jobs.items(['job-001'])).toEqual(before);
      });
    });
  });
}

const lineOf = (place: string) => Number(place.split('/')[1]);
const byLine = (one: string, other: string) => lineOf(one) - lineOf(other);
