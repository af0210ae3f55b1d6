import { beforeEach, describe, expect, test } from 'vitest';
import { unsettledStates } from '../../src/kernel/purchase-states.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import type { Claim, PurchaseState } from '../../src/persistence/purchase-record.ts';
import {
  account,
  claimedStates,
  claimNumber,
  idsOf,
  lostAnswer,
  minute,
  moveTo,
  name,
  operationIn,
  plain,
  refused,
  unlimited,
} from './claims.ts';
import { type JournalStore, useStore } from './journal-store.ts';

/** The contract of every driver of the journal; a driver's test file calls it once. */
export function describeJournal(driver: string, createStore: () => Promise<JournalStore>): void {
  describe(`journal on ${driver}`, () => {
    const { connect } = useStore(createStore);
    let journal: Journal;

    beforeEach(async () => {
      journal = await connect();
    });

    const claimed = async (claim: Claim): Promise<Claim> => {
      expect((await journal.claim(claim, unlimited)).outcome).toBe('claimed');
      return claim;
    };

    const claimedAs = async (claim: Claim, state: PurchaseState): Promise<Claim> => {
      await claimed(claim);
      await moveTo(journal, claim.id, state);
      return claim;
    };

    describe('claim', () => {
      test('a new key is claimed, and the record has exactly the fields of the claim', async () => {
        const claim = claimNumber(1);

        const made = await journal.claim(claim, unlimited);

        expect(made.outcome).toBe('claimed');
        expect(plain(operationIn(made))).toEqual({
          ...claim,
          price: '22.5800 USD',
          balanceAfter: '977.4200 USD',
          state: 'CLAIMED',
          submittedAt: null,
          callUntil: null,
          quietUntil: null,
          acceptedAt: null,
          readAt: null,
          nextReadAt: null,
          refunded: null,
          settledAt: null,
          fault: null,
        });
      });

      test('a claim without a price or a balance is stored without it', async () => {
        await claimed(claimNumber(1, { balanceAfter: null }));
        await claimed(claimNumber(2, { cost: null, balanceAfter: null }));

        const stored = [
          await journal.byKey(account, 'key-1'),
          await journal.byKey(account, 'key-2'),
        ];
        expect(stored.map(plain)).toMatchObject([
          { price: '22.5800 USD', balanceAfter: null },
          { price: null, balanceAfter: null },
        ]);
      });

      test('of twenty concurrent claims of one key exactly one is claimed and the others replay it', async () => {
        const claims = Array.from({ length: 20 }, (_, at) =>
          claimNumber(1, { id: `operation-${at}` }),
        );

        const outcomes = await Promise.all(claims.map((claim) => journal.claim(claim, unlimited)));

        const won = outcomes.filter(({ outcome }) => outcome === 'claimed');
        const replayed = outcomes.filter(({ outcome }) => outcome === 'replayed');
        expect([won.length, replayed.length]).toEqual([1, 19]);
        expect(new Set(outcomes.map((one) => operationIn(one).id)).size).toBe(1);
        expect(await journal.count(account)).toBe(1);
      });

      test('of twenty concurrent claims of one domain under different keys exactly one is claimed', async () => {
        const claims = Array.from({ length: 20 }, (_, at) =>
          claimNumber(at, { domain: name('wanted.com') }),
        );

        const outcomes = await Promise.all(claims.map((claim) => journal.claim(claim, unlimited)));

        const kinds = outcomes.map(({ outcome }) => outcome).toSorted();
        expect(kinds).toEqual(['claimed', ...Array(19).fill('domain-busy')]);
      });

      test.each(claimedStates)('the key of a purchase in %s is replayed', async (state) => {
        const claim = await claimedAs(claimNumber(1), state);

        const again = await journal.claim(
          { ...claim, id: 'another', claimedAt: minute(59) },
          unlimited,
        );

        expect(again.outcome).toBe('replayed');
        expect(operationIn(again)).toMatchObject({ id: claim.id, state, claimedAt: minute(1) });
      });

      test('a key that was used with another input is a conflict and changes nothing', async () => {
        const claim = await claimed(claimNumber(1));

        const other = await journal.claim(claimNumber(2, { key: claim.key }), unlimited);

        expect(other).toMatchObject({
          outcome: 'key-conflict',
          purchase: { id: claim.id, domain: claim.domain },
        });
        expect(await journal.count(account)).toBe(1);
      });

      test.each(unsettledStates)('a domain with a purchase in %s is busy', async (state) => {
        const first = await claimedAs(claimNumber(1), state);

        const second = await journal.claim(claimNumber(2, { domain: first.domain }), unlimited);

        expect(second).toMatchObject({
          outcome: 'domain-busy',
          purchase: { id: first.id, state },
        });
      });

      test.each(['SUCCEEDED', 'FAILED', 'UNKNOWN'] as const)(
        'a domain whose purchase ended as %s can be claimed again',
        async (state) => {
          const first = await claimedAs(claimNumber(1), state);

          const second = await journal.claim(claimNumber(2, { domain: first.domain }), unlimited);

          expect(second).toMatchObject({ outcome: 'claimed', purchase: { key: 'key-2' } });
        },
      );

      test('claims of another account or another kind do not conflict', async () => {
        const claim = await claimed(claimNumber(1));

        const transfer = await journal.claim(
          claimNumber(2, { kind: 'TRANSFER', domain: claim.domain }),
          unlimited,
        );
        const elsewhere = await journal.claim(
          { ...claim, id: 'elsewhere', account: 'reseller-2' },
          unlimited,
        );

        expect([transfer.outcome, elsewhere.outcome]).toEqual(['claimed', 'claimed']);
      });
    });

    describe('move', () => {
      test('a successful purchase has the times of its states', async () => {
        const { id } = await claimed(claimNumber(1));

        const sending = await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(2) });
        const done = await journal.move(id, ['SENDING'], { to: 'SUCCEEDED', at: minute(3) });

        expect(sending).toMatchObject({
          state: 'SENDING',
          submittedAt: minute(2),
          settledAt: null,
        });
        expect(done).toMatchObject({
          state: 'SUCCEEDED',
          claimedAt: minute(1),
          submittedAt: minute(2),
          settledAt: minute(3),
          fault: null,
        });
        expect(plain(await journal.byId(account, id))).toEqual(plain(done));
      });

      test.each<[PurchaseState, number | null, number | null, number | null]>([
        ['CLAIMED', null, null, null],
        ['SENDING', 50, null, null],
        ['PENDING', 50, null, null],
        ['IN_PROGRESS', 50, 55, null],
        ['SUCCEEDED', 50, 55, 55],
        ['FAILED', 50, null, 55],
        ['UNKNOWN', 50, null, 55],
      ])(
        'a purchase in %s was submitted at %s, accepted at %s and settled at %s',
        async (state, ...times) => {
          const { id } = await claimedAs(claimNumber(1), state);

          const [submittedAt, acceptedAt, settledAt] = times.map((at) => at && minute(at));
          expect(await journal.byId(account, id)).toMatchObject({
            ...{ state, submittedAt, acceptedAt, settledAt },
            refunded: null,
          });
        },
      );

      test("the ends of the call and of the sender's quiet window are stored with SENDING and remain", async () => {
        const { id } = await claimed(claimNumber(1));

        const ends = { callUntil: minute(3), quietUntil: minute(4) };
        const mark = { to: 'SENDING', at: minute(2), ...ends } as const;
        await journal.move(id, ['CLAIMED'], mark);
        const pending = await journal.move(id, ['SENDING'], { to: 'PENDING', at: minute(3) });

        expect(pending).toMatchObject({ submittedAt: minute(2), ...ends });
        expect((await journal.byId(account, id))?.quietUntil).toEqual(minute(4));
      });

      test('a purchase with an unknown outcome stores its fault, and a later success removes it', async () => {
        const { id } = await claimedAs(claimNumber(1), 'SENDING');

        const pending = await journal.move(id, ['SENDING'], {
          to: 'PENDING',
          at: minute(52),
          fault: lostAnswer,
        });
        const done = await journal.move(id, ['PENDING'], { to: 'SUCCEEDED', at: minute(58) });

        expect(pending).toMatchObject({ state: 'PENDING', settledAt: null, fault: lostAnswer });
        expect(done).toMatchObject({ submittedAt: minute(50), settledAt: minute(58), fault: null });
      });

      test('a refusal is stored completely, with the code of the registrar', async () => {
        const { id } = await claimedAs(claimNumber(1), 'SENDING');

        await journal.move(id, ['SENDING'], { to: 'FAILED', at: minute(52), fault: refused });

        expect((await journal.byId(account, id))?.fault).toEqual(refused);
      });

      test('a purchase in another state does not move, and an unknown purchase does not move', async () => {
        const { id } = await claimed(claimNumber(1));

        const early = await journal.move(id, ['PENDING'], { to: 'SUCCEEDED', at: minute(2) });
        const unknown = await journal.move('no-such', ['CLAIMED'], {
          to: 'SENDING',
          at: minute(2),
        });

        expect([early, unknown]).toEqual([null, null]);
        expect(await journal.byId(account, id)).toMatchObject({
          state: 'CLAIMED',
          settledAt: null,
        });
      });

      test('of twenty concurrent moves to SENDING exactly one succeeds', async () => {
        const { id } = await claimed(claimNumber(1));

        const moves = await Promise.all(
          Array.from({ length: 20 }, (_, at) =>
            journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(at) }),
          ),
        );

        expect(moves.filter((moved) => moved !== null)).toHaveLength(1);
      });

      test('a purchase can move from any of several states', async () => {
        const { id } = await claimedAs(claimNumber(1), 'PENDING');

        const done = await journal.move(id, ['SENDING', 'PENDING'], {
          to: 'SUCCEEDED',
          at: minute(58),
        });

        expect(done?.state).toBe('SUCCEEDED');
      });

      const allowedMoves: Record<PurchaseState, readonly PurchaseState[]> = {
        HELD: ['FAILED'],
        CLAIMED: ['SENDING', 'FAILED'],
        SENDING: ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
        PENDING: ['PENDING', 'IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
        IN_PROGRESS: ['SUCCEEDED', 'FAILED', 'UNKNOWN'],
        SUCCEEDED: [],
        FAILED: ['UNKNOWN'],
        UNKNOWN: ['SUCCEEDED', 'FAILED'],
      };
      test.each(claimedStates)(
        'a purchase in %s moves only to the allowed states',
        async (from) => {
          for (const [at, to] of claimedStates.entries()) {
            const { id } = await claimedAs(claimNumber(at), from);

            const moving = journal.move(id, [from], { to, at: minute(58) });

            if (allowedMoves[from].includes(to)) {
              expect(await moving).toMatchObject({ state: to });
            } else {
              await expect(moving).rejects.toThrow(`never moves from ${from} to ${to}`);
              expect((await journal.byId(account, id))?.state).toBe(from);
            }
          }
        },
      );

      test('a move with an impossible start state among several, or with none, is refused', async () => {
        const { id } = await claimed(claimNumber(1));
        const to = { to: 'SENDING', at: minute(2) } as const;

        await expect(journal.move(id, ['CLAIMED', 'FAILED'], to)).rejects.toThrow('never moves');
        await expect(journal.move(id, [], to)).rejects.toThrow('where it starts');
        expect((await journal.byId(account, id))?.state).toBe('CLAIMED');
      });
    });

    describe('a transfer in progress', () => {
      const inProgress = async (at: number, nextReadAt: Date, of = account): Promise<string> => {
        const { id } = await claimed(claimNumber(at, { kind: 'TRANSFER', account: of }));
        await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(at) });
        await journal.move(id, ['SENDING'], {
          to: 'IN_PROGRESS',
          at: minute(at),
          nextReadAt,
        });
        return id;
      };
      const due = async (now: number, limit = 10) => {
        const found = await journal.dueReads(account, {
          now: minute(now),
          latest: minute(now + 10),
          limit,
        });
        return idsOf(found).map((id) => Number(id.slice(-3)));
      };

      test.each([true, false])(
        'stores when it was accepted until its end, and the refund %s',
        async (refunded) => {
          const id = await inProgress(1, minute(60));

          const failed = await journal.move(id, ['IN_PROGRESS'], {
            to: 'FAILED',
            at: minute(90),
            refunded,
          });

          expect(failed).toMatchObject({
            acceptedAt: minute(1),
            settledAt: minute(90),
            refunded,
          });
          expect(plain(await journal.byId(account, id))).toEqual(plain(failed));
        },
      );

      test('is an open transfer of its account from its send to its end', async () => {
        const id = await inProgress(1, minute(40));
        const { domain } = (await journal.byId(account, id)) ?? {};
        await journal.claim(claimNumber(2, { kind: 'TRANSFER' }), unlimited);
        expect(await journal.openTransfers(account)).toEqual([domain]);
        expect(await journal.openTransfers('another')).toEqual([]);

        await journal.move(id, ['IN_PROGRESS'], { to: 'SUCCEEDED', at: minute(2) });

        expect(await journal.openTransfers(account)).toEqual([]);
      });

      test('is due for a read at its time, the longest overdue first', async () => {
        await inProgress(1, minute(40));
        await inProgress(2, minute(30));
        await inProgress(3, minute(50));
        await inProgress(4, minute(30), 'reseller-2');

        expect(await due(29)).toEqual([]);
        expect(await due(45)).toEqual([2, 1]);
        expect(await due(45, 1)).toEqual([2]);
        await journal.move('operation-002', ['IN_PROGRESS'], { to: 'SUCCEEDED', at: minute(45) });
        expect(await due(60)).toEqual([1, 3]);
      });

      test('is due for a read when a wrong clock scheduled it far into the future', async () => {
        await inProgress(30, minute(59));

        expect(await due(21)).toEqual([]);
        expect(await due(19)).toEqual([30]);
      });

      test('of twenty concurrent reads of one state exactly one is taken', async () => {
        const id = await inProgress(1, minute(30));
        const look = { seen: minute(1), at: minute(31), next: minute(50) };

        const taken = await Promise.all(
          Array.from({ length: 20 }, () => journal.claimRead(id, look)),
        );

        expect(taken.filter((one) => one)).toHaveLength(1);
        expect(await journal.byId(account, id)).toMatchObject({
          readAt: minute(31),
          nextReadAt: minute(50),
        });
        expect(await due(45)).toEqual([]);
        expect(await due(50)).toEqual([1]);
      });

      test('that was never read is due, and exactly one read is taken', async () => {
        const { id } = await claimedAs(claimNumber(1, { kind: 'TRANSFER' }), 'IN_PROGRESS');
        const look = { seen: null, at: minute(31), next: minute(50) };

        expect(await due(0)).toEqual([1]);
        expect(await journal.claimRead(id, look)).toBe(true);
        expect(await journal.claimRead(id, look)).toBe(false);
        expect(await journal.byId(account, id)).toMatchObject({ readAt: minute(31) });
      });

      test('is not read after its end', async () => {
        const id = await inProgress(1, minute(30));
        await journal.move(id, ['IN_PROGRESS'], { to: 'SUCCEEDED', at: minute(20) });

        const look = { seen: minute(1), at: minute(31), next: minute(50) };
        expect(await journal.claimRead(id, look)).toBe(false);
      });
    });

    describe('reading', () => {
      test('a purchase is found by id and by key in its own account only', async () => {
        const claim = await claimed(claimNumber(1));

        expect((await journal.byId(account, claim.id))?.key).toBe(claim.key);
        expect((await journal.byKey(account, claim.key))?.id).toBe(claim.id);
        expect(await journal.byId('reseller-2', claim.id)).toBeNull();
        expect(await journal.byKey('reseller-2', claim.key)).toBeNull();
        expect(await journal.byIds('reseller-2', [claim.id])).toEqual([]);
        expect(await journal.list('reseller-2', { limit: 10 })).toEqual([]);
        expect(await journal.count('reseller-2')).toBe(0);
      });

      test('many ids are found with one read, each once, and unknown ids are omitted', async () => {
        for (const at of [1, 2, 3]) await claimed(claimNumber(at));

        const found = await journal.byIds(account, [
          'operation-003',
          'no-such',
          'operation-001',
          'operation-003',
        ]);

        expect(idsOf(found).toSorted()).toEqual(['operation-001', 'operation-003']);
        expect(await journal.byIds(account, [])).toEqual([]);
      });

      test('hostile text is stored as data', async () => {
        const key = `'; drop table purchases; -- \u0001 \u{1f600} ${'x'.repeat(5_000)}`;
        await claimed(claimNumber(1, { key, fingerprint: "' or 1 = 1 --" }));

        expect((await journal.byKey(account, key))?.id).toBe('operation-001');
        expect(await journal.byKey(account, "' or 1 = 1 --")).toBeNull();
      });
    });

    describe('list', () => {
      /** 001 … 006, one per minute; 004 and 005 have one time, 004 is of the key shop, 002 is a transfer, 003 failed, 006 is pending. */
      beforeEach(async () => {
        await claimed(claimNumber(1));
        await claimed(claimNumber(2, { kind: 'TRANSFER' }));
        await claimedAs(claimNumber(3), 'FAILED');
        await claimed(claimNumber(4, { caller: 'shop' }));
        await claimed(claimNumber(5, { claimedAt: minute(4) }));
        await claimedAs(claimNumber(6), 'PENDING');
      });

      const place = (at: number, time = at) => ({
        claimedAt: minute(time),
        id: claimNumber(at).id,
      });
      const list = async (page: Parameters<Journal['list']>[1]) =>
        idsOf(await journal.list(account, page)).map((id) => Number(id.slice(-3)));

      test('the order is newest first, and by id for equal times', async () => {
        expect(await list({ limit: 10 })).toEqual([6, 5, 4, 3, 2, 1]);
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

      test('a cursor of a removed purchase remains valid', async () => {
        expect(await list({ limit: 10, after: { claimedAt: minute(4), id: 'operation-0045' } }))
          // 004 < 0045 < 005 as text.
          .toEqual([4, 3, 2, 1]);
      });

      test('a filter selects purchases, and the count agrees', async () => {
        const filters = [
          [{ states: ['CLAIMED'] }, [5, 4, 2, 1]],
          [{ states: ['FAILED', 'PENDING'] }, [6, 3]],
          [{ kinds: ['TRANSFER'] }, [2]],
          [{ states: ['CLAIMED'], kinds: ['REGISTRATION'] }, [5, 4, 1]],
          [{ domain: name('name-4.com') }, [4]],
          [{ domain: name('name-4.com'), states: ['FAILED'] }, []],
          [{ caller: 'shop' }, [4]],
          [{ caller: '' }, []],
          [{ created: { from: minute(3) } }, [6, 5, 4, 3]],
          [{ created: { until: minute(3) } }, [2, 1]],
          [{ created: { from: minute(2), until: minute(4) } }, [3, 2]],
          [{ created: {} }, [6, 5, 4, 3, 2, 1]],
          [{ settled: { until: minute(99) } }, [3]],
          [{ settled: { from: minute(99) } }, []],
          [{ stages: ['REQUESTED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'UNKNOWN'] }, []],
          [{ stages: [] }, []],
          [{ states: [] }, []],
          [{ kinds: [] }, []],
          [{}, [6, 5, 4, 3, 2, 1]],
        ] as const;

        for (const [filter, expected] of filters) {
          expect(await list({ limit: 10, filter })).toEqual(expected);
          expect(await journal.count(account, filter)).toBe(expected.length);
        }
        expect(await journal.count(account)).toBe(6);
      });

      test('states at a time have a call that did not end in time as PENDING', async () => {
        await claimedAs(claimNumber(7), 'SENDING');
        const listAt = (state: PurchaseState, at: number) =>
          list({ limit: 10, filter: { states: [state], statesAt: minute(at) } });

        expect([await listAt('SENDING', 50), await listAt('PENDING', 50)]).toEqual([[7], [6]]);
        expect([await listAt('SENDING', 51), await listAt('PENDING', 51)]).toEqual([[], [7, 6]]);
      });

      test('transfers are filtered by their stage', async () => {
        const ended = {
          REQUESTED: { to: 'IN_PROGRESS' },
          COMPLETED: { to: 'SUCCEEDED' },
          REJECTED: { to: 'FAILED', fault: { ...refused, code: 'TRANSFER_REJECTED' } },
          CANCELLED: { to: 'FAILED', fault: { ...refused, code: 'TRANSFER_CANCELLED' } },
          UNKNOWN: { to: 'UNKNOWN' },
          none: { to: 'FAILED', fault: refused },
        } as const;
        for (const [at, [stage, end]] of Object.entries(ended).entries()) {
          const { id } = await claimed(claimNumber(40 + at, { id: stage, kind: 'TRANSFER' }));
          await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(50) });
          await journal.move(id, ['SENDING'], { ...end, at: minute(51) });
        }

        const stages = ['REQUESTED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'UNKNOWN'] as const;
        for (const stage of stages) {
          const found = await journal.list(account, { limit: 10, filter: { stages: [stage] } });
          expect(idsOf(found)).toEqual([stage]);
        }
        expect(await journal.count(account, { stages: ['REJECTED', 'CANCELLED'] })).toBe(2);
      });

      test('a filter and a cursor combine', async () => {
        const filter = { states: ['CLAIMED'] } as const;

        expect(await list({ limit: 2, filter, after: place(5, 4) })).toEqual([4, 2]);
        expect(await list({ limit: 1, filter, before: place(2), fromEnd: true })).toEqual([4]);
      });
    });

    describe('several connections', () => {
      test('a connection reads the writes of another, and a key is claimed by one of them', async () => {
        const other = await connect();

        const outcomes = await Promise.all([
          journal.claim(claimNumber(1), unlimited),
          other.claim(claimNumber(1, { id: 'operation-other' }), unlimited),
        ]);
        const { id } = operationIn(outcomes[0]);
        const moves = await Promise.all([
          journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(2) }),
          other.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(2) }),
        ]);

        expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['claimed', 'replayed']);
        expect(moves.filter((moved) => moved !== null)).toHaveLength(1);
        expect((await other.byId(account, id))?.state).toBe('SENDING');
      });

      test('a purchase is unchanged after a restart', async () => {
        await claimed(claimNumber(1));
        await journal.move('operation-001', ['CLAIMED'], { to: 'SENDING', at: minute(2) });
        const before = plain(await journal.byId(account, 'operation-001'));
        await journal.close();

        const reopened = await connect();

        expect(plain(await reopened.byId(account, 'operation-001'))).toEqual(before);
      });
    });

    test('checkWritable succeeds repeatedly, also on several connections', async () => {
      const other = await connect();

      const proofs = [
        journal.checkWritable(minute(1)),
        other.checkWritable(minute(2)),
        journal.checkWritable(minute(3)),
      ];

      await expect(Promise.all(proofs)).resolves.toHaveLength(3);
      expect(await journal.lastBackup()).toBeNull();
    });

    test('a closed journal is unavailable, and can be closed twice', async () => {
      await journal.close();
      await journal.close();

      for (const use of [
        () => journal.claim(claimNumber(1), unlimited),
        () => journal.move('x', ['CLAIMED'], { to: 'SENDING', at: minute(2) }),
        () => journal.byId(account, 'x'),
        () => journal.byIds(account, ['x']),
        () => journal.byKey(account, 'x'),
        () => journal.list(account, { limit: 1 }),
        () => journal.count(account),
        () => journal.spending(claimNumber(1)),
        () => journal.stopped(account),
        () => journal.stop(account, { since: minute(1), reason: 'why' }),
        () => journal.resume(account),
        () => journal.checkWritable(minute(1)),
        () => journal.lastBackup(),
      ]) {
        await expect(use()).rejects.toMatchObject({
          name: 'Fault',
          code: 'JOURNAL_UNAVAILABLE',
          executed: 'NO',
        });
      }
    });

    test.each([
      [['CLAIMED'], 'NO'],
      [['SENDING'], 'UNKNOWN'],
      [['CLAIMED', 'SENDING'], 'UNKNOWN'],
    ] as const)(
      'a failed write of a purchase in %j reports executed %s',
      async (from, executed) => {
        await journal.close();

        const settling = journal.move('x', from, { to: 'FAILED', at: minute(2) });

        await expect(settling).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE', executed });
      },
    );
  });
}
