import type { Clock } from '../../kernel/clock.ts';
import { createFlight, type Flight, type Waiter } from './flights.ts';

/** For whom a call is made: how many callers, and who of them came first. */
interface Askers<Cause> {
  readonly callers: number;
  readonly cause: Cause;
}

interface GatherOptions<Answer, Note, Cause> {
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
    askers: Askers<Cause>,
    signal: AbortSignal,
    tell: (note: Note) => void,
  ) => Promise<(key: string) => Answer>;
  readonly isNobodysFault: (error: unknown) => boolean;
}

interface Batch<Answer, Note, Cause> {
  /** What it asks about; once it has left, what may still be joined. */
  readonly keys: Set<string>;
  callers: number;
  readonly cause: Cause;
  readonly flight: Flight<(key: string) => Answer, Note>;
  /** Its call, from when it has left: over whatever becomes of it. */
  underWay: Promise<void> | null;
}

/**
 * Makes one call of the questions of many callers. With nothing under way what was asked in this turn of the loop is sent
 * at its end, so that nobody waits for company; while a call is under way others gather.
 */
export function createGatherer<Answer, Note, Cause>(options: GatherOptions<Answer, Note, Cause>) {
  const { clock, most, mostShared, patienceMs, send, isNobodysFault } = options;
  /**
   * Gathering or under way, which are few. In a list that is made anew: a table by key grows and shrinks all the time, and
   * of those that it has outgrown each is garbage for long and holds the next, with all that was in it.
   */
  let batches: readonly Batch<Answer, Note, Cause>[] = [];
  let gathering: Batch<Answer, Note, Cause> | null = null;

  /** Over when the batch should leave. */
  const company = async (): Promise<void> => {
    const underWay = batches.flatMap((one) => one.underWay ?? []);
    if (underWay.length === 0) return clock.wait(0);
    await Promise.race([clock.wait(patienceMs), ...underWay]);
  };

  const depart = async (
    batch: Batch<Answer, Note, Cause>,
    signal: AbortSignal,
    tell: (note: Note) => void,
  ) => {
    await company();
    if (gathering === batch) gathering = null;
    // Everybody has left before it began.
    signal.throwIfAborted();
    const call = send([...batch.keys], batch, signal, tell);
    batch.underWay = call.then(
      () => undefined,
      () => undefined,
    );
    return call;
  };

  const open = (cause: Cause): Batch<Answer, Note, Cause> => {
    const batch: Batch<Answer, Note, Cause> = {
      keys: new Set(),
      callers: 0,
      cause,
      underWay: null,
      flight: createFlight((signal, tell) =>
        // The batch is there only after this call.
        Promise.resolve()
          .then(() => depart(batch, signal, tell))
          .finally(() => {
            if (gathering === batch) gathering = null;
            batches = batches.filter((one) => one !== batch);
          }),
      ),
    };
    batches = [...batches, batch];
    return batch;
  };

  const batchOf = (key: string, cause: Cause): Batch<Answer, Note, Cause> => {
    const known = batches.find(({ keys, flight }) => keys.has(key) && flight.isOpen());
    if (known) return known;
    if (!gathering?.flight.isOpen() || gathering.keys.size >= most) gathering = open(cause);
    gathering.keys.add(key);
    return gathering;
  };

  return {
    /**
     * The answers by key. Those that others are asking about already come with theirs.
     *
     * @throws what a call for these keys alone throws, or the reason of the waiter's own signal.
     */
    async ask(
      keys: readonly string[],
      waiter: Waiter<Note>,
      cause: Cause,
    ): Promise<ReadonlyMap<string, Answer>> {
      if (gathering && gathering.keys.size + keys.length > mostShared()) gathering = null;
      const mine = Map.groupBy(new Set(keys), (key) => batchOf(key, cause));
      const answered = await Promise.all(
        [...mine].map(async ([batch, its]) => {
          batch.callers += 1;
          const answers = await batch.flight.join(waiter).catch((error) => {
            waiter.signal?.throwIfAborted();
            // Nobody's names shall spoil the answers of another.
            if (batch.callers === 1 || isNobodysFault(error)) throw error;
            return createFlight<(key: string) => Answer, Note>((...how) =>
              send(its, { callers: 1, cause }, ...how),
            ).join(waiter);
          });
          return its.map((key) => [key, answers(key)] as const);
        }),
      );
      return new Map(answered.flat());
    },
    /** Whoever asks for `key` from now on does not join a call that is under way. */
    part(key: string): void {
      for (const batch of batches) {
        if (batch.underWay) batch.keys.delete(key);
      }
    },
  };
}
