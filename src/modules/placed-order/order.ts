import type { Fault } from '../../kernel/faults.ts';
import { faultOfStored, fromStoredJson, type StoredFault } from '../../kernel/stored-json.ts';
import type {
  JobCount,
  JobItem,
  JobItemState,
  JobOutcome,
  JobRecord,
} from '../../persistence/job-store.ts';
import type { PurchaseRecord, PurchaseState, PurchaseStop } from '../../persistence/store.ts';
import { faultOfLine, type OrderTotal, totalsOf } from '../order/quote-order.ts';
import { faultOf } from '../purchase/settle.ts';
import type { Quote } from '../quote/quote.ts';
import { factsOf, type LineFacts, type LineOutcome } from './place-order.ts';

export type OrderLineState =
  | 'WAITING'
  | 'PENDING'
  | 'IN_PROGRESS'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'UNKNOWN'
  | 'CANCELLED';

export type OrderState = 'RUNNING' | 'SUCCEEDED' | 'PARTIAL' | 'FAILED' | 'STOPPED';

/** The number of lines in each state. */
export type OrderProgress = Readonly<Record<OrderLineState, number>>;

/** A line of a placed order. */
export interface PlacedLine extends LineFacts {
  readonly position: number;
  readonly domain: string;
  readonly state: OrderLineState;
  readonly outcome: JobOutcome | null;
  /** Null until the line is sent, and for a line that is never sent. */
  readonly purchase: PurchaseRecord | null;
  readonly errors: readonly Fault[];
  readonly endedAt: Date | null;
}

/** A placed order. Its lines are read when they are needed. */
export interface Order {
  readonly job: JobRecord;
  readonly progress: OrderProgress;
  readonly lines: () => Promise<readonly PlacedLine[]>;
  /** The stop switch; null while purchases are allowed. */
  readonly stop: () => Promise<PurchaseStop | null>;
}

const isRefusedWithout: Record<LineOutcome, OrderLineState> = {
  // A purchase that the journal does not have is not known to be made.
  SENT: 'UNKNOWN',
  REFUSED: 'FAILED',
  CANCELLED: 'CANCELLED',
  STOPPED: 'CANCELLED',
};

/** The state of a line, by that of its item and of its purchase. */
function lineState(
  state: JobItemState,
  outcome: JobOutcome | null,
  purchase: PurchaseState | null,
): OrderLineState {
  if (purchase === 'CLAIMED' || purchase === 'SENDING') return 'PENDING';
  // The line has another purchase soon.
  if (purchase === 'FAILED' && state !== 'DONE') return 'PENDING';
  if (purchase) return purchase;
  if (state === 'WAITING') return 'WAITING';
  if (state === 'BEGUN') return 'PENDING';
  return isRefusedWithout[outcome as LineOutcome] ?? 'UNKNOWN';
}

const noLines: OrderProgress = {
  WAITING: 0,
  PENDING: 0,
  IN_PROGRESS: 0,
  SUCCEEDED: 0,
  FAILED: 0,
  UNKNOWN: 0,
  CANCELLED: 0,
};

export function progressOf(counts: readonly JobCount[]): OrderProgress {
  const progress = { ...noLines };
  for (const { state, outcome, purchase, amount } of counts) {
    progress[lineState(state, outcome, purchase)] += amount;
  }
  return progress;
}

const totalOf = (progress: OrderProgress): number =>
  Object.values(progress).reduce((sum, count) => sum + count, 0);

/** Derived from the states of the lines. */
export function orderState(progress: OrderProgress): OrderState {
  const { WAITING, PENDING, IN_PROGRESS, SUCCEEDED, UNKNOWN, CANCELLED } = progress;
  if (WAITING + PENDING + IN_PROGRESS > 0) return 'RUNNING';
  if (CANCELLED > 0) return 'STOPPED';
  if (SUCCEEDED === totalOf(progress)) return 'SUCCEEDED';
  return SUCCEEDED + UNKNOWN === 0 ? 'FAILED' : 'PARTIAL';
}

export function toLine(item: JobItem, purchase: PurchaseRecord | null): PlacedLine {
  const { position, domain, result, doneAt } = item;
  const facts = factsOf(item);
  const fault = purchase && faultOf(purchase);
  const refusals = refusalsOf(item);
  return {
    ...{ position, domain, purchase, ...facts },
    state: lineState(item.state, result?.outcome ?? null, purchase?.state ?? null),
    outcome: result?.outcome ?? null,
    // A line with a purchase that was never carried out can be refused before its next one.
    errors: fault && refusals.length === 0 ? [faultOfLine(fault, facts.kind, position)] : refusals,
    endedAt: purchase ? purchase.settledAt : doneAt,
  };
}

const refusalsOf = ({ result }: JobItem): readonly Fault[] =>
  result?.outcome === 'REFUSED'
    ? fromStoredJson<readonly StoredFault[]>(result.details).map(faultOfStored)
    : [];

/** When the last line ended; null while the order is running. */
export async function finishedAtOf(order: Order): Promise<Date | null> {
  if (orderState(order.progress) === 'RUNNING') return null;
  const times = (await order.lines()).map(({ endedAt }) => endedAt?.getTime() ?? 0);
  return new Date(Math.max(...times));
}

const sumOf = (lines: readonly PlacedLine[]): readonly OrderTotal[] =>
  totalsOf(lines.flatMap(({ quote }): readonly Quote[] => (quote ? [quote] : [])));

/** The sums of the lines that passed the checks when the order was placed. */
export const quotedTotals = async ({ lines }: Order): Promise<readonly OrderTotal[]> =>
  sumOf((await lines()).filter(({ isPayable }) => isPayable));

const spentStates: readonly OrderLineState[] = ['IN_PROGRESS', 'SUCCEEDED'];

/** The sums of the lines whose purchase the upstream accepted. */
export const spentTotals = async ({ lines }: Order): Promise<readonly OrderTotal[]> =>
  sumOf((await lines()).filter(({ state }) => spentStates.includes(state)));

/** Why lines are not sent, and the next step; null when every line was sent or has its own error. */
export async function stopReasonOf({ progress, lines, stop }: Order): Promise<string | null> {
  if (progress.WAITING > 0) {
    const stopped = await stop();
    return stopped
      ? `${countOf(progress.WAITING)} because the operator stopped all purchases: "${stopped.reason}". The gateway sends them when the operator allows purchases again; "cancelOrder" removes them.`
      : null;
  }
  if (progress.CANCELLED === 0) return null;
  const all = await lines();
  const failed = all.find(({ state }) => state === 'FAILED' || state === 'UNKNOWN');
  const isStopped = all.some(({ outcome }) => outcome === 'STOPPED');
  const why =
    isStopped && failed
      ? `${failed.domain} (line ${failed.position}) failed and the order has onFailure STOP`
      : 'the order was cancelled';
  return `${countOf(progress.CANCELLED)} because ${why}. Place a new order with these lines to buy them.`;
}

const countOf = (lines: number): string =>
  lines === 1 ? '1 line was not sent,' : `${lines} lines were not sent,`;
