import { Decimal } from '../../kernel/money.ts';
import type { Holds } from '../../modules/job/holds.ts';
import { paymentRequired } from './faults.ts';
import { isPaid } from './payment.ts';
import type { PaymentStore, StoredPayment } from './store.ts';

interface HoldsDeps {
  readonly payments: Pick<PaymentStore, 'byIds' | 'end'>;
  readonly account: string;
  /** Percentage by which the cost of a line may rise after its quote. */
  readonly maxCostIncrease: number;
}

/** The payment in the currency of the order. */
export const ofOrder = (payments: readonly StoredPayment[], id: string): StoredPayment | null =>
  payments.find((payment) => payment.id === id && payment.state !== 'OTHER') ?? null;

/** Orders that wait or waited for their payment. */
export function createPaymentHolds({ payments, account, maxCostIncrease }: HoldsDeps): Holds {
  const highestRise =
    maxCostIncrease === 0
      ? null
      : Decimal.parse(String(100 + maxCostIncrease)).times(Decimal.parse('0.01'));
  return {
    by: 'payment',
    async verdict({ id }) {
      const payment = ofOrder(await payments.byIds(account, [id]), id);
      return {
        refusal: payment && isPaid(payment) ? null : paymentRequired(),
        decidedAt: payment?.confirmedAt ?? null,
        ...{ cost: null, costRose: null, highestRise, waitsForFunds: true },
      };
    },
    async cancel(jobId) {
      await payments.end(account, jobId, 'CANCELLED');
      return null;
    },
    nextStep: null,
    holdsTools: () => false,
  };
}
