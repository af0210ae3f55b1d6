import type { Caller } from '../../kernel/caller.ts';
import type { Lookup } from '../../kernel/ids.ts';
import type { Money } from '../../kernel/money.ts';
import type { Clock } from '../../lib/clock.ts';
import { readStoredPage } from '../../lib/pages.ts';
import type { CountedJob } from '../../modules/job/service.ts';
import { asPayload, createChecks } from '../../modules/mutation/checks.ts';
import type { StoredReads } from '../../scope/reads.ts';
import {
  noOrder,
  noPayment,
  notAccepted,
  otherReference,
  tooMuchRefunded,
  wrongAmount,
  wrongReference,
} from './faults.ts';
import { ofOrder } from './holds.ts';
import { isPaid, moneyOfUnits, refundDueOf, stateAt, unitsOf } from './payment.ts';
import type { PaymentStore, RefundPage, StoredAmount, StoredPayment } from './store.ts';

interface PaymentDeps {
  readonly payments: PaymentStore;
  readonly account: string;
  readonly caller: Caller;
  readonly clock: Pick<Clock, 'now'>;
  readonly stored: Pick<StoredReads, 'batched' | 'inTurn'>;
  readonly orders: {
    /** An order of the caller. */
    find(by: Lookup): Promise<CountedJob | null>;
    /** An order of any caller. */
    storedById(id: string, ofAll: true): Promise<CountedJob | null>;
  };
  /** Starts the work on an order that is paid. */
  readonly startJobs: () => void;
}

export interface AmountInput {
  readonly order: Lookup | null;
  readonly reference: string;
  readonly amount: Money;
}

/** The payment of one order, with its amounts in other currencies. */
export interface OrderPayment {
  readonly id: string;
  readonly payment: StoredPayment;
  readonly others: readonly StoredPayment[];
}

const maxReference = 255;
/** Amounts of one order that are shown. */
export const maxAmounts = 100;

/** The payments of the orders of an account. */
export function createPaymentService(deps: PaymentDeps) {
  const { payments, account, clock, stored, orders, startJobs } = deps;
  const byId = stored.batched(async (ids): Promise<OrderPayment[]> => {
    const rows = await payments.byIds(account, ids);
    return ids.flatMap((id) => {
      const payment = ofOrder(rows, id);
      const others = rows.filter((row) => row.id === id && row !== payment);
      return payment ? [{ id, payment, others }] : [];
    });
  });
  const linesOf = stored.batched(async (ids) => {
    const byOrder = Map.groupBy(await payments.lines(ids), ({ paymentId }) => paymentId);
    return [...byOrder].map(([id, lines]) => ({
      id,
      lines: new Map(lines.map((line) => [line.position, line])),
    }));
  });

  /** @throws Problems; Fault `NOT_FOUND` or `INVALID_INPUT` */
  async function checked({ order: by, reference: text, amount }: AmountInput) {
    const order =
      by && ('key' in by ? await orders.find(by) : await orders.storedById(by.id, true));
    if (!order) throw noOrder();
    const found = await byId(order.job.id);
    if (!found) throw noPayment();
    const checks = createChecks();
    const reference = text.trim();
    const isText = /^[^\p{C}\p{Zl}\p{Zp}]+$/u.test(reference) && reference.isWellFormed();
    if (!isText || reference.length > maxReference) checks.add(wrongReference(maxReference));
    const units = unitsOf(amount);
    if (units === null) checks.add(wrongAmount());
    checks.finish();
    return { ...found, order, reference, amount: units ?? 0n, currency: amount.currency };
  }

  /** Stores an amount once under its reference. @throws Fault for a reference that is known with other values */
  async function record(kind: StoredAmount['kind'], input: Awaited<ReturnType<typeof checked>>) {
    const { id, reference, amount, currency } = input;
    const added =
      (await payments.amount(account, kind, reference)) ??
      (await payments.add(account, {
        ...{ kind, reference, paymentId: id, currency, amount, at: clock.now() },
      }));
    const isSame =
      added?.paymentId === id && added.currency === currency && added.amount === amount;
    if (added && !isSame) throw otherReference();
    return added?.isAccepted ?? false;
  }

  /** The payload has the payment also when the amount is refused. */
  async function withPayment(
    input: AmountInput,
    work: (sent: Awaited<ReturnType<typeof checked>>) => Promise<void>,
  ) {
    let id: string | null = null;
    const payload = await asPayload(async () => {
      const sent = await checked(input);
      id = sent.id;
      await work(sent);
      return {};
    });
    const payment = id === null ? null : await byId(id);
    return { ...payload, ...(payment && { payment }) };
  }

  return {
    byId,
    stateOf: ({ payment }: OrderPayment) => stateAt(payment, clock.now()),
    amountsOf: (id: string) => stored.inTurn(() => payments.amounts(account, id, maxAmounts)),
    /** The refund of a line, whether it was returned or not; null for an order without a payment. */
    async refundDueOfLine(orderId: string, position: number): Promise<Money | null> {
      const found = await byId(orderId);
      if (!found) return null;
      const line = (await linesOf(orderId))?.lines.get(position);
      const isDue = isPaid(found.payment) && line?.isReturned;
      return moneyOfUnits(isDue ? line.price : 0n, found.payment.currency);
    },
    /** Payments of which something is due back, one for each order and currency, the oldest order first. */
    refundsDue: (page: RefundPage) => readStoredPage(payments, account, page),
    confirm: (input: AmountInput) =>
      withPayment(input, async (sent) => {
        const { id } = sent;
        if (await record('PAYMENT', sent)) {
          await payments.release(account, id);
          startJobs();
          return;
        }
        const payment = ofOrder(await payments.byIds(account, [id]), id) ?? sent.payment;
        throw notAccepted(reasonOf(payment, sent, clock.now()));
      }),

    refund: (input: AmountInput) =>
      withPayment(input, async (sent) => {
        if (await record('REFUND', sent)) return;
        const { id, currency } = sent;
        const rows = await payments.byIds(account, [id]);
        const row = rows.find((one) => one.currency === currency);
        throw tooMuchRefunded(row ? refundDueOf(row) : moneyOfUnits(0n, currency));
      }),
  };
}

/** Why an amount does not pay the order. */
function reasonOf(
  payment: StoredPayment,
  { amount, currency }: { readonly amount: bigint; readonly currency: string },
  now: Date,
): string {
  const state = stateAt(payment, now);
  if (state === 'PAID') return 'The order is paid already, under another reference.';
  if (state === 'EXPIRED') return 'The order was not paid in time.';
  if (state === 'CANCELLED') return 'The order was cancelled.';
  if (payment.expiresAt === null) return 'The order waits for a decision before its payment.';
  if (amount !== payment.amountDue || currency !== payment.currency) {
    const due = moneyOfUnits(payment.amountDue, payment.currency);
    return `The amount due is ${due.amount} ${due.currency}.`;
  }
  return 'The order was cancelled.';
}
