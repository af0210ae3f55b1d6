import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import { invalidInput } from '../../kernel/faults.ts';
import { ofCustomer } from '../../kernel/visibility.ts';
import { readStoredPage } from '../../lib/pages.ts';
import { pricing, type Quotes } from '../../modules/quote/quotes.ts';
import { perRequest } from '../../scope/scope.ts';
import { assertNotDeleted, eventsDeleted } from './deleted.ts';
import type { EventFilter, EventPage, EventRecord } from './log.ts';
import { eventOptions, eventStreams } from './parts.ts';
import { placeOf } from './place.ts';
import type { EventStore } from './store.ts';
import { eventStore } from './stores.ts';
import type { EventStreams } from './streams.ts';
import { eventValue } from './value.ts';

export type {
  EventPage,
  EventRecord,
  EventSource,
  EventType,
} from './log.ts';

interface EventDeps {
  readonly store: EventStore;
  /** Milliseconds between two comparisons; 0 without events. */
  readonly everyMs: number;
  readonly account: string;
  readonly eventStreams: Pick<EventStreams, 'follow'>;
  readonly quotes: Quotes;
}

/** The events of an account. A caller that is bound to a customer sees those of this customer. */
export function createEventService(
  { store: events, everyMs, account, eventStreams, quotes }: EventDeps,
  caller: Caller,
) {
  const { customer } = caller;

  return {
    valueOf: (event: EventRecord, text: string | null) =>
      eventValue(event, text, { quotes, seesCosts: mayKnowCosts(caller) }),
    placeOf: (event: EventRecord) => placeOf(event, customer),
    /** The text in the cursor of the last event up to a position. */
    async placeAt(position: number): Promise<string> {
      if (customer === null) return String(position);
      const range = { before: position + 1, limit: 1, fromEnd: true };
      const [last] = await events.list(account, { filter: { customer }, ...range });
      return last?.id ?? beforeAll;
    },
    /** The position of the text in a cursor. @throws Fault `INVALID_INPUT` */
    async positionAt(argument: 'after' | 'before', place: string): Promise<number> {
      if (customer === null) {
        if (/^\d{1,15}$/.test(place)) return Number(place);
        throw invalidInput(`"${argument}" is not a cursor of events.`, { path: [argument] });
      }
      if (place === beforeAll) return events.deletedUntil(account);
      const event = await events.byId(account, place);
      if (event?.customer === customer) return event.position;
      throw eventsDeleted.with({ path: [argument] });
    },
    async list({ filter = {}, ...page }: EventPage) {
      const listed = await readStoredPage(events, account, {
        ...page,
        filter: ofCustomer(caller, filter),
      });
      // Events that were deleted before the read are missing in it.
      await assertNotDeleted(events, account, page.after ?? null);
      return listed;
    },
    intervalSeconds: everyMs === 0 ? null : everyMs / 1_000,
    /** Since when changes of the account are events; null when none are found, and before the first comparison has ended. */
    recordedSince: async (): Promise<Date | null> =>
      everyMs === 0 ? null : events.recordedSince(account),
    /** Without a position the events from now on. */
    async follow(after: number | null, filter: EventFilter) {
      await assertNotDeleted(events, account, after);
      return eventStreams.follow(after, ofCustomer(caller, filter));
    },
  };
}

/** In place of an id: before the first event. */
const beforeAll = '';

export const events = perRequest('events', ({ tenant, caller, store, use }) =>
  createEventService(
    {
      account: tenant.account,
      store: store(eventStore),
      everyMs: use(eventOptions).everyMs,
      eventStreams: use(eventStreams),
      quotes: use(pricing),
    },
    caller,
  ),
);
