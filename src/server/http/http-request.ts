import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import type { FaultCode } from '../../kernel/faults.ts';
import type { Scope } from '../../modules/scope.ts';
import type { OperationFacts, RequestTrace } from '../../observability/tracing.ts';
import type { Estimate } from '../graphql/cost-estimate.ts';
import { headOf, type RequestHead } from './request-head.ts';

/** The members of a request's scope that the server uses; resolvers have the whole scope as their context. */
export interface RequestScope {
  readonly upstreamCalls: readonly Scope['upstreamCalls'][number][];
  readonly cachedReads: readonly Scope['cachedReads'][number][];
  readonly budget?: Scope['budget'];
  /** Tells whether a response stays valid; null for one that must not be cached. */
  cacheValidity?(): (() => boolean) | null;
}

/** A request of `node:http`, with what the rules of the server have found out about it. */
export class HttpRequest {
  readonly node: IncomingMessage;
  readonly response: ServerResponse;
  readonly head: RequestHead;
  readonly id: string;
  caller: Caller = anonymous;
  /** The context of its resolvers; null until an operation is about to be checked. */
  scope: RequestScope | null = null;
  /** Null until the operation is known, and for one that will not be executed. */
  estimate: Estimate | null = null;
  operation: OperationFacts | null = null;
  isResponseCached = false;
  /** The codes of the errors in its response. */
  readonly errorCodes = new Set<FaultCode>();
  trace: RequestTrace | null = null;
  /** How many calls and cached answers of the scope earlier parts of the response have reported. */
  readonly reported = { calls: 0, cached: 0, stale: 0 };
  #disconnected: AbortController | undefined;

  constructor(node: IncomingMessage, response: ServerResponse, id: string) {
    this.node = node;
    this.response = response;
    this.head = headOf(node);
    this.id = id;
  }

  header(name: string): string | null {
    const value = this.node.headers[name];
    return (Array.isArray(value) ? value.join(', ') : value) ?? null;
  }

  /** Aborted when the client disconnects before the response is complete. Created on first use. */
  get signal(): AbortSignal {
    if (this.#disconnected) return this.#disconnected.signal;
    const disconnected = new AbortController();
    this.#disconnected = disconnected;
    const { response } = this;
    const abort = () => {
      if (!response.writableFinished) disconnected.abort();
    };
    if (response.destroyed) abort();
    else response.once('close', abort);
    return disconnected.signal;
  }
}
