import { dayMs } from '../../kernel/instant.ts';
import type { TransferStage } from '../../persistence/purchase-queries.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';

/** Null for a registration, and while the upstream is not known to have accepted the transfer. */
function stageOf({ kind, state, fault }: PurchaseRecord): TransferStage | null {
  if (kind !== 'TRANSFER') return null;
  if (state === 'IN_PROGRESS') return 'REQUESTED';
  if (state === 'SUCCEEDED') return 'COMPLETED';
  if (state === 'UNKNOWN') return 'UNKNOWN';
  if (state !== 'FAILED') return null;
  if (fault?.code === 'TRANSFER_REJECTED') return 'REJECTED';
  return fault?.code === 'TRANSFER_CANCELLED' ? 'CANCELLED' : null;
}

/** How far a transfer has come, as a client sees it. */
export type TransferProgress = NonNullable<ReturnType<typeof transferProgressOf>>;

/** Days until a registry completes a transfer, unless the owner or the current registrar rejects it. */
const usualDays = 5;

/** Null for a registration, and while the upstream is not known to have accepted the transfer. */
export function transferProgressOf(purchase: PurchaseRecord) {
  const stage = stageOf(purchase);
  if (stage === null) return null;
  const { acceptedAt: startedAt, settledAt: endedAt, refunded } = purchase;
  const expectedBy =
    stage === 'REQUESTED' && startedAt ? new Date(startedAt.getTime() + usualDays * dayMs) : null;
  return { stage, startedAt, expectedBy, endedAt, refunded };
}
