import { addEvent, type EventValues } from '../../persistence/outbox.ts';
import {
  type Column,
  flag,
  instant,
  integer,
  nullable,
  type RowsOf,
  table,
  text,
  textOf,
  trigger,
} from '../../persistence/table.ts';

/**
 * DUE: nothing is paid, and all lines are held. CONFIRMED: paid, and some lines may still be held. PAID: paid, and no line is held.
 * EXPIRING: not paid in time, and some lines may still be held. EXPIRED: the same, and all lines have ended. OTHER: amounts in
 * another currency than that of the order, which pay nothing.
 */
export type PaymentState =
  | 'DUE'
  | 'CONFIRMED'
  | 'PAID'
  | 'EXPIRING'
  | 'EXPIRED'
  | 'CANCELLED'
  | 'OTHER';

/** Ten-thousandths of a currency. PostgreSQL returns them as text. */
const units: Column<bigint, number | string> = {
  type: 'bigint not null',
  read: (stored) => BigInt(stored),
  write: (value) => value.toString(),
};

const isPaid = (row: string) => `${row}.state in ('CONFIRMED', 'PAID')`;

/** What must be returned, in SQL; negative when more was. Before the confirmation the lines are worth nothing. */
const refundDue = (row: string) =>
  `(${row}.paid - ${row}.refunded - case when ${isPaid(row)} then ${row}.owed else 0 end)`;

/** The condition for payments of which something must be returned, in the words of the index `payments_refund_due`. */
export const hasRefundDue = `${refundDue('payments').replaceAll('payments.', '')} > 0`;

/** The condition under which an amount of `payment_amounts` pays an order, in SQL. */
const pays = `payments.state = 'DUE' and payments.amount_due = new.amount and payments.expires_at > new.at
  and exists (select 1 from job_items
    where job_id = new.payment_id and state = 'HELD' and held_by = 'payment')`;

const ofAmount = 'payments.id = new.payment_id and payments.currency = new.currency';
const thisAmount =
  'account = new.account and kind = new.kind and reference = new.reference and payment_id = new.payment_id';

/** Adds an amount that was paid. One statement decides whether it pays the order. */
const addPaid = `
  insert into payments (account, id, currency, state, customer, caller, created_at,
      amount_due, owed, paid, refunded, expires_after_ms, revision)
    select account, id, new.currency, 'OTHER', customer, caller, created_at, 0, 0, 0, 0, 0, 0
      from payments where id = new.payment_id and state <> 'OTHER' and currency <> new.currency
    on conflict (id, currency) do nothing;
  update payments set paid = paid + new.amount, revision = revision + 1,
      reference = case when ${pays} then new.reference else reference end,
      confirmed_at = case when ${pays} then new.at else confirmed_at end,
      state = case when ${pays} then 'CONFIRMED' else state end
    where ${ofAmount};
  update payment_amounts set is_accepted = 1 where ${thisAmount}
    and exists (select 1 from payments where ${ofAmount} and payments.reference = new.reference);`;

/** Refunds that were due once and are not any more: one may have been paid before its line was bought after all. */
const withdrawn = `(select coalesce(sum(price), 0) from payment_lines
  where payment_id = new.payment_id and was_returned > is_returned and ${isPaid('payments')})`;

/**
 * Adds an amount that was returned. One that is more than was ever due is not stored, so that its reference can be used again.
 */
const addRefunded = `
  update payments set refunded = refunded + new.amount, revision = revision + 1, last_refund = new.reference
    where ${ofAmount} and ${refundDue('payments')} + ${withdrawn} >= new.amount;
  update payment_amounts set is_accepted = 1 where ${thisAmount}
    and exists (select 1 from payments where ${ofAmount} and payments.last_refund = new.reference);
  delete from payment_amounts where ${thisAmount} and is_accepted = 0;`;

/** Whether the line of this order and position is proved not to be bought: it has ended, and each of its purchases failed. */
const isReturned = (order: string, position: string) => `coalesce((
  select case when item.state = 'DONE'
      and (item.outcome <> 'SENT' or exists (select 1 from purchases
        where order_id = ${order} and order_line = ${position}))
      and not exists (select 1 from purchases
        where order_id = ${order} and order_line = ${position} and state <> 'FAILED')
    then 1 else 0 end
  from job_items as item where item.job_id = ${order} and item.position = ${position}), 0)`;

const settleLine = (order: string, position: string) => `
  update payment_lines set is_returned = ${isReturned(order, position)},
      was_returned = is_returned
    where payment_id = ${order} and position = ${position}
      and is_returned <> ${isReturned(order, position)};`;

/** Holds the lines of an order that another feature releases, until it is paid. */
const holdAgain = `
  update job_items set state = 'HELD', held_by = 'payment'
    where job_id = new.job_id and position = new.position
      and exists (select 1 from payments where id = new.job_id and state = 'DUE');`;

/** An event of the payment in `row`. */
const event = (
  row: string,
  values: EventValues & { readonly type: string },
  rows: Parameters<typeof addEvent>[2],
) =>
  addEvent(
    row,
    {
      id: `${row}.id || ':' || ${row}.currency || ':' || ${row}.revision || ':' || ${values.type}`,
      ...{ subject: `${row}.id`, subjectType: "'Order'" },
      ...{ customer: `${row}.customer`, caller: `${row}.caller` },
      ...values,
    },
    rows,
  );

/** The payments of orders: one row in the currency of the order, and one for each other currency in which an amount arrived. */
export const paymentsTable = table(
  'payments',
  {
    /** The id of the order. */
    id: text,
    currency: text,
    state: textOf<PaymentState>(),
    /** Those of the order. */
    customer: nullable(text),
    caller: nullable(text),
    createdAt: instant,
    /** The sum of the lines, which never changes. */
    amountDue: units,
    /** The sum of the lines that are bought, or not decided yet. */
    owed: units,
    paid: units,
    refunded: units,
    expiresAfterMs: integer,
    /** Null while another feature holds the order. */
    expiresAt: nullable(instant),
    /** Of the amount that paid the order; null until then. */
    reference: nullable(text),
    confirmedAt: nullable(instant),
  },
  {
    hidden: {
      account: text,
      lastRefund: nullable(text),
      /** The number of changes of amounts. */
      revision: integer,
    },
    key: 'id, currency',
    indexes: {
      open: "(account, caller, expires_at) where state in ('DUE', 'CONFIRMED', 'EXPIRING')",
      refund_due: `(account, created_at, id, currency) where ${hasRefundDue}`,
    },
    triggers: [
      ...trigger(
        'payments_due_with_job',
        'after insert on jobs',
        event(
          'payment',
          { type: "'PAYMENT_DUE'" },
          {
            from: 'from payments as payment',
            where: 'payment.id = new.id and payment.expires_at is not null',
          },
        ),
      ),
      ...trigger(
        'payments_changed',
        'after update on payments',
        event(
          'new',
          { type: "'PAYMENT_DUE'" },
          { where: 'old.expires_at is null and new.expires_at is not null' },
        ) +
          event(
            'new',
            { type: "'PAYMENT_CONFIRMED'" },
            { where: "new.state = 'CONFIRMED' and old.state = 'DUE'" },
          ) +
          event(
            'new',
            { type: "'PAYMENT_EXPIRED'" },
            { where: "new.state = 'EXPIRING' and old.state = 'DUE'" },
          ) +
          event(
            'new',
            { type: "'REFUND_DUE'" },
            { where: `${refundDue('new')} > ${refundDue('old')} and ${refundDue('new')} > 0` },
          ) +
          event(
            'new',
            { type: "'REFUND_WITHDRAWN'" },
            {
              where: `new.owed > old.owed and ${isPaid('new')} and ${refundDue('new')} < ${refundDue('old')}`,
            },
          ),
      ),
    ],
  },
);

/** The lines of an order that must be paid. */
export const paymentLinesTable = table(
  'payment_lines',
  {
    paymentId: text,
    /** Of the line in the order. */
    position: integer,
    price: units,
    /** Whether it is proved not to be bought. */
    isReturned: flag,
  },
  {
    /** `is_returned` before its last change. */
    hidden: { wasReturned: flag },
    key: 'payment_id, position',
    triggers: [
      ...trigger(
        'payment_lines_changed',
        'after update of is_returned on payment_lines',
        `update payments set revision = revision + 1,
            owed = owed + case when new.is_returned = 1 then - new.price else new.price end
          where id = new.payment_id and state <> 'OTHER';`,
        'new.is_returned <> old.is_returned',
      ),
      ...trigger(
        'payment_lines_ended',
        'after update of state on job_items',
        settleLine('new.job_id', 'new.position'),
        "new.kind = 'ORDER' and new.state = 'DONE' and old.state <> 'DONE'",
      ),
      ...trigger(
        'payment_lines_settled',
        'after update of state on purchases',
        settleLine('new.order_id', 'new.order_line'),
        "new.order_id is not null and (new.state = 'FAILED' or old.state = 'FAILED')",
      ),
      ...trigger(
        'payment_lines_held',
        'after update of state on job_items',
        holdAgain,
        "new.kind = 'ORDER' and old.state = 'HELD' and new.state = 'WAITING' and new.held_by <> 'payment'",
      ),
    ],
  },
);

/** Every amount that was reported, once under its reference. */
export const paymentAmountsTable = table(
  'payment_amounts',
  {
    kind: textOf<'PAYMENT' | 'REFUND'>(),
    /** Of the payment provider. */
    reference: text,
    paymentId: text,
    currency: text,
    amount: units,
    at: instant,
    /** Whether it paid its order, or is a refund that was due. */
    isAccepted: flag,
  },
  {
    hidden: { account: text },
    key: 'account, kind, reference',
    indexes: { by_payment: '(payment_id, at)' },
    triggers: [
      ...trigger(
        'payment_amounts_paid',
        'after insert on payment_amounts',
        addPaid,
        "new.kind = 'PAYMENT'",
      ),
      ...trigger(
        'payment_amounts_refunded',
        'after insert on payment_amounts',
        addRefunded,
        "new.kind = 'REFUND'",
      ),
    ],
  },
);

export const paymentTables = [paymentsTable, paymentLinesTable, paymentAmountsTable];

export type PaymentTables = RowsOf<
  typeof paymentsTable | typeof paymentLinesTable | typeof paymentAmountsTable
>;
