import type { Callers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import type { TenantUrls } from '../config/tenants.ts';
import type { SqliteOptions } from '../persistence/sqlite.ts';
import type { Fill } from '../scope/parts.ts';
import type { TenantFacts } from '../scope/tenant.ts';
import type { JobRunners } from '../seam/feature.ts';
import type { ServerTimeouts } from '../server/http/listen.ts';
import type { GateLimits } from '../upstream/client/gate.ts';
import type { OpenFeatures } from './features.ts';
import type { Observation } from './observe.ts';

/** The dependencies that all tenants of a process share. */
export interface SharedDeps
  extends Pick<
    TenantFacts,
    | 'cacheClock'
    | 'clock'
    | 'gateway'
    | 'journal'
    | 'log'
    | 'logOperation'
    | 'randomness'
    | 'wallClock'
  > {
  readonly config: Config;
  readonly observation: Observation;
  /** The URLs of the embedded sandbox; null without one. */
  readonly embedded: TenantUrls | null;
  readonly upstreamLimits?: GateLimits;
  /** Of hooks that only tests fill. */
  readonly fills?: readonly Fill[] | undefined;
  readonly jobLeaseMs?: number | undefined;
  /** Of the upstream: the time after the deadline of a purchase in which it may still complete it. */
  readonly quietWindowMs?: number | undefined;
  /** Writes what a file has to the disk; default `fdatasync`. */
  readonly syncFile?: SqliteOptions['syncFile'];
  /** Milliseconds between two passes of the reconciler; default 5,000. */
  readonly reconcileEveryMs: number;
  /** Whether the login is checked at the start, and while it is refused. */
  readonly checksLogin: boolean;
  /** Receives a sentence for the operator, which is in the log too. */
  readonly notify?: ((sentence: string) => void) | undefined;
  /** Null without authentication. */
  readonly callers: Pick<Callers, 'current'> | null;
  readonly jobRunners: JobRunners;
  readonly features: OpenFeatures;
}

/** What a test can replace, and what `main.ts` sets. `checksLogin` is true by default. */
export interface Overrides
  extends Partial<
    Pick<
      SharedDeps,
      | 'checksLogin'
      | 'clock'
      | 'fills'
      | 'jobLeaseMs'
      | 'log'
      | 'notify'
      | 'quietWindowMs'
      | 'reconcileEveryMs'
      | 'syncFile'
      | 'upstreamLimits'
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
  /** Milliseconds that `close` may take, including the delay before it; default 30,000. */
  readonly closeMs?: number;
  /** Timeouts of slow clients. */
  readonly timeouts?: Partial<ServerTimeouts>;
  /** Whether the fast path is used; default true. */
  readonly fastPath?: boolean;
}
