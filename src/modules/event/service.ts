import { type Caller, mayKnowCosts } from '../../kernel/caller.ts';
import type { EventFilter, EventPage, EventRecord } from '../../persistence/event-log.ts';
import type { Journal } from '../../persistence/journal.ts';
import { readJournalPage } from '../purchase/journal-page.ts';
import type { Quotes } from '../quote/quotes.ts';
import { assertNotDeleted } from './deleted.ts';
import type { EventStreams } from './streams.ts';
import { eventValue } from './value.ts';

export type {
  EventFilter,
  EventRecord,
  EventSource,
  EventType,
} from '../../persistence/event-log.ts';

interface EventDeps {
  readonly journal: Pick<Journal, 'events'>;
  readonly account: string;
  readonly eventStreams: Pick<EventStreams, 'follow'>;
  readonly quotes: Quotes;
}

/** The events of an account. */
export function createEventService({ journal, account, eventStreams, quotes }: EventDeps) {
  const { events } = journal;

  return {
    valueOf: (event: EventRecord, text: string | null, caller: Caller) =>
      eventValue(event, text, { quotes, seesCosts: mayKnowCosts(caller) }),
    async list({ filter = {}, ...page }: EventPage) {
      const listed = await readJournalPage<EventRecord, number>(
        {
          list: (place) => events.list(account, { filter, ...place }),
          count: () => events.count(account, filter),
          positionOf: ({ position }) => position,
        },
        page,
      );
      // Events that were deleted before the read are missing in it.
      await assertNotDeleted(events, account, page.after ?? null);
      return listed;
    },
    /** Without a position the events from now on. */
    async follow(after: number | null, filter: EventFilter) {
      await assertNotDeleted(events, account, after);
      return eventStreams.follow(after, filter);
    },
  };
}
