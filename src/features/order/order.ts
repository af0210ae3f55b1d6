import { type DomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import type { Fault } from '../../kernel/faults.ts';
import { Decimal, type Money } from '../../kernel/money.ts';
import { type PurchaseState, purchaseStates } from '../../kernel/purchase-states.ts';
import { faultOfStored, fromStoredJson, type StoredFault } from '../../kernel/stored-json.ts';
import type { ItemGroup, JobCount, JobFacts } from '../../persistence/job-items.ts';
import type { JobItem, JobItemState, JobOutcome } from '../../persistence/job-record.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { PurchaseStop } from '../../persistence/spending.ts';
import { createJobView } from '../../modules/job/view.ts';
import { viewOf } from '../../modules/purchase/view.ts';
import type { Quote } from '../../modules/quote/quotes.ts';
import { factsOf, type LineFacts, type LineOutcome } from './place-order.ts';
import { type OrderTotal, totalsOf } from './quote-order.ts';

export type OrderLineState =
  | 'WAITING'
  | 'SENDING'
  | 'PENDING'
  | 'IN_PROGRESS'
  | 'SUCCEEDED'
  | 'FAILED'
  | 'UNKNOWN'
  | 'CANCELLED';

/** A line of a placed order. */
export interface PlacedLine extends LineFacts {
  readonly orderId: string;
  readonly position: number;
  /** Null for text that is no domain name. */
  readonly domain: DomainName | null;
  readonly state: OrderLineState;
  /** Null until the line is sent, and for a line that is never sent. */
  readonly purchase: PurchaseRecord | null;
  readonly errors: readonly Fault[];
}

const isRefusedWithout: Record<LineOutcome, OrderLineState> = {
  // A purchase that the journal does not have is not known to be made.
  SENT: 'UNKNOWN',
  REFUSED: 'FAILED',
  CANCELLED: 'CANCELLED',
  STOPPED: 'CANCELLED',
};

/** The state of a line, by that of its item and, at a time, of its purchase. */
function lineState(
  state: JobItemState,
  outcome: JobOutcome | null,
  purchase: PurchaseState | null,
): OrderLineState {
  // No purchase of a line is held, which the line itself is.
  if (purchase === 'CLAIMED' || purchase === 'HELD') return 'SENDING';
  // The line has another purchase soon.
  if (purchase === 'FAILED' && state !== 'DONE') return 'SENDING';
  if (purchase) return purchase;
  if (state === 'WAITING' || state === 'HELD') return 'WAITING';
  if (state === 'BEGUN') return 'SENDING';
  return isRefusedWithout[outcome as LineOutcome] ?? 'UNKNOWN';
}

export const orderView = createJobView<OrderLineState>(
  {
    WAITING: 'OPEN',
    SENDING: 'OPEN',
    PENDING: 'OPEN',
    IN_PROGRESS: 'OPEN',
    SUCCEEDED: 'ENDED',
    FAILED: 'ENDED',
    UNKNOWN: 'ENDED',
    CANCELLED: 'ENDED',
  },
  ({ state, outcome, purchase }) => lineState(state, outcome, purchase),
);

export function toLine(item: JobItem, purchase: PurchaseRecord | null, at: Date): PlacedLine {
  const { position, result } = item;
  const view = purchase && viewOf(purchase, at);
  const refusals = refusalsOf(item);
  const state = lineState(item.state, result?.outcome ?? null, view?.state ?? null);
  return {
    orderId: item.jobId,
    position,
    domain: tryParseDomainName(item.domain),
    purchase,
    ...factsOf(item),
    state,
    errors: state === 'SENDING' || !view || refusals.length > 0 ? refusals : view.errors,
  };
}

const refusalsOf = ({ result }: JobItem): readonly Fault[] =>
  result?.outcome === 'REFUSED'
    ? fromStoredJson<readonly StoredFault[]>(result.details).map(faultOfStored)
    : [];

/** What customers pay, and what the registrar charges. */
export interface OrderSums {
  readonly prices: readonly OrderTotal[];
  readonly costs: readonly OrderTotal[];
}

function sumOf(facts: readonly JobFacts[]): OrderSums {
  const sumBy = (amountsOf: (quote: Quote) => Amounts) =>
    totalsOf(
      facts.flatMap((group) => {
        const { quote } = factsOf(group);
        return quote ? [timesAmount(amountsOf(quote), group.amount)] : [];
      }),
    );
  return { prices: sumBy((quote) => quote), costs: sumBy(({ cost }) => cost) };
}

type Amounts = Pick<Quote, 'lowest' | 'highest'>;

function timesAmount({ lowest, highest }: Amounts, amount: number): Amounts {
  const count = Decimal.parse(String(amount));
  const times = (price: Money | null) => price && { ...price, amount: price.amount.times(count) };
  return { lowest: times(lowest), highest: times(highest) };
}

/** The sums of the lines that passed the checks when the order was placed. */
export const quotedTotals = (facts: readonly JobFacts[]): OrderSums =>
  sumOf(facts.filter((group) => factsOf(group).isPayable));

const spentStates: readonly OrderLineState[] = ['IN_PROGRESS', 'SUCCEEDED'];

/** The sums of the lines whose purchase the upstream accepted. */
export const spentTotals = (facts: readonly JobFacts[]): OrderSums =>
  sumOf(
    facts.filter(({ state, outcome, purchase }) =>
      spentStates.includes(lineState(state, outcome, purchase)),
    ),
  );

interface StopReads {
  readonly domainAt: (position: number) => Promise<string>;
  /** The stop switch; null while purchases are allowed. */
  readonly stop: () => Promise<PurchaseStop | null>;
  /** Why the lines were cancelled; null when a caller cancelled them. */
  readonly ofTerms: () => Promise<string | null>;
}

/** Why lines are not sent, and the next step; null when every line was sent or has its own error. */
export async function stopReasonOf(
  counts: readonly JobCount[],
  { domainAt, stop, ofTerms }: StopReads,
): Promise<string | null> {
  const progress = orderView.progressOf(counts);
  if (progress.WAITING > 0) {
    const stopped = await stop();
    return stopped
      ? `${countOf(progress.WAITING)} because the operator stopped all purchases: "${stopped.reason}". The gateway sends them when the operator allows purchases again; "cancelOrder" removes them.`
      : null;
  }
  if (progress.CANCELLED === 0) return null;
  const failed = counts.filter(({ state, outcome, purchase }) =>
    failedStates.includes(lineState(state, outcome, purchase)),
  );
  const isStopped = counts.some(({ outcome }) => outcome === 'STOPPED');
  const first = Math.min(...failed.map((group) => group.first));
  // The line that stopped it may have succeeded since.
  const stopping =
    failed.length > 0 ? `${await domainAt(first)} (line ${first}) failed` : 'a line was UNKNOWN';
  const why = isStopped
    ? `${stopping} and the order has onFailure STOP`
    : ((await ofTerms()) ?? 'the order was cancelled');
  return `${countOf(progress.CANCELLED)} because ${why}. "retryOrder" places them in a new order.`;
}

const failedStates: readonly OrderLineState[] = ['FAILED', 'UNKNOWN'];

const itemStates: readonly JobItemState[] = ['HELD', 'WAITING', 'BEGUN', 'DONE'];
const outcomes: readonly (LineOutcome | null)[] = [null, 'SENT', 'REFUSED', 'CANCELLED', 'STOPPED'];
/** A line is held, its purchase is not. */
const statesOfPurchases: readonly (PurchaseState | null)[] = [
  null,
  ...purchaseStates.filter((state) => state !== 'HELD'),
];

/** The groups of the items whose lines are in these states. */
export const groupsOfLines = (states: readonly OrderLineState[]): readonly ItemGroup[] =>
  itemStates.flatMap((state) =>
    outcomes.flatMap((outcome) =>
      statesOfPurchases
        .filter((purchase) => states.includes(lineState(state, outcome, purchase)))
        .map((purchase) => ({ state, outcome, purchase })),
    ),
  );

const countOf = (lines: number): string =>
  lines === 1 ? '1 line was not sent,' : `${lines} lines were not sent,`;
