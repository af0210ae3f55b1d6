import type { Clock, Randomness } from '../kernel/clock.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Journal } from '../persistence/store.ts';
import type { AccountApi } from '../upstream/account-api/client.ts';
import type { DomainApi } from '../upstream/domain-api/client.ts';
import type { UpstreamCall } from '../upstream/operation.ts';

/** What lives as long as the process; `compose.ts` hands it in. */
export interface Deps {
  readonly domainApi: DomainApi;
  readonly accountApi: AccountApi;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly randomness: Randomness;
  /** The reseller account that pays; part of every key of the journal. */
  readonly account: string;
}

/** What one HTTP request brings along. */
export interface RequestFacts {
  readonly requestId: string;
  /** The caller's abort; reads heed it, purchases never. */
  readonly signal: AbortSignal;
  /** The caller's Account API token, if any. */
  readonly accountToken: Secret | null;
}

/** What lives as long as one request: its loaders, its services and the upstream calls it made. */
export function createScope(deps: Deps, request: RequestFacts) {
  const upstreamCalls: UpstreamCall[] = [];
  return { deps, request, upstreamCalls };
}

/** The context of every resolver. */
export type Scope = ReturnType<typeof createScope>;
