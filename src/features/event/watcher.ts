import type { Money } from '../../kernel/money.ts';
import { LeasedLoop } from '../../kernel/work-loop.ts';
import { lazy } from '../../lib/lazy.ts';
import { parts } from '../../lib/slices.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { Snapshot } from '../portfolio/snapshot.ts';
import { createBalanceComparison } from './balances.ts';
import type { Comparison, Round } from './comparison.ts';
import { createDomainComparison, type DomainComparisonOptions } from './domains.ts';
import { createPriceComparison } from './prices.ts';
import { createRenewalComparison } from './renewals.ts';
import type { StateChange } from './store.ts';

interface WatcherOptions extends Omit<DomainComparisonOptions, 'owner'> {
  readonly api: DomainApi;
  readonly snapshot: Pick<Snapshot, 'refreshInBackground'>;
  /** Time between two rounds; 0 disables them. */
  readonly everyMs: number;
  /** Balances below these amounts are events; one for each currency. */
  readonly balanceLow: readonly Money[];
  /** Days in which the balance must cover the renewals; 0 disables the check. */
  readonly renewalsDays: number;
  /** Called with the time until which the balances cover the renewals; null when that cannot be decided. */
  readonly onRenewalsCovered: (until: Date | null) => void;
  /** Events are deleted at this age. */
  readonly retentionMs: number;
  readonly onError: (error: unknown) => void;
}

const pageSize = 1_000;
const changesPerWrite = 200;
/** Another process continues this long after a process has ended without a release of its lease. */
const leaseMs = 30_000;
const renewMs = leaseMs / 3;
/** Half of the pause after the first round that failed. It doubles with each, up to the interval. */
const firstRetryMs = 5_000;

/**
 * Compares an account with its last known states, at an interval, and stores each difference as an event. One replica does it
 * at a time: the lease is checked in each statement that writes.
 */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #loop: LeasedLoop;
  readonly #comparisons: readonly Comparison[];
  /** The time of the next round. */
  #dueMs = -Infinity;
  /** Consecutive rounds in which something could not be read or stored. */
  #failures = 0;

  constructor(options: WatcherOptions) {
    const { store, api, account, clock, randomness, everyMs, onError } = options;
    this.#options = options;
    this.#loop = new LeasedLoop({
      clock,
      randomness,
      leaseMs,
      renewMs,
      onError,
      lease: (request) => store.lease(account, request),
    });
    // In this order, because renewals are compared with the stored prices.
    this.#comparisons = [
      createDomainComparison({ ...options, owner: this.#loop.owner }),
      createBalanceComparison({ thresholds: options.balanceLow, randomness }),
      createPriceComparison({ api, clock, randomness }),
      createRenewalComparison({
        days: options.renewalsDays,
        randomness,
        onCovered: options.onRenewalsCovered,
      }),
    ];
    if (everyMs === 0) return;
    this.#loop.start(
      () => this.#poll(),
      () => Math.min(everyMs, renewMs),
    );
  }

  close(): Promise<void> {
    return this.#loop.close();
  }

  /** Returns the time until the next poll. */
  async #poll(): Promise<number> {
    const { clock, everyMs } = this.#options;
    if (!(await this.#loop.holdsLease())) return renewMs;
    if (clock.monotonicMs() >= this.#dueMs) {
      this.#failures += 1;
      try {
        await this.#loop.renewDuring(() => this.#runRound());
      } finally {
        const pauseMs = this.#failures === 0 ? everyMs : firstRetryMs * 2 ** this.#failures;
        this.#dueMs = clock.monotonicMs() + Math.min(everyMs, pauseMs);
      }
    }
    // A whole millisecond: a smaller fraction can be lost when it is added to the time.
    return Math.min(renewMs, Math.ceil(this.#dueMs - clock.monotonicMs()));
  }

  async #runRound(): Promise<void> {
    const { store, account, clock, retentionMs } = this.#options;
    // Events of a process that ended before it had published them.
    await this.#publish();
    const isWhole = await this.#compareAll(await this.#readKnown());
    await this.#publish();
    if (isWhole) this.#failures = 0;
    const oldest = new Date(clock.now().getTime() - retentionMs);
    while (await store.deleteBefore(account, oldest)) await clock.wait(0);
  }

  async #publish(): Promise<void> {
    const { store, account, clock } = this.#options;
    while (await store.publish(account, clock.now())) await clock.wait(0);
  }

  async #readKnown(): Promise<Map<string, string>> {
    const { store, account, clock } = this.#options;
    const states = new Map<string, string>();
    for (let after: string | null = null; ; ) {
      const page = await store.watched(account, after, pageSize);
      for (const { subject, seen } of page) states.set(subject, seen);
      after = page.at(-1)?.subject ?? null;
      if (page.length < pageSize) return states;
      await clock.wait(0);
    }
  }

  /** False when something could not be read. */
  async #compareAll(states: Map<string, string>): Promise<boolean> {
    const { api, snapshot, clock } = this.#options;
    const { signal } = this.#loop;
    const round: Round = {
      signal,
      states,
      now: () => clock.now(),
      portfolio: lazy(() => snapshot.refreshInBackground({ signal })),
      balances: lazy(() => api.resellerdetails({}, { signal })),
    };
    let isWhole = true;
    for (const comparison of this.#comparisons) {
      const changes = await this.#find(comparison, round);
      if (!changes) isWhole = false;
      else if (await this.#save(changes, states)) await comparison.stored?.();
      else {
        this.#loop.expireLease();
        if (!(await this.#loop.holdsLease())) break;
      }
    }
    return isWhole;
  }

  /** Null when something cannot be read, which does not prevent the other comparisons. */
  #find(comparison: Comparison, round: Round): Promise<readonly StateChange[] | null> {
    return comparison.find(round).catch((error: unknown) => {
      round.signal.throwIfAborted();
      this.#loop.report(error);
      return null;
    });
  }

  /**
   * Stores the changes in parts, so that other requests run in between. False when not all were stored: this process has lost the
   * lease, or a write of this gateway has changed a state in the meantime, which the next round compares.
   */
  async #save(changes: readonly StateChange[], states: Map<string, string>): Promise<boolean> {
    const { store, account, clock } = this.#options;
    let areAllStored = true;
    for (const some of parts(changes, changesPerWrite)) {
      if (await store.change(account, this.#loop.owner, some)) {
        for (const { subject, seen } of some) states.set(subject, seen);
      } else areAllStored = false;
      await clock.wait(0);
    }
    return areAllStored;
  }
}
