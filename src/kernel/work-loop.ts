import { type Clock, clockToleranceMs, type Randomness } from '../lib/clock.ts';
import { createPause } from '../lib/waits.ts';
import { Fault } from './faults.ts';

interface LeaseOptions {
  readonly owner: string;
  readonly clock: Pick<Clock, 'now'>;
  /** Time until the lease ends; 0 releases it. */
  readonly ms: number;
  /** The longest `ms` of any owner. A stored lease that ends later than such a lease can was made by a wrong clock. */
  readonly maxMs: number;
}

/** A request for a lease of a store. */
export function leaseRequest({ owner, clock, ms, maxMs }: LeaseOptions) {
  const now = clock.now();
  const later = (laterMs: number) => new Date(now.getTime() + laterMs);
  return { owner, now, until: later(ms), latest: later(maxMs + clockToleranceMs) };
}

export interface WorkLoopOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Polls for work, at intervals and when it is woken. */
export class WorkLoop {
  readonly #onError: WorkLoopOptions['onError'];
  readonly #closing = new AbortController();
  /** Aborts when the loop closes. */
  readonly signal = this.#closing.signal;
  readonly #pause: ReturnType<typeof createPause>;
  #running: Promise<void> = Promise.resolve();

  constructor({ clock, onError }: WorkLoopOptions) {
    this.#onError = onError;
    this.#pause = createPause(clock, this.signal);
  }

  /** `poll` returns the milliseconds until the next poll, and `retryMs` those after a poll that failed. */
  start(poll: () => Promise<number>, retryMs: () => number): void {
    const run = async () => {
      while (!this.signal.aborted) {
        this.#pause.begin();
        const waitMs = await poll().catch((error: unknown) => {
          if (!this.signal.aborted) this.report(error);
          return retryMs();
        });
        await this.#pause.wait(waitMs);
      }
    };
    this.#running = run().catch(() => undefined);
  }

  /** Polls now. */
  wake(): void {
    this.#pause.wake();
  }

  /** Reports an error of the work. After a fault the journal or the upstream may become available again. */
  report(error: unknown): void {
    if (!(error instanceof Fault)) this.#onError(error);
  }

  /** `endWork` ends the work between two polls. */
  async close(endWork?: () => Promise<void>): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await endWork?.();
  }
}

interface LeasedLoopOptions extends WorkLoopOptions {
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** Acquires, renews or releases the lease; false while another process has it. */
  readonly lease: (request: ReturnType<typeof leaseRequest>) => Promise<boolean>;
  readonly leaseMs: number;
  /** The lease needs no renewal for this long. */
  readonly renewMs: number;
}

/** Polls for work that one replica does at a time, the one with the lease. */
export class LeasedLoop extends WorkLoop {
  /** Identifies this process. */
  readonly owner: string;
  readonly #options: LeasedLoopOptions;
  #isOwner = false;
  #renewAtMs = -Infinity;

  constructor(options: LeasedLoopOptions) {
    super(options);
    this.owner = options.randomness.uuid();
    this.#options = options;
  }

  /** Whether this process has the lease, which it acquires or renews. */
  async holdsLease(): Promise<boolean> {
    const { clock, leaseMs, renewMs } = this.#options;
    const startMs = clock.monotonicMs();
    if (startMs < this.#renewAtMs) return true;
    this.expireLease();
    this.#isOwner = await this.#lease(leaseMs);
    if (this.#isOwner) this.#renewAtMs = startMs + renewMs;
    return this.#isOwner;
  }

  /** Renews the lease during the work, which may take longer than a lease. */
  async renewDuring(work: () => Promise<void>): Promise<void> {
    const ended = new AbortController();
    const renewing = this.#renewUntil(ended.signal).catch(() => undefined);
    try {
      await work();
    } finally {
      ended.abort();
      await renewing;
    }
  }

  async #renewUntil(end: AbortSignal): Promise<never> {
    const { clock, renewMs } = this.#options;
    for (;;) {
      await clock.wait(renewMs, end);
      await this.holdsLease().catch((error: unknown) => this.report(error));
    }
  }

  /** The next `holdsLease` requests the lease. */
  expireLease(): void {
    this.#renewAtMs = -Infinity;
  }

  override report(error: unknown): void {
    this.expireLease();
    super.report(error);
  }

  /** Another replica, or the next start, then continues at once. */
  override async close(endWork?: () => Promise<void>): Promise<void> {
    await super.close(endWork);
    if (this.#isOwner) await this.#lease(0).catch(() => undefined);
  }

  #lease(ms: number): Promise<boolean> {
    const { clock, leaseMs, lease } = this.#options;
    return lease(leaseRequest({ owner: this.owner, clock, ms, maxMs: leaseMs }));
  }
}
