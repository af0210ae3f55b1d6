import { isAscii } from 'node:buffer';
import type { GraphQLError } from 'graphql';
import { parseJson } from '../../lib/json.ts';
import { isDeeperThan } from '../../lib/json-syntax.ts';
import { resultOr } from '../../lib/result-or.ts';
import type { OnError } from '../http/http-request.ts';
import { requestFault } from './errors/request-fault.ts';
import { excess, findJsonFlaw } from './limits/json-flaw.ts';
import { jsonLimits } from './limits/limits.ts';

/** The parameters of a GraphQL request. Their types hold once `checkParams` has returned null. */
export interface Params {
  /** Absent where `documentId` or `extensions.persistedQuery` names the document. */
  readonly query?: string | null;
  /** The id of a document of the manifest. */
  readonly documentId?: string | null;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
  readonly onError?: OnError | null;
}

export const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

// A byte order mark makes a body invalid JSON.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a body; null when it is not UTF-8. */
export const decodeBody = (body: Buffer): string | null =>
  isAscii(body) ? body.toString('latin1') : resultOr(() => decoder.decode(body), null);

/**
 * The parameters in the body of a POST; `text` is null for a body that is not UTF-8.
 *
 * @throws GraphQLError
 */
export function parseBody(text: string | null): Params {
  if (text === null) throw badRequest('The body is not in UTF-8.');
  const value = parseWithin(text, 'The body is not JSON.');
  if (Array.isArray(value)) throw badRequest('Batching is not supported.');
  if (typeof value === 'object' && value !== null) return value;
  throw badRequest('The body is one JSON object.');
}

/**
 * The parameters in the query of a GET.
 *
 * @throws GraphQLError
 */
export function parseQuery(query: URLSearchParams): Params {
  const json = (name: string) => {
    const text = query.get(name);
    if (!text) return null;
    return parseWithin(text, `The parameter \`${name}\` is not JSON.`) as Record<string, unknown>;
  };
  return {
    query: query.get('query'),
    documentId: query.get('documentId') || null,
    operationName: query.get('operationName') || null,
    onError: (query.get('onError') || null) as OnError | null,
    variables: json('variables'),
    extensions: json('extensions'),
  };
}

/** @throws GraphQLError with `sentence` for a text that is not JSON, and for JSON beyond the limits. */
function parseWithin(text: string, sentence: string): unknown {
  if (isDeeperThan(text, jsonLimits.depth.most)) throw badRequest(excess(jsonLimits.depth));
  const value = parseJson(text);
  if (value === undefined) throw badRequest(sentence);
  const flaw = findJsonFlaw(value);
  if (flaw !== null) throw badRequest(flaw);
  return value;
}

const names: ReadonlySet<string> = new Set([
  ...['query', 'operationName', 'variables', 'extensions', 'onError'],
]);
const onErrorModes: ReadonlySet<unknown> = new Set<OnError>(['PROPAGATE', 'NULL', 'ABORT']);

/** The error that refuses parameters of the wrong shape; null when they are as the specification defines them. */
export function checkParams(params: Params): GraphQLError | null {
  for (const [name, value] of Object.entries(params)) {
    if (!isAbsent(value) && !names.has(name)) {
      return badRequest(`Unexpected parameter "${name}" in the request body.`);
    }
  }
  const { query, variables, extensions, onError } = params;
  if (isAbsent(query)) return badRequest('Must provide query string.', allowed);
  if (typeof query !== 'string') {
    const message = `Expected "query" param to be a string, but given ${typeOf(query)}.`;
    return badRequest(message, allowed);
  }
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if (isAbsent(value) || typeOf(value) === 'object') continue;
    const message = `Expected "${name}" param to be empty or an object, but given ${typeOf(value)}.`;
    return badRequest(message, allowed);
  }
  if (!isAbsent(onError) && !onErrorModes.has(onError)) {
    return badRequest('The parameter "onError" must be PROPAGATE, NULL or ABORT.');
  }
  return null;
}

const allowed = { allow: 'GET, POST' };

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

const badRequest = (message: string, headers?: Readonly<Record<string, string>>): GraphQLError =>
  requestFault('INVALID_REQUEST', message, 400, headers);
