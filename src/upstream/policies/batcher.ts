import type { Clock } from '../../lib/clock.ts';
import { type Requester, type SharedCall, startSharedCall } from '../../lib/single-flight.ts';
import type { ConcurrencyLimit } from './concurrency.ts';

/** What a batch is sent for. */
interface BatchFacts<Context> {
  readonly requesters: number;
  /** Of the first requester. */
  readonly context: Context;
}

type ResultOf<Result> = (key: string) => Result;

interface BatcherOptions<Result, Event, Context> {
  readonly clock: Pick<Clock, 'wait'>;
  readonly maxKeys: number;
  /** Keys at most in a batch of several requesters; the keys that one requester sends together stay together. */
  readonly maxSharedKeys: () => number;
  /** Those of batches in flight. A batch that waits for one takes the keys that are requested in the meantime. */
  readonly places: Pick<ConcurrencyLimit, 'enter' | 'leave'>;
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

interface Batch<Result, Event> {
  readonly keys: string[];
  requesters: number;
  isInFlight: boolean;
  readonly slot: Slot<Result, Event>;
  readonly call: SharedCall<ResultOf<Result>, Event>;
}

/** Empty once the batch has settled. */
interface Slot<Result, Event> {
  batch: Batch<Result, Event> | null;
}

/**
 * Batches the keys of many requesters into one call. A batch is flushed at the end of the first turn of the event loop that
 * brings no further key: Node accepts one connection in each turn, so the requests of a burst arrive in successive turns. While
 * as many batches are in flight as may be, it is flushed when one of them ends.
 */
export class Batcher<Result, Event, Context> {
  readonly #options: BatcherOptions<Result, Event, Context>;
  /** By key, filling or in flight. In slots for the reason that `createSingleFlight` gives. */
  readonly #slots = new Map<string, Slot<Result, Event>>();
  #filling: Batch<Result, Event> | null = null;

  constructor(options: BatcherOptions<Result, Event, Context>) {
    this.#options = options;
  }

  /**
   * The results in the order of the keys. A key that is in flight already is joined.
   *
   * @throws what a call for these keys alone throws, or the reason of the requester's own signal.
   */
  async request(
    keys: readonly string[],
    requester: Requester<Event>,
    context: Context,
  ): Promise<readonly Result[]> {
    const filled = this.#filling?.keys.length ?? 0;
    if (filled + keys.length > this.#options.maxSharedKeys()) this.#filling = null;
    const batches = keys.map((key) => this.#batchFor(key, context));
    const distinct = [...new Set(batches)];
    const join = (batch: Batch<Result, Event>) =>
      this.#join(batch, () => keys.filter((_, at) => batches[at] === batch), requester, context);
    const resultOf = await Promise.all(distinct.map(join));
    return batches.map((batch, at) => {
      const resultOfBatch = resultOf[distinct.indexOf(batch)] as ResultOf<Result>;
      return resultOfBatch(keys[at] as string);
    });
  }

  /** Later requests for `key` do not join a batch that is in flight now. */
  detach(key: string): void {
    if (this.#slots.get(key)?.batch?.isInFlight) this.#slots.delete(key);
  }

  #batchFor(key: string, context: Context): Batch<Result, Event> {
    const known = this.#slots.get(key)?.batch;
    if (known?.call.isOpen()) return known;
    let filling = this.#filling;
    if (!filling?.call.isOpen() || filling.keys.length >= this.#options.maxKeys) {
      filling = this.#open(context);
      this.#filling = filling;
    }
    filling.keys.push(key);
    this.#slots.set(key, filling.slot);
    return filling;
  }

  #open(context: Context): Batch<Result, Event> {
    const { places, send } = this.#options;
    const keys: string[] = [];
    const batch: Batch<Result, Event> = {
      keys,
      requesters: 0,
      isInFlight: false,
      slot: { batch: null },
      call: startSharedCall(async (signal, emit) => {
        try {
          await this.#flushTrigger(keys);
          // Rejects when every requester has left.
          await places.enter(signal);
          try {
            if (this.#filling === batch) this.#filling = null;
            batch.isInFlight = true;
            const { requesters } = batch;
            return await send(keys, { requesters, context }, signal, emit);
          } finally {
            places.leave();
          }
        } finally {
          if (this.#filling === batch) this.#filling = null;
          this.#close(batch);
        }
      }),
    };
    batch.slot.batch = batch;
    return batch;
  }

  /** Resolves at the end of a turn in which `keys` has not grown. */
  async #flushTrigger(keys: readonly string[]): Promise<void> {
    let count: number;
    do {
      count = keys.length;
      await this.#options.clock.wait(0);
    } while (keys.length > count);
  }

  #close({ keys, slot }: Batch<Result, Event>): void {
    slot.batch = null;
    for (const key of keys) if (this.#slots.get(key) === slot) this.#slots.delete(key);
  }

  async #join(
    batch: Batch<Result, Event>,
    keysOf: () => readonly string[],
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
        send(keysOf(), { requesters: 1, context }, ...how),
      ).join(requester);
    }
  }
}
