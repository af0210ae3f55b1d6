import type { Clock, Randomness } from '../../src/lib/clock.ts';
import { createCallLog } from './call-log.ts';
import { createSettableClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { createArmedFaults, createHoldings } from './faults.ts';
import { type Latency, type LatencyName, latencies } from './latency.ts';
import { settle } from './life-cycle.ts';
import { seed } from './seed.ts';
import { createStore } from './store.ts';

/** The gateway in the same process. */
interface OwnGateway {
  /** Whether a reset deletes its stored data. */
  readonly isResettable: boolean;
  /** Stops its work, runs `restore`, and starts it without its stored data. */
  reset(restore: () => void): Promise<void>;
}

export interface ServiceOptions {
  /** SQLite file path; `:memory:` stores nothing. */
  readonly file: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** Size of the demo portfolio when it is seeded; default 320. */
  readonly domains?: number | undefined;
  /** Latency of calls; `POST /admin/latency` changes it. Default `none`. */
  readonly latency?: LatencyName;
  /** Milliseconds per name of a check; replaces that of `latency`. */
  readonly msPerName?: number | undefined;
  /** Number of domains that `getdomainlist` returns at most; default 200, 0 for all. */
  readonly listSize?: number | undefined;
  /** Absent when the sandbox runs alone. */
  readonly gateway?: OwnGateway | undefined;
  /** Number of TLDs that `tldlist` returns at most; default all. */
  readonly listedTlds?: number | undefined;
  /** Replaces the data of the file by the demo data. */
  readonly reset?: boolean | undefined;
}

const ownPageSize = 200;

export type Service = ReturnType<typeof createService>;

/**
 * The state of one sandbox.
 *
 * @throws Error with one sentence when the file cannot be used.
 */
export function createService(options: ServiceOptions) {
  const database = openDatabase(options.file, options.reset ?? false);
  const store = createStore(database);
  const domains = options.domains ?? 320;
  const seedNow = () => seed(database, store, domains, options.clock.now().getTime());
  if (!database.isSeeded) seedNow();
  const clock = createSettableClock(options.clock, database);
  const calls = createCallLog(clock);
  const faults = createArmedFaults();
  const named = latencies[options.latency ?? 'none'];
  const usual: Latency = { ...named, perNameMs: options.msPerName ?? named.perNameMs };
  const latency = { ...usual };
  let era = new AbortController();
  const gateway = options.gateway ?? null;
  const endCalls = (reason: string) => {
    era.abort(new Error(reason));
    era = new AbortController();
  };
  const restore = () => {
    // A call that waits would change the new data.
    endCalls('The sandbox was reset.');
    seedNow();
    clock.reload();
    calls.clear();
    faults.clear();
    Object.assign(latency, usual);
  };

  return {
    gateway,
    store,
    clock,
    randomness: options.randomness,
    calls,
    faults,
    holdings: createHoldings(),
    latency,
    /** Number of domains that a list returns at most; there is no second page. */
    listSize: options.listSize === 0 ? Infinity : (options.listSize ?? ownPageSize),
    listedTlds: options.listedTlds ?? Infinity,
    /** Applies the state changes that are due. Cheap when there are none. */
    settle: () => settle(store, clock.nowMs()),
    /** Aborts the calls in progress at a reset, which creates a new signal, and at the end. */
    get ended(): AbortSignal {
      return era.signal;
    },
    /** Ends the calls that are waiting or held. */
    end: () => era.abort(new Error('The sandbox is closing.')),
    /**
     * Replaces all data by the demo data, resets the clock's offset and ends calls in progress. A gateway in the same process
     * loses its stored data too.
     */
    async reset(): Promise<void> {
      if (!gateway?.isResettable) return restore();
      // The gateway waits for its calls before it stops.
      endCalls('The sandbox is being reset.');
      await gateway.reset(restore);
    },
    close: () => database.close(),
  };
}
