import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/app`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/app/compose.ts',
    mutator: 'LogicalOperator',
    line: 'if (port === undefined || !registry) return null;',
    original: 'port === undefined || !registry',
    replacement: 'port === undefined && !registry',
    reason: 'There is a registry exactly when there is a port; both conditions satisfy the types.',
  },
  {
    file: 'src/app/compose.ts',
    mutator: 'ConditionalExpression',
    line: 'if (port === undefined || !registry) return null;',
    original: 'port === undefined',
    replacement: 'false',
    reason: 'There is a registry exactly when there is a port; both conditions satisfy the types.',
  },
  {
    file: 'src/app/compose.ts',
    mutator: 'ConditionalExpression',
    line: '...(sandboxDomains !== undefined && { domains: sandboxDomains }),',
    original: 'sandboxDomains !== undefined',
    replacement: 'true',
    reason: 'The sandbox treats an undefined option as a missing one.',
  },
  {
    file: 'src/app/compose.ts',
    mutator: 'ConditionalExpression',
    line: '...(sandboxListSize !== undefined && { listSize: sandboxListSize }),',
    original: 'sandboxListSize !== undefined',
    replacement: 'true',
    reason: 'The sandbox treats an undefined option as a missing one.',
  },
  {
    file: 'src/app/jobs.ts',
    mutator: 'ObjectLiteral',
    line: "const audited = createAudited(audit, { caller: null, tenant, requestId: 'job' });",
    original: "{ caller: null, tenant, requestId: 'job' }",
    replacement: '{}',
    reason: 'Only reads of contacts are audited; the work on an item makes none.',
  },
  {
    file: 'src/app/jobs.ts',
    mutator: 'StringLiteral',
    line: "const audited = createAudited(audit, { caller: null, tenant, requestId: 'job' });",
    original: "'job'",
    replacement: '""',
    reason: 'Only reads of contacts are audited; the work on an item makes none.',
  },
];
