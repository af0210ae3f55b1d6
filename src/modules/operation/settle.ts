import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Journal, OperationFault, OperationRecord } from '../../persistence/store.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import type { CallOptions } from '../../upstream/operation.ts';

export interface SettleDeps {
  readonly journal: Journal;
  readonly domainApi: DomainApi;
  readonly clock: Clock;
  readonly options: CallOptions;
}

/** So long after its claim an operation that was never sent is given up: whoever claimed it is gone. */
const abandonedAfterMs = 60_000;

/**
 * Looks whether an open purchase came true, and writes that down.
 *
 * Only a "yes" settles it: the domain was not in the account before the call, so being there now is the answer. "Not
 * there" proves nothing, since a late commit lands after it; the operation then stays as it was.
 */
export async function settleByReading(
  { journal, domainApi, clock, options }: SettleDeps,
  operation: OperationRecord,
): Promise<OperationRecord> {
  const ageMs = clock.now().getTime() - operation.claimedAt.getTime();
  if (operation.state === 'CLAIMED' && ageMs > abandonedAfterMs) {
    const fault = new Fault('JOURNAL_UNAVAILABLE', {
      message: 'The gateway stopped before it sent the purchase, so nothing was bought.',
    });
    const moved = await journal.move(operation.id, ['CLAIMED'], {
      to: 'FAILED',
      at: clock.now(),
      fault: operationFault(fault),
    });
    return moved ?? operation;
  }
  const isOpen =
    operation.state === 'PENDING' || (operation.state === 'SENDING' && ageMs > abandonedAfterMs);
  if (!isOpen || !(await isOwned(domainApi, operation, options))) return operation;
  const moved = await journal.move(operation.id, ['SENDING', 'PENDING'], {
    to: 'SUCCEEDED',
    at: clock.now(),
    fault: null,
  });
  return moved ?? operation;
}

async function isOwned(
  api: DomainApi,
  { domain }: OperationRecord,
  options: CallOptions,
): Promise<boolean> {
  try {
    const { name } = await api.getdetails({ domain }, options);
    return name === null || name === domain;
  } catch (error) {
    // Whatever keeps us from reading leaves the question open.
    if (error instanceof Fault) return false;
    throw error;
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
      facts: { operationId: id },
      ...(upstream && { upstream }),
    });
  }
  return new Fault('OUTCOME_UNKNOWN', { facts: { operationId: id } });
}
