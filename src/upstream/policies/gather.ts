import type { CallBudget } from '../../kernel/call-budget.ts';
import type { Clock } from '../../kernel/clock.ts';
import { createFlight, type Flight, type Waiter } from './flights.ts';

interface GatherOptions<Answer, Note> {
  readonly clock: Pick<Clock, 'wait'>;
  /** Keys of one call at most. */
  readonly most: number;
  /** Keys at most in a call that several callers share; the keys that one caller asks about together stay together. */
  readonly mostShared: () => number;
  /** While a call is under way those that come later wait for it to end, and no longer than so many milliseconds. */
  readonly patienceMs: number;
  /**
   * One call for all keys, of one caller or of several. What it throws for several is asked again for each caller alone,
   * unless that is the fault of none of them.
   */
  readonly send: (
    keys: readonly string[],
    callers: number,
    signal: AbortSignal,
    tell: (note: Note) => void,
    /** Of the caller who caused it. */
    budget: CallBudget | undefined,
  ) => Promise<(key: string) => Answer>;
  readonly isNobodysFault: (error: unknown) => boolean;
}

interface Batch<Answer, Note> {
  readonly keys: Set<string>;
  callers: number;
  readonly budget: CallBudget | undefined;
  readonly flight: Flight<(key: string) => Answer, Note>;
}

/**
 * Makes one call of the questions of many callers. With nothing under way what was asked in this turn of the loop is sent
 * at its end, so that nobody waits for company; while a call is under way others gather.
 */
export function createGatherer<Answer, Note>(options: GatherOptions<Answer, Note>) {
  const { clock, most, mostShared, patienceMs, send, isNobodysFault } = options;
  /** By key: the batch that will answer it, gathering or under way. */
  const batches = new Map<string, Batch<Answer, Note>>();
  let gathering: Batch<Answer, Note> | null = null;
  const underWay = new Set<Promise<unknown>>();

  /** Over when the batch should leave. */
  const company = async (): Promise<void> => {
    if (underWay.size === 0) return clock.wait(0);
    await Promise.race([clock.wait(patienceMs), ...underWay]);
  };

  const depart = async (
    batch: Batch<Answer, Note>,
    signal: AbortSignal,
    tell: (note: Note) => void,
  ) => {
    await company();
    if (gathering === batch) gathering = null;
    // Everybody has left before it began.
    signal.throwIfAborted();
    const call = send([...batch.keys], batch.callers, signal, tell, batch.budget);
    const ended = call.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(ended);
    return call.finally(() => underWay.delete(ended));
  };

  const open = (budget: CallBudget | undefined): Batch<Answer, Note> => {
    const batch: Batch<Answer, Note> = {
      keys: new Set(),
      callers: 0,
      budget,
      flight: createFlight((signal, tell) =>
        // The batch is there only after this call.
        Promise.resolve()
          .then(() => depart(batch, signal, tell))
          .finally(() => {
            if (gathering === batch) gathering = null;
            for (const key of batch.keys) {
              if (batches.get(key) === batch) batches.delete(key);
            }
          }),
      ),
    };
    return batch;
  };

  const batchOf = (key: string, budget: CallBudget | undefined): Batch<Answer, Note> => {
    const known = batches.get(key);
    if (known?.flight.isOpen()) return known;
    if (!gathering?.flight.isOpen() || gathering.keys.size >= most) gathering = open(budget);
    gathering.keys.add(key);
    batches.set(key, gathering);
    return gathering;
  };

  return {
    /**
     * The answers by key. Those that others are asking about already come with theirs.
     *
     * @throws what a call for these keys alone throws, or the reason of the waiter's own signal.
     */
    async ask(keys: readonly string[], waiter: Waiter<Note>): Promise<ReadonlyMap<string, Answer>> {
      if (gathering && gathering.keys.size + keys.length > mostShared()) gathering = null;
      const mine = Map.groupBy(new Set(keys), (key) => batchOf(key, waiter.budget));
      const answered = await Promise.all(
        [...mine].map(async ([batch, its]) => {
          batch.callers += 1;
          const answers = await batch.flight.join(waiter).catch((error) => {
            waiter.signal?.throwIfAborted();
            // Nobody's names shall spoil the answers of another.
            if (batch.callers === 1 || isNobodysFault(error)) throw error;
            return createFlight<(key: string) => Answer, Note>((...how) =>
              send(its, 1, ...how, waiter.budget),
            ).join(waiter);
          });
          return its.map((key) => [key, answers(key)] as const);
        }),
      );
      return new Map(answered.flat());
    },
    /** Whoever asks for `key` from now on does not join a call that is under way. */
    part(key: string): void {
      batches.delete(key);
    },
  };
}
