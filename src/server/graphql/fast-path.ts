import type { HttpRequest } from '../http/http-request.ts';
import { readBody } from '../http/read-body.ts';
import { refusalText } from '../http/responses.ts';
import { graphqlPath } from '../http/routes.ts';
import { hasSingleResult, singleResponseTypeFor } from './delivery.ts';
import type { DocumentReader } from './documents.ts';
import { type Exchange, headOf, refuseWith, respondToFailure, write } from './exchange.ts';
import { decodeBody, parseBody } from './params.ts';
import { ResponseCache } from './response-cache.ts';
import type { Rules } from './rule.ts';
import type { OperationRunner } from './run-operation.ts';

interface FastPathOptions {
  readonly maxBodyBytes: number;
  readonly rules: Rules;
  readonly readDocument: DocumentReader;
  readonly runOperation: OperationRunner;
  /** Whether responses that were built from cached data alone are cached. */
  readonly cachesResponses: boolean;
  /** Hands a request over whose response may have several parts; nothing was checked or executed but its head. */
  readonly continueOnYoga: (request: HttpRequest, body: Buffer) => void;
}

/**
 * Responds to a POST of JSON whose response has one part, which is nearly every request, without Yoga's HTTP layer. Its
 * responses are byte for byte those of the Yoga path.
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
    const type = singleResponseTypeFor(headers.accept ?? null);
    if (!type) return false;
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
    if (!hasSingleResult(operation, document)) {
      return this.#options.continueOnYoga(request, body);
    }

    const runnable = { document, operation, text: query ?? '', variables };
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
