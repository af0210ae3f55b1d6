import { costOperations } from '../../kernel/approval-rules.ts';
import { fingerprint } from '../../kernel/fingerprint.ts';
import type { Money } from '../../kernel/money.ts';
import type { Held } from '../../persistence/job-store.ts';
import { type ApprovedJob, lineApprovalId } from '../job/approved-job.ts';
import type { PurchaseFlowDeps } from '../purchase/flow.ts';
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

interface Waiting extends ApprovedJob {
  readonly held: Held;
}

/**
 * Requests the approvals that the order with this id needs for the lines without errors: one when a rule matches the order as a whole,
 * otherwise one for each line that a rule with `perLine` matches.
 */
export async function requestApprovals(
  deps: PurchaseFlowDeps,
  id: string,
  input: OrderInput,
  checked: CheckedLines,
): Promise<Waiting> {
  const ofOrder = approvalOfOrder(deps, input, checked);
  if (ofOrder) {
    await deps.approvals.request({ ...ofOrder, id });
    return { approval: ofOrder.fingerprint, held: true };
  }
  const ofLines = approvalsOfLines(deps, id, input, checked);
  await deps.approvals.requestLines(ofLines);
  const held = new Set(ofLines.map(({ line }) => line.position));
  return { linesNeedApproval: held.size > 0 || undefined, held };
}

/** The approvals that single lines need. */
const approvalsOfLines = (
  { approvals }: PurchaseFlowDeps,
  orderId: string,
  input: OrderInput,
  { lines, fingerprints }: CheckedLines,
) =>
  lines.flatMap((line, position) => {
    const { kind: operation, domain, quote, premium, errors } = line;
    if (errors.length > 0) return [];
    const cost = quote?.cost.highest ?? null;
    const rule = approvals.ruleFor({ operation, cost, premium, count: 1, perLine: true });
    if (!rule) return [];
    const sent = input.lines[position];
    return {
      ...({ rule, operation, cost, count: 1, jobKind: 'ORDER', domain } as const),
      id: lineApprovalId(orderId, position),
      line: { orderId, position },
      customer: sent ? customerOf(sent) : null,
      price: quote?.highest ?? null,
      fingerprint: fingerprints[position] ?? '',
    };
  });

/** The approval that an order needs as a whole; null when it needs none. */
function approvalOfOrder(
  { approvals, caller }: PurchaseFlowDeps,
  { onFailure, maxTotal, maxTotalCost }: OrderInput,
  { lines, fingerprints }: CheckedLines,
) {
  const payable = lines.filter(({ errors }) => errors.length === 0);
  const quotes = payable.flatMap(({ quote }) => quote ?? []);
  const cost = onlyTotal(totalsOf(quotes.map((quote) => quote.cost)));
  const premium = anyOf(payable.map((line) => line.premium));
  const count = payable.length;
  const subject = { cost, premium, count, perLine: false };
  const kinds = costOperations.filter((kind) => payable.some((line) => line.kind === kind));
  const needed = approvals.ruleForAny(kinds, subject);
  if (!needed) return null;
  const price = onlyTotal(totalsOf(quotes));
  const order = { fingerprints, onFailure, maxTotal, maxTotalCost };
  return {
    ...({ ...needed, cost, price, count, jobKind: 'ORDER', domain: null } as const),
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
