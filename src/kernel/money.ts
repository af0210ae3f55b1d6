import { quoted } from '../lib/text.ts';

/** Shorter fractions are padded, because the upstream writes four digits; longer ones are preserved. */
const minFractionDigits = 4;
const decimalText = /^([+-]?)(\d{1,18})(?:\.(\d{1,12}))?$/;

/**
 * An exact decimal: an integer count of `10^-scale`. No binary fraction is made on the way.
 *
 * Written with at least four fractional digits, as the upstream does: `11.2900`.
 */
export class Decimal {
  readonly #units: bigint;
  readonly #scale: number;

  private constructor(units: bigint, scale: number) {
    this.#units = units;
    this.#scale = scale;
  }

  static readonly zero = new Decimal(0n, minFractionDigits);

  /** @throws RangeError for text that `tryParse` refuses. `parseDecimal` is for the input of clients. */
  static parse(text: string): Decimal {
    const decimal = Decimal.tryParse(text);
    if (decimal) return decimal;
    throw new RangeError(`${quoted(text)} is not a decimal number.`);
  }

  /** Null for anything but plain decimal text of at most 18 + 12 digits. */
  static tryParse(text: string): Decimal | null {
    const match = decimalText.exec(text.trim());
    if (!match) return null;
    const [, sign, whole = '0', fraction = ''] = match;
    const padded = fraction.padEnd(minFractionDigits, '0');
    const units = BigInt(whole + padded);
    return new Decimal(sign === '-' ? -units : units, padded.length);
  }

  /** So many ten-thousandths: what amounts are counted in where they are added up outside this class. */
  static ofTenThousandths(count: bigint): Decimal {
    return new Decimal(count, minFractionDigits);
  }

  /** Whole ten-thousandths, rounded up. */
  toTenThousandths(): bigint {
    const size = 10n ** BigInt(this.#scale - minFractionDigits);
    const whole = this.#units / size;
    return this.#units > whole * size ? whole + 1n : whole;
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new Decimal(this.#at(scale) + other.#at(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(new Decimal(-other.#units, other.#scale));
  }

  /** Exact; trailing zeros past the fourth fractional digit are dropped. */
  times(other: Decimal): Decimal {
    let units = this.#units * other.#units;
    let scale = this.#scale + other.#scale;
    while (scale > minFractionDigits && units % 10n === 0n) {
      units /= 10n;
      scale -= 1;
    }
    return new Decimal(units, scale);
  }

  /** Rounded up to ten-thousandths. @throws RangeError for a divisor that is not positive, and for a negative amount */
  dividedBy(other: Decimal): Decimal {
    if (this.#units < 0n || other.#units <= 0n) throw new RangeError('Both must be positive.');
    const dividend = this.#units * 10n ** BigInt(other.#scale + minFractionDigits);
    const divisor = other.#units * 10n ** BigInt(this.#scale);
    return new Decimal((dividend + divisor - 1n) / divisor, minFractionDigits);
  }

  /** Negative, zero or positive, as for a sort. */
  compare(other: Decimal): number {
    const scale = Math.max(this.#scale, other.#scale);
    const difference = this.#at(scale) - other.#at(scale);
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.#scale === other.#scale ? this.#units === other.#units : this.compare(other) === 0;
  }

  get isNegative(): boolean {
    return this.#units < 0n;
  }

  toString(): string {
    const digits = (this.#units < 0n ? -this.#units : this.#units)
      .toString()
      .padStart(this.#scale + 1, '0');
    const point = digits.length - this.#scale;
    return `${this.#units < 0n ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
  }

  toJSON(): string {
    return this.toString();
  }

  #at(scale: number): bigint {
    return this.#units * 10n ** BigInt(scale - this.#scale);
  }
}

/** ISO 4217. */
export type CurrencyCode = string;

export interface Money {
  readonly amount: Decimal;
  readonly currency: CurrencyCode;
}

/** Upper case; the upstream's `TL` is ISO 4217 `TRY`. */
export const currencyCode = (text: string): CurrencyCode => {
  const code = text.trim().toUpperCase();
  return code === 'TL' ? 'TRY' : code;
};

export const money = (amount: string | Decimal, currency: string): Money => ({
  amount: typeof amount === 'string' ? Decimal.parse(amount) : amount,
  currency: currencyCode(currency),
});

/** The sums of prices that occur several times, one for each currency, in the order of their codes. */
export function sumsOf(prices: Iterable<readonly [price: Money, times: number]>): readonly Money[] {
  const sums = new Map<string, Decimal>();
  for (const [{ amount, currency }, times] of prices) {
    const sum = amount.times(Decimal.parse(String(times)));
    sums.set(currency, sum.plus(sums.get(currency) ?? Decimal.zero));
  }
  return [...sums]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, amount]) => ({ amount, currency }));
}

export const isSameMoney = (one: Money, other: Money): boolean =>
  one.currency === other.currency && one.amount.equals(other.amount);

/** `11.2900 USD`, for sentences and logs. */
export const formatMoney = ({ amount, currency }: Money): string => `${amount} ${currency}`;

/** ISO 4217: the currencies whose amounts have another number of decimal places than 2. `Intl` has fewer places for some. */
const decimalPlaces = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([places, codes]) => codes.split(' ').map((code) => [code, Number(places)] as const)),
);

/** The smallest amount of a currency. */
export const minorUnit = (currency: CurrencyCode): Decimal =>
  Decimal.ofTenThousandths(10n ** BigInt(minFractionDigits - (decimalPlaces.get(currency) ?? 2)));

/** Whether no price of the currency has a fraction, such as yen and won. */
export const isWholeCurrency = (currency: CurrencyCode): boolean =>
  decimalPlaces.get(currency) === 0;

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
