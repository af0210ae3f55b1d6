import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { formatMoney, type Money, type RetailPrice } from '../../kernel/money.ts';
import { several } from '../../lib/text.ts';
import type { Reads } from '../../scope/reads.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { balanceIn, resellerRead } from '../balance/balance.ts';
import type { Checks } from '../mutation/checks.ts';
import { isWithinTerm, periodRule, termOf } from '../quote/quote.ts';
import type { Quote } from '../quote/quotes.ts';
import { tldReads } from '../tld/loader.ts';

/** The inputs of both purchases that protect money, and for whom the purchase is. */
export interface PurchaseGuards {
  /** Null for the reseller. */
  readonly customer?: string | null | undefined;
  readonly maxPrice?: Money | null | undefined;
  /** For callers who may know costs. */
  readonly maxCost?: Money | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly dryRun: boolean;
}

export interface PricedOrder extends Pick<PurchaseGuards, 'maxPrice' | 'maxCost'> {
  readonly domain: DomainName;
  /** Years. */
  readonly period: number;
}

/** The price of a purchase, and the TLD that it is for. */
export interface Priced {
  readonly tld: TldDetails | null;
  /** Whether the name is premium; null when that is unknown. */
  readonly premium: boolean | null;
  /** Null when the price cannot be computed. */
  readonly quote: Quote | null;
}

/** The years of a purchase: those of its quote, which has the default of the TLD where the client sets none. */
export const periodOf = (
  { period }: { readonly period?: number | null | undefined },
  { quote }: Pick<Priced, 'quote'>,
): number => quote?.period ?? period ?? 1;

/** A read for a check; undefined when it fails. Its fault is a reason not to buy, and about no field of the input. */
export async function readFor<T>(checks: Checks, read: Promise<T>): Promise<T | undefined> {
  const result = await read.catch(asFault);
  if (!(result instanceof Fault)) return result;
  checks.add(result);
  return undefined;
}

const domainPath = ['input', 'domain'];
const periodPath = ['input', 'period'];

type Ordered = 'REGISTRATION' | 'TRANSFER';

/** The TLD of the name; checks label and period by its rules. Null, with the fault recorded, when there is none. */
export async function checkTld(
  checks: Checks,
  reads: Reads,
  domain: DomainName,
  { operation, period }: { readonly operation: Ordered; readonly period: number | null },
): Promise<TldDetails | null> {
  const above = await readFor(checks, Promise.resolve(reads.use(tldReads).above(domain)));
  if (above === null) checks.add(unsold(domain));
  if (!above) return null;
  const { tld, labelFault } = above;
  if (labelFault) checks.add(labelFault.with({ path: domainPath }));
  if (period !== null && !isWithinTerm(tld, operation, period)) {
    checks.add(outOfRange(period, operation, tld));
  }
  return tld;
}

const unsold = (domain: DomainName) =>
  new Fault('TLD_UNSUPPORTED', {
    message: `The TLD of "${domain}" is not supported; query "tlds" for the supported TLDs.`,
    path: domainPath,
  });

function outOfRange(period: number, operation: Ordered, tld: TldDetails): Fault {
  return new Fault('PERIOD_OUT_OF_RANGE', {
    message: periodRule(tld, operation, period),
    facts: termOf(tld, operation),
    path: periodPath,
  });
}

/** Whether all reads succeeded, and no fault was found in these fields. The price of a refused name or period is not checked. */
export const isClear = ({ faults }: Checks, ...fields: readonly string[]): boolean =>
  !faults.some(({ inputPath: [, field] }) => field === undefined || fields.includes(field));

/** What a purchase is for the customer and for the registrar. */
export interface Payment {
  readonly cost: Money;
  /** Null when the customer pays the cost. */
  readonly retail: RetailPrice | null;
}

/** Refuses a price that is unknown, and one that may be above `maxPrice` or `maxCost`. Returns the highest; null when it is unknown. */
export function checkPrice(
  checks: Checks,
  { domain, period, maxPrice, maxCost }: PricedOrder,
  quote: Quote | null,
  caller: Caller,
): Payment | null {
  const payment = quote && paymentOf(quote);
  if (!quote?.highest || !payment) {
    const unknown = `The price of ${several(period, 'year')} of ${domain} is unknown, so nothing was sent.`;
    const message = quote?.reason ? `${unknown} ${quote.reason}` : unknown;
    checks.add(new Fault('PRICE_UNAVAILABLE', { path: periodPath, message }));
    return null;
  }
  const { lowest, highest, cost } = quote;
  if (maxPrice) checkLimit(checks, 'maxPrice', maxPrice, { lowest, highest });
  if (maxCost && checkCostLimit(checks, caller, 'maxCost')) {
    checkLimit(checks, 'maxCost', maxCost, { lowest: cost.lowest, highest: payment.cost });
  }
  return payment;
}

/** Null for a quote without a price. */
export function paymentOf({ highest, cost, basis }: Quote): Payment | null {
  if (!highest || !cost.highest) return null;
  return { cost: cost.highest, retail: basis && { ...basis, price: highest } };
}

/** Refuses a limit of the cost from a caller who must not know costs, because its answer would be one. */
export function checkCostLimit(checks: Checks, caller: Caller, name: string): boolean {
  if (mayKnowCosts(caller)) return true;
  const message = `"${name}" needs the scope "prices:cost"; your key or token does not have it.`;
  checks.add(new Fault('FORBIDDEN', { message, path: ['input', name] }));
  return false;
}

function checkLimit(
  checks: Checks,
  name: 'maxPrice' | 'maxCost',
  limit: Money,
  { lowest, highest }: { readonly lowest: Money | null; readonly highest: Money },
): void {
  const isExact = lowest?.amount.compare(highest.amount) === 0;
  const cost = `${isExact ? 'It costs' : 'It may cost up to'} ${formatMoney(highest)}`;
  const refuse = (message: string) =>
    checks.add(
      new Fault('MAX_PRICE_EXCEEDED', {
        path: ['input', name],
        facts: { maxPrice: limit, highest, ...(lowest && { lowest }) },
        message,
      }),
    );
  if (limit.currency !== highest.currency) {
    refuse(`${cost}, and "${name}" is in ${limit.currency}; they cannot be compared.`);
  } else if (highest.amount.compare(limit.amount) > 0) {
    refuse(`${cost}, which is more than "${name}".`);
  }
}

/** A purchase is not sent by prices and limits that were checked longer ago. */
const checksAgeMs = 5 * 60_000;

/** Whether checks of `at` still count. Their age is unknown after the clock was set back. */
export function isRecentCheck(at: Date, now: Date): boolean {
  const ageMs = now.getTime() - at.getTime();
  return ageMs >= 0 && ageMs < checksAgeMs;
}

/** The balance in the currency of a cost less the cost; null when the upstream does not report that balance. */
export async function checkBalance(
  checks: Checks,
  reads: Reads,
  cost: Money | null,
): Promise<Money | null> {
  const account = cost && (await readFor(checks, reads.use(resellerRead)()));
  if (!account) return null;
  const balance = balanceIn(account, cost.currency);
  if (!balance) return null;
  const left = { ...balance, amount: balance.amount.minus(cost.amount) };
  if (left.amount.isNegative) {
    checks.add(
      new Fault('INSUFFICIENT_FUNDS', {
        message: `The price may be ${formatMoney(cost)}, and the balance is ${formatMoney(balance)}; top up the account first.`,
        facts: { required: cost, available: balance },
      }),
    );
  }
  return left;
}
