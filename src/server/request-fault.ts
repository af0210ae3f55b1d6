import { GraphQLError } from 'graphql';
import { Fault, type FaultCode, faults, type TopLevelCode } from '../kernel/faults.ts';

/** A request that is refused as a whole before anything runs, with the HTTP status that says so. */
export const requestFault = (
  code: FaultCode,
  message: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): GraphQLError =>
  new GraphQLError(message, {
    originalError: new Fault(code, { message, executed: 'NO' }),
    extensions: { http: { status, headers } },
  });

/** A document that is refused with the status of one that is not valid. */
export const documentFault = (code: FaultCode, message: string = faults[code].message) =>
  new GraphQLError(message, {
    originalError: new Fault(code, { message }),
    extensions: { http: { status: 400 }, code: 'GRAPHQL_VALIDATION_FAILED' },
  });

/** The body of an answer to a request that never reaches the graph, in the shape of the graph's own errors. */
export const refusalBody = (
  message: string,
  { code, requestId }: { readonly code: TopLevelCode; readonly requestId: string },
) => ({
  errors: [
    {
      message,
      extensions: { code, retryable: code === 'RATE_LIMITED', executed: 'NO', requestId },
    },
  ],
});
