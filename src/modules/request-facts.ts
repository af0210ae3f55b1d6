import type { Caller } from '../kernel/caller.ts';
import type { Secret } from '../kernel/secret.ts';

/** The data of one HTTP request. */
export interface RequestFacts {
  readonly requestId: string;
  /** Opaque trace context, passed through to the observer of upstream calls. */
  readonly trace?: unknown;
  readonly caller: Caller;
  /** Aborts when the client disconnects; created by the first call. Reads heed it, writes never do. */
  readonly signal: () => AbortSignal;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
  /** The client's Account API token; null without one. */
  readonly accountToken: Secret | null;
}
