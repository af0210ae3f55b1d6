import { leaseRequest } from '../../kernel/work-loop.ts';
import type { Quotes } from '../../modules/quote/quotes.ts';
import type { TenantFacts } from '../../scope/tenant.ts';
import type { EventRecord } from '../event/log.ts';
import type { EventStore } from '../event/store.ts';
import { deleteOldAttempts } from './attempts.ts';
import { nextMessage } from './message.ts';
import { afterAttempt, filterOf, isDue } from './progress.ts';
import type { WebhookProgress, WebhookRecord } from './record.ts';
import type { Sender } from './sender.ts';
import type { WebhookStore } from './store.ts';

export interface TurnDeps extends Pick<TenantFacts, 'account' | 'clock' | 'randomness'> {
  readonly store: WebhookStore;
  readonly events: EventStore;
  /** Identifies this process. */
  readonly owner: string;
  readonly sender: Sender;
  readonly quotes: Quotes;
  /** Longest duration of a request. */
  readonly timeoutMs: number;
  /** Aborts when no further request may begin. */
  readonly closing: AbortSignal;
  /** Aborts requests in progress. */
  readonly stop: AbortSignal;
  readonly onSuspended: (webhook: WebhookRecord, reason: string) => void;
  /** Events up to a position were deleted before they were delivered. */
  readonly onMissed: (webhook: WebhookRecord) => void;
}

/** Events that are read at a time. */
const eventsPerTurn = 20;
/** The same for a chat service, which receives several events in a message. */
const eventsPerChatTurn = 100;
/** The wait after a message, in which further events are collected for the next one; and while more of them wait already. */
const collectMs = 30_000;
const betweenMessagesMs = 3_000;
/** A turn begins no request after this time. The next turn reads the webhook again, which may have changed. */
const turnMs = 5_000;
/** Time for the statements of a turn. */
const statementsMs = 10_000;

/** Whether a webhook needs a turn of this process. */
export function hasWork(
  { sender, clock }: Pick<TurnDeps, 'sender' | 'clock'>,
  webhook: WebhookRecord,
  last: number,
): boolean {
  const { progress } = webhook;
  return progress.position < last && isDue(progress, clock.now()) && sender.canSend(webhook);
}

/** Sends some events up to the position `last` to one endpoint. False while another process has the lease. */
export async function takeTurn(deps: TurnDeps, id: string, last: number): Promise<boolean> {
  const { store, account, owner, clock, timeoutMs } = deps;
  // Longer than a turn, so that it is not renewed.
  const ms = turnMs + timeoutMs + statementsMs;
  const lease = (forMs: number) =>
    store.lease(account, id, leaseRequest({ owner, clock, ms: forMs, maxMs: ms }));
  if (!(await lease(ms))) return false;
  try {
    // Another process may have had a turn since the webhook was read.
    const webhook = await store.byId(account, id);
    if (webhook && hasWork(deps, webhook, last)) await work(deps, webhook, last);
  } finally {
    // After a failure the lease expires.
    await lease(0).catch(() => undefined);
  }
  return true;
}

async function work(deps: TurnDeps, webhook: WebhookRecord, last: number): Promise<void> {
  const limit = deps.sender.formatOf(webhook) ? eventsPerChatTurn : eventsPerTurn;
  const page = await readPage(deps, webhook, last, limit);
  if (page === null) return;
  const delivered = await deliverAll(deps, webhook, page);
  // The filter left out the events that follow.
  if (delivered && page.length < limit && delivered.progress.position < last) {
    await saveProgress(deps, delivered, { ...delivered.progress, position: last });
  }
  if (page.length > 0) await deleteOldAttempts(deps, webhook.id);
}

/** Sends events until the endpoint does not accept one, or the turn ends: null then. */
async function deliverAll(
  deps: TurnDeps,
  webhook: WebhookRecord,
  page: readonly EventRecord[],
): Promise<WebhookRecord | null> {
  const endMs = deps.clock.monotonicMs() + turnMs;
  let current = webhook;
  for (let at = 0; ; ) {
    const [event, ...others] = page.slice(at);
    if (!event) return current;
    if (deps.closing.aborted || deps.clock.monotonicMs() >= endMs) return null;
    const next = await deliver(deps, current, [event, ...others]);
    // Without a later position the event was not accepted, or the webhook has changed.
    const accepted = page.findIndex(({ position }) => position === next?.progress.position);
    if (!next || accepted < at || !isDue(next.progress, deps.clock.now())) return null;
    at = accepted + 1;
    current = next;
  }
}

/** The events that follow, up to a position. Null when some of them were deleted; the webhook then continues after these. */
async function readPage(
  deps: TurnDeps,
  webhook: WebhookRecord,
  last: number,
  limit: number,
): Promise<readonly EventRecord[] | null> {
  const { events, account } = deps;
  const { progress } = webhook;
  const page = await events.list(account, {
    after: progress.position,
    before: last + 1,
    limit,
    filter: filterOf(webhook),
  });
  const deletedUntil = await events.deletedUntil(account);
  if (deletedUntil <= progress.position) return page;
  const after = { ...progress, position: deletedUntil, missedUntil: deletedUntil };
  const saved = await saveProgress(deps, webhook, after);
  if (saved) deps.onMissed(saved);
  return null;
}

const pauseMsAfter = (isAll: boolean): number => (isAll ? collectMs : betweenMessagesMs);

/** Sends the first of the events, or several in one message, and stores what follows. Null when the progress no longer counts. */
async function deliver(
  deps: TurnDeps,
  webhook: WebhookRecord,
  events: readonly [EventRecord, ...EventRecord[]],
): Promise<WebhookRecord | null> {
  const { store, account, clock, randomness } = deps;
  const { progress } = webhook;
  const format = deps.sender.formatOf(webhook);
  const { last, ...message } = nextMessage(format, events, webhook, deps.quotes);
  const { attempt, outcome } = await deps.sender.send(webhook, message, deps.stop);
  const next = afterAttempt(progress, outcome, {
    position: last.position,
    now: clock.now(),
    fraction: randomness.fraction(),
    pauseMs: format ? pauseMsAfter(last === events.at(-1)) : 0,
  });
  const saved = await saveProgress(deps, webhook, next);
  if (saved && next.suspension) deps.onSuspended(webhook, next.suspension.reason);
  const nextAt = next.failures > 0 ? next.dueAt : null;
  const numbered = { ...attempt, number: progress.failures + 1, nextAt };
  await store.addAttempt(account, { ...numbered, kind: 'DELIVERY' });
  return saved;
}

/** Stores a progress. Null when it no longer counts; the next turn reads the webhook again. */
async function saveProgress(
  { store, account, owner }: TurnDeps,
  webhook: WebhookRecord,
  progress: WebhookProgress,
): Promise<WebhookRecord | null> {
  return (await store.save(account, owner, webhook, progress)) ? { ...webhook, progress } : null;
}
