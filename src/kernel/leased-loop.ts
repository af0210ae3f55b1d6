import type { Clock, Randomness } from '../lib/clock.ts';
import { leaseRequest } from '../lib/lease-request.ts';
import { createPause } from '../lib/pause.ts';
import { Fault } from './faults.ts';

interface LeasedLoopOptions {
  readonly clock: Clock;
  readonly randomness: Pick<Randomness, 'uuid'>;
  /** Acquires, renews or releases the lease; false while another process has it. */
  readonly lease: (request: ReturnType<typeof leaseRequest>) => Promise<boolean>;
  readonly leaseMs: number;
  /** The lease needs no renewal for this long. */
  readonly renewMs: number;
  readonly onError: (error: unknown) => void;
}

/** Looks for work that one replica does at a time, the one with the lease. */
export class LeasedLoop {
  /** Identifies this process. */
  readonly owner: string;
  readonly #options: LeasedLoopOptions;
  readonly #closing = new AbortController();
  /** Aborts when the loop closes. */
  readonly signal = this.#closing.signal;
  readonly #pause: ReturnType<typeof createPause>;
  #running: Promise<void> = Promise.resolve();
  #isOwner = false;
  #renewAtMs = -Infinity;

  constructor(options: LeasedLoopOptions) {
    this.owner = options.randomness.uuid();
    this.#options = options;
    this.#pause = createPause(options.clock, this.signal);
  }

  /** Whether this process had the lease when it last requested it. */
  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** `look` returns the milliseconds until the next look, and `retryMs` those after a look that failed. */
  start(look: () => Promise<number>, retryMs: () => number): void {
    const run = async () => {
      while (!this.signal.aborted) {
        this.#pause.begin();
        const waitMs = await look().catch((error: unknown) => {
          if (!this.signal.aborted) this.report(error);
          return retryMs();
        });
        await this.#pause.wait(waitMs);
      }
    };
    this.#running = run().catch(() => undefined);
  }

  /** Looks for work now. */
  wake(): void {
    this.#pause.wake();
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

  /** The next `holdsLease` requests the lease. */
  expireLease(): void {
    this.#renewAtMs = -Infinity;
  }

  /** Reports an error of the work. After a fault the journal or the upstream may become available again. */
  report(error: unknown): void {
    this.expireLease();
    if (!(error instanceof Fault)) this.#options.onError(error);
  }

  /** `endWork` ends the work between two looks. Another replica, or the next start, then continues at once. */
  async close(endWork?: () => Promise<void>): Promise<void> {
    this.#closing.abort();
    await this.#running;
    await endWork?.();
    if (this.#isOwner) await this.#lease(0).catch(() => undefined);
  }

  #lease(ms: number): Promise<boolean> {
    const { clock, leaseMs, lease } = this.#options;
    return lease(leaseRequest({ owner: this.owner, clock, ms, longestMs: leaseMs }));
  }
}
