import { Repeater } from '@repeaterjs/repeater';
import type { Clock } from '../lib/clock.ts';
import { Fault } from './faults.ts';

/** The stream of one subscription. */
export interface Stream<Sent> {
  /** Resolves when the subscriber has taken the value: whether the stream is still open. */
  readonly send: (value: Sent) => Promise<boolean>;
  /** An error is the last thing that the subscriber gets. */
  readonly end: (error?: unknown) => void;
}

interface Subscription<Value> {
  readonly id: string;
  readonly take: (value: Value | undefined) => void;
  readonly end: (error?: unknown) => void;
}

interface PolledStreamsOptions<Value> {
  readonly clock: Pick<Clock, 'wait'>;
  /** Reads the current values from the journal; an id without a value is left out. */
  readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  /** Called when the last stream of an id has ended. */
  readonly forget?: (id: string) => void;
}

const pollMs = 1_000;

/**
 * Streams of values that any replica may change. They are read from the journal, so a stream also sees the changes of other
 * replicas.
 *
 * One read per second serves all streams; without a stream there is none.
 */
export function createPolledStreams<Value>({ clock, read, forget }: PolledStreamsOptions<Value>) {
  const closing = new AbortController();
  const subscriptions = new Set<Subscription<Value>>();
  let polling: Promise<void> | null = null;

  const ofId = (id: string) => [...subscriptions].filter((one) => one.id === id);

  const readFor = async (some: readonly Subscription<Value>[]): Promise<void> => {
    const values = await read([...new Set(some.map(({ id }) => id))]);
    for (const { id, take } of some) take(values.get(id));
  };

  const poll = async (): Promise<void> => {
    while (subscriptions.size > 0) {
      try {
        await clock.wait(pollMs, closing.signal);
        if (subscriptions.size > 0) await readFor([...subscriptions]);
      } catch (error) {
        // The journal may become available again; any other error is a bug, which every stream reports.
        if (error instanceof Fault) continue;
        for (const subscription of subscriptions) subscription.end(error);
      }
    }
    polling = null;
  };

  return {
    /**
     * Gives `take` the value now, then after each read, undefined for none. `take` sends to the stream and ends it. The stream
     * also ends when the gateway closes.
     */
    open: <Sent>(id: string, take: (value: Value | undefined, stream: Stream<Sent>) => void) =>
      new Repeater<Sent>(async (push, stop) => {
        if (closing.signal.aborted) return stop();
        const end = (error?: unknown) => {
          subscriptions.delete(subscription);
          stop(error);
        };
        const send = async (value: Sent) => {
          await push(value);
          return subscriptions.has(subscription);
        };
        const subscription: Subscription<Value> = {
          id,
          end,
          take: (value) => take(value, { send, end }),
        };
        subscriptions.add(subscription);
        void stop.then(() => {
          subscriptions.delete(subscription);
          if (ofId(id).length === 0) forget?.(id);
        });
        await readFor([subscription]);
        if (subscriptions.size > 0) polling ??= poll();
      }),
    /** Reads a value that was changed, without waiting for the next poll. */
    async check(id: string): Promise<void> {
      const some = ofId(id);
      // The next poll meets the same error.
      if (some.length > 0) await readFor(some).catch(() => undefined);
    },
    /** Ends all streams. */
    async close(): Promise<void> {
      for (const subscription of subscriptions) subscription.end();
      closing.abort();
      await polling;
    },
  };
}
