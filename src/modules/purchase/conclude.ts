import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import { isOpen } from '../../kernel/purchase-states.ts';
import { clockToleranceMs } from '../../lib/clock.ts';
import type {
  PurchaseFault,
  PurchaseRecord,
  PurchaseState,
} from '../../persistence/purchase-record.ts';
import type { Transition } from '../../persistence/purchase-store.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { Balances } from '../balance/balance.ts';
import type { DomainReads } from '../domain/loader.ts';
import type { Sightings } from './sightings.ts';

/** The part of a tenant that settles its purchases. */
export interface SettlingTenant
  extends Pick<TenantFacts, 'account' | 'clock' | 'journal' | 'quietWindowMs'> {
  readonly pace: TransferPace;
  readonly sightings: Sightings;
  /** Invalidates every cached read of the domain. */
  readonly invalidate: (name: DomainName) => void;
}

export interface SettleDeps extends SettlingTenant {
  readonly domains: Pick<DomainReads, 'verify'>;
  /** The balance after a failed transfer. */
  readonly readReseller: () => Promise<Balances>;
}

/** A transfer that the upstream accepted. */
export const begun = ({ pace }: Pick<SettleDeps, 'pace'>, at: Date): Transition => ({
  to: 'IN_PROGRESS',
  at,
  nextReadAt: nextRead(pace, at, at),
});

const sentStates: readonly PurchaseState[] = ['SENDING', 'PENDING'];
const inProgress: readonly PurchaseState[] = ['IN_PROGRESS'];

/**
 * Records an outcome. When the journal fails now, the caller gets the outcome all the same, and a later read finds it again.
 *
 * A success that meets FAILED in the journal makes that UNKNOWN: a client may have acted on the failure already. When the
 * domain was bought again, a read shows the success of the later purchase.
 */
export async function conclude(
  deps: SettleDeps,
  sent: PurchaseRecord,
  transition: Transition,
  isRead = false,
): Promise<PurchaseRecord> {
  const { to, at, fault = null } = transition;
  const isAccepted = to === 'SUCCEEDED' || to === 'IN_PROGRESS';
  const concluded = {
    ...sent,
    state: to,
    settledAt: isOpen({ state: to }) ? null : at,
    acceptedAt: sent.acceptedAt ?? (isAccepted ? at : null),
    refunded: transition.refunded ?? null,
    fault,
  };
  if (to === 'SUCCEEDED' && !(await assignCustomer(deps, sent))) return concluded;
  const from = sent.state === 'IN_PROGRESS' ? inProgress : sentStates;
  const recorded = await record(deps, sent, from, transition, concluded);
  if (!isAccepted || recorded.state !== 'FAILED') return recorded;
  if (isRead && (await wasBoughtAgain(deps, recorded))) return recorded;
  const doubt = { to: 'UNKNOWN', at, fault: purchaseFault(cameAfterFailure, recorded) } as const;
  return record(deps, recorded, ['FAILED'], doubt, { ...recorded, state: 'UNKNOWN', ...doubt });
}

/**
 * Sets the customer of the domain. It precedes the end of the purchase: the next process repeats it when this one ends in
 * between. False when the journal fails.
 */
async function assignCustomer(
  { journal, account }: SettleDeps,
  { domain, customer, claimedAt }: PurchaseRecord,
): Promise<boolean> {
  try {
    await journal.customers.assignPurchased({ account, domain, customer, claimedAt });
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

const boughtStates: readonly PurchaseState[] = [...sentStates, 'IN_PROGRESS', 'SUCCEEDED'];

async function wasBoughtAgain(
  { journal, account }: SettleDeps,
  { domain, claimedAt }: PurchaseRecord,
): Promise<boolean> {
  const from = new Date(claimedAt.getTime() - clockToleranceMs);
  const filter = { domain, states: boughtStates, created: { from } };
  return (await journal.list(account, { filter, limit: 1 })).length > 0;
}

const cameAfterFailure = new Fault('OUTCOME_UNKNOWN', {
  message:
    'The registrar completed this purchase after the gateway had recorded it as failed; look for the domain and the charge in the account.',
});

/** The purchase as the journal has it after the move, be it another request's; `otherwise` when the journal fails. */
export async function record(
  { journal, account }: SettleDeps,
  purchase: PurchaseRecord,
  from: readonly PurchaseState[],
  transition: Transition,
  otherwise: PurchaseRecord,
): Promise<PurchaseRecord> {
  try {
    const moved = await journal.move(purchase.id, from, transition);
    return moved ?? (await journal.byId(account, purchase.id)) ?? purchase;
  } catch (error) {
    if (error instanceof Fault) return otherwise;
    throw error;
  }
}

/** The part of a fault that the journal stores. A fault of the gateway has the upstream's words of the one `before` it. */
export const purchaseFault = (
  fault: Fault | PurchaseFault,
  before?: Pick<PurchaseRecord, 'fault'>,
): PurchaseFault => ({
  code: fault.code,
  message: fault.message,
  executed: fault.executed,
  upstream: fault.upstream ?? before?.fault?.upstream ?? null,
});

const minuteMs = 60_000;

/** How often a transfer in progress is read, in milliseconds. */
export const transferPace = {
  everyMs: 60 * minuteMs,
  /** Once the transfer is older than `slowAfterMs`. */
  slowEveryMs: 6 * 60 * minuteMs,
  slowAfterMs: dayMs,
  /** After a read that failed. */
  retryMs: 10 * minuteMs,
  /** Clients that read the purchase cause no more reads than one in this time. */
  minMs: minuteMs,
  /** Clocks of gateways differ by less. */
  toleranceMs: 10 * minuteMs,
  /** A transfer that no read has shown as in progress for so long after its start ends as UNKNOWN. */
  givenUpAfterMs: 14 * dayMs,
};

export type TransferPace = Readonly<typeof transferPace>;

/** When to read a transfer that was accepted at `start` again. */
export function nextRead(pace: TransferPace, start: Date, now: Date): Date {
  const isOld = now.getTime() - start.getTime() >= pace.slowAfterMs;
  return new Date(now.getTime() + (isOld ? pace.slowEveryMs : pace.everyMs));
}
