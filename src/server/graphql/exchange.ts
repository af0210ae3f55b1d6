import { type ExecutionResult, GraphQLError } from 'graphql';
import type { HttpRequest } from '../http/http-request.ts';
import { type HttpExtension, httpExtensionOf, withExtensions } from '../http/request-fault.ts';
import { refusalBody, writeHead } from '../http/responses.ts';
import {
  eventStreamDelivery,
  incrementalDeliveryFor,
  type SingleResponseType,
} from './delivery.ts';
import { beginParts, framesOf } from './frames.ts';
import type { Rules } from './rule.ts';

/** A request, and the media type of its response in one part; null for a client that accepts only responses in several parts. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly type: SingleResponseType | null;
}

export function write(
  { request, type }: Exchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (type === null) {
    writeAlone(request, status, text, headers);
    return;
  }
  const length = Buffer.byteLength(text);
  // Node has no reason phrase for it.
  if (status === partialSuccess.status) request.response.statusMessage = partialSuccess.statusText;
  writeHead(request, status, {
    ...headers,
    'content-type': `${type}; charset=utf-8`,
    'content-length': length,
  });
  // Text of ASCII alone needs no conversion.
  request.response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** The one part of a response whose client accepts several. */
function writeAlone(
  request: HttpRequest,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  const delivery = incrementalDeliveryFor(request.header('accept'));
  const frames = framesOf(delivery ?? eventStreamDelivery);
  beginParts(request, frames, status, headers);
  request.response.end(`${frames.begin}${frames.part(text)}${frames.end}`);
}

/** The status of data with errors; only one media type has it. */
export const partialSuccess = { status: 294, statusText: 'Partial Success' } as const;

/** The status and the headers of a result in a media type, by the specification of GraphQL over HTTP. */
export function headOf(
  { data, errors = [] }: ExecutionResult,
  // The status of a response in several parts is that of `application/json`.
  accepted: SingleResponseType | null,
): { readonly status: number; readonly headers: Readonly<Record<string, string>> } {
  const type = accepted ?? 'application/json';
  const headers: Record<string, string> = {};
  if (data !== undefined) {
    const isPartial = errors.length > 0 && type === 'application/graphql-response+json';
    return { status: isPartial ? partialSuccess.status : 200, headers };
  }
  let highest = 0;
  for (const error of errors) {
    const http = httpExtensionOf(error);
    Object.assign(headers, http.headers);
    highest = Math.max(
      highest,
      type === 'application/json' ? jsonStatus(http) : (http.status ?? 0),
    );
  }
  return { status: highest || (type === 'application/json' ? 200 : 500), headers };
}

/** Clients that accept `application/json` alone know the statuses before the first release of the specification. */
function jsonStatus({ status = 0, spec = false }: HttpExtension): number {
  if (spec) return 0;
  return status === 422 ? 400 : status;
}

/** Responds with errors and no data; the status and headers are those of the errors. */
export function refuseWith(
  rules: Rules,
  exchange: Exchange,
  errors: readonly GraphQLError[],
): void {
  const result = rules.finishResult({ errors }, exchange.request);
  const { status, headers } = headOf(result, exchange.type);
  const body = { ...result, errors: (result.errors ?? []).map(withoutHttp) };
  const text = JSON.stringify(refusalBody(exchange.request, status, body));
  write(exchange, status, text, headers);
}

/** The error as the client gets it. */
export function withoutHttp(error: GraphQLError): GraphQLError {
  const { http: _http, ...extensions } = error.extensions;
  return withExtensions(error, extensions);
}

/** Responds to an error that was thrown before the response began. */
export function respondToFailure(rules: Rules, exchange: Exchange, error: unknown): void {
  const { response } = exchange.request;
  try {
    refuseWith(rules, exchange, [toGraphQLError(error)]);
  } catch {
    // The error cannot be reported, for example because the log fails.
    if (response.headersSent) response.destroy();
    else {
      writeHead(exchange.request, 500, {});
      response.end();
    }
  }
}

/** As Yoga wraps an unexpected error. */
export const toGraphQLError = (error: unknown): GraphQLError =>
  error instanceof GraphQLError
    ? error
    : new GraphQLError('Unexpected error.', {
        originalError: error instanceof Error ? error : new Error(String(error)),
      });
