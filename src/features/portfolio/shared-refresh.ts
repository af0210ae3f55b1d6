import { Fault } from '../../kernel/faults.ts';
import type { Clock } from '../../lib/clock.ts';
import { type SharedCall, startSharedCall } from '../../lib/single-flight.ts';
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

type RefreshRequester = Pick<CallOptions, 'signal' | 'onCall' | keyof RequestContext>;

const ignore = () => undefined;

const isClosing = new Fault('UPSTREAM_UNAVAILABLE', {
  message: 'The gateway is closing.',
  executed: 'NO',
});

/** One refresh at a time, shared by its requesters. A requester that leaves does not stop it. */
export function createSharedRefresh<Value>({ clock, pauseMs, load }: RefreshOptions<Value>) {
  type Refresh = SharedCall<Value, UpstreamCall>;
  const closing = new AbortController();
  let running: Refresh | null = null;
  /** Starts when the running refresh has ended. */
  let next: Refresh | null = null;
  let pausedUntilMs = -Infinity;

  function start({ requestId, trace, budget }: RequestContext, previous?: Refresh): Refresh {
    const refresh: Refresh = startSharedCall(async (_signal, emit) => {
      if (previous) {
        await previous.join({}).catch(ignore);
        running = next;
        next = null;
      }
      try {
        return await load(closing.signal, emit, { requestId, trace, budget });
      } catch (error) {
        pausedUntilMs = clock.monotonicMs() + pauseMs;
        throw error;
      } finally {
        running = null;
      }
    });
    // The gateway itself is a requester too, so that the refresh continues when all others have left.
    refresh.join({}).catch(ignore);
    return refresh;
  }

  /** A refresh that its first requester cannot pay for would fail for all that join it. */
  function startFor(requester: RefreshRequester): Refresh {
    requester.budget?.assertLeft();
    running = start(requester);
    return running;
  }

  const join = (refresh: Refresh, { signal, onCall }: RefreshRequester) =>
    refresh.join({
      signal,
      onEvent: onCall && ((call, isFirst) => onCall(isFirst ? call : { ...call, shared: true })),
    });

  return {
    /** Joins the running refresh, or starts one. */
    join: async (requester: RefreshRequester): Promise<Value> =>
      join(running ?? next ?? startFor(requester), requester),
    /** Joins a refresh that starts from now on: the running one may return an earlier state. */
    async joinNext(requester: RefreshRequester): Promise<Value> {
      if (running) next ??= start(requester, running);
      return join(next ?? startFor(requester), requester);
    },
    /** Starts a refresh unless one is running, or a failure is too recent. */
    startInBackground(): void {
      if (!running && !next && clock.monotonicMs() >= pausedUntilMs) running = start({});
    },
    close: (): void => closing.abort(isClosing),
  };
}
