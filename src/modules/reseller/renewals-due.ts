import { dayMs, longestTermDays } from '../../kernel/instant.ts';
import type { Money } from '../../kernel/money.ts';
import type { RenewalPrice } from '../portfolio/index/portfolio-index.ts';
import type { Portfolio } from '../portfolio/portfolio.ts';
import { type Balances, balanceIn } from '../purchase/balance.ts';

interface Span {
  readonly days: number;
  readonly now: Date;
}

/** The renewals that are due, one year each. */
interface DueRenewals {
  /** Number of domains. */
  readonly count: number;
  /** Those whose price is not known. */
  readonly unpriced: number;
  /** One for each currency, in the order of their codes. */
  readonly totals: readonly Money[];
  /** Whether no domain and no price is missing in the totals. */
  readonly isExact: boolean;
}

/** The renewals of the domains that expire within a number of days. */
export async function renewalsWithin(
  { index, complete }: Pick<Portfolio, 'index' | 'complete'>,
  { days, now }: Span,
  priceOf: RenewalPrice,
): Promise<DueRenewals> {
  const until = new Date(now.getTime() + days * dayMs);
  const due = await index.count({ filter: null, now }).renewalsBetween(now, until, priceOf);
  return { ...due, isExact: complete && due.unpriced === 0 };
}

export interface RenewalsDue extends DueRenewals {
  /** Whether the balances cover all costs; null when that cannot be decided. */
  readonly covered: boolean | null;
  /** As `totals`, what the registrar charges. */
  readonly costs: readonly Money[];
}

/** The decision of all currencies together; null when that cannot be decided. */
export function areCovered(due: DueRenewals, balances: Balances): boolean | null {
  const decided = due.totals.map((total) =>
    isCovered(due, total, balanceIn(balances, total.currency)),
  );
  if (decided.includes(false)) return false;
  return (due.isExact && !decided.includes(null)) || null;
}

/**
 * The time until which the balances cover the renewals, to the day: now when they do not cover those of a day. Null when that
 * cannot be decided. `dueWithin` returns the renewals of a number of days.
 */
export async function coveredUntil(
  now: Date,
  balances: Balances,
  dueWithin: (days: number) => Promise<DueRenewals>,
): Promise<Date | null> {
  const areCoveredFor = async (days: number) => areCovered(await dueWithin(days), balances);
  let covered = 0;
  let uncovered = longestTermDays + 1;
  while (uncovered - covered > 1) {
    const days = Math.floor((covered + uncovered) / 2);
    if ((await areCoveredFor(days)) === false) uncovered = days;
    else covered = days;
  }
  if (covered > 0 && (await areCoveredFor(covered)) === null) return null;
  return new Date(now.getTime() + covered * dayMs);
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
