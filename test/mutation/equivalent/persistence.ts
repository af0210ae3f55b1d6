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
  {
    file: 'src/persistence/journal.ts',
    mutator: 'StringLiteral',
    line: "sql<number>`${highest} + 1`.as('ordinal'),",
    original: "'ordinal'",
    replacement: '""',
    reason: 'An insert takes the columns of its query by their position.',
  },
  {
    file: 'src/persistence/journal.ts',
    mutator: 'EqualityOperator',
    line: 'for (let attempt = 1; attempt <= claimAttempts; attempt += 1) {',
    original: 'attempt <= claimAttempts',
    replacement: 'attempt < claimAttempts',
    reason: 'A claim that fails after 199 lost rounds instead of 200 harms no user.',
  },
  {
    file: 'src/persistence/sqlite.ts',
    mutator: 'BooleanLiteral',
    line: 'const stats = statSync(path, { bigint: true, throwIfNoEntry: false });',
    original: 'true',
    replacement: 'false',
    reason: 'Only numbers of files above 2^53 need it.',
  },
  ...(
    [
      ['ArrowFunction', "() => run('rollback')", '() => undefined'],
      ['StringLiteral', "'rollback'", '""'],
    ] as const
  ).map(([mutator, original, replacement]) => ({
    file: 'src/persistence/sqlite.ts',
    ...{ mutator, original, replacement },
    line: "rollbackTransaction: () => run('rollback'),",
    reason: 'After a failed migration the connection is closed, which also rolls it back.',
  })),
  ...(
    [
      ['BlockStatement', 'streamQuery() {', '{', '{}'],
      [
        'CallExpression',
        "throw new Error('The journal streams no query.');",
        "throw new Error('The journal streams no query.');",
        ';',
      ],
    ] as const
  ).map(([mutator, line, original, replacement]) => ({
    file: 'src/persistence/sqlite.ts',
    ...{ mutator, line, original, replacement },
    reason: 'The interface of the driver requires it, and no query of the journal is streamed.',
  })),
  ...(
    [
      ['ConditionalExpression', 'true'],
      ['LogicalOperator', "error instanceof Error || 'errcode' in error"],
    ] as const
  ).map(([mutator, replacement]) => ({
    file: 'src/persistence/sqlite.ts',
    ...{ mutator, replacement },
    line: "error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === sqliteBusy;",
    original: "error instanceof Error && 'errcode' in error",
    reason: 'Everything that a statement throws is an error, and only those of SQLite have a code.',
  })),
  ...(
    [
      [
        'LogicalOperator',
        'code === null || message === null || executed === null',
        '(code === null || message === null) && executed === null',
      ],
      ['ConditionalExpression', 'code === null || message === null', 'false'],
      ['LogicalOperator', 'code === null || message === null', 'code === null && message === null'],
      ['ConditionalExpression', 'code === null', 'false'],
      ['ConditionalExpression', 'message === null', 'false'],
      ['ConditionalExpression', 'executed === null', 'false'],
    ] as const
  ).map(([mutator, original, replacement]) => ({
    file: 'src/persistence/tables.ts',
    ...{ mutator, original, replacement },
    line: 'if (code === null || message === null || executed === null) return null;',
    reason: 'The columns of a fault are null together.',
  })),
  ...(
    [
      [
        'LogicalOperator',
        'upstreamCode === null || upstreamMessage === null',
        'upstreamCode === null && upstreamMessage === null',
      ],
      ['ConditionalExpression', 'upstreamCode === null', 'false'],
      ['ConditionalExpression', 'upstreamMessage === null', 'false'],
    ] as const
  ).map(([mutator, original, replacement]) => ({
    file: 'src/persistence/tables.ts',
    ...{ mutator, original, replacement },
    line: 'upstreamCode === null || upstreamMessage === null',
    reason: 'The columns of an upstream error are null together.',
  })),
  ...(
    [
      ["const [whole = '0', fraction = ''] = amount.split('.');", "'0'", '""'],
      ["const [whole = '0', fraction = ''] = amount.split('.');", "''", '"Stryker was here!"'],
      [
        "const units = BigInt(`${whole}${fraction.slice(0, 4).padEnd(4, '0')}`) + (isMore ? 1n : 0n);",
        "'0'",
        '""',
      ],
    ] as const
  ).map(([line, original, replacement]) => ({
    file: 'src/persistence/migrations.ts',
    mutator: 'StringLiteral',
    ...{ line, original, replacement },
    reason: 'Every amount that was written has at least four fractional digits.',
  })),
  {
    file: 'src/persistence/migrations.ts',
    mutator: 'EqualityOperator',
    line: 'const spend = units < 0n ? 0 : Math.min(Number(units), Number.MAX_SAFE_INTEGER);',
    original: 'units < 0n',
    replacement: 'units <= 0n',
    reason: 'Zero counts as zero on both ways.',
  },
  {
    file: 'src/persistence/migrations.ts',
    mutator: 'ConditionalExpression',
    line: 'if (taken.length === Object.keys(migrations).length) return;',
    original: 'taken.length === Object.keys(migrations).length',
    replacement: 'false',
    reason: 'The migrator then finds nothing to do, which only takes longer.',
  },
  ...(
    [
      ['ConditionalExpression', '!(cause instanceof Error)', 'false'],
      ['StringLiteral', "'unknown error'", '""'],
    ] as const
  ).map(([mutator, original, replacement]) => ({
    file: 'src/persistence/postgres.ts',
    ...{ mutator, original, replacement },
    line: "if (!(cause instanceof Error)) return 'unknown error';",
    reason: 'The driver throws only errors.',
  })),
  {
    file: 'src/persistence/postgres.ts',
    mutator: 'OptionalChaining',
    line: 'if (wasAway) onAvailability?.(null);',
    original: 'onAvailability?.(null)',
    replacement: 'onAvailability(null)',
    reason: 'Without a listener a database that is away fails the start.',
  },
  {
    file: 'src/persistence/backup.ts',
    mutator: 'ObjectLiteral',
    line: 'using database = new DatabaseSync(file, { readOnly: true });',
    original: '{ readOnly: true }',
    replacement: '{}',
    reason: 'Only this program has the new copy open, and it only counts.',
  },
  {
    file: 'src/persistence/backup.ts',
    mutator: 'BooleanLiteral',
    line: 'using database = new DatabaseSync(file, { readOnly: true });',
    original: 'true',
    replacement: 'false',
    reason: 'Only this program has the new copy open, and it only counts.',
  },
];
