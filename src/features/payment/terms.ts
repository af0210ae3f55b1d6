import type { Caller } from '../../kernel/caller.ts';
import type { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import type { OrderTerms } from '../order/terms.ts';
import { paymentRequired, severalCurrencies, tooManyDue, wrongDuration } from './faults.ts';
import { durationMs, isPaid, payableUnits, stateAt } from './payment.ts';
import type { PaymentStore, StoredPayment } from './store.ts';

declare module '../order/terms.ts' {
  interface OrderTermsInput {
    readonly payment?: { readonly expiresAfter: string } | null | undefined;
  }
}

export type PaymentRequired = 'none' | 'customers' | 'all';

interface TermsDeps {
  readonly payments: PaymentStore;
  readonly paymentRequired: PaymentRequired;
  readonly account: string;
  readonly caller: Caller;
  readonly clock: Pick<Clock, 'now'>;
  /** The payment in the currency of an order; null when it has none. */
  readonly byId: (id: string) => Promise<StoredPayment | null>;
  /** There is a new order whose payment is due. */
  readonly wake: () => void;
}

/** Orders of a caller that are not paid, at most. */
const maxDue = 100;

/** Why the caller may not buy without a paid order; null when it may. */
export function refusalOf(required: PaymentRequired, { customer }: Caller): Fault | null {
  const isRequired = required === 'all' || (required === 'customers' && customer !== null);
  return isRequired ? paymentRequired() : null;
}

/** Orders that are paid before their lines are sent. */
export function createPaymentTerms(deps: TermsDeps): OrderTerms {
  const { payments, account, caller, clock, byId, wake } = deps;
  return {
    member: 'payment',
    identify: ({ payment }) => payment?.expiresAfter.trim(),
    check({ payment }) {
      const refusal = payment ? null : refusalOf(deps.paymentRequired, caller);
      if (refusal) throw refusal;
      if (payment && durationMs(payment.expiresAfter.trim()) === null) throw wrongDuration();
    },
    async hold({ payment }, { id, lines, isHeld }) {
      if (!payment) return null;
      const expiresAfterMs = durationMs(payment.expiresAfter.trim()) ?? 0;
      const currencies = [...new Set(lines.map(({ price }) => price.currency))];
      const [currency] = currencies;
      if (currency === undefined || currencies.length > 1) throw severalCurrencies(currencies);
      if ((await payments.countDue(account, caller.name)) >= maxDue) throw tooManyDue(maxDue);
      const prices = lines.map(({ position, price }) => ({ position, price: payableUnits(price) }));
      const amountDue = prices.reduce((sum, { price }) => sum + price, 0n);
      const createdAt = clock.now();
      await payments.create(
        account,
        {
          ...{ id, currency, state: 'DUE', caller: caller.name, customer: caller.customer },
          ...{ createdAt, amountDue, owed: amountDue, paid: 0n, refunded: 0n, expiresAfterMs },
          expiresAt: isHeld ? null : new Date(createdAt.getTime() + expiresAfterMs),
          ...{ reference: null, confirmedAt: null },
        },
        prices,
      );
      wake();
      return 'payment';
    },
    async heldStateOf(orderId) {
      const payment = await byId(orderId);
      if (!payment?.expiresAt) return null;
      // Its lines are released or ended in the next moment.
      if (isPaid(payment)) return 'RUNNING';
      return payment.state === 'DUE' ? 'AWAITING_PAYMENT' : 'STOPPED';
    },
    async stopReasonOf(orderId) {
      const payment = await byId(orderId);
      const hasExpired = payment && stateAt(payment, clock.now()) === 'EXPIRED';
      return hasExpired ? 'the order was not paid in time' : null;
    },
  };
}
