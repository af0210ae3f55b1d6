import { type ExecutionResult, GraphQLError } from 'graphql';
import { mapAsyncIterator } from 'graphql-yoga';
import { Fault } from '../../kernel/faults.ts';
import type { Asked, Estimate } from '../cost/estimate.ts';
import type { Beginning, Layer } from '../layer.ts';
import { notesOf, type RequestView } from '../request-view.ts';

export interface CostLimitOptions {
  readonly estimate: (asked: Asked) => Estimate | null;
  /** Upstream calls that one request may take. */
  readonly limit: number;
}

/**
 * Counts the upstream calls of an operation before it is executed, refuses one that takes too many, and tells in
 * `extensions.cost` of each answer what was counted.
 */
export function useCostLimit({ estimate, limit }: CostLimitOptions): Layer {
  /** Null where the operation may be executed. */
  const refusalOf = (asked: Asked, request: RequestView): GraphQLError | null => {
    const counted = estimate(asked);
    if (!counted) return null;
    const { upstreamCalls, searches } = counted;
    const notes = notesOf(request);
    notes.estimate = counted;
    if (upstreamCalls > limit) return refused(upstreamCalls, limit);
    notes.scope?.budget?.plan(upstreamCalls, searches);
    return null;
  };

  const withCost = <Result extends ExecutionResult>(
    result: Result,
    request: RequestView,
  ): Result => {
    const counted = notesOf(request).estimate;
    if (!counted) return result;
    const cost = { upstreamCalls: counted.upstreamCalls, limit };
    return { ...result, extensions: { ...result.extensions, cost } };
  };

  const onBegin = ({ args, setResultAndStopExecution }: Beginning): void => {
    const { document, operationName, variableValues, contextValue } = args;
    const asked = { document, operationName, variables: variableValues };
    const refusal = refusalOf(asked, contextValue.request);
    if (refusal) setResultAndStopExecution({ errors: [refusal] });
  };
  return {
    full: {
      onExecute: onBegin,
      onSubscribe: onBegin,
      onExecutionResult({ request, result, setResult }) {
        if (!result || Array.isArray(result)) return;
        const told = (one: ExecutionResult) => withCost(one, request);
        setResult(Symbol.asyncIterator in result ? mapAsyncIterator(result, told) : told(result));
      },
    },
    plain: {
      allows: (asked, request) => refusalOf(asked, request) === null,
      finish: withCost,
    },
  };
}

const refused = (upstreamCalls: number, limit: number): GraphQLError => {
  const message = `This document takes up to ${upstreamCalls} upstream calls, and ${limit} are allowed; ask for less at a time: a shorter page, fewer names, or some of it in another request.`;
  return new GraphQLError(message, {
    originalError: new Fault('COST_LIMIT_EXCEEDED', { message }),
  });
};
