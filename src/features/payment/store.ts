import { type Kysely, sql } from 'kysely';
import type { FilteredPage } from '../../lib/pages.ts';
import { listOf, oneOf } from '../../persistence/lists.ts';
import { allOf, firstOf } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import {
  type Database,
  type JournalTables,
  literal,
  rowsOf,
  timeText,
} from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import {
  hasRefundDue,
  type PaymentTables,
  paymentAmountsTable,
  paymentLinesTable,
  paymentsTable,
} from './table.ts';

export type StoredPayment = RecordOf<typeof paymentsTable>;
export type StoredAmount = RecordOf<typeof paymentAmountsTable>;
type StoredLine = RecordOf<typeof paymentLinesTable>;

export interface RefundPlace {
  readonly createdAt: Date;
  readonly id: string;
  readonly currency: string;
}

export type RefundPage = FilteredPage<RefundPlace, object>;

/** An order that waits, and the feature that holds its lines; null when none are held. */
export interface WaitingPayment {
  readonly payment: StoredPayment;
  readonly heldBy: string | null;
}

/** As the index `payments_open` has it. */
const isOpen = sql<boolean>`state in ('DUE', 'CONFIRMED', 'EXPIRING')`;

/** Whether no other feature holds a line of the order. */
const isFree = sql<boolean>`not exists (select 1 from job_items
  where job_id = payments.id and state = 'HELD' and held_by <> 'payment')`;

/** Orders of one poll. */
const mostPerPoll = 100;

type PaymentDatabase = Kysely<JournalTables & PaymentTables>;

/** Of concurrent moves from one state one is made. */
async function move(
  db: PaymentDatabase,
  account: string,
  id: string,
  [from, to]: readonly [StoredPayment['state'], StoredPayment['state']],
): Promise<void> {
  await db
    .updateTable('payments')
    .where('account', '=', account)
    .where('id', '=', id)
    .where('state', '=', from)
    .set({ state: to })
    .execute();
}

export type PaymentStore = ReturnType<typeof createPaymentStore>;

/** The payments of the orders of an account. Triggers of the tables compute the sums. */
export function createPaymentStore(database: Database) {
  const db = database.$extendTables<PaymentTables>();
  const payments = (account: string) => rowsOf(db, 'payments', account);
  const hasItsJob = sql<boolean>`exists (select 1 from jobs where jobs.id = payments.id)`;
  return {
    /** Stores the payment of an order that is not stored yet. */
    create: (
      account: string,
      payment: StoredPayment,
      lines: readonly Pick<StoredLine, 'position' | 'price'>[],
    ) =>
      writing(async () => {
        const row = paymentsTable.row({ ...payment, account, lastRefund: null, revision: 0 });
        await db.insertInto('payments').values(row).execute();
        const ofOrder = { paymentId: payment.id, isReturned: false, wasReturned: false };
        const rows = lines.map((line) => paymentLinesTable.row({ ...line, ...ofOrder }));
        await db.insertInto('payment_lines').values(rows).execute();
      }),
    /** The rows of these orders, in no order. */
    byIds: (account: string, ids: readonly string[]) =>
      reading(() =>
        allOf(payments(account).selectAll().where(oneOf('id')(ids)), paymentsTable.record),
      ),
    lines: (ids: readonly string[]) =>
      reading(() =>
        allOf(
          db.selectFrom('payment_lines').selectAll().where(oneOf('payment_id')(ids)),
          paymentLinesTable.record,
        ),
      ),
    /** The amounts of an order, oldest first. */
    amounts: (account: string, id: string, limit: number) =>
      reading(() =>
        allOf(
          rowsOf(db, 'payment_amounts', account)
            .selectAll()
            .where('payment_id', '=', id)
            .orderBy('at')
            .orderBy('reference')
            .limit(literal(limit)),
          paymentAmountsTable.record,
        ),
      ),
    /** The number of orders of a caller that are not paid. */
    countDue: (account: string, caller: string | null) =>
      reading(async () => {
        const due = payments(account)
          .where('caller', 'is not distinct from', caller)
          .where(isOpen)
          .where('state', '=', literal('DUE'));
        const { amount } = await due
          .select(({ fn }) => fn.countAll().as('amount'))
          .executeTakeFirstOrThrow();
        return Number(amount);
      }),
    amount: (account: string, kind: StoredAmount['kind'], reference: string) =>
      reading(() => firstOf(oneAmount(account, kind, reference), paymentAmountsTable.record)),
    /**
     * Adds an amount, unless its reference is known. Triggers decide whether it pays the order, or is due. Null for a refund that is
     * more than is due, which is not stored.
     */
    add: (account: string, amount: Omit<StoredAmount, 'isAccepted'>) =>
      writing(async () => {
        const { kind, reference } = amount;
        const row = paymentAmountsTable.row({ ...amount, account, isAccepted: false });
        await db
          .insertInto('payment_amounts')
          .values(row)
          .onConflict((conflict) => conflict.columns(['account', 'kind', 'reference']).doNothing())
          .execute();
        return firstOf(oneAmount(account, kind, reference), paymentAmountsTable.record);
      }),
    /**
     * Lets the gateway take the lines of an order that is paid, and notes that; or those of an order that another feature has
     * refused, which end with its refusal.
     */
    release: (account: string, id: string) =>
      writing(async () => {
        await db
          .updateTable('job_items')
          .where('account', '=', account)
          .where('job_id', '=', id)
          .where('state', '=', literal('HELD'))
          .where('held_by', '=', literal('payment'))
          .where(
            sql<boolean>`exists (select 1 from payments where payments.id = job_id
              and (state = 'CONFIRMED' or (state = 'DUE' and expires_at is null)))`,
          )
          .set({ state: 'WAITING' })
          .execute();
        await move(db, account, id, ['CONFIRMED', 'PAID']);
      }),
    /** Begins the time in which an order must be paid. */
    begin: (account: string, id: string, expiresAt: Date) =>
      writing(() =>
        db
          .updateTable('payments')
          .where('account', '=', account)
          .where('id', '=', id)
          .where('state', '=', 'DUE')
          .where('expires_at', 'is', null)
          .set({ expires_at: timeText(expiresAt) })
          .execute(),
      ),
    /** Ends the wait for the amount. The statement decides between this and a payment. */
    end: (account: string, id: string, state: 'EXPIRING' | 'CANCELLED') =>
      writing(() => move(db, account, id, ['DUE', state])),
    /** Call it when the lines of the order have ended. */
    endExpiring: (account: string, id: string) =>
      writing(() => move(db, account, id, ['EXPIRING', 'EXPIRED'])),
    /**
     * Orders whose state must change, with the feature that holds their lines: those that are paid and held, have expired, or wait
     * for no other feature any more.
     */
    waiting: (account: string, now: Date) =>
      reading(async () => {
        const open = payments(account)
          .selectAll()
          .select(
            sql<string | null>`(select held_by from job_items
              where job_id = payments.id and state = 'HELD' limit 1)`.as('heldBy'),
          )
          .where(isOpen)
          .where(({ and, eb, or }) =>
            or([
              eb('state', '<>', literal('DUE')),
              eb('expires_at', '<=', timeText(now)),
              and([eb('expires_at', 'is', null), isFree]),
            ]),
          )
          .where(hasItsJob)
          .limit(literal(mostPerPoll));
        return (await open.execute()).map(
          (row): WaitingPayment => ({ payment: paymentsTable.record(row), heldBy: row.heldBy }),
        );
      }),
    /** Whether an order waits for its payment. */
    hasOpen: (account: string) =>
      reading(async () => {
        const open = payments(account).where(isOpen);
        return (await open.select('id').limit(literal(1)).executeTakeFirst()) !== undefined;
      }),
    /** Deletes payments that were created before then and have no order, because the process ended between the two writes. */
    deleteOrphans: (account: string, before: Date) =>
      writing(async () => {
        const orphans = await payments(account)
          .select('id')
          .where(isOpen)
          .where('state', '=', literal('DUE'))
          .where('created_at', '<', timeText(before))
          .where(({ not }) => not(hasItsJob))
          .limit(literal(mostPerPoll))
          .execute();
        const ids = orphans.map(({ id }) => id);
        await db
          .deleteFrom('payment_lines')
          .where(oneOf('payment_id')(ids))
          .where(sql<boolean>`not exists (select 1 from jobs where jobs.id = payment_id)`)
          .execute();
        await db
          .deleteFrom('payments')
          .where(oneOf('id')(ids))
          .where(({ not }) => not(hasItsJob))
          .execute();
      }),
    ...listOf(db, {
      order: {
        columns: ['created_at', 'id', 'currency'],
        valuesOf: ({ createdAt, id, currency }: RefundPlace) => [timeText(createdAt), id, currency],
      },
      rows: (account, condition) =>
        payments(account)
          .where(sql<boolean>`${sql.raw(hasRefundDue)}`)
          .where(condition),
      selected: (rows) => rows.selectAll(),
      meets: () => sql`true`,
      indexed: () => [],
      itemOf: paymentsTable.record,
    }),
  };

  function oneAmount(account: string, kind: StoredAmount['kind'], reference: string) {
    return db
      .selectFrom('payment_amounts')
      .selectAll()
      .where('account', '=', account)
      .where('kind', '=', kind)
      .where('reference', '=', reference);
  }
}
