import type { Kysely } from 'kysely';
import type { EventType } from '../../kernel/event-types.ts';
import type { WrittenField } from '../../modules/domain/write-log.ts';
import type { JournalTables } from '../../persistence/tables.ts';
import type { EventSource } from '../../scope/event-log.ts';

/** The last known state of a domain, or of another subject of events. */
export type WatchedSubjectRow = {
  readonly account: string;
  readonly subject: string;
  readonly seen: string;
  /** Events of the last change that are not in `events` yet, as JSON; null for none. */
  readonly outbox: string | null;
};

export type EventRow = {
  readonly account: string;
  readonly position: number;
  readonly id: string;
  readonly type: EventType;
  readonly at: string;
  readonly subject: string;
  readonly domain: string | null;
  readonly purchase_id: string | null;
  readonly source: EventSource;
  readonly caller: string | null;
  readonly customer: string | null;
  readonly before: string | null;
  readonly after: string | null;
};

/** A write of a domain that was sent. */
export type DomainWriteRow = {
  readonly id: string;
  readonly account: string;
  readonly domain: string;
  readonly field: WrittenField;
  readonly value: string | null;
  readonly caller: string | null;
  readonly at: string;
};

/** The facts about all events of an account. */
export type EventLogRow = {
  readonly account: string;
  /** When the first states were stored completely, or the time of the last deletion of events; null before. */
  readonly recorded_since: string | null;
  readonly deleted_until: number;
};

export type EventTables = {
  readonly watched_subjects: WatchedSubjectRow;
  readonly events: EventRow;
  readonly event_logs: EventLogRow;
  readonly domain_writes: DomainWriteRow;
};

export type EventDatabase = Kysely<JournalTables & EventTables>;
