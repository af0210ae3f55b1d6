import type { GraphQLSchema } from 'graphql';
import { createEstimate } from '../cost-estimate.ts';
import { requestFault } from '../errors/request-fault.ts';
import type { Rule } from '../rule.ts';

/**
 * Refuses an operation that needs more upstream calls than `limit`, and reports their number in `extensions.cost`. Rules
 * that follow use the estimate too.
 */
export function limitCost(schema: GraphQLSchema, limit: number): Rule {
  const estimateOf = createEstimate(schema);
  return {
    onOperation(operation, request) {
      const estimate = estimateOf(operation);
      if (!estimate) return null;
      request.estimate = estimate;
      const { upstreamCalls, searches } = estimate;
      if (upstreamCalls > limit) return tooExpensive(upstreamCalls, limit);
      request.scope?.budget?.plan(upstreamCalls, searches);
      return null;
    },
    onResult(result, { estimate }) {
      if (!estimate) return result;
      const cost = { upstreamCalls: estimate.upstreamCalls, limit };
      return { ...result, extensions: { ...result.extensions, cost } };
    },
  };
}

const tooExpensive = (upstreamCalls: number, limit: number) =>
  requestFault(
    'COST_LIMIT_EXCEEDED',
    `This document needs up to ${upstreamCalls} upstream calls; the limit is ${limit}. Request a shorter page or fewer names, or split the document.`,
    400,
  );
