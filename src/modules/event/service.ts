import type { EventFilter, EventPage } from '../../persistence/event-store.ts';
import type { TenantDeps } from '../deps.ts';
import { assertNotDeleted } from './deleted.ts';

export type { EventFilter, EventRecord, EventType } from '../../persistence/event-store.ts';

/** The events of an account. */
export function createEventService({
  journal,
  account,
  eventStreams,
}: Pick<TenantDeps, 'journal' | 'account' | 'eventStreams'>) {
  const { events } = journal;

  return {
    async list({ filter = {}, ...page }: EventPage) {
      const list = (place: Omit<EventPage, 'filter'>) => events.list(account, { filter, ...place });
      const [items, totalCount] = await Promise.all([list(page), events.count(account, filter)]);
      // Events that were deleted before the read are missing in it.
      await assertNotDeleted(events, account, page.after ?? null);
      const isAny = async (place: Partial<EventPage>) =>
        (await list({ limit: 1, ...place })).length > 0;
      const [first, last] = [items.at(0), items.at(-1)];
      return {
        items,
        totalCount,
        before: first ? await isAny({ before: first.position }) : false,
        after: last ? await isAny({ after: last.position }) : false,
      };
    },
    /** Without a position the events from now on. */
    async follow(after: number | null, filter: EventFilter) {
      await assertNotDeleted(events, account, after);
      return eventStreams.follow(after, filter);
    },
  };
}
