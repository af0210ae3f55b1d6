import { Fault, invalidInput } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import { cancelHold } from '../job/held-job.ts';
import type { Holds } from '../job/holds.ts';
import type { SettleDeps } from './conclude.ts';
import { giveUp } from './settle.ts';

export interface CancelDeps extends SettleDeps {
  readonly holds: readonly Pick<Holds, 'cancel'>[];
  /** Starts the work on a job that is no longer held. */
  readonly startJobs: () => void;
}

/**
 * Ends a purchase that is held. The statement that ends the hold decides between this and a decision. After it the job of the
 * purchase does the rest, also when this process ends.
 *
 * @throws Fault `NOT_FOUND` or `INVALID_INPUT`
 */
export async function cancelWaiting(
  deps: CancelDeps,
  purchase: PurchaseRecord | null,
  path: readonly string[],
): Promise<PurchaseRecord> {
  const { holds, startJobs } = deps;
  if (!purchase) throw noPurchase.with({ path });
  const { id, orderId, state } = purchase;
  if (orderId !== null) throw ofOrder.with({ path });
  const end = state === 'HELD' ? await cancelHold(holds, id) : null;
  if (!end) throw notWaiting.with({ path });
  const cancelled = await giveUp(deps, purchase, end);
  startJobs();
  return cancelled;
}

const noPurchase = new Fault('NOT_FOUND', {
  message: 'There is no such purchase; `purchases` lists those of the caller.',
});
const ofOrder = invalidInput(
  'This purchase belongs to a larger request; cancel that request, which ends every part that was not sent.',
);
const notWaiting = invalidInput(
  'This purchase does not wait before it is sent, so it cannot be cancelled; read its `state` and `nextStep` instead.',
);
