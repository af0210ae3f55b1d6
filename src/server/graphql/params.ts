import { isAscii } from 'node:buffer';
import type { GraphQLError } from 'graphql';
import { isDeeperThan, parseJson, resultOr, secondMember } from '../../lib/json.ts';
import { requestFault } from '../http/request-fault.ts';
import { findJsonFlaw, jsonExcess, jsonLimits } from './check-document.ts';

/** The parameters of a GraphQL request. Their types hold once `checkParams` has returned null. */
export interface Params {
  /** Absent where `documentId` or `extensions.persistedQuery` names the document. */
  readonly query?: string | null;
  /** The id of a document of the manifest. */
  readonly documentId?: string | null;
  readonly operationName?: string | null;
  readonly variables?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: Readonly<Record<string, unknown>> | null;
}

export const isAbsent = (value: unknown): value is null | undefined =>
  value === undefined || value === null;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, without a byte order mark; null when it is not UTF-8. */
export const decodeBody = (body: Buffer): string | null =>
  isAscii(body) ? body.toString('latin1') : resultOr(() => decoder.decode(body), null);

/**
 * The JSON object in the body of a POST; `text` is null for a body that is not UTF-8.
 *
 * @throws GraphQLError
 */
export function parseObject(text: string | null): object {
  if (text === null) throw refusal('The body is not in UTF-8.', 400);
  const value = parseWithin(text, () => refusal('The body is not JSON.', 400));
  if (Array.isArray(value)) throw refusal('Batching is not supported.');
  if (typeof value !== 'object' || value === null) throw refusal('The body is one JSON object.');
  return value;
}

/**
 * The parameters in the body of a POST, without other members, which are reserved; `text` is null for a body that is not UTF-8.
 *
 * @throws GraphQLError
 */
export function parseBody(text: string | null): Params {
  const params: Params = parseObject(text);
  const { query = null, documentId = null, operationName = null } = params;
  const { variables = null, extensions = null } = params;
  return { query, documentId, operationName, variables, extensions };
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
    const sentence = `The parameter \`${name}\` is not JSON.`;
    return parseWithin(text, () => refusal(sentence)) as Record<string, unknown>;
  };
  return {
    query: query.get('query'),
    documentId: query.get('documentId') || null,
    operationName: query.get('operationName') || null,
    variables: json('variables'),
    extensions: json('extensions'),
  };
}

/** @throws GraphQLError `notJson` for a text that is not JSON, and others for JSON beyond the limits. */
function parseWithin(text: string, notJson: () => GraphQLError): unknown {
  if (isDeeperThan(text, jsonLimits.depth.most)) throw refusal(jsonExcess(jsonLimits.depth));
  const value = parseJson(text);
  if (value === undefined) throw notJson();
  const second = secondMember(text);
  if (second !== null) throw refusal(`The JSON of a request has ${second}; remove one of the two.`);
  const flaw = findJsonFlaw(value);
  if (flaw !== null) throw refusal(flaw);
  return value;
}

/** The error that refuses parameters of the wrong shape; null when they are as the specification defines them. */
export function checkParams(params: Params): GraphQLError | null {
  const { query, operationName, variables, extensions } = params;
  if (isAbsent(query)) return refusal('Must provide query string.');
  for (const [name, value] of Object.entries({ query, operationName })) {
    if (isAbsent(value) || typeof value === 'string') continue;
    return refusal(`Expected "${name}" param to be a string, but given ${typeOf(value)}.`);
  }
  for (const [name, value] of Object.entries({ variables, extensions })) {
    if (isAbsent(value) || typeOf(value) === 'object') continue;
    return refusal(
      `Expected "${name}" param to be empty or an object, but given ${typeOf(value)}.`,
    );
  }
  return null;
}

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value);

/** By default of JSON that is no request of GraphQL. */
const refusal = (message: string, status = 422): GraphQLError =>
  requestFault('INVALID_REQUEST', message, status);
