import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/persistence`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/persistence/backup.ts',
    mutator: 'StringLiteral',
    line: "const reason = cause instanceof Error ? cause.message : 'unknown error';",
    original: "'unknown error'",
    replacement: '""',
    reason: 'The functions of node:fs and node:sqlite throw only errors.',
  },
  {
    file: 'src/persistence/backup.ts',
    mutator: 'CallExpression',
    line: 'fsyncSync(descriptor);',
    original: 'fsyncSync(descriptor);',
    replacement: ';',
    reason: 'Only a loss of power shows whether the copy was synced to the disk.',
  },
  {
    file: 'src/persistence/backup.ts',
    mutator: 'CallExpression',
    line: 'closeSync(descriptor);',
    original: 'closeSync(descriptor);',
    replacement: ';',
    reason: 'The command that makes a backup ends after it, which closes the file.',
  },
  {
    file: 'src/persistence/backup.ts',
    mutator: 'ObjectLiteral',
    line: 'using journal = new DatabaseSync(file, { timeout: lockTimeoutMs });',
    original: '{ timeout: lockTimeoutMs }',
    replacement: '{}',
    reason: 'A read in WAL mode meets a lock only in the moment of a recovery after a crash.',
  },
  {
    file: 'src/persistence/backup.ts',
    mutator: 'OptionalChaining',
    line: "return Number(database.prepare('select count(*) as purchases from operations').get()?.purchases);",
    original: "database.prepare('select count(*) as purchases from operations').get()?.purchases",
    replacement: "database.prepare('select count(*) as purchases from operations').get().purchases",
    reason: 'A count always has a row.',
  },
  ...(
    [
      ["units('GATEWAY').as('GATEWAY_units'),", "'GATEWAY'"],
      ["count(of, 'GATEWAY').as('GATEWAY_count'),", "'GATEWAY'"],
    ] as const
  ).map(([line, original]) => ({
    file: 'src/persistence/spending.ts',
    mutator: 'StringLiteral',
    ...{ line, original },
    replacement: '""',
    reason: 'Only the scope KEY adds a condition to the query.',
  })),
  ...(
    [
      ['LogicalOperator', 'since === null || reason === null', 'since === null && reason === null'],
      ['ConditionalExpression', 'since === null', 'false'],
      ['ConditionalExpression', 'reason === null', 'false'],
    ] as const
  ).map(([mutator, original, replacement]) => ({
    file: 'src/persistence/spending.ts',
    ...{ mutator, original, replacement },
    line: 'since === null || reason === null ? null : { since: parseInstant(since), reason };',
    reason: 'Both columns are of the same row, so that both are null without one.',
  })),
];
