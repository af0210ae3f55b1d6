import type { Secret } from '../kernel/secret.ts';
import type { EventType } from './event-store.ts';
import type { LeaseRequest } from './leases.ts';

/** Where a webhook was created: by a mutation, or in the settings, which then have its secrets. */
export type WebhookSource = 'API' | 'SETTINGS';

export type WebhookState = 'ACTIVE' | 'SUSPENDED';

/** How far the events of an account were delivered to a webhook. */
export interface WebhookProgress {
  /** The position of the last event that was delivered, or that the filter left out. */
  readonly position: number;
  /** The position of the last event that was deleted before it was delivered; null for none. */
  readonly missedUntil: number | null;
  /** Failed attempts of the next event. */
  readonly failures: number;
  /** The time of the first of them; null for none. */
  readonly failingSince: Date | null;
  /** When the next event may be sent again; null for now. */
  readonly dueAt: Date | null;
  /** Null while the webhook is active. */
  readonly suspension: Suspension | null;
}

interface Suspension {
  readonly at: Date;
  /** A sentence. */
  readonly reason: string;
  /** The id of the event of the suspension until that is stored, then null. */
  readonly announcement: string | null;
}

/** What a client can choose. */
export interface WebhookOptions {
  readonly url: string;
  readonly description: string | null;
  /** The types of events that it receives; empty for all. */
  readonly types: readonly EventType[];
}

export interface WebhookRecord extends WebhookOptions {
  readonly id: string;
  readonly source: WebhookSource;
  readonly createdAt: Date;
  /** Null for a webhook of the settings. */
  readonly secret: Secret | null;
  /** The secret before the last rotation, which signs until a time; null for none. */
  readonly oldSecret: { readonly secret: Secret; readonly until: Date } | null;
  /** Incremented by a change after which the result of a request in progress no longer counts. */
  readonly revision: number;
  readonly progress: WebhookProgress;
}

export interface NewWebhook extends WebhookOptions {
  readonly id: string;
  readonly secret: Secret;
  readonly createdAt: Date;
  /** Events after this position are delivered. */
  readonly position: number;
}

/** A webhook of the settings. */
export type ConfiguredWebhook = WebhookOptions & { readonly id: string };

export interface WebhookChanges extends Partial<WebhookOptions> {
  /** Delivers events again at once. */
  readonly resume?: boolean;
}

/** One request to an endpoint. */
export interface WebhookAttempt {
  readonly id: string;
  readonly webhookId: string;
  readonly kind: 'DELIVERY' | 'REDELIVERY' | 'TEST';
  readonly eventId: string;
  readonly eventType: string;
  readonly at: Date;
  readonly durationMs: number;
  /** From 1, counted for each event. */
  readonly number: number;
  /** The HTTP status; null without a response. */
  readonly status: number | null;
  /** A sentence; null when the endpoint accepted the event. */
  readonly failure: string | null;
  /** When the event is sent again; null when it is not. */
  readonly nextAt: Date | null;
}

/** The place of an attempt in the list, which begins with the newest one. */
export interface AttemptPosition {
  readonly at: Date;
  readonly id: string;
}

export interface AttemptPage {
  readonly limit: number;
  /** Only attempts that follow this one. */
  readonly after?: AttemptPosition;
  /** Only attempts that precede this one. */
  readonly before?: AttemptPosition;
  /** Take the `limit` from the end of the range; the result is still newest first. */
  readonly fromEnd?: boolean;
}

/**
 * The webhooks of an account and their progress, over all replicas. One process at a time delivers to a webhook, the owner of
 * its lease: a progress of any other owner changes nothing. Every write is durable before its promise resolves.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface WebhookStore {
  /** Acquires the lease of a webhook and returns the webhook; null while another process has the lease. */
  lease(account: string, id: string, lease: LeaseRequest): Promise<WebhookRecord | null>;
  /** Releases the lease of a webhook. A lease of another owner is not changed. */
  release(account: string, id: string, owner: string): Promise<void>;
  /** Oldest first. */
  list(account: string): Promise<readonly WebhookRecord[]>;
  byId(account: string, id: string): Promise<WebhookRecord | null>;
  /** False when another webhook has the URL, or there are `most` already. */
  add(account: string, webhook: NewWebhook, most: number): Promise<boolean>;
  /** The changed webhook; null when it does not exist, or another webhook has the new URL. */
  change(account: string, id: string, changes: WebhookChanges): Promise<WebhookRecord | null>;
  /** The webhook with the new secret; null when it does not exist. The secret before it signs until `oldUntil`. */
  rotate(
    account: string,
    id: string,
    rotation: { readonly secret: Secret; readonly oldUntil: Date },
  ): Promise<WebhookRecord | null>;
  /** Whether the webhook existed. Its attempts are removed too. */
  remove(account: string, id: string): Promise<boolean>;
  /**
   * Makes the webhooks of the settings equal to these. One whose URL another webhook has is left out. `position` and `at` are
   * those of new ones.
   */
  configure(
    account: string,
    webhooks: readonly ConfiguredWebhook[],
    start: { readonly position: number; readonly at: Date },
  ): Promise<void>;
  /**
   * Stores the progress of a webhook. False when it was not stored: the owner has lost the lease, or the webhook was removed or
   * has another revision.
   */
  save(
    account: string,
    owner: string,
    webhook: Pick<WebhookRecord, 'id' | 'revision'>,
    progress: WebhookProgress,
  ): Promise<boolean>;
  /** The attempts of removed webhooks are not stored. */
  addAttempt(account: string, attempt: WebhookAttempt): Promise<void>;
  attempts(
    account: string,
    webhookId: string,
    page: AttemptPage,
  ): Promise<readonly WebhookAttempt[]>;
  countAttempts(account: string, webhookId: string): Promise<number>;
  /** Deletes the attempts before a time, and all but the newest ones of a webhook. */
  deleteAttempts(
    account: string,
    webhookId: string,
    limits: { readonly before: Date; readonly most: number },
  ): Promise<void>;
}
