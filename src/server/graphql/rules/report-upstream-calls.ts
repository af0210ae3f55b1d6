import type { RequestScope } from '../../http/http-request.ts';
import { isFollowed, type Rule } from '../rule.ts';

/**
 * Reports in `extensions.stale` the upstream actions whose cached data is older than its maximum age, with the age in
 * seconds of the oldest. In development it also reports in `extensions.upstream` the upstream calls of an operation: how
 * many, which, and how long each took. A caller that is bound to a customer receives no report: the calls would show
 * which domains other customers have.
 *
 * Of the parts of `@defer` and `@stream` the last one reports all. An event of a subscription reports what followed the event
 * before.
 */
export const reportUpstreamCalls = (isDevelopment: boolean): Rule => ({
  onResult(result, { scope, reported, caller }) {
    if (!scope || isFollowed(result)) return result;
    const isDetailed = isDevelopment && caller.customer === null;
    const upstream = {
      upstreamCalls: scope.upstreamCalls.slice(reported.calls),
      cachedReads: scope.cachedReads.slice(reported.cached),
    };
    reported.calls = scope.upstreamCalls.length;
    reported.cached = scope.cachedReads.length;
    const stale = upstream.cachedReads.filter((read) => read.stale);
    if (stale.length === 0 && !isDetailed) return result;
    const extensions = {
      ...result.extensions,
      ...(stale.length > 0 && { stale: describeStale(stale) }),
      ...(isDetailed && { upstream: describe(upstream) }),
    };
    return { ...result, extensions };
  },
});

/** `calls` and `byAction` count what this request sent; calls shared with other requests are marked in `list`. */
function describe({ upstreamCalls, cachedReads }: RequestScope) {
  const own = upstreamCalls.filter(({ shared }) => !shared);
  const list = upstreamCalls.map((call) => ({ ...call, durationMs: Math.round(call.durationMs) }));
  return {
    calls: own.length,
    byAction: Object.fromEntries(byAction(own).map(([action, calls]) => [action, calls.length])),
    list,
    ...(cachedReads.length > 0 && { cached: describeCached(cachedReads) }),
  };
}

type ReportedReads = RequestScope['cachedReads'];

const byAction = <Entry extends { readonly action: string }>(entries: readonly Entry[]) => [
  ...Map.groupBy(entries, ({ action }) => action),
];
const oldestMs = (reads: ReportedReads) => Math.max(...reads.map(({ ageMs }) => ageMs));

const describeStale = (reads: ReportedReads) =>
  byAction(reads).map(([action, some]) => ({
    action,
    ageSeconds: Math.floor(oldestMs(some) / 1_000),
  }));

/** One entry per action: the number of cached answers, and the age of the oldest. */
const describeCached = (reads: ReportedReads) =>
  byAction(reads).map(([action, some]) => ({
    action,
    answers: some.length,
    oldestMs: Math.round(oldestMs(some)),
    stale: some.some(({ stale }) => stale),
  }));
