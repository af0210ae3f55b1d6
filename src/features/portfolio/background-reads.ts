import { Fault } from '../../kernel/faults.ts';
import { leaseRequest, WorkLoop } from '../../kernel/work-loop.ts';
import { clockToleranceMs } from '../../lib/clock.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import { type DomainApi, readDetails } from '../../upstream/domain-api/domain-api.ts';
import { type Ledger, purchasedDueMs } from './ledger.ts';
import type { LedgerStore } from './ledger-store.ts';
import { firstReadsPerMinute } from './settings.ts';
import type { Snapshot } from './snapshot.ts';
import type { UnlistedDomain } from './unlisted-domains.ts';

interface BackgroundReadsOptions extends Pick<TenantFacts, 'account' | 'clock'> {
  readonly store: LedgerStore;
  readonly ledger: Pick<Ledger, 'save' | 'addAllPurchased'>;
  readonly snapshot: Pick<Snapshot, 'readInBackground' | 'mergeLedger' | 'idleMs'>;
  readonly api: Pick<DomainApi, 'getdetails'>;
  /** Identifies this process. */
  readonly owner: string;
  /** Calls of `getdetails` per minute for rows that are renewed, over all replicas; 0 disables the reads. */
  readonly perMinute: number;
  /** Whether rows are renewed although no client reads the list. */
  readonly isWatched: boolean;
  readonly onError: (error: unknown) => void;
}

const tickMs = 10_000;
const minuteMs = 60_000;
const leaseMs = minuteMs;
/** A domain whose read failed is read again after this time. */
const retryMs = 5 * minuteMs;
/** A domain leaves the ledger when the upstream does not have it for this long. */
const missingMs = 60 * minuteMs;
/** Rows are renewed while the list was read within this time. */
const inUseMs = 10 * minuteMs;
/** Calls at a time. They leave upstream slots to requests. */
const together = 4;

const isOverload = (error: unknown): boolean =>
  error instanceof Fault && error.code === 'RATE_LIMITED';

const later = (from: Date, ms: number) => new Date(from.getTime() + ms);

/** Reads due domains, within the budget and while this process has the lease. */
function createDueReads(options: BackgroundReadsOptions, signal: AbortSignal) {
  const { store, ledger, snapshot, api, account, clock, owner, perMinute, onError } = options;

  const readOne = async ({ name, source, row, missingAt }: UnlistedDomain): Promise<void> => {
    const at = clock.now();
    const details = await readDetails(api, name, { signal });
    if (details) return ledger.save(name, details, at);
    const wasNeverOurs = source === 'IMPORTED' && row === null;
    if (wasNeverOurs || (missingAt && later(missingAt, missingMs) <= at)) {
      await store.remove(account, name, at);
    } else {
      await store.saveMissing(account, name, { at, dueAt: later(at, missingMs) });
    }
  };

  const holdsLease = (): Promise<boolean> =>
    store.lease(account, leaseRequest({ owner, clock, ms: leaseMs, maxMs: leaseMs }));

  /** Which domains are due, and how many of them can be read now. Only domains that were never read exceed the usual budget. */
  const find = async () => {
    const now = clock.now();
    const counted = { after: later(now, -minuteMs), until: later(now, clockToleranceMs) };
    const taken = await store.countTaken(account, counted);
    const isUsedUp = taken >= perMinute;
    const isIdle = !options.isWatched && snapshot.idleMs() > inUseMs;
    const latest = later(now, purchasedDueMs + clockToleranceMs);
    const which = isUsedUp ? 'NEVER_READ' : isIdle ? 'UNREAD' : 'ALL';
    const due = { now, counted, latest, which } as const;
    const mayRead = (await store.hasDue(account, due)) && (await holdsLease());
    const most = isUsedUp ? firstReadsPerMinute(perMinute) : perMinute;
    return { due, limit: mayRead ? Math.min(most - taken, together) : 0 };
  };

  return {
    canRead: async (): Promise<boolean> => (await find()).limit > 0,
    /** Returns false when no domain can be read now. */
    async readSome(): Promise<boolean> {
      const { due, limit } = await find();
      if (limit <= 0) return false;
      const retryAt = later(due.now, retryMs);
      const taken = await store.takeDue(account, { ...due, limit, retryAt });
      const reads = await Promise.allSettled(taken.map(readOne));
      signal.throwIfAborted();
      const errors = reads.flatMap((read) => (read.status === 'rejected' ? [read.reason] : []));
      for (const error of errors) if (!(error instanceof Fault)) onError(error);
      // One domain that cannot be read does not concern the others; a registrar that refuses calls does.
      return errors.length < taken.length && !errors.some(isOverload);
    },
  };
}

/**
 * Reads the domains that the upstream does not list, the longest overdue first. One replica does it at a time. The reads end
 * for ten seconds when the upstream refuses calls.
 *
 * A domain without a row is always read. The others are renewed every hour while the list is in use or watched, so that an idle
 * gateway makes no calls.
 */
export function createBackgroundReads(options: BackgroundReadsOptions) {
  const { ledger, snapshot, perMinute } = options;
  const loop = new WorkLoop(options);
  const dueReads = createDueReads(options, loop.signal);
  let hasPurchases = false;

  const poll = async (): Promise<number> => {
    if (!hasPurchases) await ledger.addAllPurchased();
    hasPurchases = true;
    if (!(await dueReads.canRead())) return tickMs;
    // The list may have some of them.
    await snapshot.readInBackground({ signal: loop.signal });
    while (await dueReads.readSome());
    await snapshot.mergeLedger();
    return tickMs;
  };

  let adding = Promise.resolve();
  if (perMinute > 0) loop.start(poll, () => tickMs);
  else adding = ledger.addAllPurchased().catch((error: unknown) => loop.report(error));
  return {
    wake: () => loop.wake(),
    close: () => loop.close(() => adding),
  };
}
