import { globalId } from '../../kernel/global-id.ts';
import type { LeasedLoop } from '../../kernel/leased-loop.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import type { EventRecord, EventStore } from '../../persistence/event-store.ts';
import type {
  WebhookProgress,
  WebhookRecord,
  WebhookStore,
} from '../../persistence/webhook-store.ts';
import { deleteOldAttempts } from './attempts.ts';
import { eventMessage } from './message.ts';
import { afterAttempt, filterOf } from './progress.ts';
import type { Sender } from './sender.ts';

export interface TurnDeps {
  readonly store: WebhookStore;
  readonly events: EventStore;
  readonly account: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly sender: Sender;
  readonly loop: LeasedLoop;
  /** Aborts requests in progress. */
  readonly stop: AbortSignal;
  readonly onSuspended: (webhook: WebhookRecord, reason: string) => void;
  /** Events up to a position were deleted before they were delivered. */
  readonly onMissed: (webhook: WebhookRecord) => void;
}

/** Events that an endpoint receives before other endpoints have a turn. */
const eventsPerTurn = 20;

/** Sends some events up to the position `last` to one endpoint, until it does not accept one. */
export async function takeTurn(
  deps: TurnDeps,
  webhook: WebhookRecord,
  last: number,
): Promise<void> {
  const { loop } = deps;
  if (!(await loop.holdsLease())) return;
  const page = await readPage(deps, webhook, last);
  if (page === null) return;
  let current = webhook;
  for (const event of page) {
    if (loop.signal.aborted || !(await loop.holdsLease())) return;
    const next = await deliver(deps, current, event);
    // Without a position after the event it was not accepted, or the webhook has changed.
    if (next?.progress.position !== event.position) return deleteOldAttempts(deps, webhook.id);
    current = next;
  }
  // The filter left out the events that follow.
  if (page.length < eventsPerTurn && current.progress.position < last) {
    await saveProgress(deps, current, { ...current.progress, position: last });
  }
  if (page.length > 0) await deleteOldAttempts(deps, webhook.id);
}

/** The events that follow, up to a position. Null when some of them were deleted; the webhook then continues after these. */
async function readPage(
  deps: TurnDeps,
  webhook: WebhookRecord,
  last: number,
): Promise<readonly EventRecord[] | null> {
  const { events, account } = deps;
  const { progress } = webhook;
  const page = await events.list(account, {
    ...{ after: progress.position, before: last + 1, limit: eventsPerTurn },
    filter: filterOf(webhook),
  });
  const deletedUntil = await events.deletedUntil(account);
  if (deletedUntil <= progress.position) return page;
  const after = { ...progress, position: deletedUntil, missedUntil: deletedUntil };
  const saved = await saveProgress(deps, webhook, after);
  if (saved) deps.onMissed(saved);
  return null;
}

/** Sends one event and stores what follows. Null when the progress no longer counts. */
async function deliver(
  deps: TurnDeps,
  webhook: WebhookRecord,
  event: EventRecord,
): Promise<WebhookRecord | null> {
  const { store, account, clock, randomness } = deps;
  const { progress } = webhook;
  const { attempt, outcome } = await deps.sender.send(webhook, eventMessage(event), deps.stop);
  const next = afterAttempt(progress, outcome, {
    ...{ position: event.position, now: clock.now() },
    ...{ fraction: randomness.fraction(), announcement: randomness.uuid() },
  });
  const saved = await saveProgress(deps, webhook, next);
  if (saved && next.suspension) deps.onSuspended(webhook, next.suspension.reason);
  const numbered = { ...attempt, number: progress.failures + 1, nextAt: next.dueAt };
  await store.addAttempt(account, { ...numbered, kind: 'DELIVERY' });
  return saved;
}

/** Stores the event of a suspension, once. */
export async function announceSuspension(deps: TurnDeps, webhook: WebhookRecord): Promise<void> {
  const { id, progress } = webhook;
  const { suspension } = progress;
  if (!suspension?.announcement) return;
  await deps.events.append(deps.account, {
    ...{ id: suspension.announcement, type: 'WEBHOOK_SUSPENDED', at: suspension.at },
    ...{ subject: globalId('Webhook', id), domain: null, purchaseId: null },
    ...{ source: 'GATEWAY', caller: null, before: null, after: suspension.reason },
  });
  const announced = { ...suspension, announcement: null };
  await saveProgress(deps, webhook, { ...progress, suspension: announced });
}

/** Stores a progress. Null when it no longer counts; the webhook is then read again. */
async function saveProgress(
  { store, account, loop }: TurnDeps,
  webhook: WebhookRecord,
  progress: WebhookProgress,
): Promise<WebhookRecord | null> {
  if (await store.save(account, loop.owner, webhook, progress)) return { ...webhook, progress };
  loop.expireLease();
  return null;
}
