import type { DomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { Money } from '../../kernel/money.ts';
import type { OperationRecord } from '../../persistence/store.ts';
import { faultOf } from '../operation/settle.ts';
import { faultsOf } from '../problems.ts';
import type { Purchased } from './purchase.ts';

/** What `registerDomain` and `transferDomain` answer. */
export interface PurchaseAnswer {
  readonly domain: DomainName;
  readonly operation: OperationRecord | null;
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
  { domain, dryRun }: { readonly domain: DomainName; readonly dryRun: boolean },
  work: () => Promise<Told>,
): Promise<PurchaseAnswer> {
  const nothing = { operation: null, price: null, balanceAfter: null, replayed: false };
  try {
    const { operation = null, ...told } = await work();
    const fault = operation && faultOf(operation);
    const isSpent = operation?.state !== 'FAILED' && !told.replayed;
    return {
      ...nothing,
      price: operation?.price ?? null,
      ...told,
      balanceAfter: isSpent ? (told.balanceAfter ?? null) : null,
      domain,
      dryRun,
      operation,
      errors: fault ? [fault] : [],
    };
  } catch (error) {
    return { ...nothing, domain, dryRun, errors: faultsOf(error) };
  }
}
