import type { ChangeValue } from '../../src/features/bulk-change/change.ts';
import type { Fault } from '../../src/kernel/faults.ts';
import type { ItemEnd, RunItem } from '../../src/modules/job/engine.ts';
import type { JobCount } from '../../src/persistence/job-items.ts';
import type { TakenItem } from '../../src/persistence/job-record.ts';
import { createReplace, type Mutant, type Replacement, withMethods } from './replacements.ts';

// As `mutants.ts`: this file must not load a module of the gateway.

interface Modules {
  'src/features/bulk-change/service.ts': typeof import('../../src/features/bulk-change/service.ts');
  'src/features/bulk-change/change.ts': typeof import('../../src/features/bulk-change/change.ts');
  'src/features/bulk-change/run-item.ts': typeof import('../../src/features/bulk-change/run-item.ts');
  'src/modules/mutation/send.ts': typeof import('../../src/modules/mutation/send.ts');
  'src/upstream/domain-api/domain-api.ts': typeof import('../../src/upstream/domain-api/domain-api.ts');
}

const replace = createReplace<Modules>();
const mutant = (name: string, ...replacements: Replacement[]): Mutant => ({ name, replacements });

/** Changes the end of the work on one domain. */
const withEnd = (change: (end: ItemEnd, item: TakenItem) => ItemEnd) =>
  replace('src/features/bulk-change/run-item.ts', 'createChangeRunner', (create) => (...args) => {
    const run: RunItem = create(...args);
    return async (item, saveFacts) => change(await run(item, saveFacts), item);
  });

/** The first value of each domain that a process read. */
const staleValues = new Map<string, ChangeValue>();

/** Typical bugs of changes of many domains. */
export const changeMutants: readonly Mutant[] = [
  mutant(
    'resumed-on-stale-before-values',
    replace(
      'src/features/bulk-change/change.ts',
      'valueBefore',
      () => (_change, stored, now) => stored ?? now,
    ),
  ),
  mutant(
    'difference-of-a-stale-row',
    replace('src/features/bulk-change/change.ts', 'valueNow', (valueNow) => (change, details) => {
      const now = valueNow(change, details);
      if (!('replaceNameServer' in change)) return now;
      const stale = staleValues.get(details.name) ?? now;
      staleValues.set(details.name, stale);
      return stale;
    }),
    replace('src/features/bulk-change/run-item.ts', 'createChangeRunner', (create) => (...args) => {
      staleValues.clear();
      return create(...args);
    }),
  ),
  mutant(
    'domain-that-may-have-been-changed-waits',
    withEnd((end) => ('outcome' in end ? end : { ...end, state: 'WAITING' })),
  ),
  mutant(
    'refusal-after-a-lost-reply-taken-for-failed',
    withEnd((end) =>
      'outcome' in end && end.outcome === 'UNKNOWN' ? { ...end, outcome: 'FAILED' } : end,
    ),
  ),
  mutant(
    'lost-reply-taken-for-changed',
    replace('src/upstream/domain-api/domain-api.ts', 'createDomainApi', (create) => (...args) => {
      const api = create(...args);
      const replyOr = <Reply>(empty: Reply) => {
        return (error: Fault) => {
          if (error.executed === 'NO') throw error;
          return empty;
        };
      };
      return withMethods('domainApi', api, {
        modifynameserver: (...call) => api.modifynameserver(...call).catch(replyOr(null)),
        modifyprivacystatus: (...call) =>
          api.modifyprivacystatus(...call).catch(replyOr({ enabled: null })),
      });
    }),
  ),
  mutant(
    'change-repeated-without-a-read',
    replace(
      'src/modules/mutation/send.ts',
      'sendIdempotent',
      (send) => (time, write) => send(time, { ...write, verify: async () => null }),
    ),
  ),
  mutant(
    'progress-counts-domains-in-progress',
    replace(
      'src/features/bulk-change/service.ts',
      'createBulkChangeService',
      (create) => (deps) => {
        const service = create(deps);
        const finished = (count: JobCount): JobCount =>
          count.state === 'BEGUN' ? { ...count, state: 'DONE', outcome: 'SUCCEEDED' } : count;
        return {
          ...service,
          progressOf: ({ job, counts }) =>
            service.progressOf({ job, counts: async () => (await counts()).map(finished) }),
        };
      },
    ),
  ),
];
