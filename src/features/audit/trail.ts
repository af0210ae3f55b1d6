import { Fault } from '../../kernel/faults.ts';
import type {
  CommandTrail,
  OperationEnd,
  OperationTrail,
  RecordedOperation,
} from '../../kernel/recorder.ts';
import { WorkLoop } from '../../kernel/work-loop.ts';
import { createBatches } from '../../lib/batches.ts';
import type { Clock } from '../../lib/clock.ts';
import { createLru } from '../../lib/lru.ts';
import { parts } from '../../lib/slices.ts';
import { systemClock } from '../../lib/system.ts';
import type { Database } from '../../persistence/tables.ts';
import { type AuditStore, createAuditStore, type NewAuditEntry } from './store.ts';

interface TrailOptions {
  readonly store: AuditStore;
  readonly account: string;
  readonly clock: Clock;
  /** Whether an operation that cannot be stored is refused. */
  readonly isRequired: boolean;
  readonly storesAddresses: boolean;
  /** Entries are deleted at this age. */
  readonly retentionMs: number;
  /** Called with the reason when an entry is not stored although its operation runs or has run. */
  readonly onLost: (reason: string) => void;
  readonly onError: (error: unknown) => void;
}

/** The audit log of a tenant, which the process writes. */
interface OpenAuditTrail extends OperationTrail {
  /** Resolves when all entries of this process so far are stored, or lost. */
  settled(): Promise<unknown>;
  close(): Promise<void>;
}

/** Entries of one statement. SQLite allows 32,766 parameters in one. */
const maxBatch = 100;
/** Frequent entries are stored together after this time. */
const delayMs = 1_000;
const deleteEveryMs = 3_600_000;
const minuteMs = 60_000;
/** Entries of refused attempts in a minute, for each caller. */
const maxRefusals = 60;
const maxRefusedCallers = 10_000;

/** The refused attempts of a caller: the entries of a minute, and attempts without an entry. */
interface Refusals {
  readonly minute: number;
  readonly entries: number;
  readonly leftOut: number;
}

/** Returns the attempts for which the next entry of the caller stands; null when it has no entry. */
function createRefusalCount(clock: Clock) {
  const refusals = createLru<string, Refusals>(maxRefusedCallers);
  return (caller: string, added: number): number | null => {
    const minute = Math.floor(clock.monotonicMs() / minuteMs);
    const last = refusals.get(caller);
    const entries = last?.minute === minute ? last.entries : 0;
    const attempts = (last?.leftOut ?? 0) + added;
    const isFull = entries >= maxRefusals;
    const counted = isFull ? { entries, leftOut: attempts } : { entries: entries + 1, leftOut: 0 };
    refusals.set(caller, { minute, ...counted });
    return isFull ? null : attempts;
  };
}

export function createAuditTrail(options: TrailOptions): OpenAuditTrail {
  const { store, account, clock, isRequired, storesAddresses, retentionMs, onLost } = options;
  const append = createBatches<NewAuditEntry, number>(maxBatch, (entries) =>
    store.append(account, entries),
  );
  let last: Promise<unknown> = Promise.resolve();
  const stored = (entry: NewAuditEntry): Promise<number> => {
    const position = append(entry);
    // Batches end in the order of their entries.
    last = position.catch(() => undefined);
    return position;
  };
  const lost = (error: unknown): null => {
    onLost(error instanceof Fault ? error.message : String(error));
    if (!(error instanceof Fault)) options.onError(error);
    return null;
  };
  const entryOf = (operation: RecordedOperation, end: OperationEnd | null) => ({
    at: clock.now(),
    operation: storesAddresses ? operation : { ...operation, address: null },
    end,
  });
  /** The position of an entry; null when it is not stored and need not be. */
  const required = (entry: NewAuditEntry): Promise<number | null> =>
    isRequired ? stored(entry) : stored(entry).catch(lost);

  const countRefused = createRefusalCount(clock);
  const delayed: NewAuditEntry[] = [];
  const storeDelayed = (): void => {
    for (const entry of delayed.splice(0)) stored(entry).catch(lost);
  };

  const loop = new WorkLoop({ clock, onError: options.onError });
  loop.start(
    async () => {
      const oldest = new Date(clock.now().getTime() - retentionMs);
      while (await store.deleteBefore(account, oldest)) await clock.wait(0, loop.signal);
      return deleteEveryMs;
    },
    () => deleteEveryMs,
  );

  const note: OperationTrail['note'] = (operation, end) =>
    void stored(entryOf(operation, end)).catch(lost);

  return {
    async begin(operation) {
      const begun = await required(entryOf(operation, null));
      return (end) => {
        const entry = begun === null ? entryOf(operation, end) : { at: clock.now(), begun, end };
        stored(entry).catch(lost);
      };
    },
    async add(operation, end) {
      await required(entryOf(operation, end));
    },
    note,
    noteRefused(operation, end) {
      const attempts = countRefused(operation.caller ?? '', end.refusals);
      if (attempts !== null) note(operation, { ...end, refusals: attempts });
    },
    noteLater(operation, end) {
      // The entries that wait at the end are stored by `close`.
      if (delayed.length === 0) {
        clock.wait(delayMs, loop.signal).then(storeDelayed, () => undefined);
      }
      delayed.push(entryOf(operation, end));
    },
    settled() {
      storeDelayed();
      return last;
    },
    async close() {
      await loop.close();
      storeDelayed();
      await last;
    },
  };
}

const entriesPerStatement = 100;

export function createCommandTrail(database: Database, account: string): CommandTrail {
  const store = createAuditStore(database);
  const now = () => systemClock.now();
  return {
    async begin(operation) {
      const [begun = 0] = await store.append(account, [{ at: now(), operation, end: null }]);
      return async (end) => void (await store.append(account, [{ at: now(), begun, end }]));
    },
    async add(operations, end) {
      for (const part of parts(operations, entriesPerStatement)) {
        const at = now();
        await store.append(
          account,
          part.map((operation) => ({ at, operation, end })),
        );
      }
    },
  };
}
