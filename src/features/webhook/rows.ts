import type { Kysely } from 'kysely';
import type { JournalTables } from '../../persistence/tables.ts';

/** Where a webhook was created: by a mutation, or in the settings, which then have its secrets. */
export type WebhookSource = 'API' | 'SETTINGS';

/** An endpoint that receives events. */
export type WebhookRow = {
  readonly account: string;
  readonly id: string;
  readonly source: WebhookSource;
  /** The customer whose callers manage it; null for the reseller. */
  readonly owner: string | null;
  /** The customer whose events it receives; null for all events. */
  readonly customer: string | null;
  /** JSON: conditions for the labels of the domains whose events it receives. */
  readonly labels: string;
  readonly url: string;
  readonly description: string | null;
  /** JSON. */
  readonly types: string;
  /** As text, because the gateway signs with it; null for a webhook of the settings. */
  readonly secret: string | null;
  /** Both null unless the secret was rotated. */
  readonly old_secret: string | null;
  readonly old_secret_until: string | null;
  readonly created_at: string;
  /** The number of changes after which the result of a request in progress no longer counts. */
  readonly revision: number;
  readonly state: 'ACTIVE' | 'SUSPENDED';
  /** Both null unless SUSPENDED. */
  readonly suspended_at: string | null;
  readonly suspended_reason: string | null;
  /** The id of the event of the suspension until that is stored; null for none. */
  readonly announcement: string | null;
  readonly position: number;
  readonly missed_until: number | null;
  readonly failures: number;
  readonly failing_since: string | null;
  readonly due_at: string | null;
  /** The process that delivers; both null for none. */
  readonly lease_owner: string | null;
  readonly lease_until: string | null;
};

/** A request that was sent to an endpoint. */
export type WebhookAttemptRow = {
  readonly account: string;
  readonly webhook_id: string;
  readonly id: string;
  readonly kind: 'DELIVERY' | 'REDELIVERY' | 'TEST';
  readonly event_id: string;
  readonly event_type: string;
  readonly at: string;
  readonly duration_ms: number;
  readonly number: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly next_at: string | null;
};

export type WebhookTables = {
  readonly webhooks: WebhookRow;
  readonly webhook_attempts: WebhookAttemptRow;
};

export type WebhookDatabase = Kysely<JournalTables & WebhookTables>;
