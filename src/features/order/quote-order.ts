import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { maxOrderLines } from '../../kernel/job-sizes.ts';
import { Decimal, formatMoney, type Money } from '../../kernel/money.ts';
import { isAboutCosts } from '../../kernel/visibility.ts';
import { shortened } from '../../lib/text.ts';
import { type Checks, createChecks } from '../../modules/mutation/checks.ts';
import {
  checkBalance,
  checkCostLimit,
  checkPrice,
  isClear,
  type Payment,
  periodOf,
} from '../../modules/purchase/checks.ts';
import { type CountedAmount, costOf, countedInPreview } from '../../modules/purchase/counted.ts';
import type { PurchaseFlowDeps } from '../../modules/purchase/flow.ts';
import { below, faultOfCheck } from '../../modules/purchase/line-fault.ts';
import { checkPurchaser } from '../../modules/purchase/purchaser.ts';
import {
  readNamedContacts,
  readStoredValues,
  type StoredValues,
} from '../../modules/purchase/registration-values.ts';
import { checkCountedLimits, checkPurchaseLimits } from '../../modules/purchase/spend-limits.ts';
import type { Quote } from '../../modules/quote/quotes.ts';
import { shareReads } from '../../modules/transfer/transfer.ts';
import type { PurchaseKind } from '../../persistence/purchase-record.ts';
import { customerOf } from './line-customers.ts';
import {
  checkValues,
  type OrderDefaults,
  type OrderLine,
  type OrderLineInput,
  prepareLine,
} from './quoted-lines.ts';

export interface QuoteOrderInput {
  /** With the customer of each; see `withCustomers`. */
  readonly lines: readonly OrderLineInput[];
  readonly defaults?: OrderDefaults | null | undefined;
  /** The highest accepted total, one amount per currency. */
  readonly maxTotal?: readonly Money[] | null | undefined;
  /** The same for what the registrar charges, for callers who may know it. */
  readonly maxTotalCost?: readonly Money[] | null | undefined;
}

/** One line of an order with its price, or the reasons not to buy it. */
export interface OrderLineQuote {
  /** The index in the lines of the input. */
  readonly position: number;
  readonly kind: PurchaseKind;
  /** Null for text that is no domain name. */
  readonly domain: DomainName | null;
  /** The domain, or the text that was sent, shortened. */
  readonly text: string;
  readonly quote: Quote | null;
  /** Whether the name is premium; null when that is unknown. */
  readonly premium: boolean | null;
  readonly errors: readonly Fault[];
}

/** The sum of the lines without errors, in one currency. */
export interface OrderTotal {
  readonly lowest: Money;
  readonly highest: Money;
}

export interface OrderQuote {
  readonly lines: readonly OrderLineQuote[];
  readonly totals: readonly OrderTotal[];
  /** As `totals`: what the registrar charges. */
  readonly costs: readonly OrderTotal[];
  /** Null when no line can be bought, and when a balance is unknown. */
  readonly affordable: boolean | null;
  /** Faults of the order as a whole. */
  readonly errors: readonly Fault[];
}

interface QuoteOptions {
  /** Reads the stored values of the lines. Default: the contacts that they name. */
  readonly readStored?: (deps: PurchaseFlowDeps, input: QuoteOrderInput) => Promise<StoredValues>;
  /** A check of a line that needs no upstream call. */
  readonly checkMore?: (checks: Checks, line: OrderLineInput, stored: StoredValues) => unknown;
  /** Whether an order without faults but `isAboutCosts` would be placed. Absent: nothing is placed. */
  readonly isPlaced?: (quote: OrderQuote) => boolean;
}

interface PricedLine {
  readonly line: OrderLineQuote;
  /** Null when the price was not checked, or is unknown. */
  readonly payment: Payment | null;
  /** What limits of one purchase are about; null for a line without a price check. */
  readonly plan: { readonly tld: string | null; readonly period: number } | null;
}

const registrationsOf = ({ lines }: QuoteOrderInput) =>
  lines.flatMap(({ registration }) => registration ?? []);

const readNamed = (deps: PurchaseFlowDeps, input: QuoteOrderInput) =>
  readNamedContacts(deps, [...registrationsOf(input), input.defaults ?? {}]);

/** All stored values that the lines need. */
export const readAllStored = (deps: PurchaseFlowDeps, input: QuoteOrderInput) =>
  readStoredValues(deps, registrationsOf(input), input.defaults ?? {});

/**
 * Makes the checks of an order and computes its price, without buying anything. A line that fails a check does not affect
 * the other lines. The lines share one `tldlist`, one `resellerdetails` and one bulk check per 100 names.
 */
export async function quoteOrder(
  deps: PurchaseFlowDeps,
  input: QuoteOrderInput,
  {
    readStored = readNamed,
    checkMore = () => undefined,
    isPlaced = () => false,
  }: QuoteOptions = {},
): Promise<OrderQuote> {
  const { lines, defaults, maxTotal, maxTotalCost } = input;
  const checks = createChecks();
  if (lines.length === 0 || lines.length > maxOrderLines) {
    const message = `An order has 1 to ${maxOrderLines} lines; this one has ${lines.length}.`;
    const facts = { minimum: 1, maximum: maxOrderLines };
    checks.add(invalidInput(message, { facts, path: linesPath }));
    return { lines: [], totals: [], costs: [], affordable: null, errors: checks.faults };
  }
  const ofDefaults = createChecks();
  const stored = await readStored(deps, input);
  checkValues(ofDefaults, stored, defaults ?? {});
  checkPurchaser(ofDefaults, deps.caller, defaults?.customer);
  for (const fault of ofDefaults.faults) checks.add(below(fault, ['defaults']));

  const priced = await quoteLines(deps, lines, (ofLine, line) => {
    const customer = customerOf(line);
    // A fault of the defaults is reported once.
    if (customer !== defaults?.customer) checkPurchaser(ofLine, deps.caller, customer);
    const prepared = prepareLine(ofLine, stored, line);
    checkMore(ofLine, line, stored);
    return prepared;
  });
  const countedBy = async (amountOf: CountedAmount): Promise<OrderQuote> => {
    const ofOrder = createChecks();
    for (const fault of checks.faults) ofOrder.add(fault);
    const ofLines = priced.map((one) => withinLimits(deps, one, amountOf));
    const payable = ofLines.filter(({ line }) => line.errors.length === 0);
    const quotes = payable.flatMap(({ line }) => line.quote ?? []);
    const totals = totalsOf(quotes);
    const costs = totalsOf(quotes.map(({ cost }) => cost));
    // A preview must not depend on a line that only the cost can refuse.
    const open = ofLines.filter(({ line }) => line.errors.every(isAboutCosts));
    const limited =
      amountOf === costOf ? totals : totalsOf(open.flatMap(({ line }) => line.quote ?? []));
    if (maxTotal) checkTotals(ofOrder, 'maxTotal', limited, maxTotal);
    if (maxTotalCost && checkCostLimit(ofOrder, deps.caller, 'maxTotalCost')) {
      checkTotals(ofOrder, 'maxTotalCost', costs, maxTotalCost);
    }
    const payments = payable.flatMap(({ payment }) => payment ?? []);
    const affordable = await checkFunds(deps, ofOrder, payments, amountOf);
    const quotedLines = ofLines.map(({ line }) => line);
    return { lines: quotedLines, totals, costs, affordable, errors: ofOrder.faults };
  };
  const inPreview = countedInPreview(deps.caller);
  const preview = await countedBy(inPreview);
  if (inPreview === costOf || !isPlaced(preview)) return preview;
  return { ...(await countedBy(costOf)), affordable: preview.affordable };
}

/** The line with the faults of the limits of one purchase. A line that is refused for another reason is not sent: it is a preview. */
function withinLimits(
  { limits, caller }: PurchaseFlowDeps,
  priced: PricedLine,
  amountOf: CountedAmount,
): PricedLine {
  const { line, payment, plan } = priced;
  if (!plan) return priced;
  const faultsBy = (counted: CountedAmount): readonly Fault[] => {
    const checks = createChecks();
    checkPurchaseLimits(limits, checks, { ...plan, cost: payment && counted(payment) });
    return checks.faults;
  };
  const preview = faultsBy(countedInPreview(caller));
  const isSent = line.errors.length === 0 && preview.every(isAboutCosts);
  const added = (isSent ? faultsBy(amountOf) : preview).map((fault) =>
    faultOfCheck(fault, line.kind, line.position),
  );
  return { ...priced, line: { ...line, errors: [...line.errors, ...added] } };
}

const linesPath = ['input', 'lines'];

function quoteLines(
  deps: PurchaseFlowDeps,
  inputs: readonly OrderLineInput[],
  prepare: (checks: Checks, line: OrderLineInput) => OrderLine,
): Promise<readonly PricedLine[]> {
  const firstOf = new Map<string, number>();
  shareReads(deps.reads, inputs.filter(({ transfer }) => transfer).length);
  const quotes = inputs.map((input, position) => {
    const checks = createChecks();
    const line = prepare(checks, input);
    const { domain } = line;
    const first = domain ? firstOf.get(domain) : undefined;
    if (domain && first === undefined) firstOf.set(domain, position);
    if (first !== undefined) {
      const message = `${domain} is in line ${first} of this order already.`;
      checks.add(invalidInput(message, { path: ['input', 'domain'] }));
    }
    return quoteLine(deps, checks, line, position);
  });
  return Promise.all(quotes);
}

async function quoteLine(
  { reads, caller, options: { budget } }: PurchaseFlowDeps,
  checks: Checks,
  line: OrderLine,
  position: number,
): Promise<PricedLine> {
  const { kind, text, domain, maxPrice, maxCost } = line;
  const mayReadOwned = () => budget.takeSpare();
  // A name is checked once, although it is in several lines.
  const isFirst = isClear(checks, 'domain');
  const priced = domain && isFirst ? await line.check(reads, domain, mayReadOwned) : null;
  let payment: Payment | null = null;
  let plan: PricedLine['plan'] = null;
  if (priced && domain) {
    const period = periodOf(line, priced);
    const isPriced = isClear(checks, 'domain', 'period');
    const order = { domain, period, maxPrice, maxCost };
    payment = isPriced ? checkPrice(checks, order, priced.quote, caller) : null;
    plan = { tld: priced.tld?.name ?? null, period };
  }
  const errors = checks.faults.map((fault) => faultOfCheck(fault, kind, position));
  const quoted = {
    position,
    kind,
    domain,
    text: domain ?? shortened(text.trim()),
    quote: priced?.quote ?? null,
    premium: priced?.premium ?? null,
    errors,
  };
  return { line: quoted, payment, plan };
}

export function totalsOf(
  quotes: readonly Pick<Quote, 'lowest' | 'highest'>[],
): readonly OrderTotal[] {
  const totals = new Map<string, OrderTotal>();
  for (const { lowest, highest } of quotes) {
    if (!lowest || !highest) continue;
    const { currency } = highest;
    const zero = { amount: Decimal.zero, currency };
    const sum = totals.get(currency) ?? { lowest: zero, highest: zero };
    totals.set(currency, {
      lowest: { currency, amount: sum.lowest.amount.plus(lowest.amount) },
      highest: { currency, amount: sum.highest.amount.plus(highest.amount) },
    });
  }
  return [...totals.values()];
}

/** Refuses totals that may be above a limit, and those in a currency that it does not have. */
function checkTotals(
  checks: Checks,
  name: 'maxTotal' | 'maxTotalCost',
  totals: readonly OrderTotal[],
  limits: readonly Money[],
): void {
  const path = ['input', name];
  const currencies = limits.map(({ currency }) => currency);
  const repeated = currencies.find((currency, at) => currencies.indexOf(currency) < at);
  if (repeated !== undefined) {
    const message = `"${name}" has several amounts in ${repeated}; send one per currency.`;
    checks.add(invalidInput(message, { path }));
  }
  for (const { lowest, highest } of totals) {
    const maxPrice = limits.find(({ currency }) => currency === highest.currency);
    if (maxPrice && highest.amount.compare(maxPrice.amount) <= 0) continue;
    const cost = `The order may cost up to ${formatMoney(highest)}`;
    const message = maxPrice
      ? `${cost}, which is more than "${name}".`
      : `${cost}, and "${name}" has no amount in ${highest.currency}.`;
    const facts = { lowest, highest, ...(maxPrice && { maxPrice }) };
    checks.add(new Fault('MAX_PRICE_EXCEEDED', { message, facts, path }));
  }
}

/**
 * Checks the balance, the counted spend limits and the stop switch for all purchases together. Returns whether the balance
 * suffices.
 */
async function checkFunds(
  deps: PurchaseFlowDeps,
  checks: Checks,
  payments: readonly Payment[],
  amountOf: CountedAmount,
): Promise<boolean | null> {
  const left: (Money | null)[] = [];
  const ofLimits = createChecks();
  const amounts = payments.map(amountOf).map((one) => ({ lowest: one, highest: one }));
  const counting = { purchases: payments.length, countsEarlierCosts: amountOf === costOf };
  for (const { highest } of totalsOf(amounts)) {
    left.push(await checkBalance(checks, deps.reads, highest));
    await checkCountedLimits(deps, ofLimits, highest, counting);
  }
  // A limit on the number of purchases does not depend on the currency.
  const faults = new Map(ofLimits.faults.map((fault) => [fault.message, fault]));
  for (const fault of faults.values()) checks.add(fault.with({ path: linesPath }));
  if (left.length === 0) return null;
  if (left.some((money) => money?.amount.isNegative)) return false;
  return left.includes(null) ? null : true;
}
