import { lazy, memoize } from '../../lib/lazy.ts';
import type { JobItem } from '../../persistence/job-store.ts';
import type { TenantDeps } from '../deps.ts';
import type { ReadItem } from '../job/followed-job.ts';
import { createJobService } from '../job/service.ts';
import { attempt, faultsOf } from '../mutation/checks.ts';
import { cartItems } from '../order/cart.ts';
import { type QuoteOrderInput, quoteOrder } from '../order/quote-order.ts';
import {
  finishedAtOf,
  type Order,
  orderState,
  type PlacedLine,
  progressOf,
  quotedTotals,
  spentTotals,
  stopReasonOf,
  toLine,
} from './order.ts';
import {
  type PlacedOrder,
  type PlaceOrderDeps,
  type PlaceOrderInput,
  placeOrder,
} from './place-order.ts';

interface OrderDeps extends PlaceOrderDeps, Pick<TenantDeps, 'jobProgress'> {}

export interface OrderPayload extends Omit<PlacedOrder, 'job'> {
  readonly order: Order | null;
}

export interface CancelledOrder {
  readonly order: Order | null;
  /** Lines. */
  readonly cancelled: number;
}

/** The followers of an order share its lines. */
const lineOf = memoize(({ item, purchase }: ReadItem) => toLine(item, purchase));

/** The orders of an account. */
export function createOrderService(deps: OrderDeps) {
  const { journal, account } = deps;
  const { byId, byKey, list, progress, ...orders } = createJobService<Order, PlacedLine>(deps, {
    ...{ kind: 'ORDER', noun: 'order' },
    nothingToCancel:
      'No line of this order can be cancelled: each was sent, is being sent or has ended.',
    isRunning: (counts) => orderState(progressOf(counts)) === 'RUNNING',
    itemOf: lineOf,
    viewsOf(jobs) {
      // One read of the lines serves all these orders.
      const ids = jobs.map(({ job }) => job.id);
      const lines = lazy(() => readLines(deps, ids));
      return jobs.map(({ job, counts }) => ({
        job,
        progress: progressOf(counts),
        lines: async () => (await lines()).get(job.id) ?? [],
        stop: lazy(() => journal.stopped(account)),
      }));
    },
  });

  return {
    ...{ finishedAtOf, quotedTotals, spentTotals, stopReasonOf },
    ...{ byId, byKey, list, progress },
    stateOf: (order: Order) => orderState(order.progress),
    quote: (input: QuoteOrderInput) => quoteOrder(deps, input),
    /** The items of a cart with the exact prices of the order. */
    cartItems: (input: QuoteOrderInput) =>
      attempt(async () => ({ items: await cartItems(deps, input) })),
    async place(input: PlaceOrderInput): Promise<OrderPayload> {
      const { job, ...placed } = await placeOrder(deps, input).catch((error) => ({
        ...{ job: null, quote: null, replayed: false },
        errors: faultsOf(error),
      }));
      return { ...placed, order: await orders.toView(job) };
    },
    cancel: (id: string) =>
      attempt<CancelledOrder>(async () => ({
        cancelled: await orders.cancel(id),
        order: await byId(id),
      })),
  };
}

async function readLines({ journal, account }: OrderDeps, orderIds: readonly string[]) {
  const [items, purchases] = await Promise.all([
    journal.jobs.items(orderIds),
    journal.byOrders(account, orderIds),
  ]);
  // Oldest first, so that the last purchase of a line remains.
  const byLine = new Map(purchases.map((one) => [`${one.orderId}:${one.orderLine}`, one]));
  const readLine = (item: JobItem) =>
    toLine(item, byLine.get(`${item.jobId}:${item.position}`) ?? null);
  return new Map(
    [...Map.groupBy(items, ({ jobId }) => jobId)].map(([id, ofJob]) => [id, ofJob.map(readLine)]),
  );
}
