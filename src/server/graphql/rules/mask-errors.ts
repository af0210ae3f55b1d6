import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { Caller } from '../../../kernel/caller.ts';
import { Fault, type FaultCode, faults } from '../../../kernel/faults.ts';
import { withoutCosts } from '../../../kernel/visibility.ts';
import type { Log } from '../../../observability/log.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import {
  type HttpExtension,
  httpExtensionOf,
  statusOf,
  withExtensions,
} from '../../http/request-fault.ts';
import { inputPathOf, safeMessage } from '../graphql-messages.ts';
import type { Rule } from '../rule.ts';

/** Errors of a refusal that are reported. */
const maxRefusalErrors = 10;

/**
 * Reports known faults with their code and message. Logs all other errors and replaces them by `INTERNAL`. With
 * `shownTo` messages may contain names of the schema that are not in the document, as far as the caller may know it.
 */
export function maskErrors(log: Log, shownTo: (caller: Caller) => GraphQLSchema | null): Rule {
  const faultOf = (error: GraphQLError, { id, signal, caller }: HttpRequest): Fault => {
    const chain = [...causes(error)];
    const fault = chain.find((one) => one instanceof Fault);
    if (fault && fault.code !== 'INVALID_REQUEST') return fault;
    if (fault || isClientError(error, chain.at(-1))) return clientFault(error, shownTo(caller));
    const unexpected = chain.find((one) => !(one instanceof GraphQLError)) ?? error;
    // Errors after the client disconnected are caused by the abort.
    if (!signal.aborted) log.error('unexpected error', { requestId: id, error: unexpected });
    return new Fault('INTERNAL');
  };

  const masked = (result: Maskable, request: HttpRequest, isRefusal: boolean): Maskable => {
    const mask = (error: GraphQLError): GraphQLError => {
      const found = faultOf(error, request);
      const fault = request.scope?.hidesCosts ? withoutCosts(found) : found;
      request.errorCodes.add(fault.code);
      return maskedError(error, fault, request.id, isRefusal);
    };
    const errors =
      result.errors && (isRefusal ? distinct(result.errors, mask) : result.errors.map(mask));
    if (!errors && !result.incremental && !result.completed) return result;
    const maskParts = (name: 'incremental' | 'completed') =>
      result[name] && { [name]: result[name].map((part) => masked(part, request, false)) };
    const parts = { ...maskParts('incremental'), ...maskParts('completed') };
    return { ...result, ...(errors && { errors }), ...parts };
  };

  return {
    onResult: (result, request, isPart) => masked(result, request, !isPart && !('data' in result)),
  };
}

/**
 * The first errors of a refusal, equal ones once. Without names of the schema the errors about several missing fields of one
 * input are equal.
 */
function distinct(
  errors: readonly GraphQLError[],
  mask: (error: GraphQLError) => GraphQLError,
): readonly GraphQLError[] {
  const byContent = new Map<string, GraphQLError>();
  for (const error of errors) {
    if (byContent.size === maxRefusalErrors) break;
    const masked = mask(error);
    const { message, path, locations, extensions } = masked;
    const content = JSON.stringify([message, path, locations, extensions.inputPath]);
    if (!byContent.has(content)) byContent.set(content, masked);
  }
  return [...byContent.values()];
}

/** The error and the errors that it wraps. */
function* causes(error: unknown): Generator<Error> {
  const seen = new Set<Error>();
  let current = error;
  while (current instanceof Error && !seen.has(current)) {
    seen.add(current);
    yield current;
    current = (current instanceof GraphQLError && current.originalError) || current.cause;
  }
}

/** Whether an error without a fault is a refusal with a 4xx status, or about a document or variable that does not fit the schema. */
function isClientError(outer: GraphQLError, inner: unknown): boolean {
  const { status } = httpExtensionOf(outer);
  if (status !== undefined) return status >= 400 && status < 500;
  // An error of an argument has nodes of the document, and an error of a variable has no path. An error of a value that
  // cannot be serialized has the path of its field, and its inner error has no nodes.
  return inner instanceof GraphQLError && (inner.nodes !== undefined || outer.path === undefined);
}

/** The fault of a value of the input that does not fit the schema, or else of the request. */
function clientFault(error: GraphQLError, shownSchema: GraphQLSchema | null): Fault {
  const path = inputPathOf(error);
  const message = safeMessage(error.message, error, path, shownSchema);
  return new Fault(path ? 'INVALID_INPUT' : 'INVALID_REQUEST', { message, path: path ?? [] });
}

/** A result; parts that `@defer` and `@stream` deliver later have errors of their own. */
interface Maskable {
  readonly errors?: readonly GraphQLError[];
  readonly incremental?: readonly Maskable[];
  /** Deferred fragments that failed, in the form of graphql-js 17. */
  readonly completed?: readonly Maskable[];
}

/** With `isRefusal` nothing was executed, so that the HTTP status reports the error too. */
function maskedError(
  error: GraphQLError,
  fault: Fault,
  requestId: string,
  isRefusal: boolean,
): GraphQLError {
  const { retryable, executed, code, upstream } = fault;
  const { retryAfterMs } = fault.facts;
  const inputPath = fault.inputPath.length > 0 ? fault.inputPath : inputPathOf(error);
  const extensions = {
    code,
    category: faults[code].category,
    retryable,
    executed,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...fault.facts.extensions,
    requestId,
    ...(upstream && { upstreamCode: upstream.code }),
    ...(upstream?.message && { upstreamMessage: upstream.message }),
    ...(inputPath && { inputPath }),
    ...(isRefusal && { http: httpOf(error, fault) }),
  };
  return withExtensions(error, extensions, shortened(fault.message));
}

/** The status and headers of a refusal. */
function httpOf(error: GraphQLError, { code }: Fault): HttpExtension {
  const { status, headers } = httpExtensionOf(error);
  return {
    status: status ?? statusOf(code),
    ...(headers && { headers }),
    ...(isOfDocument(error, code) && { spec: true }),
  };
}

/** Whether graphql-js refuses a document or its variables. */
function isOfDocument(error: GraphQLError, code: FaultCode): boolean {
  if (httpExtensionOf(error).status) return ofDocument.has(error.extensions.code);
  return code !== 'INTERNAL' && ![...causes(error)].some((one) => one instanceof Fault);
}

const ofDocument: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
]);

/** Messages of validation quote the document. */
const maxMessageLength = 500;
const shortened = (message: string) =>
  message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message;
