import type { Clock } from '../../lib/clock.ts';
import { type Requester, type SharedCall, startSharedCall } from '../../lib/single-flight.ts';

/** What a batch is sent for. */
interface BatchFacts<Context> {
  readonly requesters: number;
  /** Of the first requester. */
  readonly context: Context;
}

type ResultOf<Result> = (key: string) => Result;

interface BatcherOptions<Result, Event, Context> {
  readonly clock: Pick<Clock, 'wait' | 'monotonicMs'>;
  /** Keys of one batch at most. */
  readonly maxKeys: number;
  /** Keys at most in a batch of several requesters; the keys that one requester sends together stay together. */
  readonly maxSharedKeys: () => number;
  /** How long a batch waits for more keys at most, while another one is in flight. */
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

interface Batch<Result, Event> {
  readonly keys: Set<string>;
  requesters: number;
  isInFlight: boolean;
  readonly slot: Slot<Result, Event>;
  readonly call: SharedCall<ResultOf<Result>, Event>;
}

/** Empty once the batch has settled. */
interface Slot<Result, Event> {
  batch: Batch<Result, Event> | null;
}

/** The weight of the last request in the smoothed time between requests. */
const lastRequestWeight = 0.2;
/** A longer time between two requests counts as this many windows, so that a burst after it is noticed soon. */
const maxGap = 4;

/**
 * Batches the keys of many requesters into one call. The keys of this turn of the event loop are flushed at its end. While a
 * batch is in flight, and as long as another request is expected within `windowMs`, they are flushed when a batch settles,
 * and after `windowMs` at most.
 */
export class Batcher<Result, Event, Context> {
  readonly #options: BatcherOptions<Result, Event, Context>;
  /** By key, filling or in flight. In slots for the reason that `createSingleFlight` gives. */
  readonly #slots = new Map<string, Slot<Result, Event>>();
  #filling: Batch<Result, Event> | null = null;
  #inFlight = 0;
  #requestedAtMs = -Infinity;
  /** The smoothed time between requests. */
  #gapMs = 0;
  /** Resolves when the next batch settles. */
  #settled = Promise.withResolvers<void>();

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
    this.#recordRequest();
    const filled = this.#filling?.keys.size ?? 0;
    if (filled + keys.length > this.#options.maxSharedKeys()) this.#filling = null;
    const batches = keys.map((key) => this.#batchFor(key, context));
    const results: Result[] = [];
    const join = async (batch: Batch<Result, Event>) => {
      const part = keys.filter((_, at) => batches[at] === batch);
      const resultOf = await this.#join(batch, part, requester, context);
      for (const [at, key] of keys.entries()) {
        if (batches[at] === batch) results[at] = resultOf(key);
      }
    };
    await Promise.all([...new Set(batches)].map(join));
    return results;
  }

  /** Later requests for `key` do not join a batch that is in flight now. */
  detach(key: string): void {
    if (this.#slots.get(key)?.batch?.isInFlight) this.#slots.delete(key);
  }

  #batchFor(key: string, context: Context): Batch<Result, Event> {
    const known = this.#slots.get(key)?.batch;
    if (known?.call.isOpen()) return known;
    let filling = this.#filling;
    if (!filling?.call.isOpen() || filling.keys.size >= this.#options.maxKeys) {
      filling = this.#open(context);
      this.#filling = filling;
    }
    filling.keys.add(key);
    this.#slots.set(key, filling.slot);
    return filling;
  }

  #open(context: Context): Batch<Result, Event> {
    const batch: Batch<Result, Event> = {
      keys: new Set(),
      requesters: 0,
      isInFlight: false,
      slot: { batch: null },
      call: startSharedCall(async (signal, emit) => {
        try {
          await this.#flushTrigger();
          if (this.#filling === batch) this.#filling = null;
          // Every requester may have left.
          signal.throwIfAborted();
          return await this.#send(batch, context, signal, emit);
        } finally {
          this.#close(batch);
        }
      }),
    };
    batch.slot.batch = batch;
    return batch;
  }

  #recordRequest(): void {
    const { clock, windowMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const gapMs = Math.min(nowMs - this.#requestedAtMs, maxGap * windowMs);
    this.#gapMs += (gapMs - this.#gapMs) * lastRequestWeight;
    this.#requestedAtMs = nowMs;
  }

  async #flushTrigger(): Promise<void> {
    const { clock, windowMs } = this.#options;
    if (this.#inFlight === 0 || this.#gapMs > windowMs) await clock.wait(0);
    else await Promise.race([clock.wait(windowMs), this.#settled.promise]);
  }

  async #send(
    batch: Batch<Result, Event>,
    context: Context,
    signal: AbortSignal,
    emit: (event: Event) => void,
  ): Promise<ResultOf<Result>> {
    const { keys, requesters } = batch;
    batch.isInFlight = true;
    this.#inFlight += 1;
    try {
      return await this.#options.send([...keys], { requesters, context }, signal, emit);
    } finally {
      this.#inFlight -= 1;
      this.#settled.resolve();
      this.#settled = Promise.withResolvers();
    }
  }

  #close({ keys, slot }: Batch<Result, Event>): void {
    slot.batch = null;
    for (const key of keys) if (this.#slots.get(key) === slot) this.#slots.delete(key);
  }

  async #join(
    batch: Batch<Result, Event>,
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
