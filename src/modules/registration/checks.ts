import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault, invalidInput } from '../../kernel/faults.ts';
import { valueOr } from '../../kernel/field-result.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { Loaders } from '../loaders.ts';
import type { Checks } from '../mutation/checks.ts';
import { balanceIn } from '../purchase/balance.ts';
import { type Quote, unknownQuote } from '../quote/quote.ts';
import { labelFault } from '../tld/label-rules.ts';

/** The inputs of both purchases that protect money. */
export interface PurchaseGuards {
  readonly maxPrice?: Money | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly dryRun: boolean;
}

interface PricedOrder extends Pick<PurchaseGuards, 'maxPrice'> {
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

/** A read for a check; undefined when it fails. Its fault is a reason not to buy, and about no field of the input. */
export async function readFor<T>(checks: Checks, read: Promise<T>): Promise<T | undefined> {
  const result = await read.catch(asFault);
  if (!(result instanceof Fault)) return result;
  checks.add(result.with({ path: [], executed: 'NO' }));
  return undefined;
}

const domainPath = ['input', 'domain'];
const periodPath = ['input', 'period'];

/** The TLD of the name; checks label and period by its rules. Null, with the fault recorded, when there is none. */
export async function checkTld(
  checks: Checks,
  reads: Loaders,
  domain: DomainName,
  period: number,
): Promise<TldDetails | null> {
  const above = await readFor(checks, reads.tlds.above(domain));
  if (above === null) checks.add(unsold(domain));
  if (!above) return null;
  const { label, tld } = above;
  checks.check(domainPath, () => checkLabel(domain, label, tld));
  checks.check(periodPath, () => checkPeriod(period, tld));
  return tld;
}

const unsold = (domain: DomainName) =>
  new Fault('TLD_UNSUPPORTED', {
    message: `The TLD of "${domain}" is not supported; query "tlds" for the supported TLDs.`,
    path: domainPath,
  });

function checkLabel(domain: DomainName, label: string, tld: TldDetails): void {
  if (label.includes('.')) {
    throw invalidInput(
      `A domain has one label before the TLD: register "${label.split('.').at(-1)}.${tld.name}", not "${domain}".`,
    );
  }
  const fault = labelFault(domain, label, tld);
  if (fault) throw fault;
}

function checkPeriod(period: number, tld: TldDetails): void {
  const minimum = valueOr(tld.minPeriod, 1);
  const maximum = valueOr(tld.maxPeriod, 10);
  if (period < minimum || period > maximum) {
    throw new Fault('PERIOD_OUT_OF_RANGE', {
      message:
        minimum === maximum
          ? `"period" must be ${minimum} for .${tld.name}; ${period} was given.`
          : `"period" must be between ${minimum} and ${maximum} years for .${tld.name}; ${period} was given.`,
      facts: { minimum, maximum },
    });
  }
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
  const { certainty, lowest, highest } = quote ?? unknownQuote(period);
  if (!highest) {
    const message = `The price of ${period} year(s) of ${domain} is unknown, so nothing was sent. Choose a period whose quote is LISTED or ESTIMATED.`;
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
