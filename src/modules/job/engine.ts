import { Fault } from '../../kernel/faults.ts';
import { orphanAfterMs } from '../../kernel/instant.ts';
import { clockToleranceMs } from '../../lib/clock.ts';
import { createPause } from '../../lib/waits.ts';
import type { JobResult, Lease, TakenItem } from '../../persistence/job-record.ts';
import type { JobStore } from '../../persistence/job-store.ts';
import type { TenantFacts } from '../../scope/tenant.ts';

/** The end of the work on an item: its result, or a pause before any process takes it again. */
export type ItemEnd =
  | JobResult
  /** WAITING when nothing was sent for it, so that it can be cancelled; else BEGUN. */
  | {
      readonly state: 'WAITING' | 'BEGUN';
      readonly pauseMs: number;
      /** Whether the reason holds for all items of this kind. */
      readonly pausesAll: boolean;
    };

/** Works on an item. Other processes do not take it during this time. `saveFacts` returns false when this process was too slow. */
export type RunItem = (
  item: TakenItem,
  saveFacts: (facts: string) => Promise<boolean>,
) => Promise<ItemEnd>;

interface JobEngineOptions extends Pick<TenantFacts, 'account' | 'clock' | 'randomness'> {
  readonly jobs: JobStore;
  /** By the kind of the job. Items of another kind are never taken. */
  readonly run: Readonly<Record<string, RunItem>>;
  /** Items that this process works on at a time. */
  readonly together: number;
  /** Milliseconds for which an item belongs to this process without a renewal; default 30,000. */
  readonly leaseMs?: number | undefined;
  /** Called with a fault of the journal, and with a bug. */
  readonly onError: (error: unknown, item: TakenItem) => void;
  /** Called after each change of a job. */
  readonly onChange: (jobId: string) => void;
}

/** Tolerates two renewals that fail. The items of a process that was killed wait until it ends. */
const defaultLeaseMs = 30_000;

/**
 * Works on the items of all jobs of an account, a few at a time. The database leases each item to one process. The lease of a
 * process that has ended runs out, and the next process continues.
 */
export function createJobEngine(options: JobEngineOptions) {
  const { jobs, account, clock, randomness, run, together, onChange, onError } = options;
  const { leaseMs = defaultLeaseMs } = options;
  const owner = randomness.uuid();
  const stop = new AbortController();
  const active = new Set<Promise<void>>();
  /** When this process takes items of a kind again, by its monotonic clock. */
  const resumesAtMs = new Map<string, number>();
  const pause = createPause(clock, stop.signal);
  /** Whether the last take found as many items as it could. */
  let hasMore = true;

  const leaseUntil = () => new Date(clock.now().getTime() + leaseMs);

  const work = async ({ job, ...item }: TakenItem): Promise<void> => {
    const lease: Lease = item;
    const saveFacts = (facts: string) => jobs.saveFacts(lease, facts);
    const end = await runnerOf(run, job.kind)({ ...item, job }, saveFacts);
    const now = clock.now();
    if ('outcome' in end) await jobs.finish(lease, now, end);
    else {
      if (end.pausesAll) resumesAtMs.set(job.kind, clock.monotonicMs() + end.pauseMs);
      await jobs.release(lease, end.state, new Date(now.getTime() + end.pauseMs));
    }
    onChange(item.jobId);
  };

  /** An error leaves the item to the end of its lease. */
  const start = (item: TakenItem): void => {
    const working = work(item)
      .catch((error: unknown) => onError(error, item))
      .finally(() => {
        active.delete(working);
        if (hasMore) pause.wake();
      });
    active.add(working);
  };

  const takeItems = async (): Promise<void> => {
    const limit = together - active.size;
    const kinds = Object.keys(run).filter(
      (kind) => (resumesAtMs.get(kind) ?? 0) <= clock.monotonicMs(),
    );
    if (limit === 0 || kinds.length === 0) return;
    const now = clock.now();
    const latest = new Date(now.getTime() + clockToleranceMs);
    const take = { owner, now, latest, limit, kinds, leaseUntil: leaseUntil() };
    const items = await jobs.take(account, take);
    hasMore = items.length === limit;
    for (const item of items) start(item);
  };

  const deleteOrphans = async (): Promise<void> => {
    const before = new Date(clock.now().getTime() - orphanAfterMs);
    let after = await jobs.deleteOrphans(before);
    while (after !== null) {
      await clock.wait(0, stop.signal);
      after = await jobs.deleteOrphans(before, after);
    }
  };

  const takeAll = async (): Promise<never> => {
    await ignoringFaults(deleteOrphans);
    for (;;) {
      stop.signal.throwIfAborted();
      pause.begin();
      await ignoringFaults(takeItems);
      // Items that another process left or released may be due then.
      await pause.wait(leaseMs / 6);
    }
  };

  const renewAll = async (): Promise<never> => {
    for (;;) {
      await clock.wait(leaseMs / 3, stop.signal);
      if (active.size > 0) await ignoringFaults(() => jobs.renew(account, owner, leaseUntil()));
    }
  };

  const running = Promise.allSettled([takeAll(), renewAll()]);
  return {
    /** Polls for items now. */
    wake: pause.wake,
    /** Takes no more items, and waits for those in progress. */
    async close(): Promise<void> {
      stop.abort();
      await running;
      await Promise.allSettled(active);
    },
  };
}

function runnerOf(run: JobEngineOptions['run'], kind: string): RunItem {
  const found = run[kind];
  if (!found) throw new Error(`There is no code for items of the kind ${kind}.`);
  return found;
}

/** The database may become available again. */
async function ignoringFaults(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}
