import { Fault, invalidInput } from '../../kernel/faults.ts';
import { lazy } from '../../lib/lazy.ts';
import type { JobCount, JobPage, JobPosition, JobRecord } from '../../persistence/job-store.ts';
import type { TenantDeps } from '../deps.ts';
import { attempt, faultsOf } from '../mutation/checks.ts';
import { cartItems } from '../order/cart.ts';
import { type QuoteOrderInput, quoteOrder } from '../order/quote-order.ts';
import { readJournalPage } from '../purchase/journal-page.ts';
import { visibleTo } from '../purchase/service.ts';
import {
  finishedAtOf,
  isOrderVisibleTo,
  type Order,
  orderState,
  progressOf,
  quotedTotals,
  spentTotals,
  stopReasonOf,
  toLine,
} from './order.ts';
import {
  type LineOutcome,
  type PlacedOrder,
  type PlaceOrderDeps,
  type PlaceOrderInput,
  placeOrder,
} from './place-order.ts';

export interface OrderDeps extends PlaceOrderDeps, Pick<TenantDeps, 'jobProgress'> {}

export interface OrderPayload extends Omit<PlacedOrder, 'job'> {
  readonly order: Order | null;
}

export interface CancelledOrder {
  readonly order: Order | null;
  /** Lines. */
  readonly cancelled: number;
}

export type OrderFilter = Omit<JobPage['filter'], 'kind'>;

/** The orders of an account. An order that the caller must not see does not exist for it. */
export function createOrderService(deps: OrderDeps) {
  const { journal, account, caller, clock } = deps;
  const { jobs } = journal;
  const visible = (job: JobRecord | null) => (job && isOrderVisibleTo(caller, job) ? job : null);

  /** One read of the lines serves all these orders. */
  const toOrders = async (records: readonly JobRecord[]): Promise<readonly Order[]> => {
    const ids = records.map(({ id }) => id);
    const counts = Map.groupBy(await jobs.counts(ids), ({ jobId }) => jobId);
    const lines = lazy(() => readLines(ids));
    return records.map((job) => toOrder(job, counts.get(job.id) ?? [], lines));
  };

  const toOrder = (
    job: JobRecord,
    counts: readonly JobCount[],
    lines = lazy(() => readLines([job.id])),
  ): Order => ({
    job,
    progress: progressOf(counts),
    lines: async () => (await lines()).get(job.id) ?? [],
    stop: () => journal.stopped(account),
  });

  const readLines = async (ids: readonly string[]) => {
    const [items, purchases] = await Promise.all([jobs.items(ids), journal.byOrders(account, ids)]);
    // Oldest first, so that the last purchase of a line remains.
    const byLine = new Map(purchases.map((one) => [`${one.orderId}:${one.orderLine}`, one]));
    return new Map(
      [...Map.groupBy(items, ({ jobId }) => jobId)].map(([id, ofJob]) => [
        id,
        ofJob.map((item) => toLine(item, byLine.get(`${id}:${item.position}`) ?? null)),
      ]),
    );
  };

  const one = async (found: JobRecord | null): Promise<Order | null> => {
    const job = visible(found);
    if (job?.kind !== 'ORDER') return null;
    const [order = null] = await toOrders([job]);
    return order;
  };
  const byId = async (id: string) => one(await jobs.byId(account, id));

  return {
    ...{ finishedAtOf, quotedTotals, spentTotals, stopReasonOf },
    stateOf: ({ progress }: Order) => orderState(progress),
    quote: (input: QuoteOrderInput) => quoteOrder(deps, input),
    /** The items of a cart with the exact prices of the order. */
    cartItems: (input: QuoteOrderInput) =>
      attempt(async () => ({ items: await cartItems(deps, input) })),
    byId,
    byKey: async (key: string) => one(await jobs.byKey(account, 'ORDER', key)),
    async place(input: PlaceOrderInput): Promise<OrderPayload> {
      const { job, ...placed } = await placeOrder(deps, input).catch((error) => ({
        ...{ job: null, quote: null, replayed: false },
        errors: faultsOf(error),
      }));
      return { ...placed, order: await one(job) };
    },

    /** Ends the lines that were not sent. A line that is being sent is not cancelled. */
    cancel: (id: string) =>
      attempt(async () => {
        const order = await byId(id);
        if (!order)
          throw new Fault('NOT_FOUND', {
            message: 'There is no such order.',
            path: ['input', 'id'],
          });
        const result = { outcome: 'CANCELLED' satisfies LineOutcome, details: '{}' };
        const cancelled = await jobs.endWaiting(account, order.job.id, clock.now(), result);
        if (cancelled === 0) throw nothingToCancel;
        void deps.jobProgress.check(order.job.id);
        return { cancelled, order: await byId(id) };
      }),

    /** Yields the order now and after each change of a line, and ends with its end. Null for no order. */
    async *progress(id: string): AsyncGenerator<Order | null> {
      const job = visible(await jobs.byId(account, id));
      if (!job) return yield null;
      const isLast = (counts: readonly JobCount[]) => orderState(progressOf(counts)) !== 'RUNNING';
      for await (const counts of deps.jobProgress.progress(id, isLast)) yield toOrder(job, counts);
    },

    /** A page of orders, newest first, and whether other pages precede and follow it. */
    async list({ filter: requested, ...page }: Omit<JobPage, 'filter'> & { filter: OrderFilter }) {
      if (requested.caller !== undefined && !caller.scopes.has('ops')) {
        throw new Fault('FORBIDDEN', { message: 'The filter `caller` needs the scope `ops`.' });
      }
      const filter = { ...requested, ...visibleTo(caller), kind: 'ORDER' as const };
      const listed = await readJournalPage<JobRecord, JobPosition>(
        {
          list: (place) => jobs.list(account, { filter, ...place }),
          count: () => jobs.count(account, filter),
          positionOf: ({ createdAt, id: jobId }) => ({ createdAt, id: jobId }),
        },
        page,
      );
      return { ...listed, items: await toOrders(listed.items) };
    },
  };
}

const nothingToCancel = invalidInput(
  'No line of this order can be cancelled: each was sent, is being sent or has ended.',
  { path: ['input', 'id'] },
);
