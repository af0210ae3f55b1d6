import type { Scope } from '../../modules/scope.ts';
import type { IsValid } from './response-cache.ts';

export type TracedCall = Scope['upstreamCalls'][number];
export type CachedRead = Scope['cachedReads'][number];

/** The members of a request's scope that the server uses; resolvers have the whole scope as their context. */
export interface RequestScope {
  readonly upstreamCalls: readonly TracedCall[];
  readonly cachedReads: readonly CachedRead[];
  readonly budget?: Scope['budget'];
  /** Tells whether a response stays valid; null for one that must not be cached. */
  cacheValidity?(): IsValid | null;
}
