import type { RequestContext, UpstreamCall } from './operation.ts';

/** An attempt that is about to be sent. */
export interface ObservedCall
  extends Pick<UpstreamCall, 'api' | 'action' | 'attempt' | 'batch'>,
    Omit<RequestContext, 'budget'> {
  readonly effect: 'read' | 'write';
}

/** The observation of one attempt. */
export interface ObservedAttempt {
  /** Extra request headers, such as `traceparent`; they never replace the client's own. */
  headers(): Record<string, string>;
  /** `outcome` is `OK`, the code of the fault, or `ABORTED`; `status` is absent without a reply. */
  end(outcome: string, status?: number): void;
}

/** Observes every attempt that is sent, for spans, metrics and logs. */
export interface CallObserver {
  begin(call: ObservedCall): ObservedAttempt;
}

const noHeaders = {};

/** Begins an observation that never throws: an observer that fails must not fail a purchase. Null when `begin` threw. */
export function observeAttempt(observer: CallObserver, call: ObservedCall): ObservedAttempt | null {
  const attempt = ignoreErrors(() => observer.begin(call));
  if (!attempt) return null;
  return {
    headers: () => ignoreErrors(() => attempt.headers()) ?? noHeaders,
    end: (outcome, status) => ignoreErrors(() => attempt.end(outcome, status)),
  };
}

export function ignoreErrors<T>(observe: () => T): T | undefined {
  try {
    return observe();
  } catch {
    return undefined;
  }
}
