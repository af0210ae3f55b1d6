import type { GraphQLSchema } from 'graphql';
import { requestFault } from '../../http/request-fault.ts';
import { createEstimate } from '../cost-estimate.ts';
import { isFollowed, type Rule } from '../rule.ts';

interface CostLimits {
  readonly maxUpstreamCalls: number;
  /** Rows of stored lists. */
  readonly maxStoredRows: number;
  readonly hasShopPrices?: boolean;
}

/**
 * Refuses an operation that needs more upstream calls or stored rows than the limits, and reports their numbers in
 * `extensions.cost`: of a stream of events in the first one. Rules that follow use the estimate too.
 */
export function limitCost(
  schema: GraphQLSchema,
  { maxUpstreamCalls: limit, maxStoredRows, hasShopPrices }: CostLimits,
): Rule {
  const estimateOf = createEstimate(schema, hasShopPrices);
  return {
    onOperation(operation, request) {
      const estimate = estimateOf(operation);
      if (!estimate) return null;
      request.estimate = estimate;
      const { upstreamCalls, searches, storedRows } = estimate;
      if (upstreamCalls > limit) {
        return tooExpensive(
          `This document needs up to ${upstreamCalls} upstream calls; the limit is ${limit}. Request a shorter page, pass fewer names or other items, or split the document.`,
        );
      }
      if (storedRows > maxStoredRows) {
        return tooExpensive(
          `This document may read ${storedRows} rows of stored lists; the limit is ${maxStoredRows}. Request shorter pages, or split the document.`,
        );
      }
      request.scope?.budget?.plan(upstreamCalls, searches);
      return null;
    },
    onResult(result, { estimate, reported }) {
      if (!estimate || reported.cost || isFollowed(result)) return result;
      reported.cost = true;
      const { upstreamCalls, storedRows } = estimate;
      const rows = storedRows > 0 && { storedRows, storedRowsLimit: maxStoredRows };
      const cost = { upstreamCalls, limit, ...rows };
      return { ...result, extensions: { ...result.extensions, cost } };
    },
  };
}

const tooExpensive = (sentence: string) => requestFault('COST_LIMIT_EXCEEDED', sentence, 422);
