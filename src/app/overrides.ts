import type { Clock } from '../lib/clock.ts';
import type { Log } from '../observability/log.ts';
import type { ServerTimeouts } from '../server/http/listen.ts';
import type { SharedDeps } from './shared-deps.ts';

/** What a test can replace, and what `main.ts` sets. `checksLogin` is true by default. */
export interface Overrides
  extends Partial<
    Pick<
      SharedDeps,
      'checksLogin' | 'fills' | 'jobLeaseMs' | 'notify' | 'quietWindowMs' | 'upstreamLimits'
    >
  > {
  /** Number of domains in the demo portfolio. */
  readonly sandboxDomains?: number;
  /** Number of domains that `getdomainlist` returns at most; default 200, 0 for all. */
  readonly sandboxListSize?: number;
  /** Number of TLDs in the price list; default all. A long list takes most of the CPU time of a purchase. */
  readonly sandboxTlds?: number;
  /** Deletes the data of the sandbox, and the journal of purchases in it, before the start. */
  readonly reset?: boolean;
  readonly clock?: Clock;
  readonly log?: Log;
  /** Milliseconds between two passes of the reconciler; default 5,000. */
  readonly reconcileEveryMs?: number;
  /** Milliseconds that `close` may take, including the delay before it; default 30,000. */
  readonly closeMs?: number;
  /** Timeouts of slow clients. */
  readonly timeouts?: Partial<ServerTimeouts>;
  /** Whether the fast path is used; default true. */
  readonly fastPath?: boolean;
}
