import type { Clock } from '../../kernel/clock.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Journal, OperationRecord } from '../../persistence/store.ts';
import type { DomainApi } from '../../upstream/domain-api/client.ts';
import { createDomainReads } from '../domain/loader.ts';
import { settleByReading } from './settle.ts';

export interface ReconcilerDeps {
  readonly journal: Journal;
  readonly account: string;
  readonly domainApi: DomainApi;
  readonly clock: Clock;
  readonly quietWindowMs: number;
  /** Milliseconds between two sweeps, and before an operation is looked at for the second time. */
  readonly everyMs: number;
}

const longestPauseMs = 60_000;
const mostAtATime = 100;

/**
 * Settles what is open without being asked: after a start, and then every few seconds, each operation less often the
 * longer it stays open. What another process left behind is settled here too, since the journal is all it goes by.
 */
export function createReconciler(deps: ReconcilerDeps) {
  const { journal, account, domainApi, clock, everyMs } = deps;
  const stop = new AbortController();
  /** When to look at an operation again, and how long to wait after that. */
  const looks = new Map<string, { dueMs: number; pauseMs: number }>();

  const open = () =>
    journal.list(account, {
      filter: { states: ['CLAIMED', 'SENDING', 'PENDING'] },
      limit: mostAtATime,
    });

  const look = async (operation: OperationRecord): Promise<void> => {
    const { dueMs, pauseMs } = looks.get(operation.id) ?? { dueMs: 0, pauseMs: everyMs };
    if (clock.monotonicMs() < dueMs) return;
    const domains = createDomainReads(domainApi, { signal: stop.signal });
    await settleByReading({ ...deps, domains }, operation);
    looks.set(operation.id, {
      dueMs: clock.monotonicMs() + pauseMs,
      pauseMs: Math.min(2 * pauseMs, longestPauseMs),
    });
  };

  const sweep = async (): Promise<void> => {
    const operations = await open();
    const ids = new Set(operations.map(({ id }) => id));
    for (const id of looks.keys()) if (!ids.has(id)) looks.delete(id);
    // One after the other: nobody waits for this, and the service has better things to do.
    for (const operation of operations) {
      stop.signal.throwIfAborted();
      await look(operation);
    }
  };

  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await sweep();
        await clock.wait(everyMs, stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return;
        // A journal that is away may come back; anything else is a bug, and must be heard of.
        if (!(error instanceof Fault)) throw error;
        await clock.wait(everyMs, stop.signal).catch(() => undefined);
      }
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
