import type { IncomingMessage } from 'node:http';
import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { type Category, Fault, type FaultCode, faults } from '../../kernel/faults.ts';
import { withoutStack } from '../../lib/errors.ts';
import type { HttpRefusal } from './responses.ts';

/** `extensions.http` of an error: how to respond when nothing was executed. Yoga defines it. */
export interface HttpExtension {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the error is one of the document or its variables, whose status is 200 for `application/json`. */
  readonly spec?: boolean;
}

export const httpExtensionOf = ({ extensions }: GraphQLError): HttpExtension =>
  (extensions.http as HttpExtension | undefined) ?? {};

const statusOfCategory: Readonly<Record<Category, number>> = {
  INPUT: 422,
  ACCESS: 403,
  LIMIT: 422,
  UPSTREAM: 503,
  GATEWAY: 500,
};

const statusOfCode: Readonly<Partial<Record<FaultCode, number>>> = {
  UNAUTHENTICATED: 401,
  RATE_LIMITED: 429,
  OVERLOADED: 429,
  OUTCOME_UNKNOWN: 504,
  UPSTREAM_TIMEOUT: 504,
  UPSTREAM_PROTOCOL: 502,
  UPSTREAM_REJECTED: 502,
};

/** The HTTP status of a request that is refused with a code, unless the refusal has its own. */
export const statusOf = (code: FaultCode): number =>
  statusOfCode[code] ?? statusOfCategory[faults[code].category];

/** Refuses a request before anything is executed, with an HTTP status. */
export const requestFault = (
  code: FaultCode,
  message: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): GraphQLError => {
  const originalError = new Fault(code, { message, executed: 'NO' });
  const extensions = { http: { status, headers } };
  return withoutStack(() => new GraphQLError(message, { originalError, extensions }));
};

/** The error with other extensions, at the same place of the document and of the result. */
export function withExtensions(
  error: GraphQLError,
  extensions: GraphQLErrorExtensions,
  message = error.message,
): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = error;
  const options = { nodes, source, positions, path, extensions };
  return withoutStack(() => new GraphQLError(message, options));
}

/** Refuses a document with the status of an invalid one. */
export const documentFault = (code: FaultCode, message: string = faults[code].message) =>
  new GraphQLError(message, {
    originalError: new Fault(code, { message }),
    extensions: { http: { status: 422 }, code: 'GRAPHQL_VALIDATION_FAILED' },
  });

export const refusalError = ({ code, message, status, headers }: HttpRefusal): GraphQLError =>
  requestFault(code, message, status, headers);

/**
 * The body of a request; null when the client disconnected before its end.
 *
 * @throws GraphQLError 413 for more than `maxBytes`.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    if (request.destroyed) return resolve(null);
    let chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxBytes) return void chunks.push(chunk);
      chunks = [];
      reject(tooLong(maxBytes));
    });
    request.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)),
    );
    request.on('error', () => resolve(null));
    request.on('close', () => resolve(null));
  });
}

const tooLong = (maxBytes: number) =>
  requestFault('INVALID_REQUEST', `The body of a request has at most ${maxBytes} bytes.`, 413, {
    connection: 'close',
  });
