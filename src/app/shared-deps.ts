import type { Callers } from '../access/callers.ts';
import type { Config } from '../config/config.ts';
import type { TenantUrls } from '../config/tenants.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import type { Log } from '../observability/log.ts';
import type { Journal } from '../persistence/journal.ts';
import type { Fill } from '../scope/keys.ts';
import type { GatewayFacts, TenantFacts } from '../scope/tenant.ts';
import type { JobRunners } from '../seam/feature.ts';
import type { GateLimits } from '../upstream/client/gate.ts';
import type { OpenFeatures } from './features.ts';
import type { Observation } from './observe.ts';

/** The dependencies that all tenants of a process share. */
export interface SharedDeps {
  readonly config: Config;
  readonly clock: Clock;
  /** Measures the age of cached replies. */
  readonly cacheClock: Clock;
  /** For what other programs date. */
  readonly wallClock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly observation: Observation;
  readonly journal: Journal;
  /** The URLs of the embedded sandbox; null without one. */
  readonly embedded: TenantUrls | null;
  readonly upstreamLimits?: GateLimits;
  /** Of hooks that only tests fill. */
  readonly fills?: readonly Fill[] | undefined;
  readonly jobLeaseMs?: number | undefined;
  /** Of the upstream: the time after the deadline of a purchase in which it may still complete it. */
  readonly quietWindowMs?: number | undefined;
  readonly reconcileEveryMs: number;
  /** Whether the login is checked at the start, and while it is refused. */
  readonly checksLogin: boolean;
  /** Receives a sentence for the operator, which is in the log too. */
  readonly notify?: ((sentence: string) => void) | undefined;
  /** Null without authentication. */
  readonly callers: Pick<Callers, 'current'> | null;
  readonly logOperation: TenantFacts['logOperation'];
  readonly jobRunners: JobRunners;
  readonly gateway: GatewayFacts;
  readonly features: OpenFeatures;
}
