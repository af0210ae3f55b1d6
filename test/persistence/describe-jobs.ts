import { beforeEach, describe, expect, test } from 'vitest';
import type { NewJob } from '../../src/persistence/job-record.ts';
import type { JobStore } from '../../src/persistence/job-store.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import { account, claimedStates, claimNumber, minute, moveTo, plain, unlimited } from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';
import { jobNumber, newItems, placesOf, resultOf, takeAt } from './new-jobs.ts';

/** The contract of every driver about jobs: how they are created, read and listed. */
export function describeJobs(driver: string, createStore: () => Promise<JournalStore>): void {
  describe(`jobs of the journal on ${driver}`, () => {
    const { connect, execute } = useStore(createStore);
    let journal: Journal;
    let jobs: JobStore;

    beforeEach(async () => {
      journal = await connect();
      ({ jobs } = journal);
    });

    test('the items that have not ended and cannot end are counted by kind and holding feature, of all accounts', async () => {
      const done = (position: number) => (position === 0 ? { result: resultOf('INVALID') } : {});
      await jobs.create(jobNumber(1), newItems(2));
      await jobs.create(jobNumber(2, { kind: 'CHANGE' }), newItems(3, done));
      await jobs.create(
        jobNumber(3, { kind: 'CHANGE', account: 'reseller-2' }),
        newItems(2),
        'gate',
      );
      await jobs.create(jobNumber(4, { kind: 'PURCHASE' }), newItems(1, done));

      const open = await jobs.countOpen(['PURCHASE'], []);
      expect(open).toHaveLength(3);
      expect(open).toEqual(
        expect.arrayContaining([
          { kind: 'CHANGE', heldBy: null, amount: 2 },
          { kind: 'CHANGE', heldBy: 'gate', amount: 2 },
          { kind: 'ORDER', heldBy: null, amount: 2 },
        ]),
      );
      expect(await jobs.countOpen(['CHANGE', 'ORDER', 'PURCHASE'], ['other'])).toEqual([
        { kind: 'CHANGE', heldBy: 'gate', amount: 2 },
      ]);
      expect(await jobs.countOpen(['CHANGE', 'PURCHASE'], ['gate'])).toEqual([
        { kind: 'ORDER', heldBy: null, amount: 2 },
      ]);
    });

    describe('create', () => {
      test('a new job and its items are stored completely', async () => {
        const job = jobNumber(1, { caller: null, key: `'; drop table jobs; -- \u{1f600}` });
        const items = newItems(2, (position) => (position === 1 ? { input: null } : {}));

        expect(await jobs.create(job, items)).toEqual({ job, isNew: true });

        expect(await jobs.byId(account, job.id)).toEqual(job);
        expect(await jobs.items([job.id])).toEqual(
          items.map((item) => ({
            ...item,
            jobId: job.id,
            state: 'WAITING',
            fence: 0,
            doneAt: null,
          })),
        );
      });

      test('an item with a result is DONE since its job exists, and its input is not stored', async () => {
        const items = newItems(3, (position) =>
          position === 1 ? { result: resultOf('INVALID') } : {},
        );
        await jobs.create(jobNumber(1), items);

        const stored = await jobs.items(['job-001']);

        expect(stored.map(({ state }) => state)).toEqual(['WAITING', 'DONE', 'WAITING']);
        expect(stored[1]).toMatchObject({
          input: null,
          facts: '{"line":1}',
          result: resultOf('INVALID'),
          doneAt: minute(1),
        });
        expect(placesOf(await jobs.take(account, takeAt(5)))).toEqual(['job-001/0', 'job-001/2']);
      });

      test('a job without items and a job with 2,501 items are stored', async () => {
        await jobs.create(jobNumber(1), []);
        await jobs.create(jobNumber(2), newItems(2_501));

        expect(await jobs.items(['job-001'])).toEqual([]);
        const stored = await jobs.items(['job-002']);
        expect(stored.map(({ position }) => position)).toEqual([...Array(2_501).keys()]);
        expect(stored.map(({ input }) => input)).toEqual(newItems(2_501).map(({ input }) => input));
      });

      test('of twenty concurrent creations of one key one is new, and the others return its job and leave no item', async () => {
        const stores = [jobs, (await connect()).jobs];
        const drafts = Array.from({ length: 20 }, (_, at) => jobNumber(at, { key: 'one key' }));

        const created = await Promise.all(
          drafts.map((job, at) => stores[at % 2]?.create(job, newItems(3))),
        );

        const winners = created.filter((one) => one?.isNew);
        expect(winners).toHaveLength(1);
        const winner = winners[0]?.job;
        expect(drafts).toContainEqual(winner);
        for (const one of created) expect(one?.job).toEqual(winner);
        expect(await jobs.count(account, { kind: 'ORDER' })).toBe(1);
        const items = await jobs.items(drafts.map(({ id }) => id));
        expect(placesOf(items)).toEqual([0, 1, 2].map((at) => `${winner?.id}/${at}`));
      });

      test('another account and another kind have keys of their own', async () => {
        const key = 'one key';
        const made = [
          await jobs.create(jobNumber(1, { key }), newItems(1)),
          await jobs.create(jobNumber(2, { key, kind: 'CHANGE' }), newItems(1)),
          await jobs.create(jobNumber(3, { key, account: 'reseller-2' }), newItems(1)),
          await jobs.create(jobNumber(4, { key, caller: 'office' }), newItems(1)),
        ];

        expect(made.map(({ job, isNew }) => [job.id, isNew])).toEqual([
          ['job-001', true],
          ['job-002', true],
          ['job-003', true],
          ['job-001', false],
        ]);
      });

      test('an id that is used fails, and leaves the job with this id as it is', async () => {
        await jobs.create(jobNumber(1), newItems(2));

        const again = () => jobs.create(jobNumber(1, { key: 'another' }), newItems(1));
        const empty = () => jobs.create(jobNumber(1, { key: 'a third' }), []);

        const failure = { code: 'JOURNAL_UNAVAILABLE', message: 'The journal cannot be written.' };
        await expect(again()).rejects.toMatchObject(failure);
        await expect(empty()).rejects.toMatchObject(failure);
        expect(await jobs.items(['job-001'])).toHaveLength(2);
      });
    });

    describe('reading', () => {
      test('a job is found by id and by key, in its own account and kind only', async () => {
        const job = jobNumber(1);
        await jobs.create(job, newItems(1));

        expect(await jobs.byId(account, job.id)).toEqual(job);
        expect(await jobs.byKey(account, 'ORDER', job.key)).toEqual(job);
        expect([
          await jobs.byId('reseller-2', job.id),
          await jobs.byId(account, 'job-002'),
          await jobs.byKey('reseller-2', 'ORDER', job.key),
          await jobs.byKey(account, 'CHANGE', job.key),
          await jobs.byKey(account, 'ORDER', 'key-2'),
        ]).toEqual([null, null, null, null, null]);
      });

      test('the items of several jobs are in the order of job and position', async () => {
        await jobs.create(jobNumber(2), newItems(11).toReversed());
        await jobs.create(jobNumber(1), newItems(2));
        await jobs.create(jobNumber(3), newItems(1));

        expect(placesOf(await jobs.items(['job-002', 'job-001', 'unknown']))).toEqual([
          ...['job-001/0', 'job-001/1'],
          ...Array.from({ length: 11 }, (_, position) => `job-002/${position}`),
        ]);
        expect(await jobs.items([])).toEqual([]);
      });

      test('a job and its items are unchanged after a restart', async () => {
        await jobs.create(jobNumber(1), newItems(3));
        const [first] = await jobs.take(account, takeAt(5, { limit: 2 }));
        if (first) await jobs.finish(first, minute(6), resultOf('BOUGHT'));
        const before = await jobs.items(['job-001']);
        await journal.close();

        const reopened = (await connect()).jobs;

        expect(await reopened.items(['job-001'])).toEqual(before);
        expect(await reopened.byId(account, 'job-001')).toEqual(jobNumber(1));
      });
    });

    test('the newest purchase of a line is found by its order and line', async () => {
      const claim = (at: number, orderId: string | null, orderLine: number | null) =>
        journal.claim(claimNumber(at, { orderId, orderLine }), unlimited);
      await claim(1, 'job-002', 0);
      await claim(2, 'job-001', 1);
      await claim(3, null, null);
      await claim(5, 'job-001', 0);
      // The clock of this gateway is behind.
      await claim(4, 'job-001', 0);
      await claim(6, 'job-001', 2);

      const found = await journal.byLines(account, 'job-001', [0, 1, 3]);

      expect(found.map(({ id }) => id).toSorted()).toEqual(
        [4, 2].map((at) => claimNumber(at).id).toSorted(),
      );
      expect(await journal.byLines('another account', 'job-001', [0])).toEqual([]);
      expect(await journal.byLines(account, 'job-001', [])).toEqual([]);
    });

    describe('counts', () => {
      const sorted = async (jobId: string, at = minute(50)) =>
        (await jobs.counts(jobId, at))
          .map(({ jobId, state, outcome, purchase, amount }) =>
            [jobId, state, outcome, purchase, amount].map(String).join(' '),
          )
          .toSorted();

      const claim = async (at: number, orderLine: number, orderId = 'job-001') => {
        const made = claimNumber(at, { orderId, orderLine });
        expect(await journal.claim(made, unlimited)).toMatchObject({ outcome: 'claimed' });
        return made.id;
      };

      test('group the items of each job by state and outcome', async () => {
        const done = (outcome: string) => ({ result: resultOf(outcome) });
        await jobs.create(
          jobNumber(1),
          newItems(6, (at) => (at < 2 ? done('INVALID') : at === 2 ? done('SKIPPED') : {})),
        );
        await jobs.create(jobNumber(2), newItems(2));
        await jobs.create(jobNumber(3), newItems(2));
        await jobs.take(account, takeAt(5, { limit: 2 }));

        expect(await sorted('job-001')).toEqual([
          'job-001 DONE INVALID null 2',
          'job-001 DONE SKIPPED null 1',
          'job-001 WAITING null null 3',
        ]);
        expect(await sorted('job-002')).toEqual([
          'job-002 BEGUN null null 1',
          'job-002 WAITING null null 1',
        ]);
        expect(await sorted('unknown')).toEqual([]);
      });

      test.each(claimedStates)('have the state of the purchase of an item, %s', async (state) => {
        await jobs.create(jobNumber(1), newItems(3));
        await moveTo(journal, await claim(1, 1), state);

        expect(await sorted('job-001')).toEqual([
          `job-001 WAITING null ${state} 1`,
          'job-001 WAITING null null 2',
        ]);
      });

      test('count an item with several purchases once, with the newest', async () => {
        await jobs.create(jobNumber(1), newItems(2));
        await moveTo(journal, await claim(1, 0), 'FAILED');
        await moveTo(journal, await claim(3, 1), 'SUCCEEDED');
        // The clock of this gateway is behind.
        await moveTo(journal, await claim(0, 0), 'SUCCEEDED');

        expect(await sorted('job-001')).toEqual(['job-001 WAITING null SUCCEEDED 2']);
      });

      test('ignore single purchases and those of other jobs', async () => {
        await jobs.create(jobNumber(1), newItems(1));
        await claim(1, 0, 'job-002');
        await claim(2, 1);
        await journal.claim(claimNumber(3), unlimited);

        expect(await sorted('job-001')).toEqual(['job-001 WAITING null null 1']);
      });
    });

    test('a purchase whose call did not end in time is PENDING wherever items have its state', async () => {
      await jobs.create(jobNumber(1), newItems(2));
      const sent = claimNumber(1, { orderId: 'job-001', orderLine: 1 });
      await journal.claim(sent, unlimited);
      await moveTo(journal, sent.id, 'SENDING');
      const positionsAt = async (at: Date) => {
        const groups = [{ state: 'WAITING', outcome: null, purchase: 'PENDING' }] as const;
        return (await jobs.page('job-001', { after: -1, limit: 9, groups, at })).map(
          ({ position }) => position,
        );
      };
      const seenAt = async (at: Date) => [
        ...[await jobs.counts('job-001', at), await jobs.facts('job-001', at)].map((groups) =>
          groups.map(({ purchase }) => purchase ?? '').toSorted(),
        ),
        (await jobs.states('job-001', at)).map(({ purchase }) => purchase ?? '').toSorted(),
        await positionsAt(at),
      ];

      const early = ['', 'SENDING'];
      expect(await seenAt(minute(50))).toEqual([early, early, early, []]);
      const late = ['', 'PENDING'];
      expect(await seenAt(minute(51))).toEqual([late, late, late, [1]]);
    });

    describe('states', () => {
      const state = (position: number, changes: object = {}) => ({
        ...{ jobId: 'job-001', position, state: 'WAITING', outcome: null },
        ...{ purchase: null, purchaseId: null, endedAt: null, ...changes },
      });
      const read = async (jobId: string) =>
        (await jobs.states(jobId, minute(50))).toSorted((a, b) => a.position - b.position);

      test('have the outcome of an item, and its newest purchase', async () => {
        await jobs.create(jobNumber(1), newItems(4));
        await jobs.create(jobNumber(2), newItems(1));
        await jobs.take(account, takeAt(5, { limit: 4 }));
        const lease = { jobId: 'job-001', fence: 1 };
        await jobs.finish({ ...lease, position: 0 }, minute(7), resultOf('SENT'));
        await jobs.finish({ ...lease, position: 1 }, minute(8), resultOf('REFUSED'));
        const ofLine = (at: number, orderLine: number) =>
          claimNumber(at, { orderId: 'job-001', orderLine });
        // The clock of the gateway of the second purchase is behind.
        for (const [at, line] of [
          [3, 0],
          [1, 0],
          [2, 2],
        ] as const) {
          await journal.claim(ofLine(at, line), unlimited);
        }
        await moveTo(journal, 'operation-003', 'FAILED');
        await moveTo(journal, 'operation-001', 'SUCCEEDED');

        expect(await read('job-001')).toEqual([
          state(0, {
            ...{ state: 'DONE', outcome: 'SENT', purchase: 'SUCCEEDED' },
            ...{ purchaseId: 'operation-001', endedAt: minute(55).toISOString() },
          }),
          state(1, { state: 'DONE', outcome: 'REFUSED', endedAt: minute(8).toISOString() }),
          state(2, { state: 'BEGUN', purchase: 'CLAIMED', purchaseId: 'operation-002' }),
          state(3),
        ]);
        const items = await jobs.itemsAt('job-001', [3, 1]);
        expect(placesOf(items).toSorted()).toEqual(['job-001/1', 'job-001/3']);
        expect(await jobs.itemsAt('job-001', [])).toEqual([]);
      });
    });

    test('a purchase has the job and the position of the item that it was claimed for', async () => {
      const ofJob = claimNumber(1, { orderId: 'job-001', orderLine: 7 });
      await journal.claim(ofJob, unlimited);
      await journal.claim(claimNumber(2), unlimited);

      expect(plain(await journal.byKey(account, 'key-1'))).toMatchObject({
        orderId: 'job-001',
        orderLine: 7,
      });
      expect(plain(await journal.byKey(account, 'key-2'))).toMatchObject({
        orderId: null,
        orderLine: null,
      });
    });

    describe('list', () => {
      /** 001 … 006, one per minute; 004 and 005 have one time, 004 is of the key office, 002 has no key. */
      beforeEach(async () => {
        const changes: Record<number, Partial<NewJob>> = {
          2: { caller: null },
          4: { caller: 'office' },
          5: { createdAt: minute(4) },
        };
        for (const at of [3, 1, 4, 6, 2, 5]) await jobs.create(jobNumber(at, changes[at]), []);
        await jobs.create(jobNumber(7, { kind: 'CHANGE' }), []);
        await jobs.create(jobNumber(8, { account: 'reseller-2' }), []);
      });

      const filter = { kind: 'ORDER' } as const;
      const place = (at: number, time = at) => ({ createdAt: minute(time), id: jobNumber(at).id });
      const list = async (page: Partial<Parameters<JobStore['list']>[1]>) =>
        (await jobs.list(account, { filter, limit: 10, ...page })).map(({ id }) =>
          Number(id.slice(-3)),
        );

      test('the order is newest first, and by id for equal times', async () => {
        expect(await list({})).toEqual([6, 5, 4, 3, 2, 1]);
        expect(await jobs.list(account, { filter, limit: 1 })).toEqual([jobNumber(6)]);
      });

      test('forward pages have no gap and no duplicate, also between equal times', async () => {
        expect(await list({ limit: 2 })).toEqual([6, 5]);
        expect(await list({ limit: 2, after: place(5, 4) })).toEqual([4, 3]);
        expect(await list({ limit: 2, after: place(3) })).toEqual([2, 1]);
        expect(await list({ limit: 2, after: place(1) })).toEqual([]);
      });

      test('backward pages are the same pages', async () => {
        expect(await list({ limit: 2, fromEnd: true })).toEqual([2, 1]);
        expect(await list({ limit: 2, fromEnd: true, before: place(2) })).toEqual([4, 3]);
        expect(await list({ limit: 2, fromEnd: true, before: place(4) })).toEqual([6, 5]);
        expect(await list({ limit: 2, fromEnd: true, before: place(6) })).toEqual([]);
      });

      test('a range has two ends and is read from either', async () => {
        const range = { after: place(6), before: place(1) };

        expect(await list({ limit: 2, ...range })).toEqual([5, 4]);
        expect(await list({ limit: 2, fromEnd: true, ...range })).toEqual([3, 2]);
      });

      test('a filter selects jobs, and the count agrees', async () => {
        const filters = [
          [{ kind: 'ORDER' }, [6, 5, 4, 3, 2, 1]],
          [{ kind: 'CHANGE' }, [7]],
          [{ kind: 'ORDER', caller: 'office' }, [4]],
          [{ kind: 'ORDER', caller: '' }, []],
          [{ kind: 'ORDER', created: { from: minute(3) } }, [6, 5, 4, 3]],
          [{ kind: 'ORDER', created: { until: minute(3) } }, [2, 1]],
          [{ kind: 'ORDER', created: { from: minute(2), until: minute(4) } }, [3, 2]],
          [{ kind: 'ORDER', caller: 'shop', created: { from: minute(3) } }, [6, 5, 3]],
        ] as const;

        for (const [some, expected] of filters) {
          expect(await list({ filter: some })).toEqual(expected);
          expect(await jobs.count(account, some)).toBe(expected.length);
        }
        expect(await jobs.count('reseller-2', filter)).toBe(1);
      });
    });

    describe('items whose job was not written', () => {
      beforeEach(async () => {
        await jobs.create(jobNumber(1), newItems(2));
        await jobs.create(jobNumber(2), newItems(2));
        await execute(`delete from jobs where id = 'job-001'`);
      });

      test('are never taken', async () => {
        expect(await jobs.byId(account, 'job-001')).toBeNull();
        expect(placesOf(await jobs.take(account, takeAt(5)))).toEqual(['job-002/0', 'job-002/1']);
        expect(await jobs.items(['job-001'])).toMatchObject([
          { state: 'WAITING', fence: 0 },
          { state: 'WAITING', fence: 0 },
        ]);
      });

      test('are deleted when they are old enough, and items of a job are not', async () => {
        await jobs.deleteOrphans(minute(1));
        expect(await jobs.items(['job-001'])).toHaveLength(2);

        await jobs.deleteOrphans(minute(3));

        expect(await jobs.items(['job-001'])).toEqual([]);
        expect(await jobs.items(['job-002'])).toHaveLength(2);
      });
    });

    test('a closed journal has no jobs', async () => {
      await journal.close();
      const lease = { jobId: 'job-001', position: 0, fence: 1 };

      const failed = (use: () => Promise<unknown>) =>
        use().then(
          () => 'succeeded',
          ({ name, code, message }) => `${name} ${code}: ${message}`,
        );

      for (const use of [
        () => jobs.byId(account, 'job-001'),
        () => jobs.byKey(account, 'ORDER', 'key-1'),
        () => jobs.list(account, { filter: { kind: 'ORDER' }, limit: 1 }),
        () => jobs.count(account, { kind: 'ORDER' }),
        () => jobs.items(['job-001']),
        () => jobs.itemsAt('job-001', [0]),
        () => jobs.states('job-001', minute(50)),
        () => jobs.counts('job-001', minute(50)),
        () => journal.byLines(account, 'job-001', [0]),
      ]) {
        expect(await failed(use)).toBe('Fault JOURNAL_UNAVAILABLE: The journal cannot be read.');
      }
      for (const use of [
        () => jobs.create(jobNumber(1), newItems(1)),
        () => jobs.take(account, takeAt(1)),
        () => jobs.renew(account, 'one', minute(1)),
        () => jobs.finish(lease, minute(1), resultOf('BOUGHT')),
        () => jobs.release(lease, 'WAITING', minute(1)),
        () => jobs.saveFacts(lease, '{}'),
        () => jobs.endWaiting(account, 'job-001', minute(1), resultOf('STOPPED')),
        () => jobs.restart(account, 'job-001', ['STOPPED'], minute(1)),
        () => jobs.deleteOrphans(minute(1)),
      ]) {
        expect(await failed(use)).toBe('Fault JOURNAL_UNAVAILABLE: The journal cannot be written.');
      }
    });
  });
}
