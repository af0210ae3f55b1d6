import { Fault } from '../../kernel/faults.ts';
import { createPolledStreams, type Stream } from '../../kernel/polled-streams.ts';
import { createSlices, type SliceClock } from '../../lib/slices.ts';
import { assertNotDeleted } from './deleted.ts';
import type { EventFilter, EventRecord } from './log.ts';
import type { EventStore } from './store.ts';

interface EventStreamsOptions {
  readonly store: Pick<EventStore, 'lastPosition' | 'deletedUntil' | 'list'>;
  readonly account: string;
  readonly clock: SliceClock;
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
      let isReading = false;
      const sendAll = async (last: number, send: Stream<EventRecord>['send']): Promise<void> => {
        sent ??= last;
        const slices = createSlices(clock);
        while (sent < last) {
          const range = { after: sent, before: last + 1 };
          const events = await store.list(account, { filter, limit: pageSize, ...range });
          // Those that were deleted before the read are missing in the page.
          await assertNotDeleted(store, account, sent);
          for (const event of events) {
            sent = event.position;
            if (!(await send(event))) return;
          }
          if (events.length < pageSize) sent = last;
          // A stream that continues far back must not stop the process.
          if (slices.isOver()) await slices.next();
        }
      };
      return streams.open<EventRecord>(account, (last = 0, { send, end }) => {
        // The next poll sends what arrives in the meantime.
        if (isReading) return;
        isReading = true;
        sendAll(last, send)
          .catch((error: unknown) => {
            // The journal may become available again.
            if (!(error instanceof Fault) || error.code !== 'JOURNAL_UNAVAILABLE') end(error);
          })
          .finally(() => {
            isReading = false;
          });
      });
    },
    close: streams.close,
  };
}
