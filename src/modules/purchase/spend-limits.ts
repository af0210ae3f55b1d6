import type { Caller } from '../../kernel/caller.ts';
import { Fault, type FaultFacts, type LimitName } from '../../kernel/faults.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import {
  type CountedBreach,
  countedBreaches,
  inCurrency,
  type LimitScope,
  limitScopes,
  type ScopedLimits,
  type SpendLimits,
} from '../../kernel/spend-limits.ts';
import { several } from '../../lib/text.ts';
import type { ClaimOutcome } from '../../persistence/purchase-store.ts';
import type { PurchaseStop, Spending } from '../../persistence/spending.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { type Checks, createChecks } from '../mutation/checks.ts';

/** The purchase to check; null for an unknown member. */
interface PlannedPurchase {
  readonly tld: string | null;
  /** Years. */
  readonly period: number;
  readonly cost: Money | null;
}

interface SpendingDeps extends Pick<TenantFacts, 'journal' | 'account' | 'clock'> {
  readonly caller: Pick<Caller, 'name'>;
  readonly limits: ScopedLimits;
}

/** Records the limits of one purchase that this one exceeds. */
export function checkPurchaseLimits(
  limits: ScopedLimits,
  checks: Checks,
  plan: PlannedPurchase,
): void {
  for (const scope of limitScopes) {
    for (const fault of breaches(scope, limits[scope], plan)) checks.add(fault);
  }
}

interface CountedPurchases {
  readonly purchases?: number;
  /** False for a caller who must not know costs: a limit of money is then compared with these purchases alone. */
  readonly countsEarlierCosts?: boolean;
}

const withoutUnits = ({ GATEWAY, KEY }: Spending['spent']): Spending['spent'] => ({
  GATEWAY: { ...GATEWAY, units: 0n },
  KEY: { ...KEY, units: 0n },
});

/**
 * Records the counted limits that some purchases at this cost together would exceed, and the stop switch. An unknown cost
 * is null.
 *
 * The counts may change before the claim, which decides. Returns the limits that would be exceeded.
 */
export async function checkCountedLimits(
  { journal, account, clock, caller, limits }: SpendingDeps,
  checks: Checks,
  cost: Money | null,
  { purchases = 1, countsEarlierCosts = true }: CountedPurchases = {},
): Promise<readonly CountedBreach[]> {
  const now = { account, caller: caller.name, cost, claimedAt: clock.now() };
  const { stop, spent: earlier } = await journal.spending(now);
  const spent = countsEarlierCosts ? earlier : withoutUnits(earlier);
  if (stop) checks.add(stopped(stop));
  const breaches = countedBreaches(limits, spent, cost, purchases);
  for (const breach of breaches) {
    // An unknown price is already reported by another fault.
    if (cost || breach.limit === 'PER_HOUR') checks.add(overCount(breach, cost, purchases));
  }
  return breaches;
}

type Refused = Extract<ClaimOutcome, { outcome: 'stopped' | 'over-limit' }>;

/** @throws Fault or Problems when the stop switch or a limit refused the claim. */
export function assertMayBeSpent(
  claim: ClaimOutcome,
  cost: Money,
): asserts claim is Exclude<ClaimOutcome, Refused> {
  if (claim.outcome === 'stopped') throw stopped(claim.stop);
  if (claim.outcome !== 'over-limit') return;
  const checks = createChecks();
  for (const breach of claim.breaches) checks.add(overCount(breach, cost));
  checks.finish();
}

const who = { GATEWAY: 'This gateway', KEY: 'This API key' } as const;
const domainPath = ['input', 'domain'];

const exceeded = (
  limit: LimitName,
  scope: LimitScope,
  rule: string,
  facts: FaultFacts,
  more: { readonly path?: readonly string[]; readonly retryable?: boolean } = {},
) =>
  new Fault('SPEND_LIMIT_EXCEEDED', {
    message: `${who[scope]} ${rule}`,
    facts: { limit, scope, ...facts },
    path: domainPath,
    ...more,
  });

/** The limits of one purchase that this one exceeds. */
function* breaches(
  scope: LimitScope,
  { perCall, tlds, longestPeriod }: SpendLimits,
  { tld, period, cost }: PlannedPurchase,
): Generator<Fault> {
  const allowed = perCall && cost && inCurrency(perCall, cost);
  if (perCall && cost && !(allowed && cost.amount.compare(allowed.amount) <= 0)) {
    const rule = allowed
      ? `spends at most ${formatMoney(allowed)} at a time; this may cost ${formatMoney(cost)}.`
      : notInCurrency(cost);
    yield exceeded('PER_CALL', scope, rule, { price: cost, ...(allowed && { allowed }) });
  }
  if (tlds && tld !== null && !tlds.includes(tld)) {
    const rule = `buys names under ${shownTlds(tlds)} only, and none under .${tld}.`;
    yield exceeded('TLDS', scope, rule, { allowedTlds: tlds });
  }
  if (longestPeriod !== undefined && period > longestPeriod) {
    const rule = `buys for at most ${several(longestPeriod, 'year')}; ${period} were requested.`;
    const path = ['input', 'period'];
    yield exceeded('LONGEST_PERIOD', scope, rule, { allowedPeriod: longestPeriod }, { path });
  }
}

const notInCurrency = (cost: Money) =>
  `spends nothing in ${cost.currency}; this may cost ${formatMoney(cost)}.`;

const maxShown = 10;

function shownTlds(tlds: readonly string[]): string {
  const shown = tlds.slice(0, maxShown).map((one) => `.${one}`);
  const others = tlds.length > maxShown ? ` and ${tlds.length - maxShown} others` : '';
  return `${shown.join(', ') || 'no TLD'}${others}`;
}

function overCount(breach: CountedBreach, cost: Money | null, purchases = 1): Fault {
  const { scope } = breach;
  if (breach.limit === 'PER_HOUR') {
    const { allowedCount, count } = breach;
    const more = purchases > 1 ? `; this request has ${purchases} more` : '';
    const rule = `makes at most ${several(allowedCount, 'purchase')} in 60 minutes, and has made ${count}${more}.`;
    const retryable = allowedCount >= purchases;
    return exceeded('PER_HOUR', scope, rule, { allowedCount, count }, { retryable });
  }
  const { allowed, spent } = breach;
  const facts = {
    ...(cost && { price: cost }),
    ...(allowed && { allowed }),
    ...(spent && { spent }),
  };
  if (!cost || !allowed || !spent) {
    const rule = cost ? notInCurrency(cost) : 'buys nothing without a price.';
    return exceeded('PER_DAY', scope, rule, facts);
  }
  const rule = `spends at most ${formatMoney(allowed)} in 24 hours, and has spent ${formatMoney(spent)}; this may cost ${formatMoney(cost)}.`;
  // A later retry succeeds once older purchases leave the window, unless the cost alone is above the limit.
  const retryable = cost.amount.compare(allowed.amount) <= 0;
  return exceeded('PER_DAY', scope, rule, facts, { retryable });
}

const stopped = ({ since, reason }: PurchaseStop) =>
  new Fault('PURCHASES_STOPPED', {
    message: `The operator stopped all purchases at ${since.toISOString()}: "${reason}".`,
    facts: { since, reason },
    path: domainPath,
  });
