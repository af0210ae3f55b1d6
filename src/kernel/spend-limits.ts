import { dayMs } from './instant.ts';
import { Decimal, type Money } from './money.ts';

/**
 * What may be bought; an absent member limits nothing.
 *
 * Money has one entry per currency. Where it is given, a price in a currency without an entry is refused.
 */
export interface SpendLimits {
  /** The most that one purchase may cost. */
  readonly perCall?: readonly Money[];
  /** The most that the purchases of 24 hours may cost together. */
  readonly perDay?: readonly Money[];
  /** The most purchases in 60 minutes. */
  readonly perHour?: number;
  /** The TLDs that may be bought, by their ASCII names. */
  readonly tlds?: readonly string[];
  /** Years. */
  readonly longestPeriod?: number;
}

/** Whose limits: the gateway's count all that its account buys, a key's what was bought with that key. */
export const limitScopes = ['GATEWAY', 'KEY'] as const;
export type LimitScope = (typeof limitScopes)[number];

/** The limits that hold for one caller. */
export type ScopedLimits = Readonly<Record<LimitScope, SpendLimits>>;

/** Milliseconds before a purchase in which others count with it. */
export const countedMs = { PER_DAY: dayMs, PER_HOUR: 60 * 60_000 } as const;

/** The largest count that is exact everywhere; no limit reaches it (see `config/spend-limits.ts`). */
const mostUnits = BigInt(Number.MAX_SAFE_INTEGER);

/** What a price counts for: ten-thousandths of its currency, rounded up, and never less than nothing. */
export function spendUnits({ amount }: Money): number {
  const units = amount.toTenThousandths();
  return Number(units < 0n ? 0n : units > mostUnits ? mostUnits : units);
}

/** The entry of a currency; null when there is none. */
export const inCurrency = (entries: readonly Money[], price: Money | null): Money | null =>
  entries.find(({ currency }) => currency === price?.currency) ?? null;

/**
 * How many units may have been spent in the day already, so that the price still fits below `perDay`.
 *
 * Negative where it fits in no case; null where there is no such limit.
 */
export function roomForPrice({ perDay }: SpendLimits, price: Money | null): number | null {
  if (!perDay) return null;
  const allowed = inCurrency(perDay, price);
  return price && allowed ? spendUnits(allowed) - spendUnits(price) : -1;
}

/** What one scope has used of its limits before a purchase. */
export interface Spent {
  /** Units of the currency of the price, in the day. */
  readonly units: bigint;
  /** Purchases, in the hour. */
  readonly count: number;
}

/** A limit that a purchase would break, and what was used of it before. */
export type CountedBreach =
  | {
      readonly limit: 'PER_DAY';
      readonly scope: LimitScope;
      /** Null where the limit has no entry in the currency of the price. */
      readonly allowed: Money | null;
      readonly spent: Money | null;
    }
  | {
      readonly limit: 'PER_HOUR';
      readonly scope: LimitScope;
      readonly allowedCount: number;
      readonly count: number;
    };

/** The counted limits of both scopes that a purchase at this price would break; none when it may be made. */
export const countedBreaches = (
  limits: ScopedLimits,
  spent: Readonly<Record<LimitScope, Spent>>,
  price: Money | null,
): readonly CountedBreach[] =>
  limitScopes.flatMap((scope) => [
    ...dayBreach(scope, limits[scope], spent[scope], price),
    ...hourBreach(scope, limits[scope], spent[scope]),
  ]);

function dayBreach(
  scope: LimitScope,
  limits: SpendLimits,
  { units }: Spent,
  price: Money | null,
): readonly CountedBreach[] {
  const room = roomForPrice(limits, price);
  if (room === null || units <= BigInt(room)) return [];
  const spent = price && { ...price, amount: Decimal.ofTenThousandths(units) };
  return [{ limit: 'PER_DAY', scope, allowed: inCurrency(limits.perDay ?? [], price), spent }];
}

function hourBreach(
  scope: LimitScope,
  { perHour }: SpendLimits,
  { count }: Spent,
): readonly CountedBreach[] {
  if (perHour === undefined || count < perHour) return [];
  return [{ limit: 'PER_HOUR', scope, allowedCount: perHour, count }];
}
