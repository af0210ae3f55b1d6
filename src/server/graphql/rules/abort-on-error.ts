import type { GraphQLError } from 'graphql';
import { withExtensions } from '../../http/request-fault.ts';
import type { Rule } from '../rule.ts';

/**
 * Removes the data of a result with an error from the response, for a request with `onError: ABORT`. When a field of a mutation
 * has returned its payload, the client does not see whether it was executed: its errors have `executed: UNKNOWN`.
 */
export const abortOnError = (): Rule => ({
  onResult(result, { onError, operation }) {
    const { data, errors } = result;
    if (onError !== 'ABORT' || !errors || !data) return result;
    const isHidden =
      operation?.kind === 'mutation' && Object.values(data).some((payload) => payload !== null);
    return { ...result, data: null, errors: isHidden ? errors.map(asUnknown) : errors };
  },
});

const asUnknown = (error: GraphQLError): GraphQLError =>
  withExtensions(error, { ...error.extensions, executed: 'UNKNOWN', retryable: false });
