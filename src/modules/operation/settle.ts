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
  readonly domains: Pick<DomainReads, 'load'>;
}

/** So long after its claim an operation that was never sent is given up: whoever claimed it is gone. */
const abandonedAfterMs = 60_000;

/**
 * Looks whether an open purchase came true, and writes that down.
 *
 * Only a "yes" settles it: the account did not have the domain before the call, so having it now is the answer. "Not
 * there" proves nothing, since a late commit lands after it; the operation then stays as it was.
 */
export async function settleByReading(
  deps: SettleDeps,
  operation: OperationRecord,
): Promise<OperationRecord> {
  const at = deps.clock.now();
  const isOld = at.getTime() - operation.claimedAt.getTime() > abandonedAfterMs;
  if (operation.state === 'CLAIMED' && isOld) {
    const fault = new Fault('JOURNAL_UNAVAILABLE', {
      message: 'The gateway stopped before it sent the purchase, so nothing was bought.',
    });
    // It is the journal that gives it up, so without the journal it is not.
    return record(deps, operation, ['CLAIMED'], failed(at, fault), operation);
  }
  const isOpen = operation.state === 'PENDING' || (operation.state === 'SENDING' && isOld);
  if (!isOpen || !(await isHeld(deps, operation))) return operation;
  return conclude(deps, operation, { to: 'SUCCEEDED', at });
}

const failed = (at: Date, fault: Fault): Transition => ({
  to: 'FAILED',
  at,
  fault: operationFault(fault),
});

/** Writes an outcome down. Should the journal fail now, the outcome is told all the same, and found again by reading. */
export function conclude(deps: SettleDeps, sent: OperationRecord, transition: Transition) {
  const { to, at, fault = null } = transition;
  const settledAt = to === 'PENDING' ? null : at;
  const told = { ...sent, state: to, settledAt, fault };
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

async function isHeld({ domains }: SettleDeps, { domain }: OperationRecord): Promise<boolean> {
  try {
    const details = await domains.load(domain);
    return details !== null && heldStates.has(details.state);
  } catch {
    // Whatever keeps us from reading, be it a caller who hung up, leaves the question open.
    return false;
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
  return new Fault('OUTCOME_UNKNOWN', { facts: { operationId: id } });
}
