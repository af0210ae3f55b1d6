import { dayMs, longestTermDays } from '../../kernel/instant.ts';
import type { Money } from '../../kernel/money.ts';
import { type Balances, balanceIn } from '../../modules/balance/balance.ts';
import type { DomainSelection, RenewalPrice } from './list-index/portfolio-index.ts';
import type { Portfolio } from './portfolio.ts';

/** Renewals, one year each. */
interface DueRenewals {
  readonly count: number;
  /** Those whose price is not known. */
  readonly unpriced: number;
  /** One for each currency, in the order of their codes. */
  readonly totals: readonly Money[];
  /** Whether no domain and no price is missing in the totals. */
  readonly isExact: boolean;
}

export async function renewalsWithin(
  { index, complete }: Pick<Portfolio, 'index' | 'complete'>,
  {
    days,
    now,
    filter = null,
  }: { readonly days: number; readonly now: Date } & Partial<DomainSelection>,
  priceOf: RenewalPrice,
): Promise<DueRenewals> {
  const until = new Date(now.getTime() + days * dayMs);
  const due = await index.count({ filter, now }).renewalsBetween(now, until, priceOf);
  return { ...due, isExact: complete && due.unpriced === 0 };
}

/** The decision of all currencies together; null when that cannot be decided. */
export function areCovered(
  due: Pick<DueRenewals, 'totals' | 'isExact'>,
  balances: Balances,
): boolean | null {
  const decided = due.totals.map((total) =>
    isCovered(due, total, balanceIn(balances, total.currency)),
  );
  if (decided.includes(false)) return false;
  return (due.isExact && !decided.includes(null)) || null;
}

/** Why `areCovered` cannot be decided, in one sentence. */
export function undecidedReason(
  { unpriced, totals }: Pick<DueRenewals, 'unpriced' | 'totals'>,
  balances: Balances,
  { nextStep }: Pick<Portfolio, 'nextStep'>,
): string {
  if (nextStep) return `The list of domains is not complete. ${nextStep}`;
  if (unpriced > 0)
    return `The renewal price of ${unpriced === 1 ? '1 domain' : `${unpriced} domains`} is not known.`;
  const unknown = totals.find(({ currency }) => !balanceIn(balances, currency));
  return `The balance in ${unknown?.currency ?? 'one currency'} is not known.`;
}

/**
 * The days whose renewals the balances cover, or may cover: 0 when they do not cover those of a day. `isDecided`: they cover them.
 * `dueWithin` returns the renewals of a number of days.
 */
export async function coveredDays(
  balances: Balances,
  dueWithin: (days: number) => Promise<DueRenewals>,
): Promise<{ readonly days: number; readonly isDecided: boolean }> {
  const areCoveredFor = async (days: number) => areCovered(await dueWithin(days), balances);
  let covered = 0;
  let uncovered = longestTermDays + 1;
  while (uncovered - covered > 1) {
    const days = Math.floor((covered + uncovered) / 2);
    if ((await areCoveredFor(days)) === false) uncovered = days;
    else covered = days;
  }
  const isDecided = covered === 0 || (await areCoveredFor(covered)) === true;
  return { days: covered, isDecided };
}

/** Whether a balance covers a total; null when that cannot be decided. */
export function isCovered(
  { isExact }: Pick<DueRenewals, 'isExact'>,
  total: Money,
  balance: Money | null,
): boolean | null {
  if (!balance) return null;
  if (balance.amount.compare(total.amount) < 0) return false;
  return isExact || null;
}
