import type { ExecutionResult } from 'graphql';
import { mapAsyncIterator } from 'graphql-yoga';
import type { Layer } from '../layer.ts';
import type { KeptAnswer, RequestScope, TracedCall } from '../request-scope.ts';
import { notesOf, type RequestView } from '../request-view.ts';

/**
 * Reports in `extensions.upstream` the upstream calls of an operation: how many, which, and how long each took.
 *
 * Each part of an answer in several parts reports those since the part before. The last part reports all of them, since
 * a client that merges the parts keeps only the last.
 */
export function useUpstreamTrace(): Layer {
  const tracer = (request: RequestView) => {
    let reported = { calls: 0, kept: 0 };
    return (one: ExecutionResult): ExecutionResult => {
      const { upstreamCalls, keptAnswers } = notesOf(request).scope ?? nothing;
      const from = isLastPart(one) ? { calls: 0, kept: 0 } : reported;
      const upstream = describe({
        upstreamCalls: upstreamCalls.slice(from.calls),
        keptAnswers: keptAnswers.slice(from.kept),
      });
      reported = { calls: upstreamCalls.length, kept: keptAnswers.length };
      return { ...one, extensions: { ...one.extensions, upstream } };
    };
  };
  return {
    full: {
      onExecutionResult({ request, result, setResult }) {
        if (!result) return;
        const traced = tracer(request);
        setResult(
          Symbol.asyncIterator in result ? mapAsyncIterator(result, traced) : traced(result),
        );
      },
    },
    plain: { finish: (result, request) => tracer(request)(result) },
  };
}

/** Only the parts of an incremental answer have `hasNext`. */
const isLastPart = (one: ExecutionResult): boolean => 'hasNext' in one && one.hasNext === false;

const nothing: RequestScope = { upstreamCalls: [], keptAnswers: [] };

/** `calls` and `byAction` count what this request has sent; what it shared with others is marked in `list`. */
function describe({ upstreamCalls, keptAnswers }: RequestScope) {
  const own = upstreamCalls.filter(({ shared }) => !shared);
  const list = upstreamCalls.map((call) => ({ ...call, durationMs: Math.round(call.durationMs) }));
  return {
    calls: own.length,
    byAction: countByAction(own),
    list,
    ...(keptAnswers.length > 0 && { kept: describeKept(keptAnswers) }),
  };
}

function countByAction(calls: readonly TracedCall[]) {
  const counts: Record<string, number> = {};
  for (const { action } of calls) counts[action] = (counts[action] ?? 0) + 1;
  return counts;
}

/** One line for each action: how many answers had been kept, and how old the oldest of them was. */
const describeKept = (answers: readonly KeptAnswer[]) =>
  [...Map.groupBy(answers, ({ action }) => action)].map(([action, some]) => ({
    action,
    answers: some.length,
    oldestMs: Math.round(Math.max(...some.map(({ ageMs }) => ageMs))),
    stale: some.some(({ stale }) => stale),
  }));
