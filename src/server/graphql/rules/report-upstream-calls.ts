import type { ExecutionResult } from 'graphql';
import type { RequestScope } from '../../http/http-request.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports in `extensions.upstream` the upstream calls of an operation: how many, which, and how long each took.
 *
 * Each part of a response in several parts reports those since the part before. The last part reports all of them, since
 * a client that merges the parts keeps only the last.
 */
export const reportUpstreamCalls = (): Rule => ({
  onResult(result, { scope, reported }) {
    if (!scope) return result;
    const { upstreamCalls, cachedReads } = scope;
    const from = isLastPart(result) ? { calls: 0, cached: 0 } : { ...reported };
    const upstream = describe({
      upstreamCalls: upstreamCalls.slice(from.calls),
      cachedReads: cachedReads.slice(from.cached),
    });
    reported.calls = upstreamCalls.length;
    reported.cached = cachedReads.length;
    return { ...result, extensions: { ...result.extensions, upstream } };
  },
});

/** Only the parts of an incremental response have `hasNext`. */
const isLastPart = (result: ExecutionResult): boolean =>
  'hasNext' in result && result.hasNext === false;

/** `calls` and `byAction` count what this request sent; calls shared with other requests are marked in `list`. */
function describe({ upstreamCalls, cachedReads }: RequestScope) {
  const own = upstreamCalls.filter(({ shared }) => !shared);
  const list = upstreamCalls.map((call) => ({ ...call, durationMs: Math.round(call.durationMs) }));
  return {
    calls: own.length,
    byAction: countByAction(own),
    list,
    ...(cachedReads.length > 0 && { cached: describeCached(cachedReads) }),
  };
}

function countByAction(calls: RequestScope['upstreamCalls']) {
  const counts: Record<string, number> = {};
  for (const { action } of calls) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** One entry per action: the number of cached answers, and the age of the oldest. */
const describeCached = (answers: RequestScope['cachedReads']) =>
  [...Map.groupBy(answers, ({ action }) => action)].map(([action, some]) => ({
    action,
    answers: some.length,
    oldestMs: Math.round(Math.max(...some.map(({ ageMs }) => ageMs))),
    stale: some.some(({ stale }) => stale),
  }));
