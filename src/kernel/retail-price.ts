import type { Decimal, Money } from './money.ts';

/** The operations of a price list. */
export const priceOperations = [
  'REGISTRATION',
  'RENEWAL',
  'TRANSFER',
  'RESTORE',
  'BACKORDER',
  'REFUND',
  'OTHER',
] as const;

export type PriceOperation = (typeof priceOperations)[number];

/** One unit of `from` is `rate` units of `to`. */
export interface ExchangeRate {
  readonly from: string;
  readonly to: string;
  readonly rate: Decimal;
  /** ISO 8601. */
  readonly asOf: string;
}

/** How a retail price was computed. */
export interface RetailBasis {
  /** The position of the rule that applied, from 1. */
  readonly rule: number;
  /** Null when cost and price are in one currency. */
  readonly rate: ExchangeRate | null;
}

export interface RetailPrice extends RetailBasis {
  readonly price: Money;
}

/** The thing that has a price. */
export interface PricedItem {
  /** ASCII, without a leading dot. */
  readonly tld: string;
  readonly operation: PriceOperation;
  /** Years. */
  readonly period: number;
  /** Null when it is unknown, and for a price of no name. */
  readonly premium: boolean | null;
}
