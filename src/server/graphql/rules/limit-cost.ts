import type { Estimate } from '../cost-estimate.ts';
import { requestFault } from '../errors/request-fault.ts';
import type { RequestedOperation, Rule } from '../rule.ts';

export interface CostLimitOptions {
  readonly estimate: (operation: RequestedOperation) => Estimate | null;
  /** Upstream calls that one request may need. */
  readonly limit: number;
}

/** Refuses an operation that needs too many upstream calls, and reports their number in `extensions.cost`. */
export const limitCost = ({ estimate, limit }: CostLimitOptions): Rule => ({
  onOperation(operation, request) {
    const estimated = estimate(operation);
    if (!estimated) return null;
    request.estimate = estimated;
    const { upstreamCalls, searches } = estimated;
    if (upstreamCalls > limit) return tooExpensive(upstreamCalls, limit);
    request.scope?.budget?.plan(upstreamCalls, searches);
    return null;
  },
  onResult(result, { estimate: estimated }) {
    if (!estimated) return result;
    const cost = { upstreamCalls: estimated.upstreamCalls, limit };
    return { ...result, extensions: { ...result.extensions, cost } };
  },
});

const tooExpensive = (upstreamCalls: number, limit: number) =>
  requestFault(
    'COST_LIMIT_EXCEEDED',
    `This document needs up to ${upstreamCalls} upstream calls; the limit is ${limit}. Request a shorter page or fewer names, or split the document.`,
    400,
  );
