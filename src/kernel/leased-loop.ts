import type { Randomness } from '../lib/clock.ts';
import { leaseRequest } from '../lib/lease-request.ts';
import { WorkLoop, type WorkLoopOptions } from './work-loop.ts';

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
