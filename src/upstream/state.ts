import type { RecessState } from './policies/recess.ts';

/** How one action fares, of one API and one account. */
export interface ActionState {
  readonly breaker: RecessState;
  /** Attempts that were sent and are not over. */
  readonly inFlight: number;
  /** Attempts that wait for their turn. */
  readonly waiting: number;
}

/** How the calls of one account to one API fare in this process. Cheap to ask for. */
export interface ApiState {
  /** Attempts that may be in flight now: UPSTREAM_CONCURRENCY, or fewer while the upstream shows overload. */
  readonly concurrencyLimit: number;
  /** Milliseconds until the service may be asked again, as it wished; 0 when it may. */
  readonly heldForMs: number;
  /** Milliseconds until a login that was refused is tried again; 0 when it may be. */
  readonly loginPausedForMs: number;
  /** By the name of the action, those that were called. */
  readonly actions: Readonly<Record<string, ActionState>>;
}

/** Of both APIs; null for one that is not configured. */
export interface UpstreamState {
  readonly domain: ApiState;
  readonly account: ApiState | null;
}
