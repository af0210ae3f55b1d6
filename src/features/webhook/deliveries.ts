import { WorkLoop } from '../../kernel/work-loop.ts';
import { withTimeout } from '../../lib/waits.ts';
import { isDue } from './progress.ts';
import type { WebhookProgress } from './record.ts';
import type { ConfiguredWebhook } from './store.ts';
import { hasWork, type TurnDeps, takeTurn } from './turn.ts';

interface DeliveriesOptions extends Omit<TurnDeps, 'owner' | 'closing' | 'stop'> {
  /** The webhooks of the settings. */
  readonly configured: readonly ConfiguredWebhook[];
  readonly onError: (error: unknown) => void;
}

/** Time between two polls for new events. */
const tickMs = 1_000;
/** Time between two polls while no webhook waits for events: another replica can create or resume one. */
const idleTickMs = 60_000;
/** Requests that are in progress when the gateway closes have this time. */
const closeMs = 5_000;

/**
 * Sends the events of an account to its webhooks, to each in order: the next event is sent when the one before was accepted. Each
 * webhook has its own turns and its own lease, so that a slow endpoint delays no other, and replicas deliver side by side. An event
 * whose acceptance could not be stored is sent again, with the same id.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #loop: WorkLoop;
  readonly #deps: TurnDeps;
  /** Aborts requests in progress. */
  readonly #stop = new AbortController();
  /** The turns in progress, by webhook. */
  readonly #turns = new Map<string, Promise<void>>();
  #isConfigured = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#loop = new WorkLoop(options);
    this.#deps = {
      ...options,
      owner: options.randomness.uuid(),
      closing: this.#loop.signal,
      stop: this.#stop.signal,
    };
    this.#loop.start(
      () => this.#poll(),
      () => tickMs,
    );
  }

  /** Looks for webhooks and events now. */
  wake(): void {
    this.#loop.wake();
  }

  close(): Promise<void> {
    return this.#loop.close(async () => {
      const ending = Promise.all(this.#turns.values());
      await withTimeout(this.#options.clock, closeMs, ending, null);
      this.#stop.abort();
      await ending;
    });
  }

  /** Begins the turns of webhooks with new events. Returns the time until the next poll. */
  async #poll(): Promise<number> {
    const { store, events, account, clock } = this.#options;
    await this.#configureOnce();
    const all = await store.list(account);
    if (all.length === 0) return idleTickMs;
    const last = await events.lastPosition(account);
    for (const webhook of all) {
      if (hasWork(this.#deps, webhook, last)) this.#begin(webhook.id, last);
    }
    const now = clock.now();
    return Math.min(idleTickMs, ...all.map(({ progress }) => untilPoll(progress, now)));
  }

  async #configureOnce(): Promise<void> {
    const { store, events, account, clock, configured } = this.#options;
    if (this.#isConfigured) return;
    const start = { position: await events.lastPosition(account), at: clock.now() };
    await store.configure(account, configured, start);
    this.#isConfigured = true;
  }

  /** A webhook has one turn at a time. */
  #begin(id: string, last: number): void {
    if (this.#turns.has(id)) return;
    const turn = takeTurn(this.#deps, id, last)
      .finally(() => this.#turns.delete(id))
      .then(
        // While another replica has the lease, the next poll comes later.
        (hadLease) => {
          if (hadLease) this.wake();
        },
        // After a failure of the journal too.
        (error: unknown) => {
          if (!this.#stop.signal.aborted) this.#loop.report(error);
        },
      );
    this.#turns.set(id, turn);
  }
}

/** The time until a webhook can have an event that is due. The end of a turn also causes a poll. */
function untilPoll(progress: WebhookProgress, now: Date): number {
  if (progress.suspension) return idleTickMs;
  return isDue(progress, now) || !progress.dueAt
    ? tickMs
    : progress.dueAt.getTime() - now.getTime();
}
