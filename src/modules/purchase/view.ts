import { Fault } from '../../kernel/faults.ts';
import { stateAt } from '../../kernel/purchase-states.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import { purchaseFieldsOf, withField } from '../mutation/refused-fields.ts';
import { faultOfLine } from './line-fault.ts';

/** Clients need no difference between claimed and sending. */
export type PublicState = Exclude<PurchaseState, 'CLAIMED'>;

/** A purchase as clients see it. */
export interface PurchaseView {
  readonly state: PublicState;
  /** At most one. */
  readonly errors: readonly Fault[];
}

export function viewOf(purchase: PurchaseRecord, at: Date): PurchaseView {
  const now = stateAt(purchase, at);
  const state = now === 'CLAIMED' ? 'SENDING' : now;
  const fault = faultOf(purchase, state);
  return { state, errors: fault ? [atField(fault, purchase)] : [] };
}

/** Null while the purchase has none. */
function faultOf({ id, fault }: PurchaseRecord, state: PublicState): Fault | null {
  const facts = { purchaseId: id };
  switch (state) {
    case 'HELD':
    case 'SENDING':
    case 'IN_PROGRESS':
    case 'SUCCEEDED':
      return null;
    case 'FAILED': {
      if (!fault) return new Fault('UPSTREAM_REJECTED', { facts });
      const { code, message, executed, upstream } = fault;
      // The same request replays this outcome; only a new purchase may succeed.
      const recorded = { message, executed, retryable: false, facts };
      return new Fault(code, { ...recorded, ...(upstream && { upstream }) });
    }
    default:
      return new Fault('OUTCOME_UNKNOWN', {
        ...(state === 'UNKNOWN' && fault && { message: fault.message }),
        facts,
        ...(fault?.upstream && { upstream: fault.upstream }),
      });
  }
}

/** With the path in the input of the purchase, or of the order that it is a line of. */
const atField = (fault: Fault, { kind, orderLine }: PurchaseRecord): Fault =>
  orderLine === null
    ? withField(fault, purchaseFieldsOf[kind])
    : faultOfLine(fault, kind, orderLine);
