import type { RequestScope } from '../../http/http-request.ts';
import type { Rule } from '../rule.ts';

/**
 * Reports in `extensions.stale` the upstream actions whose cached data is older than its maximum age, with the age in
 * seconds of the oldest. Each part of a response reports the data used since the part before.
 */
export const reportStaleData = (): Rule => ({
  onResult(result, { scope, reported }) {
    const answers = scope?.cachedReads ?? [];
    const stale = answers.slice(reported.stale).filter((answer) => answer.stale);
    reported.stale = answers.length;
    if (stale.length === 0) return result;
    return { ...result, extensions: { ...result.extensions, stale: describe(stale) } };
  },
});

const describe = (answers: RequestScope['cachedReads']) =>
  [...Map.groupBy(answers, ({ action }) => action)].map(([action, some]) => ({
    action,
    ageSeconds: Math.floor(Math.max(...some.map(({ ageMs }) => ageMs)) / 1_000),
  }));
