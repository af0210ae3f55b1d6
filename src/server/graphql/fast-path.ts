import { LRUCache } from 'lru-cache';
import type { Caller } from '../../kernel/caller.ts';
import type { OperationFacts } from '../../observability/tracing.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { readBody } from '../http/request-fault.ts';
import { refusalText } from '../http/responses.ts';
import { graphqlPath } from '../http/routes.ts';
import { hasSingleResult, incrementalDeliveryFor, singleResponseTypeFor } from './delivery.ts';
import type { DocumentReader } from './documents.ts';
import { type Exchange, headOf, refuseWith, respondToFailure, write } from './exchange.ts';
import { decodeBody, parseBody } from './params.ts';
import type { Rules } from './rule.ts';
import type { OperationRunner } from './run-operation.ts';
import type { StreamPath } from './stream-path.ts';

export interface CachedResponse {
  readonly text: string;
  /** After a change of its rights a caller of the same name is another object. */
  readonly caller: Caller;
  /** Whether it is still what an execution would return. */
  readonly isValid: () => boolean;
  readonly operation: OperationFacts | null;
}

/** Characters of all requests and responses together. */
const maxTotalLength = 8_388_608;
/** Characters of a request and its response together; longer ones are not cached. */
const maxLength = 65_536;
/** Requests that were received once, as hashes of their keys. A power of two. */
const seenSlots = 65_536;

/**
 * Responses that were built from cached data alone, until any of that data changes. A response is stored when its request
 * arrives again, because most names are checked once.
 */
export class ResponseCache {
  readonly #responses = new LRUCache<string, CachedResponse>({
    maxSize: maxTotalLength,
    sizeCalculation: ({ text }, key) => key.length + text.length,
  });
  /** The hash of the last request in each slot. */
  readonly #seen = new Int32Array(seenSlots);

  find(caller: Caller, body: string): CachedResponse | null {
    const key = keyOf(caller, body);
    const response = this.#responses.get(key);
    if (!response) return null;
    if (response.caller === caller && response.isValid()) return response;
    this.#responses.delete(key);
    return null;
  }

  store(body: string, response: CachedResponse): void {
    const key = keyOf(response.caller, body);
    if (key.length + response.text.length > maxLength) return;
    if (this.#isRepeated(key)) this.#responses.set(key, response);
  }

  #isRepeated(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (seenSlots - 1);
    const isRepeated = this.#seen[slot] === hash;
    this.#seen[slot] = hash;
    return isRepeated;
  }
}

/** Callers never share a response. */
const keyOf = ({ tenant, name }: Caller, body: string) => `${tenant}\n${name ?? ''}\n${body}`;

/** FNV-1a. Two requests with the same hash cost one stored response. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash;
}

interface FastPathOptions {
  readonly maxBodyBytes: number;
  readonly rules: Rules;
  readonly readDocument: DocumentReader;
  readonly runOperation: OperationRunner;
  /** Whether responses that were built from cached data alone are cached. */
  readonly cachesResponses: boolean;
  /** Null when queries are not compiled. */
  readonly streams: StreamPath | null;
  /** Hands a request over whose response has several parts; nothing was checked or executed but its head. */
  readonly continueOnYoga: (request: HttpRequest, body: Buffer) => Promise<void>;
}

/**
 * Responds to a POST of JSON, which is nearly every request, without Yoga's HTTP layer. Its responses in one part are byte for
 * byte those of the Yoga path.
 */
export class FastPath {
  readonly #options: FastPathOptions;
  readonly #cache: ResponseCache | null;

  constructor(options: FastPathOptions) {
    this.#options = options;
    this.#cache = options.cachesResponses ? new ResponseCache() : null;
  }

  /** False when the request belongs on the Yoga path; nothing was read then. */
  handle(request: HttpRequest): boolean {
    const { maxBodyBytes, rules } = this.#options;
    const { method, target, headers } = request;
    if (method !== 'POST' || target !== graphqlPath) return false;
    const length = Number(headers['content-length']);
    // A chunked body has no known length.
    if (!(length > 0 && length <= maxBodyBytes) || headers['content-encoding']) return false;
    if (!plainJson.test(headers['content-type'] ?? '')) return false;
    const accept = headers.accept ?? null;
    const type = singleResponseTypeFor(accept);
    if (!type && !incrementalDeliveryFor(accept)) return false;
    const exchange = { request, type };
    this.#process(exchange).catch((error) => respondToFailure(rules, exchange, error));
    return true;
  }

  /** Responds, unless the client is gone. @throws when a resolver result cannot be serialized, and for bugs. */
  async #process(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const { rules, maxBodyBytes } = this.#options;
    const headRefusal = await rules.check('onRequest', request);
    if (headRefusal) return refuseWith(rules, exchange, [headRefusal]);

    const body = await readBody(request.node, maxBodyBytes);
    if (body === null) return;
    const text = decodeBody(body);
    const cached = text === null ? null : this.#cache?.find(request.caller, text);
    if (cached) {
      const refusal = await rules.check('onCachedResponse', request);
      if (refusal) return refuseWith(rules, exchange, [refusal]);
      request.isResponseCached = true;
      request.operation = cached.operation;
      return write(exchange, 200, cached.text);
    }

    const refusal = text === null ? null : rules.checkBody(text, request);
    if (refusal) {
      return write(exchange, refusal.status, refusalText(request, refusal), refusal.headers);
    }
    const { query, operationName, variables } = rules.resolveParams(parseBody(text));
    const read = this.#options.readDocument(query ?? '', operationName, request.caller);
    if ('errors' in read) return refuseWith(rules, exchange, read.errors);
    const { document, operation } = read;
    const runnable = { document, operation, text: query ?? '', variables };
    if (!hasSingleResult(operation, document)) {
      const { streams } = this.#options;
      const plan = streams?.planOf(request, runnable);
      if (streams && plan) return streams.respond(exchange, runnable, plan);
      return this.#options.continueOnYoga(request, body);
    }

    const run = await this.#options.runOperation(request, runnable);
    if ('refusal' in run) return refuseWith(rules, exchange, run.refusal);
    const { result, text: written, scope } = run;
    // The executor stopped when the client disconnected, so the data may be incomplete.
    if (request.response.destroyed) return;
    write(exchange, headOf(result, exchange.type).status, written);

    if (!this.#cache || text === null || operation.operation !== 'query' || result.errors) return;
    const isValid = scope.cacheValidity?.();
    if (!isValid) return;
    const { caller, operation: facts } = request;
    this.#cache.store(text, { text: written, caller, isValid, operation: facts });
  }
}

// Case-sensitive, as on the Yoga path.
const plainJson = /^application\/json(?:; ?charset=(?:utf|UTF)-8)?$/;
