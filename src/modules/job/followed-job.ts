import { stateAt } from '../../kernel/purchase-states.ts';
import type { Clock } from '../../lib/clock.ts';
import { createSlices, type SliceClock } from '../../lib/slices.ts';
import type { ItemState, JobCount } from '../../persistence/job-items.ts';
import type { JobItem } from '../../persistence/job-record.ts';
import type { JobStore } from '../../persistence/job-store.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';

/** An item as the journal has it at a time, with its newest purchase; null while there is none. */
export interface ReadItem {
  readonly item: JobItem;
  readonly purchase: PurchaseRecord | null;
  readonly at: Date;
}

/** What the journal has about a job that clients follow, read once for all of them. */
export interface FollowedJob {
  readonly id: string;
  /** Time of the last read by the monotonic clock; null before the first. */
  readAtMs: number | null;
  /** Number of the last change that was read; 0 before the first read. */
  revision: number;
  counts: readonly JobCount[];
  /** The state of each item, by position. */
  readonly states: Map<number, ItemState>;
  /** The items that changed since the first read, by position, each with the number of its last change. */
  readonly changed: Map<number, ReadItem & { readonly revision: number }>;
  /** What clients see of the job in this revision; undefined until one of them needs it. */
  view: unknown;
}

export const newFollowedJob = (id: string): FollowedJob => ({
  id,
  readAtMs: null,
  revision: 0,
  counts: [],
  states: new Map(),
  changed: new Map(),
  view: undefined,
});

export const changedSince = ({ changed }: FollowedJob, revision: number): readonly ReadItem[] =>
  [...changed.values()]
    .filter((one) => one.revision > revision)
    .toSorted((one, other) => one.item.position - other.item.position);

interface FollowDeps {
  readonly clock: SliceClock & Pick<Clock, 'now'>;
  readonly account: string;
  readonly journal: Pick<Journal, 'byLines'> & {
    readonly jobs: Pick<JobStore, 'states' | 'itemsAt'>;
  };
}

/**
 * Reads what changed in these jobs: the states of all items, and those items completely whose state is another. Other
 * requests run between two jobs.
 */
export async function readChanges(reads: FollowDeps, jobs: readonly FollowedJob[]): Promise<void> {
  const slices = createSlices(reads.clock);
  for (const job of jobs) {
    if (slices.isOver()) await slices.next();
    const at = reads.clock.now();
    const read = await reads.journal.jobs.states(job.id, at);
    if (job.revision > 0) await readChangedItems(reads, job, read, at);
    else {
      for (const state of read) job.states.set(state.position, state);
      reportChange(job);
    }
  }
}

async function readChangedItems(
  { account, journal }: FollowDeps,
  job: FollowedJob,
  read: readonly ItemState[],
  at: Date,
): Promise<void> {
  const positions = read
    .filter((state) => !isSame(state, job.states.get(state.position)))
    .map(({ position }) => position);
  if (positions.length === 0) return;
  // The purchases are read last, so that an item never ends without its purchase.
  const items = await journal.jobs.itemsAt(job.id, positions);
  const purchases = await journal.byLines(account, job.id, positions);
  const newest = new Map(purchases.map((one) => [one.orderLine, one]));
  for (const item of items) {
    const purchase = newest.get(item.position) ?? null;
    job.states.set(item.position, stateOf({ item, purchase, at }));
    job.changed.set(item.position, { item, purchase, at, revision: job.revision + 1 });
  }
  reportChange(job);
}

function reportChange(job: FollowedJob): void {
  job.revision += 1;
  job.counts = countsOf(job);
  job.view = undefined;
}

/** An item that was restarted and ended again with the same outcome has another end. */
const isSame = (one: ItemState, other: ItemState | undefined): boolean =>
  one.state === other?.state &&
  one.outcome === other.outcome &&
  one.purchaseId === other.purchaseId &&
  one.purchase === other.purchase &&
  one.endedAt === other.endedAt;

const stateOf = ({ item, purchase, at }: ReadItem): ItemState => ({
  jobId: item.jobId,
  position: item.position,
  state: item.state,
  outcome: item.result?.outcome ?? null,
  purchaseId: purchase?.id ?? null,
  purchase: purchase && stateAt(purchase, at),
  endedAt: (purchase ? purchase.settledAt : item.doneAt)?.toISOString() ?? null,
});

function countsOf({ states }: FollowedJob): readonly JobCount[] {
  const groups = Map.groupBy(states.values(), ({ state, outcome, purchase }) =>
    JSON.stringify([state, outcome, purchase]),
  );
  return [...groups.values()].flatMap((group) => {
    const [one] = group;
    if (!one) return [];
    const { jobId, state, outcome, purchase } = one;
    const endedAt = group
      .map((item) => item.endedAt ?? '')
      .toSorted()
      .at(-1);
    return [
      {
        jobId,
        state,
        outcome,
        purchase,
        amount: group.length,
        first: Math.min(...group.map(({ position }) => position)),
        endedAt: endedAt ? new Date(endedAt) : null,
      },
    ];
  });
}
