import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { leafOr } from '../../kernel/leaf.ts';
import { formatMoney, type Money } from '../../kernel/money.ts';
import type { ResellerDetails } from '../../upstream/domain-api/shapes.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import type { AvailabilityLoader } from '../availability/loader.ts';
import type { DomainReads } from '../domain/loader.ts';
import { checkHost } from '../input-text.ts';
import { mostNameServers } from '../name-server/rules.ts';
import type { Checks } from '../problems.ts';
import { type Quote, unknownQuote } from '../quote/quote.ts';
import { labelFault } from '../tld/label-rules.ts';
import type { TldReads } from '../tld/loader.ts';

/** The reads of a request that a purchase checks with. */
export interface Reads {
  readonly domains: DomainReads;
  readonly availability: AvailabilityLoader;
  readonly tlds: TldReads;
  readonly reseller: () => Promise<ResellerDetails>;
}

/** The guards that both purchases take. */
export interface Guards {
  readonly maxPrice?: Money | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly dryRun: boolean;
}

/** What a price is for, and how high it may be. */
interface PricedOrder extends Pick<Guards, 'maxPrice'> {
  readonly domain: DomainName;
  /** Years. */
  readonly period: number;
}

/** A read of a check that may fail: the fault is told as one more reason not to buy. */
export async function readFor<T>(
  checks: Checks,
  path: readonly string[],
  read: Promise<T>,
): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    checks.add(error.with({ path, executed: 'NO' }));
    return null;
  }
}

const domainPath = ['input', 'domain'];
const periodPath = ['input', 'period'];

/** The TLD above a name that is to be bought, with the rules it sets; null, and the reason on record, without one. */
export async function checkTld(
  checks: Checks,
  reads: Reads,
  domain: DomainName,
  period: number,
): Promise<TldDetails | null> {
  const failed = checks.faults.length;
  const above = await readFor(checks, domainPath, reads.tlds.above(domain));
  if (!above) {
    if (checks.faults.length === failed) checks.add(unsold(domain));
    return null;
  }
  const { label, tld } = above;
  checks.check(domainPath, () => checkLabel(domain, label, tld));
  checks.check(periodPath, () => checkPeriod(period, tld));
  return tld;
}

const unsold = (domain: DomainName) =>
  new Fault('TLD_UNSUPPORTED', {
    message: `The TLD of "${domain}" is not supported; query "tlds" for those that are.`,
    path: domainPath,
  });

function checkLabel(domain: DomainName, label: string, tld: TldDetails): void {
  if (label.includes('.')) {
    throw new Fault('INVALID_INPUT', {
      message: `A domain has one label before the TLD: register "${label.split('.').at(-1)}.${tld.name}", not "${domain}".`,
    });
  }
  const fault = labelFault(domain, label, tld);
  if (fault) throw fault;
}

function checkPeriod(period: number, tld: TldDetails): void {
  const minimum = leafOr(tld.minPeriod, 1);
  const maximum = leafOr(tld.maxPeriod, 10);
  if (period < minimum || period > maximum) {
    throw new Fault('PERIOD_OUT_OF_RANGE', {
      message:
        minimum === maximum
          ? `"period" must be ${minimum} for .${tld.name}; ${period} was given.`
          : `"period" must be between ${minimum} and ${maximum} years for .${tld.name}; ${period} was given.`,
      facts: { minimum, maximum, asked: period },
    });
  }
}

/** The host names in canonical form, without repetitions. */
export function checkNameServers(
  checks: Checks,
  nameServers: readonly string[],
): readonly string[] {
  const path = ['input', 'nameServers'];
  const hosts = nameServers.map((host, at) => checkHost(checks, [...path, String(at)], host));
  const distinct = [...new Set(hosts)];
  checks.check(path, () => {
    if (distinct.length === 0 || distinct.length > mostNameServers) {
      throw new Fault('INVALID_INPUT', {
        message: `A domain has 1 to ${mostNameServers} name servers (many TLDs require 2); ${distinct.length} were given.`,
        facts: { minimum: 1, maximum: mostNameServers, asked: distinct.length },
      });
    }
  });
  return distinct;
}

/** Whether no fault was found in these fields. The price of a refused name or period is not checked. */
export const isClear = ({ faults }: Checks, ...fields: readonly string[]): boolean =>
  !faults.some(({ inputPath: [, field = ''] }) => fields.includes(field));

/** Refuses a price that is unknown or may be above `maxPrice`. Returns the highest price; null when it is unknown. */
export function checkPrice(
  checks: Checks,
  { domain, period, maxPrice }: PricedOrder,
  quote: Quote | null,
): Money | null {
  const { certainty, lowest, highest } = quote ?? unknownQuote(period);
  if (!highest) {
    const message = `What ${period} year(s) of ${domain} cost is not known, so nothing was sent; choose a period whose quote is LISTED or ESTIMATED.`;
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
  reads: Reads,
  price: Money | null,
): Promise<Money | null> {
  const account = price && (await readFor(checks, domainPath, reads.reseller()));
  if (!account) return null;
  const all = [account.balance, ...leafOr(account.balances, [])];
  const balance = all
    .map(({ money }) => leafOr(money, null))
    .find((one) => one?.currency === price.currency);
  if (!balance) return null;
  const left = { ...balance, amount: balance.amount.minus(price.amount) };
  if (left.amount.isNegative) {
    checks.add(
      new Fault('INSUFFICIENT_FUNDS', {
        message: `It may cost ${formatMoney(price)} and the account has ${formatMoney(balance)}; top it up first.`,
        facts: { required: price, available: balance },
        path: domainPath,
      }),
    );
  }
  return left;
}

const longestKey = 200;

/** The caller's key, of the input or of the request's header, blanks around it dropped; null for none. */
export function checkKey(
  checks: Checks,
  { idempotencyKey }: Guards,
  ofHeader: string | null,
): string | null {
  const given = idempotencyKey ?? ofHeader;
  if (given === null) return null;
  return checks.check(['input', 'idempotencyKey'], () => {
    const key = given.trim();
    if (key === '' || key.length > longestKey || /\p{Cc}/u.test(key)) {
      throw new Fault('INVALID_INPUT', {
        message: `"idempotencyKey" is text of 1 to ${longestKey} characters, such as a UUID.`,
      });
    }
    // Stores replace an unpaired surrogate, so different keys would become one.
    if (!key.isWellFormed()) {
      throw new Fault('INVALID_INPUT', {
        message: '"idempotencyKey" is no valid Unicode text: it has half of a surrogate pair.',
      });
    }
    if (ofHeader !== null && ofHeader.trim() !== key) {
      throw new Fault('INVALID_INPUT', {
        message: '"idempotencyKey" and the header Idempotency-Key differ; send one of them.',
      });
    }
    return key;
  });
}
