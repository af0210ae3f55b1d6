import type { Clock } from '../../lib/clock.ts';
import { type Requester, type SharedCall, startSharedCall } from './single-flight.ts';

export type Batcher<Result, Event, Context> = ReturnType<
  typeof createBatcher<Result, Event, Context>
>;

/** What a batch is sent for. */
interface BatchFacts<Context> {
  readonly requesters: number;
  /** Of the first requester. */
  readonly context: Context;
}

type ResultOf<Result> = (key: string) => Result;

interface BatcherOptions<Result, Event, Context> {
  readonly clock: Pick<Clock, 'wait'>;
  /** Keys of one batch at most. */
  readonly maxKeys: number;
  /** Keys at most in a batch of several requesters; the keys that one requester sends together stay together. */
  readonly maxSharedKeys: () => number;
  /** While a batch is in flight, the next one is flushed when that settles, and after this time at most. */
  readonly windowMs: number;
  /**
   * One call for all keys. When it throws for a batch of several requesters, it is called again for each requester
   * alone, unless `isCommonFailure`.
   */
  readonly send: (
    keys: readonly string[],
    facts: BatchFacts<Context>,
    signal: AbortSignal,
    emit: (event: Event) => void,
  ) => Promise<ResultOf<Result>>;
  /** Whether an error is caused by none of the keys, so that smaller calls would repeat it. */
  readonly isCommonFailure: (error: unknown) => boolean;
}

interface Batch<Result, Event, Context> {
  /** Once the batch is in flight: the keys that may still be joined. */
  readonly keys: Set<string>;
  requesters: number;
  readonly context: Context;
  readonly call: SharedCall<ResultOf<Result>, Event>;
  /** Settles with the call, never rejects; null before the batch is flushed. */
  inFlight: Promise<void> | null;
}

/**
 * Batches the keys of many requesters into one call. Without a batch in flight, the keys of this turn of the event loop
 * are flushed at its end; while one is in flight, later keys wait up to `windowMs`.
 */
export function createBatcher<Result, Event, Context>(
  options: BatcherOptions<Result, Event, Context>,
) {
  type Its = Batch<Result, Event, Context>;
  const { clock, maxKeys, maxSharedKeys, windowMs, send, isCommonFailure } = options;
  /** Filling or in flight; there are few. A list: a Set that grows and shrinks all the time cost 12 % of the CPU in garbage collection. */
  let batches: readonly Its[] = [];
  let filling: Its | null = null;

  async function flushTrigger(): Promise<void> {
    const inFlight = batches.flatMap((batch) => batch.inFlight ?? []);
    if (inFlight.length === 0) return clock.wait(0);
    await Promise.race([clock.wait(windowMs), ...inFlight]);
  }

  async function flush(batch: Its, signal: AbortSignal, emit: (event: Event) => void) {
    await flushTrigger();
    if (filling === batch) filling = null;
    // Every requester may have left.
    signal.throwIfAborted();
    const call = send([...batch.keys], batch, signal, emit);
    batch.inFlight = call.then(
      () => undefined,
      () => undefined,
    );
    return call;
  }

  function open(context: Context): Its {
    const batch: Its = {
      keys: new Set(),
      requesters: 0,
      context,
      inFlight: null,
      call: startSharedCall((signal, emit) =>
        // `batch` is assigned only after this call.
        Promise.resolve()
          .then(() => flush(batch, signal, emit))
          .finally(() => {
            if (filling === batch) filling = null;
            batches = batches.filter((one) => one !== batch);
          }),
      ),
    };
    batches = [...batches, batch];
    return batch;
  }

  function batchFor(key: string, context: Context): Its {
    for (const batch of batches) {
      if (batch.keys.has(key) && batch.call.isOpen()) return batch;
    }
    if (!filling?.call.isOpen() || filling.keys.size >= maxKeys) filling = open(context);
    filling.keys.add(key);
    return filling;
  }

  async function join(
    batch: Its,
    keys: readonly string[],
    requester: Requester<Event>,
    context: Context,
  ): Promise<ResultOf<Result>> {
    batch.requesters += 1;
    try {
      return await batch.call.join(requester);
    } catch (error) {
      requester.signal?.throwIfAborted();
      if (batch.requesters === 1 || isCommonFailure(error)) throw error;
      // The keys of another requester may have caused it.
      return startSharedCall<ResultOf<Result>, Event>((...how) =>
        send(keys, { requesters: 1, context }, ...how),
      ).join(requester);
    }
  }

  return {
    /**
     * The results by key. A key that is in flight already is joined.
     *
     * @throws what a call for these keys alone throws, or the reason of the requester's own signal.
     */
    async request(
      keys: readonly string[],
      requester: Requester<Event>,
      context: Context,
    ): Promise<ResultOf<Result | undefined>> {
      if (filling && filling.keys.size + keys.length > maxSharedKeys()) filling = null;
      const parts = new Map<Its, string[]>();
      const batchOf = new Map<string, Its>();
      for (const key of keys) {
        if (batchOf.has(key)) continue;
        const batch = batchFor(key, context);
        batchOf.set(key, batch);
        const part = parts.get(batch);
        if (part) part.push(key);
        else parts.set(batch, [key]);
      }
      const results = new Map<Its, ResultOf<Result>>();
      await Promise.all(
        [...parts].map(async ([batch, part]) => {
          results.set(batch, await join(batch, part, requester, context));
        }),
      );
      return (key) => {
        const batch = batchOf.get(key);
        return batch && results.get(batch)?.(key);
      };
    },
    /** Later requests for `key` do not join a batch that is in flight now. */
    detach(key: string): void {
      for (const batch of batches) {
        if (batch.inFlight) batch.keys.delete(key);
      }
    },
  };
}
