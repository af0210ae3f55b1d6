import { beforeEach, describe, expect, test } from 'vitest';
import {
  account,
  claimNumber,
  idsOf,
  minute,
  name,
  operationIn,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import {
  jobNumber,
  newItems,
  placesOf,
  resultOf,
  takeAt,
} from '../../../../test/persistence/new-jobs.ts';
import { money } from '../../../kernel/money.ts';
import type { Journal } from '../../../persistence/journal.ts';
import type { ApprovalRule } from '../rules.ts';
import {
  type ApprovalDecision,
  type ApprovalStore,
  createApprovalStore,
  type NewApproval,
} from '../store.ts';
import { approvalsTable } from '../table.ts';

const rule: ApprovalRule = {
  position: 1,
  operations: ['REGISTRATION'],
  when: { costAbove: money('10.50', 'USD'), countAbove: 2 },
  expiresAfterMs: 3_600_000,
};

/** Of the job with the same number. */
const approvalNumber = (at: number, changes: Partial<NewApproval> = {}): NewApproval => ({
  ...{ id: `job-${String(at).padStart(3, '0')}`, operation: 'REGISTRATION', jobKind: 'ORDER' },
  ...{ domain: null, caller: 'shop', customer: null, rule, fingerprint: `input-${at}`, count: 3 },
  ...{ cost: money('22.5800', 'USD'), price: money('30', 'EUR') },
  ...{ requestedAt: minute(at), expiresAt: minute(at + 30) },
  ...changes,
});

const held = 'approval';
const granted = (at: number): ApprovalDecision => ({
  ...{ to: 'GRANTED', at: minute(at), by: 'boss', reason: null },
});
const rejected = (at: number): ApprovalDecision => ({
  ...{ to: 'REJECTED', at: minute(at), by: 'other', reason: 'no' },
});

describeStore('approvals', (createStore) => {
  const { connect } = useStore(createStore);
  let journal: Journal;
  let approvals: ApprovalStore;

  beforeEach(async () => {
    journal = await connect([approvalsTable]);
    approvals = createApprovalStore(journal.database);
  });

  const requestJob = async (at: number, changes: Partial<NewApproval> = {}) => {
    const approval = approvalNumber(at, changes);
    await approvals.request(account, approval);
    await journal.jobs.create(jobNumber(at), newItems(2), held);
    return approval;
  };
  const states = async (jobId: string) =>
    (await journal.jobs.items([jobId])).map(({ state }) => state);
  const read = async (id: string) => (await approvals.byIds(account, [id]))[0] ?? null;

  test('an approval is read as it was requested, once its job is stored', async () => {
    const approval = approvalNumber(1);
    await approvals.request(account, approval);
    expect(await read(approval.id)).toBeNull();
    expect(await approvals.decide(account, approval.id, granted(2))).toBeNull();

    await journal.jobs.create(jobNumber(1), newItems(1), held);
    const open = { state: 'REQUESTED', decidedAt: null, decidedBy: null, reason: null };
    expect(await read(approval.id)).toEqual({ ...approval, ...open });
    expect(await approvals.byIds('reseller-2', [approval.id])).toEqual([]);
  });

  test.each([
    ['GRANTED', granted(2)],
    ['REJECTED', rejected(2)],
  ] as const)('the items of a job are held until it is %s', async (state, decision) => {
    const { id } = await requestJob(1);
    expect(await states(id)).toEqual(['HELD', 'HELD']);
    expect(await journal.jobs.take(account, takeAt(5))).toEqual([]);

    const decided = await approvals.decide(account, id, decision);
    const { at, by, reason } = decision;
    expect(decided).toMatchObject({ state, decidedAt: at, decidedBy: by, reason });
    expect(await states(id)).toEqual(['WAITING', 'WAITING']);
    const taken = await journal.jobs.take(account, takeAt(5));
    expect(placesOf(taken)).toEqual(['job-001/0', 'job-001/1']);
  });

  test('of many decisions over two connections one is made', async () => {
    const other = createApprovalStore((await connect()).database);
    const { id } = await requestJob(1);
    const decisions = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? other : approvals).decide(account, id, at % 3 ? granted(2) : rejected(2)),
      ),
    );
    const made = decisions.filter((one) => one !== null);
    expect(made).toHaveLength(1);
    expect(await read(id)).toEqual(made[0]);
  });

  test('an approval is that of its account, for every read and write', async () => {
    const { id, expiresAt } = await requestJob(1);
    const other = 'reseller-2';
    expect(await approvals.byIds(other, [id])).toEqual([]);
    expect(await approvals.count(other, {})).toBe(0);
    expect(await approvals.hasRequested(other)).toBe(false);
    expect(await approvals.hasDue(other, expiresAt)).toBe(false);
    expect(await approvals.expire(other, expiresAt)).toBe(false);
    expect(await approvals.decide(other, id, granted(2))).toBeNull();
    expect(await approvals.cancel(other, id)).toBe(false);
  });

  test('an expired approval is not decided, and its items are released', async () => {
    const { id, expiresAt } = await requestJob(1);
    const late = { ...granted(2), at: expiresAt };
    expect(await approvals.decide(account, id, late)).toBeNull();
    expect(await approvals.hasRequested(account)).toBe(true);
    expect(await approvals.expire(account, minute(30))).toBe(false);
    expect(await approvals.expire(account, minute(31))).toBe(true);
    expect(await approvals.expire(account, minute(31))).toBe(false);
    expect(await states(id)).toEqual(['WAITING', 'WAITING']);
    expect(await read(id)).toMatchObject({ state: 'EXPIRED', decidedAt: null });
    expect(await approvals.hasRequested(account)).toBe(false);
  });

  test('approvals that expire at once are ended in parts', async () => {
    for (let at = 1; at <= 201; at += 1) {
      await approvals.request(
        account,
        approvalNumber(at, { jobKind: null, operation: 'UNLOCK', fingerprint: `${at}` }),
      );
    }
    const later = minute(9_999);
    expect(await approvals.expire(account, later)).toBe(true);
    expect(await approvals.count(account, { states: ['REQUESTED'] })).toBe(1);
    expect(await approvals.expire(account, later)).toBe(true);
    expect(await approvals.expire(account, later)).toBe(false);
  });

  test('a granted approval of a job does not expire, and one without a job does', async () => {
    const { id } = await requestJob(1);
    await approvals.decide(account, id, granted(2));
    const unlock = approvalNumber(2, { jobKind: null, operation: 'UNLOCK' });
    await approvals.request(account, unlock);
    await approvals.decide(account, unlock.id, granted(3));

    await approvals.expire(account, minute(59));
    expect([(await read(id))?.state, (await read(unlock.id))?.state]).toEqual([
      ...['GRANTED', 'EXPIRED'],
    ]);
  });

  test('a cancelled approval cannot be decided, and a decided one not cancelled', async () => {
    const { id } = await requestJob(1);
    await journal.jobs.endWaiting(account, id, minute(2), resultOf('CANCELLED'));
    expect(await approvals.cancel(account, id)).toBe(true);
    expect(await approvals.cancel(account, id)).toBe(false);
    expect(await approvals.decide(account, id, granted(3))).toBeNull();
    expect(await states(id)).toEqual(['DONE', 'DONE']);
    const other = await requestJob(2);
    await approvals.decide(account, other.id, rejected(3));
    expect(await approvals.cancel(account, other.id)).toBe(false);
    expect((await read(other.id))?.state).toBe('REJECTED');
  });

  test('of decisions and cancellations over two connections one takes effect', async () => {
    const other = createApprovalStore((await connect()).database);
    const { id } = await requestJob(1);
    const results = await Promise.all(
      Array.from({ length: 12 }, async (_, at) => {
        const store = at % 3 ? other : approvals;
        return at % 2
          ? (await store.cancel(account, id)) && 'CANCELLED'
          : (await store.decide(account, id, granted(2)))?.state;
      }),
    );
    expect(results.filter(Boolean)).toEqual([(await read(id))?.state]);
  });

  test('an approval without a job is used once, by the same request before it expires', async () => {
    const domain = name('unlock.com');
    const unlock = approvalNumber(1, { operation: 'UNLOCK', jobKind: null, domain });
    await approvals.request(account, unlock);
    expect(await approvals.use(account, unlock, minute(2))).toBe(false);
    expect((await approvals.requested(account, unlock, minute(2)))?.id).toBe(unlock.id);
    expect(await approvals.requested(account, unlock, minute(31))).toBeNull();
    await approvals.decide(account, unlock.id, granted(2));

    for (const other of [
      { caller: 'another' },
      { caller: null },
      { customer: 'acme' },
      { domain: name('other.com') },
      { operation: 'AUTH_CODE' as const },
      { fingerprint: 'other' },
    ]) {
      expect(await approvals.use(account, { ...unlock, ...other }, minute(3))).toBe(false);
    }
    expect(await approvals.use('reseller-2', unlock, minute(3))).toBe(false);
    expect(await approvals.use(account, unlock, minute(31))).toBe(false);
    const second = createApprovalStore((await connect()).database);
    const uses = await Promise.all(
      [approvals, second, approvals, second].map((one) => one.use(account, unlock, minute(3))),
    );
    expect(uses.filter(Boolean)).toEqual([true]);
    expect((await read(unlock.id))?.state).toBe('USED');
  });

  test('of equal requests without a job over two connections one waits', async () => {
    const other = createApprovalStore((await connect()).database);
    const unlock = (at: number, changes: Partial<NewApproval> = {}) => {
      const request = { operation: 'UNLOCK', jobKind: null, fingerprint: 'unlock' } as const;
      return approvalNumber(at, { ...request, ...changes });
    };
    const request = (one: NewApproval, at = 0) =>
      (at % 2 ? other : approvals).request(account, one);
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, at) => request(unlock(at + 1), at)),
    );
    const [id = ''] = ids;
    expect(new Set(ids)).toEqual(new Set([id]));
    expect(await approvals.count(account, {})).toBe(1);
    expect((await read(id))?.state).toBe('REQUESTED');

    const others = [{ caller: 'another' }, { caller: null }, { customer: 'acme' }];
    const different = [...others, { fingerprint: 'other' }, { jobKind: 'ORDER' as const }];
    for (const [at, changes] of different.entries()) {
      expect(await request(unlock(at + 11, changes))).toBe(`job-0${at + 11}`);
    }
    await approvals.expire(account, minute(39));
    expect(await request(unlock(40))).toBe('job-040');
  });

  test('approvals are listed and counted by their conditions, newest first', async () => {
    for (const at of [1, 2, 3]) await requestJob(at, at === 2 ? { customer: 'acme' } : {});
    await approvals.decide(account, 'job-003', granted(4));
    const list = async (page: object) =>
      (await approvals.list(account, { filter: {}, limit: 9, ...page })).map(({ id }) => id);

    expect(await list({})).toEqual(['job-003', 'job-002', 'job-001']);
    expect(await list({ filter: { states: ['GRANTED'] } })).toEqual(['job-003']);
    expect(await list({ filter: { states: [] } })).toEqual([]);
    expect(await list({ filter: { customer: 'acme', caller: 'shop' } })).toEqual(['job-002']);
    expect(await list({ filter: { operations: ['UNLOCK'] } })).toEqual([]);
    expect(await approvals.count(account, { states: ['REQUESTED'] })).toBe(2);
    const place = { requestedAt: minute(2), id: 'job-002' };
    expect(await list({ after: place })).toEqual(['job-001']);
    expect(await list({ before: place })).toEqual(['job-003']);
    expect(await list({ fromEnd: true, limit: 2 })).toEqual(['job-002', 'job-001']);
  });

  describe('the events', () => {
    const outbox = async () => {
      const rows = await journal.database
        .selectFrom('outbox')
        .selectAll()
        .orderBy('number')
        .execute();
      return rows.map(({ events }) => JSON.parse(events));
    };
    const typesOf = async () => (await outbox()).map(({ type, at }) => [type, new Date(at)]);
    beforeEach(async () => {
      await journal.database.insertInto('outbox_readers').values({ account }).execute();
    });

    test('of a request are stored with its job, and those of its decision with the decision', async () => {
      const approval = approvalNumber(1, { customer: 'acme', domain: name('a.com') });
      await approvals.request(account, approval);
      expect(await outbox()).toEqual([]);
      await journal.jobs.create(jobNumber(1), newItems(1), held);
      await approvals.decide(account, approval.id, granted(2));
      await approvals.decide(account, approval.id, rejected(3));

      const facts = {
        ...{ subject: approval.id, subjectType: 'Approval', domain: 'a.com' },
        ...{ purchaseId: null, customer: 'acme' },
      };
      const text = (at: number) => minute(at).toISOString();
      expect(await outbox()).toEqual([
        {
          ...{ id: 'job-001:APPROVAL_REQUESTED', type: 'APPROVAL_REQUESTED', at: text(1) },
          ...{ ...facts, caller: 'shop' },
        },
        {
          ...{ id: 'job-001:APPROVAL_GRANTED', type: 'APPROVAL_GRANTED', at: text(2) },
          ...{ ...facts, caller: 'boss' },
        },
      ]);
    });

    test('of a request without a job are stored with the request, its grant and its expiry, once', async () => {
      const unlock = approvalNumber(1, { operation: 'UNLOCK', jobKind: null });
      await approvals.request(account, unlock);
      await approvals.request(account, { ...unlock, id: 'job-002' });
      await approvals.decide(account, unlock.id, granted(2));
      await approvals.expire(account, minute(31));
      await approvals.expire(account, minute(32));

      expect(await typesOf()).toEqual([
        ['APPROVAL_REQUESTED', minute(1)],
        ['APPROVAL_GRANTED', minute(2)],
        ['APPROVAL_EXPIRED', minute(31)],
      ]);
      const end = (await outbox())[2];
      expect([end.source, end.caller]).toEqual(['UPSTREAM', undefined]);
    });

    test('are none of a use and of a cancellation', async () => {
      const { id } = await requestJob(1);
      await approvals.cancel(account, id);
      const unlock = approvalNumber(2, { operation: 'UNLOCK', jobKind: null });
      await approvals.request(account, unlock);
      await approvals.decide(account, unlock.id, granted(3));
      await approvals.use(account, unlock, minute(4));

      expect((await typesOf()).map(([type]) => type)).toEqual([
        ...['APPROVAL_REQUESTED', 'APPROVAL_REQUESTED', 'APPROVAL_GRANTED'],
      ]);
    });

    test('have the purchase that waits', async () => {
      await requestJob(1, { jobKind: 'PURCHASE' });

      expect(await outbox()).toMatchObject([{ purchaseId: 'job-001' }]);
    });

    test('are not stored for an account whose events are not read', async () => {
      const unlock = approvalNumber(1, { operation: 'UNLOCK', jobKind: null });
      await approvals.request('reseller-2', unlock);
      await approvals.decide('reseller-2', unlock.id, granted(2));

      expect(await outbox()).toEqual([]);
    });
  });

  test('an old approval whose job was never stored is deleted', async () => {
    await approvals.request(account, approvalNumber(1));
    await requestJob(2);
    await approvals.deleteOrphans(account, minute(3));
    await journal.jobs.create(jobNumber(1), newItems(1), held);
    expect([await read('job-001'), (await read('job-002'))?.state]).toEqual([null, 'REQUESTED']);
  });

  describe('a purchase that waits', () => {
    const waiting = (at: number) => claimNumber(at, { id: 'job-001' });

    async function takeLease() {
      const { id } = await requestJob(1);
      await approvals.decide(account, id, granted(2));
      const [lease] = await journal.jobs.take(account, takeAt(5));
      if (!lease) throw new Error('No item is due.');
      return lease;
    }

    test('takes its key, is no open purchase and counts for no limit', async () => {
      const made = operationIn(await journal.hold(waiting(1), unlimited));
      expect(made.state).toBe('HELD');
      expect(await journal.hold(waiting(1), unlimited)).toMatchObject({ outcome: 'replayed' });
      const changed = { ...waiting(1), fingerprint: 'other' };
      expect((await journal.claim(changed, unlimited)).outcome).toBe('key-conflict');

      const limits = { GATEWAY: { perHour: 1, perDay: [money('22.58', 'USD')] }, KEY: {} };
      const other = claimNumber(2, { domain: made.domain });
      expect((await journal.claim(other, limits)).outcome).toBe('claimed');
    });

    test('is claimed once, with the cost and at the time of the claim', async () => {
      const lease = await takeLease();
      await journal.hold(waiting(1), unlimited);
      const now = { ...waiting(1), cost: money('20', 'USD'), claimedAt: minute(9) };

      const claims = await Promise.all(
        Array.from({ length: 5 }, () => journal.claimHeld(now, unlimited, lease)),
      );
      const outcomes = claims.map(({ outcome }) => outcome).toSorted();
      expect(outcomes).toEqual(['claimed', ...Array(4).fill('replayed')]);
      const [stored] = await journal.byIds(account, ['job-001']);
      expect(stored).toMatchObject({ state: 'CLAIMED', claimedAt: minute(9), key: 'key-1' });
      expect(String(stored?.cost?.amount)).toBe('20.0000');
    });

    test('is not claimed without the lease, above a limit, or beside an open purchase', async () => {
      const lease = await takeLease();
      await journal.hold(waiting(1), unlimited);
      const claim = { ...waiting(1), claimedAt: minute(9) };
      const outcome = async (limits = unlimited, of = lease) =>
        (await journal.claimHeld(claim, limits, of)).outcome;
      expect(await outcome(unlimited, { ...lease, fence: 7 })).toBe('lease-lost');
      expect(await outcome({ GATEWAY: { perHour: 0 }, KEY: {} })).toBe('over-limit');
      await journal.claim(claimNumber(2, { domain: claim.domain }), unlimited);
      expect(await outcome()).toBe('domain-busy');
      expect(
        idsOf(await journal.list(account, { limit: 9, filter: { states: ['HELD'] } })),
      ).toEqual(['job-001']);
      expect(
        await journal.move('job-001', ['HELD'], { to: 'FAILED', at: minute(9) }),
      ).toMatchObject({ state: 'FAILED', settledAt: minute(9) });
      expect(await outcome()).toBe('replayed');
    });

    test('of which one was not stored is claimed all the same', async () => {
      const lease = await takeLease();
      const claim = waiting(1);
      expect((await journal.claimHeld(claim, unlimited, lease)).outcome).toBe('claimed');
    });
  });
});
