import type { Money } from '../../src/kernel/money.ts';
import { fromStoredJson } from '../../src/kernel/stored-json.ts';
import type { JobProgress } from '../../src/modules/job/view.ts';
import type { OrderLineState, PlacedLine } from '../../src/features/order/order.ts';
import type { LineFacts } from '../../src/features/order/place-order.ts';
import type { OrderPayload } from '../../src/features/order/service.ts';
import type { RequestedOrder } from './order-buyers.ts';
import { fixedPrice, type PriceWeather } from './price-weather.ts';
import { epochMs } from './process-clock.ts';
import { moneyText, type Service } from './service.ts';
import type { SharedStore } from './store.ts';
import type { World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

/** What the checks of orders use of those of purchases. */
interface OrderChecks {
  readonly world: World;
  readonly store: SharedStore;
  readonly service: Service;
  readonly count: (what: string) => void;
  readonly checkNoSecret: (what: string, value: unknown) => void;
  /** Whether the purchase was sent. */
  readonly wasSent: (purchaseId: string) => boolean;
  /** Whether a line of the order may wait for longer than a run: for a day, until a spend limit permits it. */
  readonly mayWait: (orderId: string) => boolean;
  /** Whether prices rise, also between the last read of a price and the call. */
  readonly hasRises: boolean;
  /** Null in a run without fixed prices, and with clocks that are wrong. */
  readonly prices: PriceWeather | null;
}

/** What an order is stored with. */
interface StoredOptions extends Pick<RequestedOrder, 'onFailure'> {
  readonly maxTotal: readonly Money[];
  readonly maxTotalCost: readonly Money[];
}

/** An order that a client received. */
interface Known {
  readonly requested: RequestedOrder;
  /** The highest number of succeeded lines that was reported. */
  succeeded: number;
  /** The sum of the quotes, in ten-thousandths of a USD. */
  quoted: number | null;
}

const oldestClaimMs = 5 * 60_000;
/** From the check of its age to the call. */
const markMs = 3_000;
/** From the read of the prices to the claim and from the claim to the call, and the calls themselves. */
const oldestChecksMs = 2 * oldestClaimMs + 60_000;

const units = (text: unknown): number => Math.round(Number(text) * 10_000);
const unitsOf = (money: Money | null | undefined): number => units(money?.amount.toString() ?? 0);
const costOf = (purchase: Row): number => units(purchase.cost_amount);
const priceOf = (purchase: Row): number => units(purchase.retail_amount ?? purchase.cost_amount);
const sum = (amounts: readonly number[]): number => amounts.reduce((one, other) => one + other, 0);
const lineOf = (row: Row): string =>
  `${row.order_id ?? row.job_id}:${row.order_line ?? row.position}`;

/**
 * Checks orders against the promises O1 to O7, by the true state of the service and of the store.
 *
 * - O1: A line is sent again only after its earlier purchases failed, and is bought once at most. A line that the
 *   service carried out is not `FAILED`.
 * - O2: Every line of an order ends, and an ended line does not begin again. A line that ended as sent has a
 *   purchase.
 * - O3: A line that was reported as `CANCELLED` was not sent and is never sent.
 * - O4: The debits of an order are at most its `maxTotal` and the sum of the quotes of its lines. A line is sent
 *   for at most the price and the cost of its quote, its `maxPrice` and `maxCost`, what its order has left of
 *   `maxTotal` and `maxTotalCost`, and the limits of one purchase of its key. A claim that is older than five
 *   minutes is not sent.
 * - O5: The number of succeeded lines is at most the number of domains that were bought for the order, and never
 *   falls.
 * - O6: With `STOP` no line is sent that began after a failed line had ended.
 * - O7: The same key is the same order, and an order under a known key equals the request.
 */
export function createOrderHistory({
  world,
  store,
  service,
  count,
  checkNoSecret,
  wasSent,
  mayWait,
  hasRises,
  prices,
}: OrderChecks) {
  const costsRiseAtMs = prices?.rises.atMs ?? Infinity;
  const known = new Map<string, Known>();
  const idOfKey = new Map<string, string>();
  const cancelled = new Set<string>();
  const lastRows = new Map<string, Row>();
  /** The orders with STOP and their first failed line. */
  const failedLine = new Map<string, string>();
  /** The lines that a process began after that. */
  const begunTooLate = new Set<string>();

  const purchasesOf = (id: string, position: unknown): readonly Row[] =>
    store.rows(
      'select * from purchases where order_id = ? and order_line = ? order by ordinal',
      id,
      Number(position),
    );
  const commitsOf = (purchase: Row) =>
    service.commits.filter(({ cause }) => cause === String(purchase.id));

  const changed = (row: Row, before: Row | undefined) => {
    const [id, line] = [String(row.job_id), lineOf(row)];
    const { state } = row;
    if (before?.fence !== row.fence && failedLine.has(id)) {
      if (purchasesOf(id, row.position).length === 0) begunTooLate.add(line);
    }
    if (before?.state === state) return;
    world.trace(`line ${line} is ${state} ${row.outcome ?? ''}`);
    if (before?.state === 'DONE') world.violate('O2', `${line} had ended and is ${state}`);
    if (before && state === 'DONE' && stops(row) && hasFailed(row)) {
      failedLine.set(id, failedLine.get(id) ?? line);
    }
  };
  const stops = (row: Row) => JSON.parse(String(row.options)).onFailure === 'STOP';
  /** An accepted transfer that fails later does not stop its order. */
  const hasFailed = (row: Row) => {
    if (row.outcome === 'REFUSED') return true;
    const last = purchasesOf(String(row.job_id), row.position).at(-1);
    return row.outcome === 'SENT' && last?.accepted_at === null && isBad(last.state);
  };
  const isBad = (state: unknown) => state === 'FAILED' || state === 'UNKNOWN';

  const checkLine = (id: string, { position, state }: PlacedLine) => {
    const line = `${id}:${position}`;
    const purchases = purchasesOf(id, position);
    const commits = purchases.flatMap(commitsOf);
    if (state === 'CANCELLED') {
      cancelled.add(line);
      const sent = purchases.find((purchase) => wasSent(String(purchase.id)));
      if (sent) world.violate('O3', `${line} was reported as CANCELLED and had been sent`);
    }
    if (state === 'SUCCEEDED' && !commits.some(({ outcome }) => outcome === 'complete')) {
      world.violate('O5', `${line} was reported as SUCCEEDED, and the account does not have it`);
    }
    if (state === 'FAILED' && commits.some(({ outcome }) => outcome !== 'undone')) {
      world.violate('O1', `${line} was reported as FAILED, and the service did it`);
    }
  };

  /** The requested lines, in the order of the stored ones. */
  const isSame = (id: string, { lines, onFailure, maxTotal, maxTotalCost }: RequestedOrder) => {
    const rows = store.rows('select * from job_items where job_id = ? order by position', id);
    const [job] = store.rows('select options from jobs where id = ?', id);
    const stored = fromStoredJson<StoredOptions>(String(job?.options));
    return (
      rows.length === lines.length &&
      rows.every(({ domain, facts }, at) => {
        const { options } = fromStoredJson<LineFacts>(String(facts));
        return (
          domain === lines[at]?.domain &&
          unitsOf(options?.maxPrice) === units(lines[at]?.maxPrice ?? 0) &&
          unitsOf(options?.maxCost) === units(lines[at]?.maxCost ?? 0)
        );
      }) &&
      stored.onFailure === onFailure &&
      unitsOf(stored.maxTotal[0]) === units(maxTotal ?? 0) &&
      unitsOf(stored.maxTotalCost[0]) === units(maxTotalCost ?? 0)
    );
  };

  const sumOf = (id: string) =>
    store
      .rows('select id from purchases where order_id = ?', id)
      .flatMap(commitsOf)
      .filter(({ outcome }) => outcome !== 'undone')
      .reduce((paid, { price }) => paid + price, 0);

  /**
   * Compares the price and the cost of a line that is sent with its quote and with all limits, and the cost with the one that
   * the service charges now.
   */
  const checkMoney = (purchase: Row) => {
    const line = lineOf(purchase);
    const [item] = store.rows(
      'select facts, options from job_items join jobs on jobs.id = job_id where job_id = ? and position = ?',
      String(purchase.order_id),
      Number(purchase.order_line),
    );
    const { quote, options } = fromStoredJson<LineFacts>(String(item?.facts));
    const { maxTotal, maxTotalCost } = fromStoredJson<StoredOptions>(String(item?.options));
    const others = store.rows(
      "select * from purchases where order_id = ? and id <> ? and state <> 'FAILED'",
      String(purchase.order_id),
      String(purchase.id),
    );
    const all = [...others, purchase];
    const most = unitsOf(quote?.cost.highest);
    const compared: readonly (readonly [string, number, number | null])[] = [
      ['the cost of its quote', costOf(purchase), most],
      ['the price of its quote', priceOf(purchase), unitsOf(quote?.highest)],
      ['maxPrice', priceOf(purchase), options?.maxPrice ? unitsOf(options.maxPrice) : null],
      ['maxCost', costOf(purchase), options?.maxCost ? unitsOf(options.maxCost) : null],
      ['maxTotal', sum(all.map(priceOf)), maxTotal[0] ? unitsOf(maxTotal[0]) : null],
      ['maxTotalCost', sum(all.map(costOf)), maxTotalCost[0] ? unitsOf(maxTotalCost[0]) : null],
    ];
    for (const [what, amount, limit] of compared) {
      if (limit === null || amount <= limit) continue;
      world.violate('O4', `${line} is sent for ${amount}, and ${what} is ${limit}`);
    }
    if (prices) {
      const price = String(purchase.retail_amount);
      if (units(price) !== unitsOf(fixedPrice)) {
        world.violate('O4', `${line} is sent for ${price}, which is not the fixed price`);
      }
      const ageMs = world.nowMs() - (Date.parse(String(purchase.claimed_at)) - epochMs);
      if (ageMs > oldestClaimMs + markMs) {
        world.violate('O4', `${line} is sent, and was claimed ${Math.round(ageMs)} ms before`);
      }
    }
    const isTransfer = purchase.kind === 'TRANSFER';
    const years = isTransfer ? 1 : Number(purchase.period);
    const charged = service.price(String(purchase.domain), isTransfer) * years;
    if (charged > most && world.nowMs() > costsRiseAtMs + oldestChecksMs) {
      world.violate('O4', `${line} is charged ${charged}, and its quote is ${most}`);
    }
    if (world.nowMs() > costsRiseAtMs) count('lines sent after a rise');
  };

  return {
    /** Checks a purchase of a line when it is sent. */
    sent(purchase: Row): void {
      if (purchase.order_id === null) return;
      count('lines sent');
      checkMoney(purchase);
      const line = lineOf(purchase);
      if (cancelled.has(line))
        world.violate('O3', `${line} is sent, and was reported as CANCELLED`);
      if (begunTooLate.has(line)) {
        const failed = failedLine.get(String(purchase.order_id));
        world.violate('O6', `${line} is sent, and it began after ${failed} had failed`);
      }
      const earlier = purchasesOf(String(purchase.order_id), purchase.order_line).filter(
        ({ id }) => id !== purchase.id,
      );
      if (earlier.some(({ state }) => state !== 'FAILED')) {
        world.violate('O1', `${line} is sent, and an earlier purchase of it has not failed`);
      }
      if (earlier.some((one) => wasSent(String(one.id)))) count('lines sent again');
    },

    /** Compares the lines with their last rows, after each statement that may have changed them. */
    written(): void {
      const rows = store.rows(
        "select job_items.*, options from job_items join jobs on jobs.id = job_id where jobs.kind = 'ORDER'",
      );
      for (const row of rows) {
        changed(row, lastRows.get(lineOf(row)));
        lastRows.set(lineOf(row), row);
      }
    },

    /** The stored order of a key before the request, for `checkPayload`. */
    before: ({ key }: RequestedOrder): string | null => {
      const [job] = store.rows("select id from jobs where key = ? and kind = 'ORDER'", key);
      return job ? String(job.id) : null;
    },

    checkPayload(requested: RequestedOrder, before: string | null, payload: OrderPayload): void {
      const { order, errors, replayed } = payload;
      checkNoSecret(
        'a response to an order',
        errors.map((fault) => ({ ...fault, message: fault.message })),
      );
      for (const { code } of errors) count(`order error ${code}`);
      if (order) {
        const { id } = order.job;
        count(replayed ? 'orders replayed' : 'orders placed');
        const expected = idOfKey.get(requested.key) ?? before ?? id;
        if (expected !== id)
          world.violate('O7', `${requested.key} has the orders ${expected}, ${id}`);
        if (!isSame(id, requested)) world.violate('O7', `${id} differs from the request`);
        idOfKey.set(requested.key, id);
        if (!known.has(id)) known.set(id, { requested, succeeded: 0, quoted: null });
        return;
      }
      const isRefused = !errors.some(({ code }) => code === 'JOURNAL_UNAVAILABLE');
      const first = before === null ? undefined : known.get(before)?.requested;
      const isKnown =
        first && JSON.stringify(contentOf(first)) === JSON.stringify(contentOf(requested));
      if (isKnown && isRefused) {
        const codes = errors.map(({ code }) => code).join();
        world.violate('O7', `${requested.key} was known and is answered with ${codes}`);
      }
    },

    /** The highest number of succeeded lines that was reported. */
    succeeded: (id: string): number => known.get(id)?.succeeded ?? 0,

    /** Checks a report that was requested when `floor` lines had succeeded. A report without lines has the progress only. */
    reported(
      id: string,
      progress: JobProgress<OrderLineState>,
      { floor, lines }: { readonly floor: number; readonly lines: readonly PlacedLine[] },
    ): void {
      const { SUCCEEDED: succeeded } = progress;
      world.trace(`reported ${id} ${JSON.stringify(progress)}`);
      const bought = store
        .rows('select id from purchases where order_id = ?', id)
        .flatMap(commitsOf)
        .filter(({ outcome }) => outcome === 'complete').length;
      if (succeeded > bought) {
        world.violate('O5', `${id} has ${succeeded} succeeded lines, and ${bought} were bought`);
      }
      if (succeeded < floor) {
        world.violate('O5', `${id} had ${floor} succeeded lines, and now has ${succeeded}`);
      }
      checkNoSecret('an order', lines);
      for (const line of lines) checkLine(id, line);
      const order = known.get(id);
      if (!order) return;
      order.succeeded = Math.max(order.succeeded, succeeded);
      if (lines.length === 0) return;
      order.quoted ??= sum(
        lines.map(({ quote, isPayable }) => (isPayable ? unitsOf(quote?.highest) : 0)),
      );
    },

    /** Checks at the end of the run that every order has ended, and the sum of its debits. */
    close(): void {
      for (const row of store.rows(
        "select job_items.* from job_items join jobs on jobs.id = job_id where jobs.kind = 'ORDER'",
      )) {
        const line = lineOf(row);
        const purchases = purchasesOf(String(row.job_id), row.position);
        const commits = purchases.flatMap(commitsOf);
        count(`line ended ${row.outcome}`);
        if (row.state !== 'DONE' && !mayWait(String(row.job_id))) {
          world.violate('O2', `${line} is still ${row.state}`);
        }
        if (row.outcome === 'SENT' && purchases.length === 0) {
          world.violate('O2', `${line} ended as SENT, and has no purchase`);
        }
        checkNoSecret('an ended line', row);
        const bought = commits.filter(({ outcome }) => outcome !== 'undone').length;
        if (bought > 1) world.violate('O1', `${line} was bought ${bought} times`);
        if (bought > 0 && purchases.at(-1)?.state === 'FAILED') {
          world.violate('O1', `${line} is FAILED, and the service did it`);
        }
      }
      for (const [id, { requested, quoted }] of hasRises ? [] : known) {
        const paid = sumOf(id);
        const { maxTotal } = requested;
        if (maxTotal !== null && paid > units(maxTotal)) {
          world.violate('O4', `${id} cost ${moneyText(paid)}, and its maxTotal is ${maxTotal}`);
        }
        if (quoted !== null && paid > quoted) {
          world.violate(
            'O4',
            `${id} cost ${moneyText(paid)}, and its quote is ${moneyText(quoted)}`,
          );
        }
      }
      const keys = store.rows(
        "select key from jobs where kind = 'ORDER' group by account, key having count(*) > 1",
      );
      for (const { key } of keys) world.violate('O7', `${key} has several orders`);
    },
  };
}

/** What two requests must have in common to be the same order. */
const contentOf = ({ lines, onFailure, maxTotal, maxTotalCost }: RequestedOrder) => ({
  lines,
  onFailure,
  maxTotal,
  maxTotalCost,
});
