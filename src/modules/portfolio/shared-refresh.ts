import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { raceAbort } from '../../lib/race-abort.ts';
import type { CallOptions, RequestContext, UpstreamCall } from '../../upstream/client/operation.ts';

interface RefreshOptions<Value> {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** After a failure no background refresh starts for this long. */
  readonly pauseMs: number;
  /** `context` is that of the first requester; empty for a background refresh. */
  readonly load: (
    signal: AbortSignal,
    onCall: (call: UpstreamCall) => void,
    context: RequestContext,
  ) => Promise<Value>;
}

type Listener = NonNullable<CallOptions['onCall']>;
type Requester = Pick<CallOptions, 'signal' | 'onCall' | keyof RequestContext>;

interface Refresh<Value> {
  readonly result: Promise<Value>;
  /** The first one is of the requester that caused the refresh. */
  readonly listeners: Listener[];
}

const ignore = () => undefined;

const isClosing = new Fault('UPSTREAM_UNAVAILABLE', {
  message: 'The gateway is closing.',
  executed: 'NO',
});

/** One refresh at a time, shared by its requesters. A requester that leaves does not stop it. */
export function createSharedRefresh<Value>({ clock, pauseMs, load }: RefreshOptions<Value>) {
  const closing = new AbortController();
  let running: Refresh<Value> | null = null;
  /** Starts when the running refresh has ended. */
  let next: Refresh<Value> | null = null;
  let pausedUntilMs = -Infinity;

  async function run(listeners: readonly Listener[], context: RequestContext): Promise<Value> {
    try {
      const onCall = (call: UpstreamCall) => {
        for (const [at, listener] of listeners.entries()) {
          listener(at === 0 ? call : { ...call, shared: true });
        }
      };
      return await load(closing.signal, onCall, context);
    } catch (error) {
      pausedUntilMs = clock.monotonicMs() + pauseMs;
      throw error;
    } finally {
      running = null;
    }
  }

  function start(
    { requestId, trace, budget }: RequestContext,
    listeners: Listener[] = [],
  ): Refresh<Value> {
    const started = { listeners, result: run(listeners, { requestId, trace, budget }) };
    // Each requester handles a failure itself; a background refresh has none.
    started.result.catch(ignore);
    running = started;
    return started;
  }

  function startAfterRunning(context: RequestContext): Refresh<Value> {
    const listeners: Listener[] = [];
    const afterRunning = async () => {
      while (running) await running.result.catch(ignore);
      next = null;
      return start(context, listeners).result;
    };
    const result = afterRunning();
    result.catch(ignore);
    return { listeners, result };
  }

  /** A refresh that its first requester cannot pay for would fail for all that join it. */
  function startFor(requester: Requester): Refresh<Value> {
    requester.budget?.assertLeft();
    return start(requester);
  }

  const join = ({ listeners, result }: Refresh<Value>, { signal, onCall }: Requester) => {
    if (onCall) listeners.push(onCall);
    return raceAbort(result, signal);
  };

  return {
    /** Joins the running refresh, or starts one. */
    join: async (requester: Requester): Promise<Value> =>
      join(running ?? startFor(requester), requester),
    /** Joins a refresh that starts from now on: the running one may return an earlier state. */
    async joinNext(requester: Requester): Promise<Value> {
      if (!running) return join(startFor(requester), requester);
      next ??= startAfterRunning(requester);
      return join(next, requester);
    },
    /** Starts a refresh unless one is running, or a failure is too recent. */
    startInBackground(): void {
      if (!running && clock.monotonicMs() >= pausedUntilMs) start({});
    },
    close: (): void => closing.abort(isClosing),
  };
}
