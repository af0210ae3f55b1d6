import type { Random } from './random.ts';

/** A client that reports what customers paid and got back. */
export interface Cashier {
  readonly startsAfterMs: number;
  readonly everyMs: number;
  /** The share of amounts that do not pay the order. */
  readonly wrong: number;
  /** The share of reports of refunds. */
  readonly refunds: number;
}

export interface PaymentWeather {
  readonly cashiers: readonly Cashier[];
  /** How often each process looks for orders whose payment has expired or changed. */
  readonly pollEveryMs: number;
  /** The time in which an order must be paid, as the clients send it. */
  readonly expiresAfter: string;
}

const second = 1_000;

/** Chooses how orders are paid: at once, late, wrongly, or not at all. */
export const planPayments = (random: Random): PaymentWeather => ({
  cashiers: Array.from({ length: random.pick([1, 2, 2, 3]) }, () => ({
    startsAfterMs: random.between(0, 60 * second),
    everyMs: random.pick([2, 10, 60]) * second,
    wrong: random.pick([0, 0.2, 0.5]),
    refunds: random.pick([0.2, 0.5]),
  })),
  pollEveryMs: random.pick([1, 5, 20]) * second,
  expiresAfter: random.pick(['PT5M', 'PT5M', 'PT1H']),
});
