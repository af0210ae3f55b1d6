import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type {
  Journal,
  OperationFault,
  OperationRecord,
  OperationState,
  Transition,
} from '../../persistence/store.ts';
import type { DomainState } from '../../upstream/domain-api/domain-state.ts';
import type { DomainReads } from '../domain/loader.ts';

export interface SettleDeps {
  readonly journal: Journal;
  readonly account: string;
  readonly clock: Clock;
  readonly domains: Pick<DomainReads, 'truth'>;
  /** So long after it was about to be sent a purchase may still come true; until then "not there" means nothing. */
  readonly quietWindowMs: number;
}

/** So long after its claim an operation that was never sent is given up: whoever claimed it is gone. */
const abandonedAfterMs = 60_000;
/** Two reads that say "not there" count when they are so far apart. */
const readsApartMs = 5_000;
/** An operation that can't be read for so long is left to a person. */
const unreadableAfterMs = 15 * 60_000;

/**
 * Looks whether an open purchase came true, and writes that down.
 *
 * The account did not have the domain before the call, so having it now is a yes. "Not there" proves nothing until the
 * quiet window is over, since a late commit lands after it; then two such reads, some seconds apart, are a no.
 */
export async function settleByReading(
  deps: SettleDeps,
  operation: OperationRecord,
): Promise<OperationRecord> {
  const at = deps.clock.now();
  const isOld = at.getTime() - operation.claimedAt.getTime() > abandonedAfterMs;
  if (operation.state === 'CLAIMED' && isOld) {
    // It is the journal that gives it up, so without the journal it is not.
    return record(deps, operation, ['CLAIMED'], failed(at, neverSent), operation);
  }
  // A call that is still under way may be found true early; a "no" waits for the quiet window all the same.
  if (operation.state !== 'SENDING' && operation.state !== 'PENDING') return operation;

  const ageMs = at.getTime() - (operation.submittedAt ?? operation.claimedAt).getTime();
  const truth = await readTruth(deps, operation);
  if (truth === 'held') return conclude(deps, operation, { to: 'SUCCEEDED', at });
  if (truth === 'unreadable') {
    return ageMs < Math.max(unreadableAfterMs, deps.quietWindowMs)
      ? operation
      : conclude(deps, operation, { to: 'UNKNOWN', at, fault: operationFault(notFoundOut) });
  }
  if (ageMs < deps.quietWindowMs) return operation;
  const { absentAt, fault } = operation;
  if (!absentAt) return conclude(deps, operation, { to: 'PENDING', at, fault, absentAt: at });
  return at.getTime() - absentAt.getTime() < readsApartMs
    ? operation
    : conclude(deps, operation, failed(at, neverArrived));
}

const neverSent = new Fault('JOURNAL_UNAVAILABLE', {
  message: 'The gateway stopped before it sent the purchase, so nothing was bought.',
});

const neverArrived = new Fault('UPSTREAM_TIMEOUT', {
  message: 'The service gave no answer and does not have the domain, so nothing was bought.',
  executed: 'NO',
});

const notFoundOut = new Fault('OUTCOME_UNKNOWN', {
  message: 'The service could not be read for too long; look at the account before buying again.',
});

const failed = (at: Date, fault: Fault): Transition => ({
  to: 'FAILED',
  at,
  fault: operationFault(fault),
});

/** Writes an outcome down. Should the journal fail now, the outcome is told all the same, and found again by reading. */
export function conclude(deps: SettleDeps, sent: OperationRecord, transition: Transition) {
  const { to, at, fault = null, absentAt = sent.absentAt } = transition;
  const settledAt = to === 'PENDING' ? null : at;
  const told = { ...sent, state: to, settledAt, fault, absentAt };
  return record(deps, sent, ['SENDING', 'PENDING'], transition, told);
}

/** The operation as the journal has it after the move, be it another request's; `otherwise` when the journal fails. */
async function record(
  { journal, account }: SettleDeps,
  operation: OperationRecord,
  from: readonly OperationState[],
  transition: Transition,
  otherwise: OperationRecord,
): Promise<OperationRecord> {
  try {
    const moved = await journal.move(operation.id, from, transition);
    return moved ?? (await journal.byId(account, operation.id)) ?? operation;
  } catch (error) {
    if (error instanceof Fault) return otherwise;
    throw error;
  }
}

/** In the others the account may keep a record of what it had long before the purchase. */
const heldStates: ReadonlySet<DomainState> = new Set([
  'ACTIVE',
  'PENDING_REGISTRATION',
  'PENDING_TRANSFER_IN',
  'PENDING_TRANSFER_OUT',
  'REDEMPTION',
]);

async function readTruth(
  { domains }: SettleDeps,
  { domain }: OperationRecord,
): Promise<'held' | 'absent' | 'unreadable'> {
  try {
    const details = await domains.truth(domain);
    return details !== null && heldStates.has(details.state) ? 'held' : 'absent';
  } catch {
    // Whatever keeps us from reading, be it a caller who hung up, leaves the question open.
    return 'unreadable';
  }
}

/** The part of a fault that the journal keeps. */
export const operationFault = ({ code, message, executed, upstream }: Fault): OperationFault => ({
  code,
  message,
  executed,
  upstream: upstream ?? null,
});

/** The fault of an operation as a client is told it; null while there is none. */
export function faultOf({ id, state, fault }: OperationRecord): Fault | null {
  if (state === 'SUCCEEDED') return null;
  if (state === 'FAILED') {
    if (!fault) return new Fault('UPSTREAM_REJECTED', { facts: { operationId: id } });
    const { upstream, ...told } = fault;
    return new Fault(fault.code, {
      ...told,
      // The same request is answered with this again; only a new purchase may go better.
      retryable: false,
      facts: { operationId: id },
      ...(upstream && { upstream }),
    });
  }
  const reason = state === 'UNKNOWN' && fault ? { message: fault.message } : {};
  return new Fault('OUTCOME_UNKNOWN', { ...reason, facts: { operationId: id } });
}
