import type { CircuitState } from '../policies/open-state.ts';

/** The calls of one action, of one API and account. */
export interface ActionState {
  readonly breaker: CircuitState;
  /** Attempts that were sent and have not ended. */
  readonly inFlight: number;
  /** Attempts in the queue. */
  readonly waiting: number;
}

/** The calls of one account to one API in this process. Cheap to compute. */
export interface ApiState {
  /** Attempts that may be in flight now: UPSTREAM_CONCURRENCY, or fewer while the upstream shows overload. */
  readonly concurrencyLimit: number;
  /** Milliseconds of the Retry-After pause; 0 without one. */
  readonly pausedForMs: number;
  /** Milliseconds until a refused login is tried again; 0 when it may be used. */
  readonly loginPausedForMs: number;
  /** By the name of the action; actions that were called. */
  readonly actions: Readonly<Record<string, ActionState>>;
}

/** Both APIs; null for one that is not configured. */
export interface UpstreamState {
  readonly domain: ApiState;
  readonly account: ApiState | null;
}
