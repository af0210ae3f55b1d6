import type { Money } from '../../kernel/money.ts';
import type { PurchaseFlowDeps } from '../purchase/flow.ts';
import { fingerprint } from '../purchase/idempotency.ts';
import { type OrderLineQuote, type OrderTotal, totalsOf } from './quote-order.ts';

interface OrderLimits {
  readonly onFailure: string;
  readonly maxTotal?: readonly Money[] | null | undefined;
  readonly maxTotalCost?: readonly Money[] | null | undefined;
}

interface CheckedLines {
  readonly lines: readonly OrderLineQuote[];
  readonly fingerprints: readonly string[];
}

/** The approval that an order needs for the lines without errors; null when it needs none. */
export function requestedApproval(
  { approvals, caller }: PurchaseFlowDeps,
  { onFailure, maxTotal, maxTotalCost }: OrderLimits,
  { lines, fingerprints }: CheckedLines,
) {
  const payable = lines.filter(({ errors }) => errors.length === 0);
  const quotes = payable.flatMap(({ quote }) => quote ?? []);
  const cost = onlyTotal(totalsOf(quotes.map((quote) => quote.cost)));
  const premium = anyOf(payable.map((line) => line.premium));
  const count = payable.length;
  for (const operation of ['REGISTRATION', 'TRANSFER'] as const) {
    const hasAny = payable.some(({ kind }) => kind === operation);
    const rule = hasAny ? approvals.ruleFor({ operation, cost, premium, count }) : null;
    if (!rule) continue;
    const price = onlyTotal(totalsOf(quotes));
    const order = { fingerprints, onFailure, maxTotal, maxTotalCost };
    return {
      ...({ rule, operation, cost, price, count, jobKind: 'ORDER', domain: null } as const),
      customer: caller.customer,
      fingerprint: fingerprint('ORDER', order),
    };
  }
  return null;
}

/** Null for totals in several currencies, which cannot be compared with an amount. */
const onlyTotal = (totals: readonly OrderTotal[]): Money | null =>
  totals.length === 1 ? (totals[0]?.highest ?? null) : null;

/** Null when it is unknown whether one is true. */
function anyOf(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(true)) return true;
  return values.includes(null) ? null : false;
}
