import type { EquivalentMutant } from '../equivalent.ts';

/** Of `src/kernel`. */
export const mutants: readonly EquivalentMutant[] = [
  {
    file: 'src/kernel/money.ts',
    mutator: 'StringLiteral',
    line: "const [, sign, whole = '0', fraction = ''] = match;",
    original: "'0'",
    replacement: '""',
    reason: 'The pattern has a whole part in every match.',
  },
  {
    file: 'src/kernel/money.ts',
    mutator: 'EqualityOperator',
    line: 'const digits = (this.#units < 0n ? -this.#units : this.#units)',
    original: 'this.#units < 0n',
    replacement: 'this.#units <= 0n',
    reason: 'Zero is its own negative.',
  },
  {
    file: 'src/kernel/spend-limits.ts',
    mutator: 'EqualityOperator',
    line: 'return Number(units < 0n ? 0n : units > mostUnits ? mostUnits : units);',
    original: 'units < 0n',
    replacement: 'units <= 0n',
    reason: 'Both results are 0.',
  },
  {
    file: 'src/kernel/spend-limits.ts',
    mutator: 'EqualityOperator',
    line: 'return Number(units < 0n ? 0n : units > mostUnits ? mostUnits : units);',
    original: 'units > mostUnits',
    replacement: 'units >= mostUnits',
    reason: 'Both results are the largest count.',
  },
  {
    file: 'src/kernel/spend-limits.ts',
    mutator: 'ArrayDeclaration',
    line: 'const { perDay = [], perHour = Infinity } = limits[scope];',
    original: '[]',
    replacement: '["Stryker was here"]',
    reason: 'The list is used only when it is set.',
  },
  {
    file: 'src/kernel/spend-limits.ts',
    mutator: 'EqualityOperator',
    line: 'return mine.amount.compare(theirs.amount) <= 0 ? mine : theirs;',
    original: 'mine.amount.compare(theirs.amount) <= 0',
    replacement: 'mine.amount.compare(theirs.amount) < 0',
    reason: 'Equal amounts of one currency are the same limit.',
  },
];
