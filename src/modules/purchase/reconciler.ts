import { Fault } from '../../kernel/faults.ts';
import type { PurchaseRecord, PurchaseState } from '../../persistence/purchase-record.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import { domainReads } from '../domain/loader.ts';
import type { OpenReads } from '../job/parts.ts';
import type { SettlingTenant } from './conclude.ts';
import { settleByReading } from './settle.ts';

interface ReconcilerDeps extends SettlingTenant {
  readonly domainApi: DomainApi;
  readonly openReads: OpenReads;
  /** Milliseconds between two sweeps, and before a purchase is read for the second time. */
  readonly everyMs: number;
}

const maxPauseMs = 60_000;
const pageSize = 100;
/** A transfer in progress has its own pace, which the journal holds. */
const reconciledStates: readonly PurchaseState[] = ['CLAIMED', 'SENDING', 'PENDING'];
/** Purchases that are read concurrently. No client waits for them, so they leave upstream slots to requests. */
const together = 8;

/**
 * Settles open purchases in the background: after a start, and then every few seconds, each purchase less often the longer
 * it stays open. It reads the journal only, so it also settles purchases of a process that has ended.
 */
export function createReconciler(deps: ReconcilerDeps) {
  const { journal, account, domainApi, openReads, clock, sightings, pace, everyMs } = deps;
  const stop = new AbortController();
  /** When to read a purchase again, and how long to wait after that. */
  const reads = new Map<string, { dueMs: number; pauseMs: number }>();

  const settle = async (purchase: PurchaseRecord): Promise<void> => {
    const options = { signal: stop.signal };
    const domains = openReads(null, options).use(domainReads);
    const readReseller = () => domainApi.resellerdetails({}, options);
    await settleByReading({ ...deps, domains, readReseller }, purchase);
  };

  const readAgain = async (purchase: PurchaseRecord): Promise<void> => {
    const { pauseMs } = reads.get(purchase.id) ?? { pauseMs: everyMs };
    await settle(purchase);
    reads.set(purchase.id, {
      dueMs: clock.monotonicMs() + pauseMs,
      pauseMs: Math.min(2 * pauseMs, maxPauseMs),
    });
  };

  const isDue = ({ id }: PurchaseRecord) => (reads.get(id)?.dueMs ?? 0) <= clock.monotonicMs();

  /** Each read moves the next one, so the list gets shorter with every round. */
  const followTransfers = async (): Promise<void> => {
    for (;;) {
      stop.signal.throwIfAborted();
      const now = clock.now();
      const latest = new Date(now.getTime() + pace.toleranceMs);
      const due = await journal.dueReads(account, { now, latest, limit: together });
      await Promise.all(due.map(settle));
      if (due.length < together) return;
    }
  };

  const sweep = async (): Promise<void> => {
    const ids = new Set<string>();
    for await (const purchases of openPurchases(deps)) {
      for (const { id } of purchases) ids.add(id);
      const due = purchases.filter(isDue);
      while (due.length > 0) {
        stop.signal.throwIfAborted();
        await Promise.all(due.splice(0, together).map(readAgain));
      }
    }
    await followTransfers();
    for (const id of reads.keys()) if (!ids.has(id)) reads.delete(id);
    sightings.retain(ids);
  };

  /** Ends with the reason of the signal, or with a bug. */
  const run = async (): Promise<never> => {
    for (;;) {
      try {
        await sweep();
      } catch (error) {
        // The journal may become available again.
        if (!(error instanceof Fault)) throw error;
      }
      await clock.wait(everyMs, stop.signal);
    }
  };

  const running = run();
  return {
    async close(): Promise<void> {
      stop.abort();
      await running.catch(() => undefined);
    },
  };
}

/** The purchases whose outcome is open, oldest first: no number of newer ones may keep an old one waiting. */
async function* openPurchases({ journal, account }: ReconcilerDeps) {
  let newest: PurchaseRecord | undefined;
  do {
    const page: readonly PurchaseRecord[] = await journal.list(account, {
      filter: { states: reconciledStates },
      limit: pageSize,
      fromEnd: true,
      before: newest,
    });
    yield page.toReversed();
    newest = page.length === pageSize ? page[0] : undefined;
  } while (newest);
}
