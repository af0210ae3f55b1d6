import { GraphQLError } from 'graphql';
import { Fault } from '../../kernel/faults.ts';
import type { Rate, RateStore } from '../../kernel/rate-store.ts';
import type { Beginning, Layer } from '../layer.ts';
import { notesOf, type RequestView } from '../request-view.ts';

export interface RateLimitOptions {
  readonly store: RateStore;
  /** In upstream calls, for each caller. */
  readonly rate: Rate;
}

/** What a request costs that takes no upstream call, or one that others were answered by already. */
const leastCost = 0.1;

/**
 * Refuses callers that ask for more than their share of upstream calls, as they are counted beforehand. Purchases, and
 * questions what became of them, are neither counted nor refused; nor is anybody where nobody is asked who they are.
 */
export function useRateLimit({ store, rate }: RateLimitOptions): Layer {
  /** Milliseconds to wait; 0 for who may go on. */
  const waitOf = (request: RequestView, cost: number): number | Promise<number> => {
    const { caller } = notesOf(request);
    if (!caller || caller.name === null) return 0;
    return store
      .take(`${caller.tenant} ${caller.name}`, cost, rate)
      .then(({ granted, waitMs }) => (granted ? 0 : Math.max(1, waitMs)));
  };
  const waitBefore = (request: RequestView): number | Promise<number> => {
    const { estimate } = notesOf(request);
    if (estimate?.isNeverLimited) return 0;
    return waitOf(request, Math.max(leastCost, estimate?.upstreamCalls ?? 0));
  };
  const onBegin = async ({ args, setResultAndStopExecution }: Beginning): Promise<void> => {
    const waitMs = await waitBefore(args.contextValue.request);
    if (waitMs > 0) setResultAndStopExecution({ errors: [tooMany(waitMs)] });
  };
  const isNone = (wait: number | Promise<number>): boolean | Promise<boolean> =>
    typeof wait === 'number' ? wait === 0 : wait.then((waitMs) => waitMs === 0);
  return {
    full: { onExecute: onBegin, onSubscribe: onBegin },
    plain: {
      allows: (_asked, request) => isNone(waitBefore(request)),
      allowsAgain: (request) => isNone(waitOf(request, leastCost)),
    },
  };
}

function tooMany(waitMs: number): GraphQLError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `You have asked for too many upstream calls; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return new GraphQLError(message, {
    originalError: new Fault('RATE_LIMITED', { message, facts: { retryAfterMs: waitMs } }),
    extensions: { http: { status: 429, headers: { 'retry-after': String(seconds) } } },
  });
}
