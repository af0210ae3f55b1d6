import { dayMs } from '../../kernel/instant.ts';
import type { Money } from '../../kernel/money.ts';
import { spendUnits } from '../../kernel/spend-limits.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { type Balances, balanceIn } from '../balance/balance.ts';

interface RefundDeps extends Pick<TenantFacts, 'journal' | 'account' | 'clock'> {
  readonly readReseller: () => Promise<Balances>;
}

/** Purchases this close together may have changed each other's balance. */
const closeMs = 10 * 60_000;
/** Older purchases are settled, or still in progress. */
const lookBackMs = 30 * dayMs;
const maxPurchases = 1_000;

/**
 * Whether the cost of a transfer that came to nothing was returned, as the balance shows it; null when it proves neither.
 *
 * After a refund the balance is that from before the transfer, less the costs of later purchases. Everything else that
 * moves the balance, such as a deposit, a purchase by hand or one of several years, leaves the question open.
 */
export async function readRefund(
  { journal, account, clock, readReseller }: RefundDeps,
  transfer: PurchaseRecord,
): Promise<boolean | null> {
  const { cost, balanceAfter, claimedAt } = transfer;
  if (!cost || !balanceAfter || spendUnits(cost) === 0) return null;
  const balance = balanceIn(await readReseller(), cost.currency);
  if (!balance) return null;
  // Read after the balance, so that a purchase which changed it is in the journal.
  const start = new Date(claimedAt.getTime() - lookBackMs);
  const filters = [
    { created: { from: start } },
    { states: ['IN_PROGRESS'], created: { until: start } },
  ] as const;
  const lists = await Promise.all(
    filters.map((filter) => journal.list(account, { filter, limit: maxPurchases })),
  );
  if (lists.some(({ length }) => length === maxPurchases)) return null;
  const others = lists
    .flat()
    .filter(({ id, cost: paid }) => id !== transfer.id && paid?.currency === cost.currency);

  let expected = balanceAfter.amount;
  for (const other of others) {
    const spent = spentBetween(other, claimedAt, clock.now());
    if (spent === null) return null;
    if (spent) expected = expected.minus(spent.amount);
  }
  if (balance.amount.compare(expected.plus(cost.amount)) === 0) return true;
  return balance.amount.compare(expected) === 0 ? false : null;
}

/** What another purchase took from the balance between two reads of it; undefined for nothing, null when that is not certain. */
function spentBetween(other: PurchaseRecord, start: Date, end: Date): Money | undefined | null {
  const { state, submittedAt, acceptedAt, settledAt, fault, cost, period } = other;
  if (settledAt && !isAfter(settledAt, start, -closeMs)) return undefined;
  if (state === 'HELD') return undefined;
  // What failed took nothing, unless it was a transfer whose cost may have been returned since.
  if (state === 'FAILED') return fault?.executed === 'YES' ? null : undefined;
  if (state !== 'SUCCEEDED' || isAfter(acceptedAt, end, -closeMs)) return null;
  // The cost of several years may be an estimate, and the debit lower.
  if (isAfter(submittedAt, start, 0)) return period === 1 ? cost : null;
  return isAfter(acceptedAt, start, -closeMs) ? null : undefined;
}

const isAfter = (time: Date | null, start: Date, offsetMs: number): boolean =>
  time !== null && time.getTime() > start.getTime() + offsetMs;
