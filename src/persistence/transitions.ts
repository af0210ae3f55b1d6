import { type OperationState, unsettledStates } from './store.ts';

/**
 * Where an operation may go. Nothing leads back from SENDING, and nothing leads away from an end.
 *
 * PENDING to PENDING only renews the reason why it is still open.
 */
const next: Record<OperationState, readonly OperationState[]> = {
  CLAIMED: ['SENDING', 'FAILED'],
  SENDING: ['PENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
  PENDING: ['PENDING', 'SUCCEEDED', 'FAILED', 'UNKNOWN'],
  SUCCEEDED: [],
  FAILED: [],
  UNKNOWN: [],
};

/** Whether nothing more will become of an operation in this state. */
export const isEnd = (state: OperationState): boolean =>
  !unsettledStates.some((open) => open === state);

/** @throws Error when the table has no such way, which is a bug of the caller. */
export function assertWay(from: readonly OperationState[], to: OperationState): void {
  if (from.length === 0) throw new Error(`A move to ${to} must name where it starts.`);
  const wrong = from.find((state) => !next[state].includes(to));
  if (wrong) throw new Error(`An operation never moves from ${wrong} to ${to}.`);
}
