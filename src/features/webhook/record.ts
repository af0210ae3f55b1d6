import type { EventType } from '../../kernel/event-types.ts';
import { parseInstant } from '../../kernel/instant.ts';
import type { LabelCondition } from '../../kernel/label.ts';
import { Secret } from '../../kernel/secret.ts';
import { timeOf, timeText } from '../../persistence/tables.ts';
import type { WebhookRow, WebhookSource } from './rows.ts';

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

/** What does not change. */
export interface WebhookScope {
  /** The customer whose callers manage it; null for the reseller. */
  readonly owner: string | null;
  /** The customer whose events it receives; null for all events. */
  readonly customer: string | null;
  /** Conditions for the labels of the domains whose events it receives; empty for all events. */
  readonly labels: readonly LabelCondition[];
}

export interface WebhookRecord extends WebhookOptions, WebhookScope {
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

export const webhookOf = (row: WebhookRow): WebhookRecord => ({
  id: row.id,
  source: row.source,
  owner: row.owner,
  customer: row.customer,
  labels: JSON.parse(row.labels),
  url: row.url,
  description: row.description,
  types: JSON.parse(row.types),
  createdAt: parseInstant(row.created_at),
  secret: row.secret === null ? null : new Secret(row.secret),
  oldSecret:
    row.old_secret === null || row.old_secret_until === null
      ? null
      : { secret: new Secret(row.old_secret), until: parseInstant(row.old_secret_until) },
  revision: row.revision,
  progress: {
    position: row.position,
    missedUntil: row.missed_until,
    failures: row.failures,
    failingSince: timeOf(row.failing_since),
    dueAt: timeOf(row.due_at),
    suspension:
      row.suspended_at === null
        ? null
        : {
            at: parseInstant(row.suspended_at),
            reason: row.suspended_reason ?? '',
            announcement: row.announcement,
          },
  },
});

export const progressColumns = (progress: WebhookProgress) => {
  const { position, missedUntil, failures, failingSince, dueAt, suspension } = progress;
  return {
    state: suspension ? ('SUSPENDED' as const) : ('ACTIVE' as const),
    suspended_at: textOf(suspension?.at ?? null),
    suspended_reason: suspension?.reason ?? null,
    announcement: suspension?.announcement ?? null,
    position,
    missed_until: missedUntil,
    failures,
    failing_since: textOf(failingSince),
    due_at: textOf(dueAt),
  };
};

const textOf = (time: Date | null): string | null => time && timeText(time);
