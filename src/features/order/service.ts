import { Fault, invalidInput, withinRange } from '../../kernel/faults.ts';
import { type Lookup, storedKey } from '../../kernel/ids.ts';
import { maxOrderLines } from '../../kernel/job-sizes.ts';
import { shownState } from '../../kernel/purchase-states.ts';
import { memoize } from '../../lib/lazy.ts';
import type { ReadItem } from '../../modules/job/followed-job.ts';
import type { ProgressNotifier } from '../../modules/job/progress-notifier.ts';
import type { JobReads } from '../../modules/job/reads.ts';
import { type CountedJob, createJobService } from '../../modules/job/service.ts';
import type { JobState } from '../../modules/job/view.ts';
import { asPayload, faultsOf } from '../../modules/mutation/checks.ts';
import { isKeyUsed } from '../../modules/purchase/idempotency.ts';
import type { JobFacts } from '../../persistence/job-items.ts';
import type { JobItem } from '../../persistence/job-record.ts';
import { withCustomers } from './line-customers.ts';
import {
  groupsOfLines,
  type OrderLineState,
  orderView,
  type PlacedLine,
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
import { type QuoteOrderInput, quoteOrder } from './quote-order.ts';
import { type RetryOrderInput, retryOrder } from './retry-order.ts';

interface OrderDeps extends PlaceOrderDeps {
  readonly jobProgress: ProgressNotifier;
  readonly jobReads: JobReads;
}

export interface OrderPayload extends Omit<PlacedOrder, 'job'> {
  readonly order: CountedJob | null;
}

export interface CancelledOrder {
  readonly order: CountedJob | null;
  /** Lines. */
  readonly cancelled: number;
}

interface LinePage {
  readonly states?: readonly OrderLineState[] | null | undefined;
  readonly first: number;
  /** The position of the last line of the page before. */
  readonly after?: number | null | undefined;
}

const sumsOf = (facts: readonly JobFacts[]) => ({
  quoted: quotedTotals(facts),
  spent: spentTotals(facts),
});

/** The followers of an order share its lines. */
const lineOf = memoize(({ item, purchase, at }: ReadItem) => toLine(item, purchase, at));

/** The orders of an account. */
export function createOrderService(deps: OrderDeps) {
  const { journal, account, clock, jobReads } = deps;
  const {
    visibleJob,
    cancel,
    restart: _,
    stateOf: stateOfLines,
    ...orders
  } = createJobService(deps, {
    kind: 'ORDER',
    noun: 'order',
    nothingToCancel:
      'No line of this order can be cancelled: each was sent, is being sent or has ended.',
    view: orderView,
    itemOf: lineOf,
  });
  const toLines = async (items: readonly JobItem[]) => {
    const orderId = items[0]?.jobId ?? '';
    const positions = items.map(({ position }) => position);
    const purchases = await journal.byLines(account, orderId, positions);
    const byLine = new Map(purchases.map((one) => [one.orderLine, one]));
    const at = clock.now();
    return items.map((item) => toLine(item, byLine.get(item.position) ?? null, at));
  };

  const payloadOf = async (placing: Promise<PlacedOrder>, key: string): Promise<OrderPayload> => {
    const { job, ...placed } = await placing.catch(async (error) => ({
      job: null,
      quote: null,
      replayed: false,
      errors: faultsOf(error),
      keyUsed: await isKeyUsed(() =>
        journal.jobs.byKey(account, 'ORDER', storedKey(deps.caller, key.trim())),
      ),
    }));
    return { ...placed, order: visibleJob(job) };
  };

  /** One of `JobState`, or of the states of orders that another feature holds. */
  const stateOf = async (order: CountedJob): Promise<JobState> => {
    const state = await stateOfLines(order);
    const ofTerms = state === 'HELD' ? await deps.terms.heldStateOf(order.job.id) : null;
    return (ofTerms as JobState | null) ?? state;
  };

  return {
    ...orders,
    stateOf,
    quotedTotals: async ({ job }: CountedJob) => (await jobReads.sums(job.id, sumsOf)).quoted,
    spentTotals: async ({ job }: CountedJob) => (await jobReads.sums(job.id, sumsOf)).spent,
    stopReasonOf: async ({ job, counts }: CountedJob) =>
      stopReasonOf(await counts(), {
        stop: () => journal.stopped(account),
        ofTerms: () => deps.terms.stopReasonOf(job.id),
        domainAt: async (position) => {
          const [item] = await jobReads.page(
            job.id,
            { after: position - 1, limit: 1 },
            async (one) => one,
          );
          return item?.domain ?? '';
        },
      }),
    /** A page of the lines, in the order of the input. @throws Fault `INVALID_INPUT` */
    async lines({ job }: CountedJob, { states, first, after }: LinePage): Promise<PlacedLine[]> {
      const limit = withinRange('first', first, 0, maxOrderLines);
      const groups = states ? groupsOfLines(states) : undefined;
      return [...(await jobReads.page(job.id, { after, limit, groups }, toLines))];
    },
    quote: (input: QuoteOrderInput) => quoteOrder(deps, withCustomers(input, deps.caller)),
    place: (input: PlaceOrderInput): Promise<OrderPayload> =>
      payloadOf(placeOrder(deps, input), input.idempotencyKey),
    /** Places the lines of an order that has ended again that were not bought. */
    async retry(by: Lookup | null, input: RetryOrderInput): Promise<OrderPayload> {
      const retried = async () => {
        const order = await orders.find(by);
        if (!order) throw noOrder;
        const state = await stateOf(order);
        if (!endStates.has(state)) throw notEnded(state);
        return retryOrder(deps, order.job, input);
      };
      const { errors, ...payload } = await payloadOf(retried(), input.idempotencyKey);
      return { ...payload, errors: errors.map(withoutLine) };
    },
    cancel: (by: Lookup | null) =>
      asPayload<CancelledOrder>(async () => ({
        cancelled: await cancel(by),
        order: await orders.find(by),
      })),
  };
}

const endStates: ReadonlySet<JobState> = new Set(['SUCCEEDED', 'PARTIAL', 'FAILED', 'STOPPED']);

const byPath = { path: ['input', 'by'] };
const noOrder = new Fault('NOT_FOUND', { message: 'There is no such order.', ...byPath });
const notEnded = (state: JobState) =>
  invalidInput(
    `This order is ${shownState(state)}. Retry it after its end; "cancelOrder" ends the lines that wait.`,
    byPath,
  );

/** The input of a retry does not have the lines of the order, so the path of a line is left out. */
const withoutLine = (fault: Fault): Fault =>
  fault.inputPath[1] === 'lines' && fault.inputPath.length > 2 ? fault.with({ path: [] }) : fault;
