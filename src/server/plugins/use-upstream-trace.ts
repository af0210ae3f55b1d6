import type { ExecutionResult } from 'graphql';
import { mapAsyncIterator, type Plugin } from 'graphql-yoga';
import type { TracedCall } from '../app.ts';

/** Shows in `extensions.upstream` what an operation asked of the upstream: how often, what, and how long it took. */
export function useUpstreamTrace(callsOf: (request: Request) => readonly TracedCall[]): Plugin {
  return {
    onExecutionResult({ request, result, setResult }) {
      if (!result) return;
      const traced = (one: ExecutionResult) => {
        const upstream = describe(callsOf(request));
        return { ...one, extensions: { ...one.extensions, upstream } };
      };
      setResult(Symbol.asyncIterator in result ? mapAsyncIterator(result, traced) : traced(result));
    },
  };
}

function describe(calls: readonly TracedCall[]) {
  const byAction: Record<string, number> = {};
  for (const { action } of calls) byAction[action] = (byAction[action] ?? 0) + 1;
  const list = calls.map((call) => ({ ...call, durationMs: Math.round(call.durationMs) }));
  return { calls: calls.length, byAction, list };
}
