import type { IncomingMessage } from 'node:http';
import { type ExecutionResult, execute, GraphQLError, type GraphQLSchema } from 'graphql';
import { lazy } from '../../lib/lazy.ts';
import type { HttpRequest, RequestScope } from '../http/http-request.ts';
import { graphqlPath } from '../http/routes.ts';
import { createQueryExecutor } from './compiled/execute-query.ts';
import type { WrittenResult } from './compiled/run.ts';
import { hasSingleResult, singleResponseTypeFor } from './delivery.ts';
import type { DocumentReader } from './documents.ts';
import { type Exchange, refuseWith, respondToFailure, write } from './exchange.ts';
import { decodeBody, parseBody } from './params.ts';
import { ResponseCache } from './response-cache.ts';
import type { RequestedOperation, Rules } from './rule.ts';
import { coerceVariables } from './values/coerce-variables.ts';

export interface FastPathOptions {
  readonly maxBodyBytes: number;
  readonly schema: GraphQLSchema;
  readonly rules: Rules;
  readonly readDocument: DocumentReader;
  /** Also sets `request.scope`. */
  readonly createScope: (request: HttpRequest) => RequestScope;
  /** Whether responses that were built from cached data alone are cached. */
  readonly cachesResponses: boolean;
  /** Whether queries are compiled; results are the same. */
  readonly compilesQueries: boolean;
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
  readonly #executeQuery: ReturnType<typeof createQueryExecutor> | null;

  constructor(options: FastPathOptions) {
    this.#options = options;
    this.#cache = options.cachesResponses ? new ResponseCache() : null;
    this.#executeQuery = options.compilesQueries ? createQueryExecutor(options.schema) : null;
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
    const { rules, schema } = this.#options;
    const headRefusal = await rules.checkRequest(request);
    if (headRefusal) return refuseWith(rules, exchange, [headRefusal]);

    const body = await readBody(request.node);
    if (body === null) return;
    const text = decodeBody(body);
    const cached = text === null ? null : this.#cache?.find(request.caller, text);
    if (cached) {
      const refusal = await rules.checkCachedResponse(request);
      if (refusal) return refuseWith(rules, exchange, [refusal]);
      request.isResponseCached = true;
      request.operation = cached.operation;
      return write(exchange, 200, cached.text);
    }

    const params = rules.resolveParams(parseBody(text));
    if (params instanceof GraphQLError) return refuseWith(rules, exchange, [params]);
    const { query, operationName, variables } = params;
    const read = this.#options.readDocument(query ?? '', operationName);
    if ('errors' in read) return refuseWith(rules, exchange, read.errors);
    const { document, operation } = read;
    if (!hasSingleResult(operation, document)) {
      return this.#options.continueOnYoga(request, body);
    }

    const scope = this.#options.createScope(request);
    const requested = {
      ...{ document, operation, text: query ?? '', variables },
      coerceVariables: lazy(() => coerceVariables(schema, operation, variables)),
    };
    const refusal = await rules.checkOperation(requested, request);
    if (refusal) return refuseWith(rules, exchange, [refusal]);
    const isAbandoned = () => request.response.destroyed;
    const compiled = this.#executeQuery?.(requested, scope, isAbandoned);
    const { result, dataText } = await (compiled ?? this.#execute(requested, scope));
    if (!('data' in result)) return refuseWith(rules, exchange, result.errors ?? []);
    const finished = rules.finishResult(result, request);
    // The executor stopped when the client disconnected, so the data may be incomplete.
    if (isAbandoned()) return;
    const written = textOf(finished, dataText);
    write(exchange, 200, written);

    if (!this.#cache || text === null || operation.operation !== 'query' || result.errors) return;
    const isValid = scope.cacheValidity?.();
    if (!isValid) return;
    const { caller, operation: facts } = request;
    this.#cache.store(text, { text: written, caller, isValid, operation: facts });
  }

  /** Executes with graphql-js. */
  async #execute(
    { document, operation, variables }: RequestedOperation,
    scope: RequestScope,
  ): Promise<WrittenResult> {
    const result = await execute({
      ...{ schema: this.#options.schema, document },
      operationName: operation.name?.value,
      contextValue: scope,
      variableValues: variables,
    });
    return { result, dataText: JSON.stringify(result.data) };
  }
}

/** The result as JSON, with this text of its data. */
function textOf(result: ExecutionResult, dataText: string): string {
  const members = Object.entries(result).flatMap(([name, value]) => {
    const text = name === 'data' ? dataText : JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${members.join()}}`;
}

// Case-sensitive, as on the Yoga path.
const plainJson = /^application\/json(?:; ?charset=(?:utf|UTF)-8)?$/;

/** Null when the client disconnected before the end of the body. */
function readBody(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve) => {
    if (request.destroyed) return resolve(null);
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
    );
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}
