import { createPolledStreams } from '../../kernel/polled-streams.ts';
import type { Clock } from '../../lib/clock.ts';
import type { EventFilter, EventRecord, EventStore } from '../../persistence/event-store.ts';
import { assertNotDeleted } from './deleted.ts';

interface EventStreamsOptions {
  readonly store: Pick<EventStore, 'lastPosition' | 'deletedUntil' | 'list'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'wait'>;
}

export type EventStreams = ReturnType<typeof createEventStreams>;

const pageSize = 100;

/** Streams of events, whichever replica stores them. The position of the newest event is read once for all streams. */
export function createEventStreams({ store, account, clock }: EventStreamsOptions) {
  const streams = createPolledStreams<number>({
    clock,
    read: async () => new Map([[account, await store.lastPosition(account)]]),
  });
  return {
    /** Yields the events after a position, without end; null for those from now on. */
    follow(after: number | null, filter: EventFilter) {
      let sent = after;
      let reading: Promise<void> | null = null;
      return streams.open<EventRecord>(account, (last = 0, { send, end }) => {
        sent ??= last;
        const readAll = async (): Promise<void> => {
          while (sent !== null && sent < last) {
            const events = await store.list(account, { filter, limit: pageSize, after: sent });
            for (const event of events) send(event);
            sent = events.length < pageSize ? last : (events.at(-1)?.position ?? last);
          }
        };
        reading ??= assertNotDeleted(store, account, after);
        reading = reading.then(readAll).catch(end);
      });
    },
    close: streams.close,
  };
}
