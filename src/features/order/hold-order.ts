import type { Money } from '../../kernel/money.ts';
import { fingerprint } from '../../kernel/stored-json.ts';
import type { HeldRequest } from '../../modules/mutation/gate.ts';
import type { PurchaseFlowDeps } from '../../modules/purchase/flow.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import { type OrderLineQuote, type OrderTotal, totalsOf } from './quote-order.ts';

interface OrderInput {
  readonly onFailure: string;
  readonly maxTotal?: readonly Money[] | null | undefined;
  readonly maxTotalCost?: readonly Money[] | null | undefined;
}

interface CheckedLines {
  readonly lines: readonly OrderLineQuote[];
  readonly fingerprints: readonly string[];
}

const kinds: readonly PurchaseKind[] = ['REGISTRATION', 'TRANSFER'];

/** The hold of the order with this id where the gate requires one; null when it does not. */
export function heldOrder(
  { gate, caller }: PurchaseFlowDeps,
  id: string,
  { onFailure, maxTotal, maxTotalCost }: OrderInput,
  { lines, fingerprints }: CheckedLines,
): HeldRequest | null {
  const payable = lines.filter(({ errors }) => errors.length === 0);
  const quotes = payable.flatMap(({ quote }) => quote ?? []);
  const cost = onlyTotal(totalsOf(quotes.map((quote) => quote.cost)));
  const premium = anyOf(payable.map((line) => line.premium));
  const count = payable.length;
  const bought = kinds.filter((kind) => payable.some((line) => line.kind === kind));
  const hold = gate.decide(bought, { cost, premium, count });
  if (!hold) return null;
  const price = onlyTotal(totalsOf(quotes));
  const order = { fingerprints, onFailure, maxTotal, maxTotalCost };
  return {
    ...({ id, hold, cost, price, count, jobKind: 'ORDER', domain: null } as const),
    customer: caller.customer,
    fingerprint: fingerprint('ORDER', order),
  };
}

/** Null for totals in several currencies, which cannot be compared with an amount. */
const onlyTotal = (totals: readonly OrderTotal[]): Money | null =>
  totals.length === 1 ? (totals[0]?.highest ?? null) : null;

/** Null when it is unknown whether one is true. */
function anyOf(values: readonly (boolean | null)[]): boolean | null {
  if (values.includes(true)) return true;
  return values.includes(null) ? null : false;
}
