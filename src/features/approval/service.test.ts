import { beforeEach, describe, expect, test } from 'vitest';
import { account } from '../../../test/persistence/claims.ts';
import { createSharedStore } from '../../../test/simulation/store.ts';
import { createSimulatedClock, minuteMs } from '../../../test/support/simulated-clock.ts';
import { type AccessScope, anonymous } from '../../kernel/caller.ts';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { createJournal, type Journal } from '../../persistence/journal.ts';
import { StoredReads } from '../../scope/reads.ts';
import { type Approval, createApprovalService } from './service.ts';
import { type ApprovalStore, createApprovalStore } from './store.ts';

const store = await createSharedStore();

let time: ReturnType<typeof createSimulatedClock>;
let journal: Journal;
let approvals: ApprovalStore;
beforeEach(() => {
  store.clear();
  time = createSimulatedClock();
  journal = createJournal(store.open(async () => undefined));
  approvals = createApprovalStore(journal.database);
});

interface Who {
  readonly name: string;
  readonly customer?: string;
  readonly scopes?: readonly AccessScope[];
}

const serviceOf = ({ name, customer, scopes = [] }: Who) =>
  createApprovalService({
    ...{ approvalRules: () => null, approvals, journal, account, clock: time.clock },
    caller: { ...anonymous, name, customer: customer ?? null, scopes: new Set(scopes) },
    stored: new StoredReads(time.clock),
    startJobs: () => undefined,
  });
const decider = { name: 'boss', scopes: ['approvals:decide'] } as const;

const request = (id: string, changes: Partial<Approval> = {}): Promise<string> => {
  const requestedAt = time.clock.now();
  return approvals.request(account, {
    ...{ id, operation: 'UNLOCK', jobKind: null, domain: parseDomainName(`${id}.com`) },
    ...{ caller: 'shop', customer: null, fingerprint: id, count: 1, cost: null, price: null },
    rule: { position: 1, operations: ['UNLOCK'], when: {}, expiresAfterMs: minuteMs },
    ...{ requestedAt, expiresAt: new Date(requestedAt.getTime() + minuteMs) },
    ...changes,
  });
};

describe('the state of an approval at its expiry', () => {
  test.each([
    ['REQUESTED', null, 'EXPIRED'],
    ['REQUESTED', 'ORDER', 'EXPIRED'],
    // Its operation is made by its caller, in time.
    ['GRANTED', null, 'EXPIRED'],
    // Its job was started by the decision.
    ['GRANTED', 'PURCHASE', 'GRANTED'],
    ['GRANTED', 'ORDER', 'GRANTED'],
    ['GRANTED', 'CHANGE', 'GRANTED'],
    ['REJECTED', null, 'REJECTED'],
    ['CANCELLED', 'ORDER', 'CANCELLED'],
    ['USED', null, 'USED'],
  ] as const)('%s with a job %s is %s', (state, jobKind, expected) => {
    const expiresAt = time.clock.now();
    const early = { state, jobKind, expiresAt: new Date(expiresAt.getTime() + 1) } as Approval;

    expect(serviceOf(decider).stateOf({ ...early, expiresAt })).toBe(expected);
    expect(serviceOf(decider).stateOf(early)).toBe(state);
  });
});

describe('a list of approvals', () => {
  const listed = async (who: Who, filter: object = {}) => {
    const { items, count } = await serviceOf(who).list({ filter, limit: 9 });
    expect(await count()).toBe(items.length);
    return items.map(({ id }) => id).toSorted();
  };
  beforeEach(async () => {
    await request('of-shop');
    await request('of-other', { caller: 'other' });
    await request('of-acme', { caller: 'web', customer: 'acme' });
    await request('of-bob', { caller: 'web', customer: 'bob' });
  });

  test('has the requests of the caller or of its customer, and all for a caller that decides', async () => {
    expect(await listed({ name: 'shop' })).toEqual(['of-shop']);
    expect(await listed({ name: 'web', customer: 'acme' })).toEqual(['of-acme']);
    expect(await listed(decider)).toEqual(['of-acme', 'of-bob', 'of-other', 'of-shop']);
  });

  test('is empty for another caller or customer than its own', async () => {
    expect(await listed({ name: 'shop' }, { caller: 'shop' })).toEqual(['of-shop']);
    expect(await listed({ name: 'shop' }, { caller: 'other' })).toEqual([]);
    const acme = { name: 'web', customer: 'acme' };
    expect(await listed(acme, { customer: 'acme' })).toEqual(['of-acme']);
    expect(await listed(acme, { customer: 'bob' })).toEqual([]);
    expect(await listed(decider, { caller: 'other' })).toEqual(['of-other']);
    expect(await listed(decider, { customer: 'bob' })).toEqual(['of-bob']);
  });
});
