import type { Clock } from '../../lib/clock.ts';
import { type Requester, type SharedCall, startSharedCall } from './single-flight.ts';

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
export class Batcher<Result, Event, Context> {
  readonly #options: BatcherOptions<Result, Event, Context>;
  /** Filling or in flight; there are few. A list: a Set that grows and shrinks all the time cost 12 % of the CPU in garbage collection. */
  #batches: readonly Batch<Result, Event, Context>[] = [];
  #filling: Batch<Result, Event, Context> | null = null;

  constructor(options: BatcherOptions<Result, Event, Context>) {
    this.#options = options;
  }

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
    const filling = this.#filling;
    if (filling && filling.keys.size + keys.length > this.#options.maxSharedKeys()) {
      this.#filling = null;
    }
    const batchOf = new Map<string, Batch<Result, Event, Context>>();
    for (const key of keys) if (!batchOf.has(key)) batchOf.set(key, this.#batchFor(key, context));
    const parts = Map.groupBy(batchOf.keys(), (key) => batchOf.get(key));
    const results = new Map<Batch<Result, Event, Context>, ResultOf<Result>>();
    await Promise.all(
      [...parts].map(async ([batch, part]) => {
        if (batch) results.set(batch, await this.#join(batch, part, requester, context));
      }),
    );
    return (key) => {
      const batch = batchOf.get(key);
      return batch && results.get(batch)?.(key);
    };
  }

  /** Later requests for `key` do not join a batch that is in flight now. */
  detach(key: string): void {
    for (const batch of this.#batches) {
      if (batch.inFlight) batch.keys.delete(key);
    }
  }

  #batchFor(key: string, context: Context): Batch<Result, Event, Context> {
    for (const batch of this.#batches) {
      if (batch.keys.has(key) && batch.call.isOpen()) return batch;
    }
    let filling = this.#filling;
    if (!filling?.call.isOpen() || filling.keys.size >= this.#options.maxKeys) {
      filling = this.#open(context);
      this.#filling = filling;
    }
    filling.keys.add(key);
    return filling;
  }

  #open(context: Context): Batch<Result, Event, Context> {
    const batch: Batch<Result, Event, Context> = {
      keys: new Set(),
      requesters: 0,
      context,
      inFlight: null,
      call: startSharedCall((signal, emit) =>
        // `batch` is assigned only after this call.
        Promise.resolve()
          .then(() => this.#flush(batch, signal, emit))
          .finally(() => {
            if (this.#filling === batch) this.#filling = null;
            this.#batches = this.#batches.filter((one) => one !== batch);
          }),
      ),
    };
    this.#batches = [...this.#batches, batch];
    return batch;
  }

  async #flush(
    batch: Batch<Result, Event, Context>,
    signal: AbortSignal,
    emit: (event: Event) => void,
  ): Promise<ResultOf<Result>> {
    await this.#flushTrigger();
    if (this.#filling === batch) this.#filling = null;
    // Every requester may have left.
    signal.throwIfAborted();
    const call = this.#options.send([...batch.keys], batch, signal, emit);
    batch.inFlight = call.then(
      () => undefined,
      () => undefined,
    );
    return call;
  }

  async #flushTrigger(): Promise<void> {
    const { clock, windowMs } = this.#options;
    const inFlight = this.#batches.flatMap((batch) => batch.inFlight ?? []);
    if (inFlight.length === 0) return clock.wait(0);
    await Promise.race([clock.wait(windowMs), ...inFlight]);
  }

  async #join(
    batch: Batch<Result, Event, Context>,
    keys: readonly string[],
    requester: Requester<Event>,
    context: Context,
  ): Promise<ResultOf<Result>> {
    const { send, isCommonFailure } = this.#options;
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
}
