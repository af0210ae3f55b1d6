import type { Decimal, ExchangeRate, Money, PriceOperation } from '../../kernel/money.ts';

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

/** The content of PRICES_FILE. The first rule that matches counts. */
export interface PriceRules {
  readonly rules: readonly PriceRule[];
  readonly rates: readonly ExchangeRate[];
  /** Milliseconds; an older rate is not used. */
  readonly maxRateAgeMs: number;
}
