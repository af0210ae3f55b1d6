import { Fault } from '../../../src/kernel/faults.ts';
import { money } from '../../../src/kernel/money.ts';
import type { Balances } from '../../../src/modules/balance/balance.ts';
import { createDomainLists, createDomainReads } from '../../../src/modules/domain/loader.ts';
import { type SettleDeps, transferPace } from '../../../src/modules/purchase/conclude.ts';
import { createSightings } from '../../../src/modules/purchase/sightings.ts';
import { createJournal } from '../../../src/persistence/journal.ts';
import type {
  Claim,
  PurchaseFault,
  PurchaseRecord,
} from '../../../src/persistence/purchase-record.ts';
import type { Transition } from '../../../src/persistence/purchase-store.ts';
import type { CallOptions } from '../../../src/upstream/client/operation.ts';
import type { DomainApi } from '../../../src/upstream/domain-api/domain-api.ts';
import type { DomainDetails } from '../../../src/upstream/domain-api/shapes.ts';
import { account, claimNumber, unlimited } from '../../persistence/claims.ts';
import { createSharedStore, type SharedStore } from '../../simulation/store.ts';
import { createSimulatedClock, minuteMs } from '../simulated-clock.ts';

export type Details = Partial<
  Pick<DomainDetails, 'name' | 'state' | 'status' | 'registeredAt' | 'failedTransfer'>
>;

export const owned: Details = { state: 'ACTIVE' };
export const transferring: Details = { state: 'PENDING_TRANSFER_IN' };
/** A transfer of unknown direction. */
export const pendingTransfer: Details = {
  state: 'PENDING_TRANSFER_OUT',
  status: 'pendingTransfer',
};
export const inconclusive: Details = { state: 'OTHER' };
export const rejected: Details = { state: 'TRANSFER_FAILED', failedTransfer: 'REJECTED' };
export const unreadable = new Fault('UPSTREAM_TIMEOUT');
export const aborted = new DOMException('The gateway closes.', 'AbortError');

/** The quiet window of this process. */
export const quietMs = minuteMs;
/** From the mark SENDING to the end of the call at the latest. */
export const callMs = quietMs / 2;

let store: Promise<SharedStore> | undefined;

/**
 * A tenant with the real journal in memory, simulated time, and an upstream that the test scripts.
 *
 * `upstream.details` is the account's record of every domain, or the error of reading it.
 */
export async function createTenant() {
  store ??= createSharedStore();
  const shared = await store;
  shared.clear();
  const time = createSimulatedClock();
  const { clock } = time;
  const upstream = {
    details: null as Details | null | Error,
    reseller: balances('100.00') as Balances | Error,
    /** The calls, by action and domain. */
    calls: [] as string[],
    options: [] as CallOptions[],
    /** Runs during each call. */
    duringCall: (_call: string): void | Promise<void> => undefined,
  };
  /** The statements that fail, and what runs before each statement. */
  const trouble = {
    fails: null as RegExp | null,
    beforeStatement: (_sql: string): void | Promise<void> => undefined,
  };
  const invalidated: string[] = [];

  const journal = createJournal(
    shared.open(async (side, { sql }) => {
      if (side !== 'before') return;
      await trouble.beforeStatement(sql);
      if (trouble.fails?.test(sql)) throw new Error('The disk is full.');
    }),
  );
  const call = async <T>(what: string, options: CallOptions, reply: () => T | Error) => {
    upstream.calls.push(what);
    upstream.options.push(options);
    await upstream.duringCall(what);
    const result = reply();
    if (result instanceof Error) throw result;
    return result;
  };
  const domainApi = {
    getdetails: ({ domain }: { domain: string }, options: CallOptions) =>
      call(`getdetails ${domain}`, options, () =>
        upstream.details === null
          ? new Fault('NOT_FOUND')
          : upstream.details instanceof Error
            ? upstream.details
            : {
                name: domain,
                status: '',
                registeredAt: null,
                failedTransfer: null,
                ...upstream.details,
              },
      ),
    resellerdetails: (_request: object, options: CallOptions) =>
      call('resellerdetails', options, () => upstream.reseller),
  } as unknown as DomainApi;
  const noList = () => Promise.reject(new Error('No test reads the list.'));
  const noLists = createDomainLists(noList, noList);

  /** What a request has in a process with these sightings. */
  const depsOf = (sightings: SettleDeps['sightings']) => ({
    ...{ account, clock, journal, sightings, domainApi, pace: transferPace },
    quietWindowMs: quietMs,
    invalidate: (name: string) => void invalidated.push(name),
    get domains() {
      return createDomainReads(domainApi, noLists, {});
    },
    openReads: (_customer: null, options: CallOptions) => ({
      use: () => createDomainReads(domainApi, noLists, options),
    }),
    readReseller: () => domainApi.resellerdetails({}, {}),
  });

  let claims = 0;
  const claim = async (changes: Partial<Claim> = {}): Promise<PurchaseRecord> => {
    claims += 1;
    const outcome = await journal.claim(
      claimNumber(claims, { claimedAt: clock.now(), ...changes }),
      unlimited,
    );
    if (outcome.outcome !== 'claimed') throw new Error(outcome.outcome);
    return outcome.purchase;
  };
  const move = async (
    { id, state }: PurchaseRecord,
    transition: Partial<Transition> & Pick<Transition, 'to'>,
  ): Promise<PurchaseRecord> => {
    const moved = await journal.move(id, [state], { at: clock.now(), ...transition });
    if (!moved) throw new Error(`${id} is not ${state}.`);
    return moved;
  };
  const send = async (changes: Partial<Claim> = {}, quietForMs = quietMs) => {
    const [callUntil, quietUntil] = [callMs, quietForMs].map(
      (ms) => new Date(clock.now().getTime() + ms),
    ) as [Date, Date];
    return move(await claim(changes), { to: 'SENDING', callUntil, quietUntil });
  };

  return {
    time,
    clock,
    upstream,
    trouble,
    journal,
    invalidated,
    /** A process that has seen no purchase yet. */
    start: () => depsOf(createSightings(clock)),
    claim,
    send,
    move,
    /** A purchase that was sent and whose call ended with this fault. */
    pend: async (fault: PurchaseFault | null, changes: Partial<Claim> = {}, quietForMs = quietMs) =>
      move(await send(changes, quietForMs), { to: 'PENDING', fault }),
    /** A transfer that the upstream accepted now. */
    transfer: async (changes: Partial<Claim> = {}) =>
      move(await send({ kind: 'TRANSFER', ...changes }), {
        to: 'IN_PROGRESS',
        nextReadAt: new Date(clock.now().getTime() + transferPace.everyMs),
      }),
    /** Removes all rows of the journal. */
    clear: shared.clear,
    recorded: async ({ id }: Pick<PurchaseRecord, 'id'>): Promise<PurchaseRecord> => {
      const found = await journal.byId(account, id);
      if (!found) throw new Error(`The journal has no ${id}.`);
      return found;
    },
  };
}

export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/** The balances of the account: the main one, and others by currency. */
export const balances = (
  amount: string | Fault,
  currency = 'USD',
  others: Balances['balances'] = [],
): Balances => ({
  balance: { money: amount instanceof Fault ? amount : money(amount, currency), symbol: '' },
  balances: others,
});
