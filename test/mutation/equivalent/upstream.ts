import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/upstream`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/upstream/policies/cache.ts',
    mutator: 'AssignmentOperator',
    line: 'invalidations += 1;',
    original: 'invalidations += 1',
    replacement: 'invalidations -= 1',
    reason: 'The number is only compared with an earlier one.',
  },
  {
    file: 'src/upstream/policies/cache.ts',
    mutator: 'ConditionalExpression',
    line: 'if (entries.started()) entries().delete(key);',
    original: 'entries.started()',
    replacement: 'true',
    reason: 'It only creates the empty store earlier.',
  },
];
