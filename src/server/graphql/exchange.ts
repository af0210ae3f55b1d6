import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { HttpRequest } from '../http/http-request.ts';
import { writeHead } from '../http/responses.ts';
import type { SingleResponseType } from './delivery.ts';
import { httpExtensionOf } from './errors/request-fault.ts';
import type { Rules } from './rule.ts';

/** A request, and the media type of its response in one part. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly type: SingleResponseType;
  /** The body of a refusal; by default it has the errors in the shape of GraphQL. */
  readonly refusalBody?: (status: number, error: GraphQLFormattedError) => object;
}

export function write(
  { request, type }: Exchange,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const length = Buffer.byteLength(text);
  writeHead(request, status, {
    ...headers,
    'content-type': `${type}; charset=utf-8`,
    'content-length': length,
  });
  // Text of ASCII alone needs no conversion.
  request.response.end(text, length === text.length ? 'latin1' : 'utf8');
}

/** Responds with errors and no data; the status and headers are those of the errors, as Yoga chooses them. */
export function refuseWith(
  rules: Rules,
  exchange: Exchange,
  errors: readonly GraphQLError[],
): void {
  const result = rules.finishResult({ errors }, exchange.request);
  const headers: Record<string, string> = {};
  let status = 0;
  for (const error of result.errors ?? []) {
    const http = httpExtensionOf(error);
    Object.assign(headers, http.headers);
    const isIgnored = http.spec === true && exchange.type === 'application/json';
    if (!isIgnored) status = Math.max(status, http.status ?? 0);
  }
  const reported = (result.errors ?? []).map(withoutHttp);
  const [first] = reported;
  const text = JSON.stringify(
    first && exchange.refusalBody
      ? exchange.refusalBody(status, first)
      : { ...result, errors: reported },
  );
  write(exchange, status || 200, text, headers);
}

function withoutHttp(error: GraphQLError): GraphQLFormattedError {
  const { extensions, ...json } = error.toJSON();
  const { http: _http, ...rest } = extensions ?? {};
  return { ...json, extensions: rest };
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
