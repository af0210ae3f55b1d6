import type { Plugin } from 'graphql-yoga';
import type { TracedCall } from '../app.ts';

/** Shows in `extensions.upstream` what an operation asked of the upstream: how often, what, and how long it took. */
export function useUpstreamTrace(callsOf: (request: Request) => readonly TracedCall[]): Plugin {
  return {
    onExecutionResult({ request, result, setResult }) {
      if (!result || Symbol.asyncIterator in result) return;
      const upstream = describe(callsOf(request));
      setResult({ ...result, extensions: { ...result.extensions, upstream } });
    },
  };
}

function describe(calls: readonly TracedCall[]) {
  const byAction: Record<string, number> = {};
  for (const { action } of calls) byAction[action] = (byAction[action] ?? 0) + 1;
  const list = calls.map((call) => ({ ...call, durationMs: Math.round(call.durationMs) }));
  return { calls: calls.length, byAction, list };
}
