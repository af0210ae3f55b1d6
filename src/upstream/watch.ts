import type { Cause } from './cause.ts';
import type { UpstreamCall } from './operation.ts';

/** An attempt that is about to be sent. */
export interface WatchedCall
  extends Pick<UpstreamCall, 'api' | 'action' | 'attempt' | 'batch'>,
    Omit<Cause, 'budget'> {
  readonly effect: 'read' | 'write';
}

/** One attempt, watched. */
export interface WatchedAttempt {
  /** Headers to send along, such as `traceparent`; they replace none of ours. */
  headers(): Record<string, string>;
  /** `OK`, the code of the fault or `ABORTED`; the status of the reply where there was one. */
  end(outcome: string, status?: number): void;
}

/** An onlooker at every attempt, for a span, a metric and a line of the log. Attempts that were not sent are none. */
export interface UpstreamWatch {
  begin(call: WatchedCall): WatchedAttempt;
}

const noHeaders = {};

/** An onlooker that throws must not turn a purchase that went well into a failure, so it is let go; null when it did. */
export function watchAttempt(watch: UpstreamWatch, call: WatchedCall): WatchedAttempt | null {
  const attempt = quietly(() => watch.begin(call));
  if (!attempt) return null;
  return {
    headers: () => quietly(() => attempt.headers()) ?? noHeaders,
    end: (outcome, status) => quietly(() => attempt.end(outcome, status)),
  };
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // Its own business.
    return undefined;
  }
}
