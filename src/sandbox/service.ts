import type { Randomness } from '../lib/clock.ts';
import { type ArmedFaults, createArmedFaults } from './armed-faults.ts';
import { type CallLog, createCallLog } from './call-log.ts';
import { createSettableClock, type SettableClock } from './clock.ts';
import { openDatabase } from './database.ts';
import { createHoldings, type Holdings } from './holdings.ts';
import { type Latency, latencies } from './latency.ts';
import { settle } from './life-cycle.ts';
import { seed } from './seed.ts';
import type { SandboxOptions } from './server.ts';
import { createStore, type Store } from './store.ts';

/** The state of one sandbox. */
export interface Service {
  readonly store: Store;
  readonly clock: SettableClock;
  readonly randomness: Randomness;
  readonly calls: CallLog;
  readonly faults: ArmedFaults;
  readonly holdings: Holdings;
  readonly latency: Latency;
  /** Number of domains that a list returns at most; there is no second page. */
  readonly listSize: number;
  /** Applies the state changes that are due. Cheap when there are none. */
  settle(): void;
  /** Aborts the calls in progress at a reset, which creates a new signal, and at the end. */
  readonly ended: AbortSignal;
  /** Replaces all data by the demo data, resets the clock's offset and ends calls in progress. */
  reset(): void;
  /** Ends the calls that are waiting or held. */
  end(): void;
  close(): void;
}

const ownPageSize = 200;

/** @throws Error with one sentence when the file cannot be used. */
export function createService(options: SandboxOptions): Service {
  const database = openDatabase(options.file, options.reset ?? false);
  const store = createStore(database);
  const clock = createSettableClock(options.clock, database);
  const calls = createCallLog(clock);
  const faults = createArmedFaults();
  const holdings = createHoldings();
  const named = latencies[options.latency ?? 'none'];
  const usual: Latency = { ...named, perNameMs: options.msPerName ?? named.perNameMs };
  const latency = { ...usual };
  const domains = options.domains ?? 320;
  if (!database.isSeeded()) seed(database, store, domains, clock.nowMs());
  let era = new AbortController();

  return {
    store,
    clock,
    randomness: options.randomness,
    calls,
    faults,
    holdings,
    latency,
    listSize: options.listSize === 0 ? Infinity : (options.listSize ?? ownPageSize),
    settle: () => settle(store, clock.nowMs()),
    get ended() {
      return era.signal;
    },
    end: () => era.abort(new Error('The sandbox is closing.')),
    reset() {
      // A call that was held before the reset would change the new data.
      era.abort(new Error('The sandbox was reset.'));
      era = new AbortController();
      seed(database, store, domains, options.clock.now().getTime());
      clock.reload();
      calls.clear();
      faults.clear();
      Object.assign(latency, usual);
    },
    close: () => database.close(),
  };
}
