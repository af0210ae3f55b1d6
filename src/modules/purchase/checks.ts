import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Loaders } from '../loaders.ts';
import type { Checks } from '../mutation/checks.ts';
import { isWithinTerm, periodRule, type Quote, termOf } from '../quote/quote.ts';
import { balanceIn } from './balance.ts';

/** The inputs of both purchases that protect money. */
export interface PurchaseGuards {
  readonly maxPrice?: Money | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly dryRun: boolean;
}

export interface PricedOrder extends Pick<PurchaseGuards, 'maxPrice'> {
  readonly domain: DomainName;
  /** Years. */
  readonly period: number;
}

/** The price of a purchase, and the TLD that it is for. */
export interface Priced {
  readonly tld: TldDetails | null;
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
  reads: Loaders,
  domain: DomainName,
  { operation, period }: { readonly operation: Ordered; readonly period: number | null },
): Promise<TldDetails | null> {
  const above = await readFor(checks, reads.tlds.above(domain));
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

/** Refuses a price that is unknown or may be above `maxPrice`. Returns the highest price; null when it is unknown. */
export function checkPrice(
  checks: Checks,
  { domain, period, maxPrice }: PricedOrder,
  quote: Quote | null,
): Money | null {
  const { certainty = 'UNKNOWN', lowest = null, highest = null, reason = null } = quote ?? {};
  if (!highest) {
    const unknown = `The price of ${period} year(s) of ${domain} is unknown, so nothing was sent.`;
    const message = reason === null ? unknown : `${unknown} ${reason}`;
    checks.add(new Fault('PRICE_UNAVAILABLE', { path: periodPath, message }));
    return null;
  }
  if (!maxPrice) return highest;
  const cost = `${certainty === 'LISTED' ? 'It costs' : 'It may cost up to'} ${formatMoney(highest)}`;
  const refuse = (message: string) =>
    checks.add(
      new Fault('MAX_PRICE_EXCEEDED', {
        path: ['input', 'maxPrice'],
        facts: { maxPrice, highest, ...(lowest && { lowest }) },
        message,
      }),
    );
  if (maxPrice.currency !== highest.currency) {
    refuse(`${cost}, and "maxPrice" is in ${maxPrice.currency}; they cannot be compared.`);
  } else if (highest.amount.compare(maxPrice.amount) > 0) {
    refuse(`${cost}, which is more than "maxPrice".`);
  }
  return highest;
}

/** The balance in the price's currency less the price; null when the upstream does not report that balance. */
export async function checkBalance(
  checks: Checks,
  reads: Loaders,
  price: Money | null,
): Promise<Money | null> {
  const account = price && (await readFor(checks, reads.reseller()));
  if (!account) return null;
  const balance = balanceIn(account, price.currency);
  if (!balance) return null;
  const left = { ...balance, amount: balance.amount.minus(price.amount) };
  if (left.amount.isNegative) {
    checks.add(
      new Fault('INSUFFICIENT_FUNDS', {
        message: `The price may be ${formatMoney(price)}, and the balance is ${formatMoney(balance)}; top up the account first.`,
        facts: { required: price, available: balance },
      }),
    );
  }
  return left;
}
