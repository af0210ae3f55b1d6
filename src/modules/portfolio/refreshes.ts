import type { Clock } from '../../kernel/clock.ts';
import { unlessAborted } from '../../kernel/unless-aborted.ts';
import type { CallOptions } from '../../upstream/operation.ts';

interface RefreshOptions<Value> {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** So long after a failure nothing is begun that nobody waits for. */
  readonly pauseMs: number;
  readonly load: (
    options: Required<Pick<CallOptions, 'signal' | 'onCall'>> & Pick<CallOptions, 'budget'>,
  ) => Promise<Value>;
}

type Ear = NonNullable<CallOptions['onCall']>;
type Waiter = Pick<CallOptions, 'signal' | 'onCall' | 'budget'>;

interface Refresh<Value> {
  readonly end: Promise<Value>;
  /** Who hears of its calls; whoever came first has caused them. */
  readonly ears: Ear[];
}

const noMatter = () => undefined;

/** One piece of work at a time, for whoever waits for it; that they go away does not stop it. */
export function createRefreshes<Value>({ clock, pauseMs, load }: RefreshOptions<Value>) {
  const closing = new AbortController();
  let running: Refresh<Value> | null = null;
  /** Begins when what is running has ended. */
  let next: Refresh<Value> | null = null;
  let quietUntilMs = -Infinity;

  async function run(ears: readonly Ear[], budget: CallOptions['budget']): Promise<Value> {
    try {
      return await load({
        signal: closing.signal,
        budget,
        onCall(call) {
          for (const [at, hear] of ears.entries()) {
            hear(at === 0 ? call : { ...call, shared: true });
          }
        },
      });
    } catch (error) {
      quietUntilMs = clock.monotonicMs() + pauseMs;
      throw error;
    } finally {
      running = null;
    }
  }

  /** `budget` is of whoever causes it; nobody's where it is begun for nobody. */
  function begin(budget?: CallOptions['budget'], ears: Ear[] = []): Refresh<Value> {
    const begun = { ears, end: run(ears, budget) };
    // Each waiter hears of a failure by itself; without one it is nobody's.
    begun.end.catch(noMatter);
    running = begun;
    return begun;
  }

  async function afterwards(ears: Ear[], budget: CallOptions['budget']): Promise<Value> {
    while (running) await running.end.catch(noMatter);
    next = null;
    return begin(budget, ears).end;
  }

  function later({ budget }: Waiter): Refresh<Value> {
    const ears: Ear[] = [];
    const end = afterwards(ears, budget);
    end.catch(noMatter);
    return { ears, end };
  }

  /** Begun without a call to spend, it would fail for all who join it. */
  function beginFor({ budget }: Waiter): Refresh<Value> {
    budget?.demand();
    return begin(budget);
  }

  const join = ({ ears, end }: Refresh<Value>, { signal, onCall }: Waiter) => {
    if (onCall) ears.push(onCall);
    return unlessAborted(end, signal);
  };

  return {
    /** What is running, or begins now. */
    join: async (waiter: Waiter): Promise<Value> => join(running ?? beginFor(waiter), waiter),
    /** What begins from now on: not what is running, since that may be from before. */
    async joinNext(waiter: Waiter): Promise<Value> {
      if (!running) return join(beginFor(waiter), waiter);
      next ??= later(waiter);
      return join(next, waiter);
    },
    /** Begins unless something is running, or a failure is too recent. */
    beginUnheard(): void {
      if (!running && clock.monotonicMs() >= quietUntilMs) begin();
    },
    close: (): void => closing.abort(new Error('The gateway is closing.')),
  };
}
