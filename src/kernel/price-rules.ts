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

/** How a retail price is computed from a cost. An absent condition matches everything. */
export interface PriceRule {
  /** ASCII, without a leading dot; `*` is every TLD. */
  readonly tlds?: readonly string[] | undefined;
  readonly operations?: readonly PriceOperation[] | undefined;
  /** Years. */
  readonly periods?: readonly number[] | undefined;
  /** Only premium names, or only others. A name whose premium status is unknown is neither. */
  readonly premium?: boolean | undefined;
  /** Per cent of the cost; more than -100. */
  readonly margin?: Decimal | undefined;
  /** Added after the margin. */
  readonly plus?: Money | undefined;
  /** The whole price of the period, instead of `margin` and `plus`. */
  readonly fixed?: Money | undefined;
  readonly rounding?: Rounding | undefined;
  /** The currency of the price; that of the cost when absent. */
  readonly currency?: string | undefined;
  readonly belowCost?: boolean | undefined;
}

/** `step`: to the nearest multiple, halves up. `ending`: up to the next amount with this fraction. */
export type Rounding = { readonly step: Decimal } | { readonly ending: Decimal };

/** One unit of `from` is `rate` units of `to`. */
export interface ExchangeRate {
  readonly from: string;
  readonly to: string;
  readonly rate: Decimal;
  /** ISO 8601. */
  readonly asOf: string;
}

/** The content of PRICES_FILE. The first rule that matches counts. */
export interface PriceRules {
  readonly rules: readonly PriceRule[];
  readonly rates: readonly ExchangeRate[];
  /** Milliseconds; an older rate is not used. */
  readonly maxRateAgeMs: number;
}

/** How a retail price was computed. */
export interface RetailBasis {
  /** The position of the rule in the price file, from 1. */
  readonly rule: number;
  /** Null when cost and price are in one currency. */
  readonly rate: ExchangeRate | null;
}

export interface RetailPrice extends RetailBasis {
  readonly price: Money;
}
