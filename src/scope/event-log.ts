import type { DomainName } from '../kernel/domain-name.ts';
import type { EventType } from '../kernel/event-types.ts';
import { tenantHook } from './tenant.ts';

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
  /** The customer that it is for; null for none. Absent: the customer of the domain when the event is stored. */
  readonly customer?: string | null | undefined;
  /** The value before and after as text; null when there was or is none. */
  readonly before: string | null;
  readonly after: string | null;
}

/** Stores events, each once. */
export interface EventLog {
  append(event: NewEvent): Promise<void>;
}

/** By default no event is stored. */
export const eventLog = tenantHook<EventLog>('eventLog', () => ({
  append: async () => undefined,
}));
