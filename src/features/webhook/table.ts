import type { Kysely } from 'kysely';
import type { LabelCondition } from '../../kernel/label.ts';
import { Secret } from '../../kernel/secret.ts';
import { addEvent } from '../../persistence/outbox.ts';
import {
  type Column,
  instant,
  integer,
  json,
  mappingOf,
  nullable,
  type RowsOf,
  table,
  text,
  textOf,
  trigger,
  withDefault,
} from '../../persistence/table.ts';
import type { JournalTables } from '../../persistence/tables.ts';
import type { EventType } from '../../scope/hooks.ts';

/** As text, because the gateway signs with it. */
const secret: Column<Secret, string> = {
  ...text,
  read: (stored) => new Secret(stored),
  write: (value) => value.reveal(),
};

/** How far the events of an account were delivered to a webhook. */
const progress = {
  /** The position of the last event that was delivered, or that the filter left out. */
  position: integer,
  /** The position of the last event that was deleted before it was delivered; null for none. */
  missedUntil: nullable(integer),
  /** Failed attempts of the next event. */
  failures: integer,
  /** The time of the first of them; null for none. */
  failingSince: nullable(instant),
  /** When the next event may be sent again; null for now. */
  dueAt: nullable(instant),
};
export const webhookProgress = mappingOf(progress, {});

/** The endpoints of all accounts that receive events. */
export const webhooksTable = table(
  'webhooks',
  {
    id: text,
    /** Where it was created: by a mutation, or in the settings, which then have its secrets. */
    source: textOf<'API' | 'SETTINGS'>(),
    /** The customer whose callers manage it; null for the reseller. */
    owner: nullable(text),
    /** The customer whose events it receives; null for all events. */
    customer: nullable(text),
    /** Conditions for the labels of the domains whose events it receives; empty for all events. */
    labels: withDefault(json<readonly LabelCondition[]>(), "'[]'"),
    url: text,
    /** `STANDARD`, or a format of a chat service. */
    format: withDefault(text, "'STANDARD'"),
    /** The chat within the service; null where the URL names it. */
    chatId: nullable(text),
    description: nullable(text),
    /** The types of events that it receives; empty for all. */
    types: json<readonly EventType[]>(),
    createdAt: instant,
    /** Null for a webhook of the settings, and for one whose format has no signature. */
    secret: nullable(secret),
    /** The number of changes after which the result of a request in progress no longer counts. */
    revision: integer,
  },
  {
    hidden: {
      account: text,
      /** Both null unless the secret was rotated. */
      oldSecret: nullable(secret),
      oldSecretUntil: nullable(instant),
      ...progress,
      state: textOf<'ACTIVE' | 'SUSPENDED'>(),
      /** Both null unless SUSPENDED. */
      suspendedAt: nullable(instant),
      suspendedReason: nullable(text),
    },
    key: 'account, id',
    unique: { by_url: "(account, coalesce(owner, ''), url, coalesce(chat_id, ''))" },
    triggers: trigger(
      'webhooks_suspended',
      'after update of state on webhooks',
      addEvent('new', {
        // A webhook that is resumed has another revision.
        id: "new.id || ':' || new.revision || ':' || new.suspended_at",
        ...{ type: "'WEBHOOK_SUSPENDED'", at: 'new.suspended_at' },
        ...{ subject: 'new.id', subjectType: "'Webhook'" },
        ...{ customer: 'new.owner', after: 'new.suspended_reason' },
      }),
      "new.state = 'SUSPENDED' and old.state <> 'SUSPENDED'",
    ),
  },
);

/** The requests to endpoints. */
export const attemptsTable = table(
  'webhook_attempts',
  {
    id: text,
    webhookId: text,
    kind: textOf<'DELIVERY' | 'REDELIVERY' | 'TEST'>(),
    eventId: text,
    eventType: text,
    at: instant,
    durationMs: integer,
    /** From 1, counted for each event. */
    number: integer,
    /** The HTTP status; null without a response. */
    status: nullable(integer),
    /** A sentence; null when the endpoint accepted the event. */
    failure: nullable(text),
    /** When the event is sent again; null when it is not. */
    nextAt: nullable(instant),
  },
  {
    hidden: { account: text },
    key: 'account, webhook_id, at, id',
    indexes: { by_time: '(account, at)' },
  },
);

export const webhookTables = [webhooksTable, attemptsTable];

export type WebhookTables = RowsOf<typeof webhooksTable | typeof attemptsTable>;
export type WebhookDatabase = Kysely<JournalTables & WebhookTables>;
