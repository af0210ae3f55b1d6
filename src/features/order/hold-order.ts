import { fingerprint } from '../../kernel/fingerprint.ts';
import type { Money } from '../../kernel/money.ts';
import type { JobHold } from '../../persistence/job-store.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import { type HeldJob, heldLineId } from '../../modules/job/held-job.ts';
import type { HeldRequest } from '../../modules/mutation/gate.ts';
import type { PurchaseFlowDeps } from '../../modules/purchase/flow.ts';
import { customerOf } from './line-customers.ts';
import { type OrderLineQuote, type OrderTotal, totalsOf } from './quote-order.ts';
import type { OrderLineInput } from './quoted-lines.ts';

interface OrderInput {
  readonly lines: readonly OrderLineInput[];
  readonly onFailure: string;
  readonly maxTotal?: readonly Money[] | null | undefined;
  readonly maxTotalCost?: readonly Money[] | null | undefined;
}

interface CheckedLines {
  readonly lines: readonly OrderLineQuote[];
  readonly fingerprints: readonly string[];
}

interface HeldOrder extends HeldJob {
  /** Null when nothing is held. */
  readonly hold: JobHold | null;
}

const kinds: readonly PurchaseKind[] = ['REGISTRATION', 'TRANSFER'];

/** Holds the order with this id as a whole where the gate requires that, otherwise those of its lines without errors that it requires. */
export async function holdOrder(
  deps: PurchaseFlowDeps,
  id: string,
  input: OrderInput,
  checked: CheckedLines,
): Promise<HeldOrder> {
  const whole = heldAsWhole(deps, id, input, checked);
  if (whole) {
    await deps.gate.hold([whole]);
    return { heldInput: whole.fingerprint, hold: { by: whole.hold.by } };
  }
  const alone = heldLines(deps, id, input, checked);
  const [first] = alone;
  if (!first) return { hold: null };
  await deps.gate.hold(alone);
  const positions = new Set(alone.map(({ line }) => line.position));
  return { holdsLines: true, hold: { by: first.hold.by, positions } };
}

/** The lines that are held one by one. */
const heldLines = (
  { gate }: PurchaseFlowDeps,
  orderId: string,
  input: OrderInput,
  { lines, fingerprints }: CheckedLines,
) =>
  lines.flatMap((line, position) => {
    const { kind, domain, quote, premium, errors } = line;
    if (errors.length > 0) return [];
    const cost = quote?.cost.highest ?? null;
    const hold = gate.decide([kind], { cost, premium, count: 1, perLine: true });
    if (!hold) return [];
    const sent = input.lines[position];
    return {
      ...({ hold, cost, count: 1, jobKind: 'ORDER', domain } as const),
      id: heldLineId(orderId, position),
      line: { orderId, position },
      customer: sent ? customerOf(sent) : null,
      price: quote?.highest ?? null,
      fingerprint: fingerprints[position] ?? '',
    };
  });

/** The order as a whole; null when it is not held. */
function heldAsWhole(
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
  const hold = gate.decide(bought, { cost, premium, count, perLine: false });
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
