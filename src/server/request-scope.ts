import type { Scope } from '../modules/scope.ts';
import type { Holds } from './repeated.ts';

export type TracedCall = Scope['upstreamCalls'][number];
export type KeptAnswer = Scope['keptAnswers'][number];

/** What the server needs of a request's scope; the resolvers have the whole of it as their context. */
export interface RequestScope {
  readonly upstreamCalls: readonly TracedCall[];
  readonly keptAnswers: readonly KeptAnswer[];
  readonly budget?: Scope['budget'];
  /** Whether what was answered would be answered again; null where that cannot be told. */
  standing?(): Holds | null;
}
