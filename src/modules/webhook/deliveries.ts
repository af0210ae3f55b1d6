import { LeasedLoop } from '../../kernel/leased-loop.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type {
  ConfiguredWebhook,
  WebhookProgress,
  WebhookRecord,
} from '../../persistence/webhook-store.ts';
import { isDue } from './progress.ts';
import { announceSuspension, type TurnDeps, takeTurn } from './turn.ts';

interface DeliveriesOptions extends Omit<TurnDeps, 'loop' | 'stop'> {
  /** The webhooks of the settings. */
  readonly configured: readonly ConfiguredWebhook[];
  readonly onError: (error: unknown) => void;
}

/** Time between two looks for new events. */
const tickMs = 1_000;
/** The same while no webhook waits for events: another replica can create or resume one. */
const idleTickMs = 60_000;
/** Time between two requests for the lease of another replica. */
const ownerTickMs = 5_000;
/** Longer than a request and the time until the lease is renewed. */
const leaseMs = 60_000;
/** Endpoints that receive events at a time. */
const together = 8;
/** Requests that are in progress when the gateway closes have this time. */
const closeMs = 5_000;

/**
 * Sends the events of an account to its webhooks, to each in order: the next event is sent when the one before was accepted. One
 * replica does it at a time. An event whose acceptance could not be stored is sent again, with the same id.
 */
export class Deliveries {
  readonly #deps: DeliveriesOptions & TurnDeps;
  /** Aborts requests in progress. */
  readonly #stop = new AbortController();
  /** The turns in progress, by webhook. */
  readonly #turns = new Map<string, Promise<void>>();
  /** The webhooks that had a turn, in the order of their last turns. */
  readonly #served = new Set<string>();
  #isConfigured = false;

  constructor(options: DeliveriesOptions) {
    const { store, account, clock, randomness, onError } = options;
    const loop = new LeasedLoop({
      ...{ clock, randomness, leaseMs, renewMs: leaseMs / 3, onError },
      lease: (request) => store.lease(account, request),
    });
    this.#deps = { ...options, loop, stop: this.#stop.signal };
    loop.start(
      () => this.#look(),
      () => tickMs,
    );
  }

  /** Looks for webhooks and events now. */
  wake(): void {
    this.#deps.loop.wake();
  }

  close(): Promise<void> {
    return this.#deps.loop.close(async () => {
      const ending = Promise.all(this.#turns.values());
      await withTimeout(this.#deps.clock, closeMs, ending, null);
      this.#stop.abort();
      await ending;
    });
  }

  /** Begins the turns of webhooks with new events. Returns the time until the next look. */
  async #look(): Promise<number> {
    const { store, events, account, clock, loop } = this.#deps;
    await this.#configureOnce();
    // A turn that ends in the meantime changes the progress that is read here.
    const busy = new Set(this.#turns.keys());
    const all = await store.list(account);
    if (all.length === 0) return idleTickMs;
    if (!(await loop.holdsLease())) return ownerTickMs;
    for (const webhook of all) await announceSuspension(this.#deps, webhook);
    for (const id of this.#served) if (!all.some((one) => one.id === id)) this.#served.delete(id);
    const last = await events.lastPosition(account);
    const now = clock.now();
    const isFree = ({ id, progress }: WebhookRecord) =>
      progress.position < last && isDue(progress, now) && !busy.has(id);
    const chosen = this.#longestWaiting(all.filter(isFree));
    for (const webhook of chosen) this.#begin(webhook, last);
    return Math.min(idleTickMs, ...all.map(({ progress }) => untilLook(progress, now)));
  }

  async #configureOnce(): Promise<void> {
    const { store, events, account, clock, configured } = this.#deps;
    if (this.#isConfigured) return;
    const start = { position: await events.lastPosition(account), at: clock.now() };
    await store.configure(account, configured, start);
    this.#isConfigured = true;
  }

  /** As many as may begin now. */
  #longestWaiting(due: readonly WebhookRecord[]): readonly WebhookRecord[] {
    const served = [...this.#served];
    return due
      .filter((webhook) => this.#deps.sender.canSign(webhook))
      .toSorted((one, other) => served.indexOf(one.id) - served.indexOf(other.id))
      .slice(0, together - this.#turns.size);
  }

  #begin(webhook: WebhookRecord, last: number): void {
    const { id } = webhook;
    this.#served.delete(id);
    this.#served.add(id);
    const turn = takeTurn(this.#deps, webhook, last)
      .finally(() => this.#turns.delete(id))
      .then(
        () => this.wake(),
        // After a failure of the journal the next look comes later.
        (error: unknown) => {
          if (!this.#stop.signal.aborted) this.#deps.loop.report(error);
        },
      );
    this.#turns.set(id, turn);
  }
}

/** The time until a webhook can have an event that is due. The end of a turn also causes a look. */
function untilLook(progress: WebhookProgress, now: Date): number {
  if (progress.suspension) return idleTickMs;
  return isDue(progress, now) || !progress.dueAt
    ? tickMs
    : progress.dueAt.getTime() - now.getTime();
}
