import type { ExecutionResult } from 'graphql';
import { mapAsyncIterator } from 'graphql-yoga';
import type { Layer } from '../layer.ts';
import type { KeptAnswer } from '../request-scope.ts';
import { notesOf, type RequestView } from '../request-view.ts';

/**
 * Says in `extensions.stale` what an answer rests on that is older than it should be: each upstream action once, with the
 * age in seconds of the oldest answer of it that served. There is none where all is as new as it should be.
 *
 * Of an answer in several parts, each tells what came since the one before.
 */
export function useStaleNotes(): Layer {
  const noter = (request: RequestView) => {
    let told = 0;
    return (one: ExecutionResult): ExecutionResult => {
      const answers = notesOf(request).scope?.keptAnswers ?? [];
      const stale = answers.slice(told).filter((answer) => answer.stale);
      told = answers.length;
      if (stale.length === 0) return one;
      return { ...one, extensions: { ...one.extensions, stale: describe(stale) } };
    };
  };
  return {
    full: {
      onExecutionResult({ request, result, setResult }) {
        if (!result) return;
        const noted = noter(request);
        setResult(Symbol.asyncIterator in result ? mapAsyncIterator(result, noted) : noted(result));
      },
    },
    plain: { finish: (result, request) => noter(request)(result) },
  };
}

const describe = (answers: readonly KeptAnswer[]) =>
  [...Map.groupBy(answers, ({ action }) => action)].map(([action, some]) => ({
    action,
    ageSeconds: Math.floor(Math.max(...some.map(({ ageMs }) => ageMs)) / 1_000),
  }));
