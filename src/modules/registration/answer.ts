import type { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { PurchaseRecord } from '../../persistence/store.ts';
import { faultsOf } from '../problems.ts';
import { faultOf } from '../purchase/settle.ts';
import type { Purchased } from './purchase.ts';

/** What `registerDomain` and `transferDomain` answer. */
export interface PurchaseAnswer {
  readonly purchase: PurchaseRecord | null;
  readonly price: Money | null;
  /** Balance in the currency of the price after the purchase, as computed before it. */
  readonly balanceAfter: Money | null;
  readonly replayed: boolean;
  readonly dryRun: boolean;
  readonly errors: readonly Fault[];
}

type Told = Partial<Purchased> & Partial<Pick<PurchaseAnswer, 'price' | 'balanceAfter'>>;

/** Turns what a purchase came to, or why it was not made, into its answer: yes, no, or nobody knows yet. */
export async function tellPurchase(
  { dryRun }: { readonly dryRun: boolean },
  work: () => Promise<Told>,
): Promise<PurchaseAnswer> {
  const nothing = { purchase: null, price: null, balanceAfter: null, replayed: false };
  try {
    const { purchase = null, ...told } = await work();
    const fault = purchase && faultOf(purchase);
    const isSpent = purchase?.state !== 'FAILED' && !told.replayed;
    return {
      ...nothing,
      price: purchase?.price ?? null,
      ...told,
      balanceAfter: isSpent ? (told.balanceAfter ?? null) : null,
      dryRun,
      purchase,
      errors: fault ? [fault] : [],
    };
  } catch (error) {
    return { ...nothing, dryRun, errors: faultsOf(error) };
  }
}
