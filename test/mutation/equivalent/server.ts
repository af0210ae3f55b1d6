import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/server`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/server/graphql/rules/check-delivery.ts',
    mutator: 'OptionalChaining',
    line: "const given = directive.arguments?.find(({ name }) => name.value === 'initialCount')?.value;",
    original: 'directive.arguments?.find',
    replacement: 'directive.arguments.find',
    reason: 'The parser sets the arguments of every directive.',
  },
  {
    file: 'src/server/graphql/rules/limit-streams.ts',
    mutator: 'ConditionalExpression',
    line: 'if (count > 0) open.set(caller, count);',
    original: 'count > 0',
    replacement: 'true',
    reason: 'An entry of 0 counts as none; only the memory differs.',
  },
  {
    file: 'src/server/graphql/rules/limit-streams.ts',
    mutator: 'EqualityOperator',
    line: 'if (count > 0) open.set(caller, count);',
    original: 'count > 0',
    replacement: 'count >= 0',
    reason: 'An entry of 0 counts as none; only the memory differs.',
  },
  {
    file: 'src/server/graphql/rules/resolve-document.ts',
    mutator: 'CallExpression',
    line: 'cached.set(text, isListed);',
    original: 'cached.set(text, isListed);',
    replacement: ';',
    reason: 'Only the time differs.',
  },
  {
    file: 'src/server/graphql/rules/resolve-document.ts',
    mutator: 'BlockStatement',
    line: '} catch {',
    original: '{',
    replacement: '{}',
    reason: 'Undefined counts as no operations too.',
  },
];
