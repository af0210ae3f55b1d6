import type { DomainName } from '../kernel/domain-name.ts';
import type { EventType } from '../kernel/event-types.ts';
import type { LeaseRequest } from './leases.ts';
import type { PurchaseRecord } from './store.ts';

export type { EventType };

/** Whether this gateway or anything else at the upstream caused an event. */
export type EventSource = 'GATEWAY' | 'UPSTREAM';

/** A difference that was found. */
export interface NewEvent {
  /** Unique; the same event is never stored twice. */
  readonly id: string;
  readonly type: EventType;
  /** When the difference was found. */
  readonly at: Date;
  /** For readers: the domain, or another thing that changed, such as a TLD or a currency. */
  readonly subject: string;
  /** Null for an event that is not about a domain. */
  readonly domain: DomainName | null;
  /** The purchase that caused it; null for none. */
  readonly purchaseId: string | null;
  readonly source: EventSource;
  /** The name of the key whose request caused it; null when there is none, and with open access. */
  readonly caller: string | null;
  /** The value before and after as text; null when there was or is none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** A stored event. */
export interface EventRecord extends NewEvent {
  /** Its place in the order of the events of an account, from 1. */
  readonly position: number;
}

/** The last known state of a subject, as text that the store does not read. */
interface WatchedSubject {
  /** A domain name, or a key that contains a colon, such as `balance:USD`. */
  readonly subject: string;
  readonly seen: string;
}

/** A new state with the events that it causes. Both are stored together. */
export interface StateChange extends WatchedSubject {
  /** The state with which it was compared; null when there was none. */
  readonly before: string | null;
  readonly events: readonly NewEvent[];
}

/** Returns the state that follows a stored one. */
export type Revision = (seen: string) => Pick<StateChange, 'seen' | 'events'> | null;

export interface EventFilter {
  readonly types?: readonly EventType[];
  readonly domain?: DomainName;
  readonly since?: Date;
}

export interface EventPage {
  readonly filter?: EventFilter;
  readonly limit: number;
  /** Only events after this position. */
  readonly after?: number;
  /** Only events before this position. */
  readonly before?: number;
  /** Take the `limit` from the end of the range; the result is still oldest first. */
  readonly fromEnd?: boolean;
}

/**
 * The events of an account, and the states that are compared to find them. One process stores the results of comparisons, the
 * owner of the lease: a `change` of any other owner stores nothing. Every write is durable before its promise resolves.
 *
 * All methods throw Fault `JOURNAL_UNAVAILABLE` when the store cannot be used.
 */
export interface EventStore {
  /** Acquires or renews the lease of the writer; false while another process has it. */
  lease(account: string, lease: LeaseRequest): Promise<boolean>;
  /** Whether the first states were stored completely. Before that, new domains are no events. */
  hasBaseline(account: string): Promise<boolean>;
  setBaseline(account: string, owner: string): Promise<void>;
  /** Known states in pages: `after` is the last subject of the page before, null for the first page. */
  watched(account: string, after: string | null, limit: number): Promise<readonly WatchedSubject[]>;
  /**
   * Stores new states. Their events are stored by `publish`. False when not all were stored: the owner has lost the lease, the
   * state of a subject is no longer the one that was compared, or its events are not published yet.
   */
  change(account: string, owner: string, changes: readonly StateChange[]): Promise<boolean>;
  /**
   * Changes a stored state without the lease. `next` receives the state and returns the new one with its events, or null for no
   * change; it is called again when another statement has changed the row in between. The events are stored by `publish`, after
   * those that are not published yet. False when nothing was stored.
   */
  revise(account: string, subject: string, next: Revision): Promise<boolean>;
  /**
   * Stores events of some changed states, each once, without the lease, also after a process ended in between. False when none
   * are left, or when another process has published them.
   */
  publish(account: string): Promise<boolean>;
  /** Stores an event of any process, without the lease. An event with the same id is not stored again. */
  append(account: string, event: NewEvent): Promise<void>;
  /** Settled purchases without an event of their outcome, in the order of their settlement. */
  unreported(account: string, limit: number): Promise<readonly PurchaseRecord[]>;
  /**
   * Stores events of settled purchases, each once, without the lease. A purchase is reported when the event with the id
   * `<id>:<state>` of the purchase is stored. False when none was reported: another process has reported them, or the state of
   * one is no longer the one of its event.
   */
  report(account: string, events: readonly NewEvent[]): Promise<boolean>;
  /** The first call for an account lets the purchases that have settled before it have no events. Later calls do nothing. */
  beginReports(account: string): Promise<void>;
  list(account: string, page: EventPage): Promise<readonly EventRecord[]>;
  byId(account: string, id: string): Promise<EventRecord | null>;
  count(account: string, filter?: EventFilter): Promise<number>;
  /** The position of the newest event, also of one that was deleted; 0 before the first. */
  lastPosition(account: string): Promise<number>;
  /** The position of the newest event that was deleted; 0 before the first. */
  deletedUntil(account: string): Promise<number>;
  /** Deletes the events up to the last one that was found before this time; none before the baseline. */
  deleteBefore(account: string, time: Date): Promise<void>;
}
