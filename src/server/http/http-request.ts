import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLFormattedError } from 'graphql';
import type { Callers, Credentials } from '../../access/callers.ts';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import type { FaultCode } from '../../kernel/faults.ts';
import { Secret } from '../../kernel/secret.ts';
import type { Randomness } from '../../lib/clock.ts';
import type { OperationFacts, RequestTrace } from '../../observability/tracing.ts';
import type { Scope } from '../../scope/scope.ts';

/** The members of a request's scope that the server uses; resolvers have the whole scope as their context. */
export type RequestScope = Pick<Scope, 'upstreamCalls' | 'cachedReads'> &
  Partial<Pick<Scope, 'budget' | 'cacheValidity' | 'hidesCosts'>>;

/** The cost of an operation, before it is executed. */
export interface Estimate {
  readonly upstreamCalls: number;
  /** Searches of the operation; each may use more calls than estimated. */
  readonly searches: number;
  /** Rows of stored lists; for a subscription those of one update. */
  readonly storedRows: number;
  /** Whether it is a purchase, or selects only fields about purchases and reads few rows. */
  readonly isNeverLimited: boolean;
}

/** What the server knows about the path of a request beside its responses. */
export interface RouteFacts {
  /** In the log, such as `export`; default `other`. */
  readonly kind?: string;
  /** Whether it has data of an account, so that pages of other sites must not request it. */
  readonly isOfAccount?: boolean;
  /** Whether pages of allowed origins may request it with a preflight although it has no data of an account. */
  readonly isForPages?: boolean;
  /** Further headers that pages of allowed origins may send. */
  readonly requestHeaders?: readonly string[];
  /** Responds to POST itself. The path accepts no other method. */
  readonly post?: (request: HttpRequest) => Promise<void>;
  /** The body of a refusal, in another shape than that of GraphQL errors. */
  readonly refusalBody?: (request: HttpRequest, status: number, error: RefusalError) => object;
  /** Further parameters of the challenge for a request without a valid token. */
  readonly challenge?: (request: HttpRequest) => Readonly<Record<string, string>>;
}

type RefusalError = Pick<GraphQLFormattedError, 'message' | 'extensions'>;

/** A request of `node:http`, with what the rules of the server have found out about it. */
export class HttpRequest {
  readonly node: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly method: string;
  /** As the client sent it, such as `/graphql?query=…`; without the mount path of another server. */
  readonly target: string;
  /** The path of the target without a trailing slash; null for a target that is not a plain path. */
  readonly path: string | null;
  readonly headers: IncomingHttpHeaders;
  /** Of its path. */
  route: RouteFacts = {};
  caller: Caller = anonymous;
  /** The context of its resolvers; null until an operation is about to be checked. */
  scope: RequestScope | null = null;
  /** Null until the operation is known, and for one that will not be executed. */
  estimate: Estimate | null = null;
  operation: OperationFacts | null = null;
  /** The name of the file that it exports. */
  file: string | null = null;
  /** The name of the tool that it calls. */
  tool: string | null = null;
  isResponseCached = false;
  /** The tags of its response in shared caches; null when these must not store it. */
  cacheTags: readonly string[] | null = null;
  /** The codes of the errors in its response. */
  readonly errorCodes = new Set<FaultCode>();
  trace: RequestTrace | null = null;
  /** What earlier events of the response have reported: how many calls and cached answers of the scope, and the estimate. */
  readonly reported = { calls: 0, cached: 0, cost: false };
  #disconnected: AbortController | undefined;

  constructor(
    node: IncomingMessage,
    response: ServerResponse,
    randomness: Randomness,
    target = node.url ?? '',
  ) {
    this.node = node;
    this.response = response;
    this.method = node.method ?? '';
    this.target = target;
    this.path = pathOf(this.target);
    this.headers = node.headers;
    this.id = readRequestId(node.headers) ?? randomness.uuid();
  }

  header(name: string): string | null {
    const value = this.headers[name];
    return (Array.isArray(value) ? value.join(', ') : value) ?? null;
  }

  get hasBody(): boolean {
    const { 'transfer-encoding': encoding, 'content-length': length } = this.headers;
    return encoding !== undefined || Number(length ?? 0) !== 0;
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

/** The previous target and its path: most requests have the same. */
let previous = { target: '/', path: '/' };

function pathOf(target: string): string | null {
  if (target === previous.target) return previous.path;
  const url = target.startsWith('/') ? URL.parse(`http://localhost${target}`) : null;
  const [written = ''] = target.split('?', 1);
  // Servers disagree on dot segments, backslashes and raw bytes, so a path with them is refused.
  if (url === null || url.pathname !== written || target.includes('#')) return null;
  const path = written.replace(/(?<=.)\/$/, '');
  if (target.length < 100) previous = { target, path };
  return path;
}

const plausibleId = /^[\w-]{8,64}$/;

/** The id that the client sent for its request; null without a plausible one. */
function readRequestId({ 'x-request-id': sent }: IncomingHttpHeaders): string | null {
  return typeof sent === 'string' && plausibleId.test(sent) ? sent : null;
}

export const readCredentials = (request: HttpRequest): Credentials => ({
  apiKey: request.header('x-api-key') || null,
  bearer: /^Bearer +(\S+) *$/i.exec(request.header('authorization') ?? '')?.[1] ?? null,
});

/**
 * The caller's own token for the Account API: `x-account-token`, or else the Bearer token of `Authorization`. A token that
 * identifies the caller to this gateway is never sent there.
 */
export function readAccountToken(request: HttpRequest, owns: Callers['owns']): Secret | null {
  const token = request.header('x-account-token')?.trim() || readCredentials(request).bearer;
  return token && !owns(token) ? new Secret(token) : null;
}

/**
 * The caller's key for the purchase of this request, from `Idempotency-Key`; null without one.
 *
 * The IETF draft defines it as a string of RFC 8941, in quotes; most clients omit the quotes.
 */
export function readIdempotencyKey(request: HttpRequest): string | null {
  const text = request.header('idempotency-key')?.trim();
  if (text === undefined) return null;
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(text)?.[1];
  return quoted === undefined ? text : quoted.replace(/\\(["\\])/g, '$1');
}
