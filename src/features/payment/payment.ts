import { Decimal, type Money, minorUnit } from '../../kernel/money.ts';
import type { StoredPayment } from './store.ts';
import type { PaymentState } from './table.ts';

export type ShownState = 'DUE' | 'PAID' | 'EXPIRED' | 'CANCELLED';

/** The sums of one currency. */
type Sums = Pick<StoredPayment, 'currency' | 'state' | 'owed' | 'paid' | 'refunded'>;

export const moneyOfUnits = (units: bigint, currency: string): Money => ({
  amount: Decimal.ofTenThousandths(units),
  currency,
});

const paidStates: readonly PaymentState[] = ['CONFIRMED', 'PAID'];

export const isPaid = ({ state }: Pick<StoredPayment, 'state'>): boolean =>
  paidStates.includes(state);

/** Negative when more was returned than had to be. */
const balanceOf = (payment: Sums): bigint =>
  payment.paid - payment.refunded - (isPaid(payment) ? payment.owed : 0n);

export function refundDueOf(payment: Sums): Money {
  const balance = balanceOf(payment);
  return moneyOfUnits(balance > 0n ? balance : 0n, payment.currency);
}

export function overRefundedOf(payment: Sums): Money {
  const balance = balanceOf(payment);
  return moneyOfUnits(balance < 0n ? -balance : 0n, payment.currency);
}

/** A payment has expired at its time, also before a process has stored that. */
export function stateAt({ state, expiresAt }: StoredPayment, at: Date): ShownState {
  if (state === 'CONFIRMED') return 'PAID';
  if (state === 'DUE' && expiresAt !== null && expiresAt <= at) return 'EXPIRED';
  if (state === 'EXPIRING') return 'EXPIRED';
  return state === 'OTHER' ? 'DUE' : state;
}

/** A price in ten-thousandths, rounded half up to the smallest unit of its currency: the amount that can be paid. */
export function payableUnits({ amount, currency }: Money): bigint {
  const unit = minorUnit(currency).toTenThousandths();
  // Rounded up, so that the exact amount decides.
  const below = (amount.toTenThousandths() / unit) * unit;
  const isAbove = unit > 1n && amount.compare(Decimal.ofTenThousandths(below + unit / 2n)) >= 0;
  return isAbove ? below + unit : below;
}

/** The exact ten-thousandths of an amount that can be paid; null for any other. */
export function unitsOf({ amount, currency }: Money): bigint | null {
  const units = amount.toTenThousandths();
  const isExact = Decimal.ofTenThousandths(units).compare(amount) === 0;
  const unit = minorUnit(currency).toTenThousandths();
  const isPayable = units > 0n && units % unit === 0n && units <= BigInt(Number.MAX_SAFE_INTEGER);
  return isExact && isPayable ? units : null;
}

const durationText = /^PT(?=\d)(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,6})S)?$/;
const minuteMs = 60_000;

/** Milliseconds of an ISO 8601 duration of hours, minutes and seconds, or of days; null when it is not from PT5M to PT72H. */
export function durationMs(text: string): number | null {
  const days = /^P([1-3])D$/.exec(text)?.[1];
  const [, hours = 0, minutes = 0, seconds = 0] = durationText.exec(text) ?? [];
  const ms =
    days === undefined
      ? (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds) * 1_000
      : Number(days) * 24 * 60 * minuteMs;
  return ms >= 5 * minuteMs && ms <= 72 * 60 * minuteMs ? ms : null;
}
