import type { Fault } from '../../src/kernel/faults.ts';
import type { Report } from './cashiers.ts';
import { epochMs } from './process-clock.ts';
import type { Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

interface PaymentChecks {
  readonly world: World;
  readonly store: SharedStore;
  readonly service: Service;
  readonly count: (what: string) => void;
}

const big = (value: unknown): bigint => BigInt(String(value));
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => one + other, 0n);
const isPaid = ({ state }: Row): boolean => state === 'CONFIRMED' || state === 'PAID';
/** Codes after which the amount may be recorded or not. */
const isLost = ({ code }: Fault): boolean => code === 'JOURNAL_UNAVAILABLE' || code === 'INTERNAL';

/**
 * Checks paid orders against the promises M1 to M5, by the amounts that the cashiers sent and the true state of the service.
 *
 * - M1: The payments, less the refunds that were paid and are due, are the price of the lines that are bought or not decided, less
 *   the refunds that were too much.
 * - M2: Nothing is sent for an order that is not paid.
 * - M3: A reference counts once.
 * - M4: A refund is due only for a line that the service did not carry out.
 * - M5: An order that has expired buys nothing.
 */
export function createPaymentHistory({ world, store, service, count }: PaymentChecks) {
  const sent = new Map<string, Report[]>();
  /** The reports whose answer had no error, or said that the amount does not pay the order. */
  const recorded = new Map<string, Report>();
  const keyOf = ({ kind, reference }: Pick<Report, 'kind' | 'reference'>) => `${kind} ${reference}`;

  const balanceOf = (row: Row): bigint =>
    big(row.paid) - big(row.refunded) - (isPaid(row) ? big(row.owed) : 0n);

  const rows = () => store.rows('select * from payments where id in (select id from jobs)');
  const linesOf = (id: unknown) =>
    store.rows('select * from payment_lines where payment_id = ? order by position', String(id));
  const purchasesOf = (id: unknown, position: unknown) =>
    store.rows(
      'select * from purchases where order_id = ? and order_line = ?',
      String(id),
      Number(position),
    );
  const itemAt = (id: unknown, position: unknown) =>
    store.rows(
      'select state from job_items where job_id = ? and position = ?',
      String(id),
      Number(position),
    )[0];
  /** Whether the service carried out a purchase of the line. */
  const wasBought = (id: unknown, position: unknown): boolean =>
    purchasesOf(id, position).some((purchase) =>
      service.commits.some(
        ({ cause, outcome }) => cause === String(purchase.id) && outcome !== 'undone',
      ),
    );

  const checkSums = (row: Row) => {
    const { id, currency } = row;
    const amounts = store.rows(
      'select * from payment_amounts where payment_id = ? and currency = ?',
      String(id),
      String(currency),
    );
    const sumOf = (kind: string) =>
      sum(amounts.flatMap((one) => (one.kind === kind ? big(one.amount) : [])));
    const refunded = sum(
      amounts.flatMap((one) =>
        one.kind === 'REFUND' && one.is_accepted === 1 ? big(one.amount) : [],
      ),
    );
    if (sumOf('PAYMENT') !== big(row.paid) || refunded !== big(row.refunded)) {
      world.violate('M3', `${id} has ${row.paid} and ${row.refunded} ${currency}`);
    }
    for (const one of amounts) {
      const reports = sent.get(`${one.kind} ${one.reference}`) ?? [];
      const isSent = reports.some(
        (report) => report.amount === big(one.amount) && report.order === String(id),
      );
      if (!isSent) world.violate('M3', `${one.reference} of ${id} was not sent`);
    }
    if (row.state === 'OTHER') return;
    const accepted = amounts.filter((one) => one.kind === 'PAYMENT' && one.is_accepted === 1);
    const isExact = accepted.every((one) => big(one.amount) === big(row.amount_due));
    if (accepted.length !== Number(isPaid(row)) || !isExact) {
      world.violate('M2', `${id} is ${row.state} with ${accepted.length} accepted amounts`);
    }
    if (accepted.some(({ at }) => String(at) >= String(row.expires_at))) {
      world.violate('M5', `${id} was paid after ${row.expires_at}`);
    }
    const mayBeTooMuch = store.rows(
      "select 1 from purchases where order_id = ? and state = 'UNKNOWN'",
      String(id),
    );
    if (balanceOf(row) < 0n && mayBeTooMuch.length === 0) {
      world.violate('M4', `${id} has returned ${-balanceOf(row)} too much`);
    }
  };

  const checkCurrencies = () => {
    const [lost] = store.rows(
      `select * from payment_amounts where is_accepted >= (kind = 'REFUND') and not exists
        (select 1 from payments where id = payment_id and payments.currency = payment_amounts.currency)`,
    );
    if (lost) world.violate('M3', `${lost.reference} in ${lost.currency} does not count`);
  };

  const checkLines = (row: Row) => {
    const lines = linesOf(row.id);
    const owed = sum(lines.flatMap((line) => (line.is_returned === 1 ? [] : big(line.price))));
    if (owed !== big(row.owed)) world.violate('M1', `${row.id} owes ${row.owed}, not ${owed}`);
    for (const { position, is_returned: isReturned } of lines) {
      if (isReturned === 1 && wasBought(row.id, position)) {
        world.violate('M4', `line ${position} of ${row.id} is returned, and was bought`);
      }
    }
  };

  return {
    /** The orders with a payment, the amount due and the refund that is due. */
    known: () =>
      rows()
        .filter(({ state }) => state !== 'OTHER')
        .map((row) => {
          const balance = balanceOf(row);
          return {
            id: String(row.id),
            due: big(row.amount_due),
            isDue: row.state === 'DUE',
            refund: balance > 0n ? balance : 0n,
          };
        }),

    isPaid: (order: string): boolean => rows().some((row) => row.id === order && isPaid(row)),

    sending(report: Report): void {
      const key = keyOf(report);
      sent.set(key, [...(sent.get(key) ?? []), report]);
    },

    answered(report: Report, errors: readonly Fault[]): void {
      for (const { code } of errors) count(`payment error ${code}`);
      if (errors.some(isLost)) return;
      const isRecorded =
        errors.length === 0 ||
        (report.kind === 'PAYMENT' && errors[0]?.code === 'PAYMENT_NOT_ACCEPTED');
      if (!isRecorded) return;
      if (errors.length === 0) count(report.kind === 'PAYMENT' ? 'orders paid' : 'refunds');
      const earlier = recorded.get(keyOf(report));
      if (earlier && earlier.amount !== report.amount) {
        world.violate('M3', `${report.reference} was recorded with two amounts`);
      }
      recorded.set(keyOf(report), report);
    },

    /** Checks a purchase when it is sent. */
    sent({ order_id: order, domain }: Row): void {
      if (order === null) return;
      const row = rows().find(({ id, state }) => id === order && state !== 'OTHER');
      if (!row) return;
      count('paid lines sent');
      if (/^EXPIR|CANCELLED/.test(String(row.state))) {
        world.violate('M5', `${domain} of ${order} is sent, which is ${row.state}`);
      }
      const paying = [...sent.values()]
        .flat()
        .find(
          (report) =>
            report.kind === 'PAYMENT' &&
            report.order === order &&
            report.amount === big(row.amount_due) &&
            report.currency === row.currency,
        );
      if (!paying || !isPaid(row)) {
        world.violate('M2', `${domain} of ${order} is sent, which is ${row.state}`);
      }
    },

    /** Checks all sums now. */
    check(): void {
      checkCurrencies();
      for (const row of rows()) {
        checkSums(row);
        if (row.state !== 'OTHER') checkLines(row);
      }
    },

    /** Checks at the end of the run that each recorded amount counts, and the sums by the books of the service. */
    close(): void {
      this.check();
      for (const { kind, reference, amount } of recorded.values()) {
        const [row] = store.rows(
          'select amount from payment_amounts where kind = ? and reference = ?',
          kind,
          reference,
        );
        if (!row || big(row.amount) !== amount) {
          world.violate('M3', `${reference} was answered as recorded, and is ${row?.amount}`);
        }
      }
      for (const row of rows()) {
        count(`payment ${row.state}`);
        if (row.state === 'OTHER') continue;
        const { id, state } = row;
        const lines = linesOf(id);
        const isUndecided = (position: unknown) =>
          (itemAt(id, position)?.state !== 'DONE' ||
            purchasesOf(id, position).some((one) => one.state !== 'FAILED')) &&
          !wasBought(id, position);
        const bought = lines.filter(({ position }) => wasBought(id, position));
        const undecided = lines.filter(({ position }) => isUndecided(position));
        const worth = isPaid(row)
          ? sum([...bought, ...undecided].map(({ price }) => big(price)))
          : 0n;
        const balance = balanceOf(row);
        if (big(row.paid) - big(row.refunded) - balance !== worth) {
          world.violate(
            'M1',
            `${id} is ${state}: ${row.paid} less ${row.refunded}, worth ${worth}`,
          );
        }
        if (!isPaid(row) && lines.some(({ position }) => purchasesOf(id, position).length > 0)) {
          world.violate('M5', `${id} is ${state} and has purchases`);
        }
        const heldMs = world.nowMs() - (Date.parse(String(row.expires_at)) - epochMs);
        if (state === 'CONFIRMED' && heldMs > 0) world.violate('M2', `${id} was never released`);
      }
    },
  };
}
