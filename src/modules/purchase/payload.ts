import { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PurchaseKind, PurchaseRecord } from '../../persistence/purchase-record.ts';
import { faultsOf } from '../mutation/checks.ts';
import { purchaseFieldsOf, withField } from '../mutation/refused-fields.ts';
import type { Quote } from '../quote/quotes.ts';
import { viewOf } from './view.ts';

/** The payload of `registerDomain` and `transferDomain`. */
export interface PurchasePayload {
  readonly purchase: PurchaseRecord | null;
  /** Null for a replay, and when the TLD cannot be read. */
  readonly quote: Quote | null;
  /** Balance in the currency of the quote less its highest price, as computed before the purchase. */
  readonly balanceAfter: Money | null;
  readonly replayed: boolean;
  /** Whether a purchase with the idempotency key is stored. */
  readonly keyUsed: boolean;
  readonly dryRun: boolean;
  /** Whether it is held, or would be after a dry run. */
  readonly isHeld: boolean;
  readonly errors: readonly Fault[];
}

/** Known before the outcome; the quote is part of a refused purchase too. */
interface PayloadFacts extends Pick<PurchasePayload, 'quote' | 'dryRun' | 'isHeld'> {
  readonly clock: Pick<Clock, 'now'>;
}

/** The payload of a purchase that was made, replayed or, without `purchase`, only tried. */
export function toPayload(
  { clock, ...facts }: PayloadFacts,
  {
    purchase = null,
    balanceAfter = null,
    replayed = false,
  }: Partial<Pick<PurchasePayload, 'purchase' | 'balanceAfter' | 'replayed'>>,
): PurchasePayload {
  const isSpent = purchase?.state !== 'FAILED' && !replayed;
  return {
    ...facts,
    purchase,
    balanceAfter: isSpent ? balanceAfter : null,
    replayed,
    keyUsed: purchase !== null,
    errors: purchase ? viewOf(purchase, clock.now()).errors : [],
  };
}

/** The payload of a purchase that was not made. @throws the error when it is neither a Fault nor Problems. */
export const toRefusedPayload = (
  facts: PayloadFacts,
  kind: PurchaseKind,
  error: unknown,
  keyUsed: boolean,
): PurchasePayload => ({
  ...toPayload(facts, {}),
  keyUsed,
  // A check knows its field. The fault of a read has none, whatever its code is.
  errors: error instanceof Fault ? [withField(error, purchaseFieldsOf[kind])] : faultsOf(error),
});
