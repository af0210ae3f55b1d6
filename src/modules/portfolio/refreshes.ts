import type { Clock } from '../../kernel/clock.ts';
import { unlessAborted } from '../../kernel/unless-aborted.ts';
import type { Cause } from '../../upstream/cause.ts';
import type { CallOptions, UpstreamCall } from '../../upstream/operation.ts';

interface RefreshOptions<Value> {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** So long after a failure nothing is begun that nobody waits for. */
  readonly pauseMs: number;
  /** `cause` is that of whoever came first; nobody's where nobody waits. */
  readonly load: (
    signal: AbortSignal,
    onCall: (call: UpstreamCall) => void,
    cause: Cause,
  ) => Promise<Value>;
}

type Ear = NonNullable<CallOptions['onCall']>;
type Waiter = Pick<CallOptions, 'signal' | 'onCall' | keyof Cause>;

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

  async function run(ears: readonly Ear[], cause: Cause): Promise<Value> {
    try {
      const tell = (call: UpstreamCall) => {
        for (const [at, hear] of ears.entries()) hear(at === 0 ? call : { ...call, shared: true });
      };
      return await load(closing.signal, tell, cause);
    } catch (error) {
      quietUntilMs = clock.monotonicMs() + pauseMs;
      throw error;
    } finally {
      running = null;
    }
  }

  function begin({ requestId, trace, budget }: Cause, ears: Ear[] = []): Refresh<Value> {
    const begun = { ears, end: run(ears, { requestId, trace, budget }) };
    // Each waiter hears of a failure by itself; without one it is nobody's.
    begun.end.catch(noMatter);
    running = begun;
    return begun;
  }

  async function afterwards(cause: Cause, ears: Ear[]): Promise<Value> {
    while (running) await running.end.catch(noMatter);
    next = null;
    return begin(cause, ears).end;
  }

  function later(cause: Cause): Refresh<Value> {
    const ears: Ear[] = [];
    const end = afterwards(cause, ears);
    end.catch(noMatter);
    return { ears, end };
  }

  /** Begun without a call to spend, it would fail for all who join it. */
  function beginFor(waiter: Waiter): Refresh<Value> {
    waiter.budget?.demand();
    return begin(waiter);
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
      if (!running && clock.monotonicMs() >= quietUntilMs) begin({});
    },
    close: (): void => closing.abort(new Error('The gateway is closing.')),
  };
}
