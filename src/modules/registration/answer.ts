import type { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseKind, PurchaseRecord } from '../../persistence/store.ts';
import { faultsOf } from '../problems.ts';
import { faultOf } from '../purchase/settle.ts';
import type { Quote } from '../quote/quote.ts';
import { registerDomainFields, transferDomainFields, withField } from '../refused-field.ts';
import type { Purchased } from './purchase.ts';

/** The payload of `registerDomain` and `transferDomain`. */
export interface PurchaseAnswer {
  readonly purchase: PurchaseRecord | null;
  /** Null when the request came to no quote: a replay, or a TLD that could not be read. */
  readonly quote: Quote | null;
  /** Balance in the currency of the quote less its highest price, as computed before the purchase. */
  readonly balanceAfter: Money | null;
  readonly replayed: boolean;
  readonly dryRun: boolean;
  readonly errors: readonly Fault[];
}

const refusedFields = { REGISTER: registerDomainFields, TRANSFER: transferDomainFields };

type Outcome = Partial<Purchased> & Partial<Pick<PurchaseAnswer, 'balanceAfter'>>;

/**
 * Turns the outcome of a purchase, or the reason why it was not made, into its payload.
 *
 * A quote that `work` reports is part of the payload also when a later check refuses the purchase.
 */
export async function answerPurchase(
  { kind, dryRun }: { readonly kind: PurchaseKind; readonly dryRun: boolean },
  work: (reportQuote: (quote: Quote | null) => void) => Promise<Outcome>,
): Promise<PurchaseAnswer> {
  const fields = refusedFields[kind];
  let quote: Quote | null = null;
  const reportQuote = (reported: Quote | null) => {
    quote = reported;
  };
  try {
    const { purchase = null, replayed = false, balanceAfter = null } = await work(reportQuote);
    const fault = purchase && faultOf(purchase);
    const isSpent = purchase?.state !== 'FAILED' && !replayed;
    return {
      purchase,
      quote,
      balanceAfter: isSpent ? balanceAfter : null,
      replayed,
      dryRun,
      errors: fault ? [withField(fault, fields)] : [],
    };
  } catch (error) {
    const nothing = { purchase: null, balanceAfter: null, replayed: false };
    return {
      ...nothing,
      quote,
      dryRun,
      errors: faultsOf(error).map((fault) => withField(fault, fields)),
    };
  }
}
