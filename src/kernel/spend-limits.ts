import { dayMs } from './instant.ts';
import { Decimal, type Money } from './money.ts';

/**
 * Limits on purchases. An absent member is no limit.
 *
 * Money has one entry per currency. A price in a currency without an entry is refused.
 */
export interface SpendLimits {
  /** Highest cost of one purchase. */
  readonly perCall?: readonly Money[];
  /** Highest sum of the costs of the purchases of 24 hours. */
  readonly perDay?: readonly Money[];
  /** Highest number of purchases in 60 minutes. */
  readonly perHour?: number;
  /** The allowed TLDs, by their ASCII names. */
  readonly tlds?: readonly string[];
  /** Longest allowed period in years. */
  readonly longestPeriod?: number;
}

/** `GATEWAY` limits count all purchases of the tenant, `KEY` limits those of one API key. */
export const limitScopes = ['GATEWAY', 'KEY'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** The limits of one caller. */
export type ScopedLimits = Readonly<Record<LimitScope, SpendLimits>>;

/** Length in milliseconds of the window that each counted limit sums over. */
export const countedMs = { PER_DAY: dayMs, PER_HOUR: 60 * 60_000 } as const;

/** The largest count that is exact everywhere; no limit reaches it (see `config/spend-limits.ts`). */
const maxUnits = BigInt(Number.MAX_SAFE_INTEGER);

/** A price in ten-thousandths of its currency, rounded up and never negative. */
export function spendUnits({ amount }: Money): number {
  const units = amount.toTenThousandths();
  return Number(units < 0n ? 0n : units > maxUnits ? maxUnits : units);
}

/** The entry of a currency; null when there is none. */
export const inCurrency = (entries: readonly Money[], price: Money | null): Money | null =>
  entries.find(({ currency }) => currency === price?.currency) ?? null;

/**
 * The highest number of units that the last 24 hours may have cost for the price to fit below `perDay`.
 *
 * Negative when it never fits; null without such a limit.
 */
export function unitsLeftBefore({ perDay }: SpendLimits, price: Money | null): number | null {
  if (!perDay) return null;
  const allowed = inCurrency(perDay, price);
  return price && allowed ? spendUnits(allowed) - spendUnits(price) : -1;
}

/** Earlier purchases of one scope, within the windows of the limits. */
export interface Spent {
  /** Units in the currency of the price, in the last 24 hours. */
  readonly units: bigint;
  /** Purchases in the last 60 minutes. */
  readonly count: number;
}

/** A limit that a purchase would exceed, and its use before the purchase. */
export type CountedBreach =
  | {
      readonly limit: 'PER_DAY';
      readonly scope: LimitScope;
      /** Null when the limit has no entry in the currency of the price. */
      readonly allowed: Money | null;
      readonly spent: Money | null;
    }
  | {
      readonly limit: 'PER_HOUR';
      readonly scope: LimitScope;
      readonly allowedCount: number;
      readonly count: number;
    };

/** The counted limits of both scopes that so many purchases, together at this price, would exceed. */
export const countedBreaches = (
  limits: ScopedLimits,
  spent: Readonly<Record<LimitScope, Spent>>,
  price: Money | null,
  purchases = 1,
): readonly CountedBreach[] =>
  limitScopes.flatMap((scope) => {
    const { perDay = [], perHour = Infinity } = limits[scope];
    const { units, count } = spent[scope];
    const highest = unitsLeftBefore(limits[scope], price);
    const breaches: CountedBreach[] = [];
    if (highest !== null && units > BigInt(highest)) {
      const spentMoney = price && { ...price, amount: Decimal.ofTenThousandths(units) };
      const allowed = inCurrency(perDay, price);
      breaches.push({ limit: 'PER_DAY', scope, allowed, spent: spentMoney });
    }
    if (count + purchases > perHour) {
      breaches.push({ limit: 'PER_HOUR', scope, allowedCount: perHour, count });
    }
    return breaches;
  });

/** The stricter of two sets of limits, member by member. */
export function intersectLimits(one: SpendLimits, other: SpendLimits): SpendLimits {
  // An absent member is no limit, so a member of one set alone stays.
  const both: { -readonly [Name in keyof SpendLimits]: SpendLimits[Name] } = { ...one, ...other };
  if (one.perCall && other.perCall) both.perCall = minMoney(one.perCall, other.perCall);
  if (one.perDay && other.perDay) both.perDay = minMoney(one.perDay, other.perDay);
  if (one.tlds && other.tlds) both.tlds = one.tlds.filter((tld) => other.tlds?.includes(tld));
  for (const name of ['perHour', 'longestPeriod'] as const) {
    const least = Math.min(one[name] ?? Infinity, other[name] ?? Infinity);
    if (least < Infinity) both[name] = least;
  }
  return both;
}

/** A currency without an entry is refused, so only currencies of both lists remain. */
const minMoney = (one: readonly Money[], other: readonly Money[]): readonly Money[] =>
  one.flatMap((mine) => {
    const theirs = other.find(({ currency }) => currency === mine.currency);
    if (!theirs) return [];
    return mine.amount.compare(theirs.amount) <= 0 ? mine : theirs;
  });
