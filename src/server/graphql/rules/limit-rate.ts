import type { GraphQLError } from 'graphql';
import type { TokenBuckets } from '../../../lib/token-bucket.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { requestFault } from '../../http/request-fault.ts';
import type { Rule, RuleVerdict } from '../rule.ts';

/** The cost of a request that needs no upstream call, or whose response is cached. */
const minCost = 0.1;
/** The cost of one row of a stored list. */
const rowCost = 0.001;

/** Calls that a caller can always request at once after a time without requests: a page of 100 domains with their details. */
const minBurst = 100;

/**
 * Refuses callers that exceed their rate of upstream calls, as estimated before execution. Purchases and queries about
 * purchases are exempt, and so are callers without a name.
 */
export function limitRate(buckets: TokenBuckets, callsPerMinute: number): Rule {
  const perSecond = callsPerMinute / 60;
  const rate = { capacity: Math.max(minBurst, perSecond), perSecond };
  const charge = ({ caller: { name, tenant } }: HttpRequest, cost: number): RuleVerdict => {
    if (name === null) return null;
    const { granted, waitMs } = buckets.take(`${tenant} ${name}`, cost, rate);
    return granted ? null : rateExceeded(waitMs);
  };
  const chargeEstimate = (request: HttpRequest): RuleVerdict => {
    const { estimate } = request;
    if (estimate?.isNeverLimited) return null;
    const { upstreamCalls = 0, storedRows = 0 } = estimate ?? {};
    return charge(request, Math.max(minCost, upstreamCalls, storedRows * rowCost));
  };
  return {
    onOperation: (_operation, request) => chargeEstimate(request),
    onExport: chargeEstimate,
    onCachedResponse: (request) => charge(request, minCost),
  };
}

function rateExceeded(waitMs: number): GraphQLError {
  const seconds = Math.ceil(waitMs / 1000);
  const message = `The rate limit of this caller is reached; retry in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return requestFault('RATE_LIMITED', message, 429, { 'retry-after': String(seconds) });
}
