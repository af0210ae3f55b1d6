import { Fault } from '../../kernel/faults.ts';
import { globalId } from '../../kernel/global-id.ts';
import { dayMs } from '../../kernel/instant.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import { leaseRequest } from '../../lib/lease-request.ts';
import { createPause } from '../../lib/pause.ts';
import { withTimeout } from '../../lib/with-timeout.ts';
import type { EventRecord, EventStore } from '../../persistence/event-store.ts';
import type {
  ConfiguredWebhook,
  WebhookProgress,
  WebhookRecord,
  WebhookStore,
} from '../../persistence/webhook-store.ts';
import { eventMessage } from './message.ts';
import { afterAttempt, isDue } from './progress.ts';
import type { Sender } from './sender.ts';

interface DeliveriesOptions {
  readonly store: WebhookStore;
  readonly events: Pick<EventStore, 'list' | 'lastPosition' | 'deletedUntil' | 'append'>;
  readonly account: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly sender: Sender;
  /** The webhooks of the settings. */
  readonly configured: readonly ConfiguredWebhook[];
  readonly onSuspended: (webhook: WebhookRecord, reason: string) => void;
  /** Events up to a position were deleted before they were delivered. */
  readonly onMissed: (webhook: WebhookRecord) => void;
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
const renewMs = leaseMs / 3;
/** Endpoints that receive events at a time. */
const together = 8;
/** Events that an endpoint receives before other endpoints have a turn. */
const eventsPerTurn = 20;
/** Requests that are in progress when the gateway closes have this time. */
const closeMs = 5_000;
/** Attempts are deleted at this age, and when a webhook has more. */
export const attemptLimits = { ageMs: 30 * dayMs, most: 200 };

/**
 * Sends the events of an account to its webhooks, to each in order: the next event is sent when the one before was accepted. One
 * replica does it at a time. An event whose acceptance could not be stored is sent again, with the same id.
 */
export function createDeliveries(options: DeliveriesOptions) {
  const { store, events, account, clock, randomness, sender, onError } = options;
  const owner = randomness.uuid();
  const closing = new AbortController();
  /** Aborts requests in progress. */
  const stop = new AbortController();
  const pause = createPause(clock, closing.signal);
  /** The turns in progress, by webhook. */
  const turns = new Map<string, Promise<void>>();
  /** The number of the last turn of each webhook. */
  const lastTurns = new Map<string, number>();
  let turnCount = 0;
  let isConfigured = false;
  let isOwner = false;
  /** Until then the lease needs no renewal. */
  let renewAtMs = -Infinity;

  const lease = (ms: number): Promise<boolean> =>
    store.lease(account, leaseRequest({ owner, clock, ms, longestMs: leaseMs }));

  const holdsLease = async (): Promise<boolean> => {
    const startMs = clock.monotonicMs();
    if (startMs < renewAtMs) return true;
    renewAtMs = -Infinity;
    isOwner = await lease(leaseMs);
    if (isOwner) renewAtMs = startMs + renewMs;
    return isOwner;
  };

  /** Stores a progress. Null when it no longer counts; the webhook is then read again. */
  const save = async (
    webhook: WebhookRecord,
    progress: WebhookProgress,
  ): Promise<WebhookRecord | null> => {
    if (await store.save(account, owner, webhook, progress)) return { ...webhook, progress };
    renewAtMs = -Infinity;
    return null;
  };

  const deliver = async (
    webhook: WebhookRecord,
    event: EventRecord,
  ): Promise<WebhookRecord | null> => {
    const { attempt, outcome } = await sender.send(webhook, eventMessage(event), stop.signal);
    const { progress } = webhook;
    const next = afterAttempt(progress, outcome, {
      ...{ position: event.position, now: clock.now() },
      ...{ fraction: randomness.fraction(), announcement: randomness.uuid() },
    });
    const saved = await save(webhook, next);
    if (saved && next.suspension) options.onSuspended(webhook, next.suspension.reason);
    const { dueAt: nextAt } = next;
    const number = progress.failures + 1;
    await store.addAttempt(account, { ...attempt, kind: 'DELIVERY', number, nextAt });
    return saved;
  };

  /** The events that follow, up to a position. Null when some of them were deleted; the webhook then continues after these. */
  const readPage = async (
    webhook: WebhookRecord,
    last: number,
  ): Promise<readonly EventRecord[] | null> => {
    const { types, progress } = webhook;
    const page = await events.list(account, {
      ...{ after: progress.position, before: last + 1, limit: eventsPerTurn },
      filter: types.length > 0 ? { types } : {},
    });
    const deletedUntil = await events.deletedUntil(account);
    if (deletedUntil <= progress.position) return page;
    const saved = await save(webhook, {
      ...{ ...progress, position: deletedUntil, missedUntil: deletedUntil },
    });
    if (saved) options.onMissed(saved);
    return null;
  };

  /** Sends some events to one endpoint, until it does not accept one. */
  const takeTurn = async (webhook: WebhookRecord, last: number): Promise<void> => {
    if (!(await holdsLease())) return;
    const page = await readPage(webhook, last);
    if (page === null) return;
    let current = webhook;
    for (const event of page) {
      if (closing.signal.aborted || !(await holdsLease())) return;
      const next = await deliver(current, event);
      // Without a position after the event it was not accepted, or the webhook has changed.
      if (next?.progress.position !== event.position) return deleteAttempts(webhook.id);
      current = next;
    }
    // The filter left out the events that follow.
    if (page.length < eventsPerTurn && current.progress.position < last) {
      await save(current, { ...current.progress, position: last });
    }
    if (page.length > 0) await deleteAttempts(webhook.id);
  };

  const deleteAttempts = (id: string): Promise<void> => {
    const before = new Date(clock.now().getTime() - attemptLimits.ageMs);
    return store.deleteAttempts(account, id, { before, most: attemptLimits.most });
  };

  const begin = (webhook: WebhookRecord, last: number): void => {
    turnCount += 1;
    lastTurns.set(webhook.id, turnCount);
    const turn = attempt(() => takeTurn(webhook, last)).then((isDone) => {
      turns.delete(webhook.id);
      // After a failure of the journal the next look comes later.
      if (isDone) pause.wake();
    });
    turns.set(webhook.id, turn);
  };

  const configureOnce = async (): Promise<void> => {
    if (isConfigured) return;
    const start = { position: await events.lastPosition(account), at: clock.now() };
    await store.configure(account, options.configured, start);
    isConfigured = true;
  };

  /** Stores the event of a suspension, once. */
  const announce = async (webhook: WebhookRecord): Promise<void> => {
    const { id, progress } = webhook;
    const { suspension } = progress;
    if (!suspension?.announcement) return;
    await events.append(account, {
      ...{ id: suspension.announcement, type: 'WEBHOOK_SUSPENDED', at: suspension.at },
      ...{
        subject: globalId('Webhook', id),
        domain: null,
        purchaseId: null,
        source: 'GATEWAY',
        caller: null,
      },
      ...{ before: null, after: suspension.reason },
    });
    await save(webhook, { ...progress, suspension: { ...suspension, announcement: null } });
  };

  /** Begins the turns of webhooks with new events. Returns the time until the next look. */
  const look = async (): Promise<number> => {
    await configureOnce();
    // A turn that ends in the meantime changes the progress that is read here.
    const busy = new Set(turns.keys());
    const all = await store.list(account);
    if (all.length === 0) return idleTickMs;
    if (!(await holdsLease())) return ownerTickMs;
    for (const webhook of all) await announce(webhook);
    const last = await events.lastPosition(account);
    const now = clock.now();
    const due = all.filter(
      (webhook) =>
        webhook.progress.position < last &&
        isDue(webhook.progress, now) &&
        !busy.has(webhook.id) &&
        sender.canSign(webhook),
    );
    for (const id of lastTurns.keys()) if (!all.some((one) => one.id === id)) lastTurns.delete(id);
    const turnOf = ({ id }: WebhookRecord) => lastTurns.get(id) ?? 0;
    const longestWaiting = due.toSorted((one, other) => turnOf(one) - turnOf(other));
    for (const webhook of longestWaiting.slice(0, together - turns.size)) begin(webhook, last);
    return Math.min(idleTickMs, ...all.map(({ progress }) => untilLook(progress, now)));
  };

  /** Whether the work succeeded. The journal may become available again. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      renewAtMs = -Infinity;
      if (!stop.signal.aborted && !(error instanceof Fault)) onError(error);
      return false;
    }
  };

  const run = async (): Promise<never> => {
    for (;;) {
      let waitMs = tickMs;
      pause.begin();
      await attempt(async () => {
        waitMs = await look();
      });
      await pause.wait(waitMs);
    }
  };

  const running = run().catch(() => undefined);
  return {
    /** Looks for webhooks and events now. */
    wake: pause.wake,
    async close(): Promise<void> {
      closing.abort();
      await running;
      const ending = Promise.all(turns.values());
      await withTimeout(clock, closeMs, ending, null);
      stop.abort();
      await ending;
      // Another replica, or the next start, continues at once.
      if (isOwner) await lease(0).catch(() => undefined);
    },
  };
}

/** The time until a webhook can have an event that is due. The end of a turn also causes a look. */
function untilLook(progress: WebhookProgress, now: Date): number {
  if (progress.suspension) return idleTickMs;
  return isDue(progress, now) || !progress.dueAt
    ? tickMs
    : progress.dueAt.getTime() - now.getTime();
}

export type Deliveries = ReturnType<typeof createDeliveries>;
