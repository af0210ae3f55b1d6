import { expect } from 'vitest';
import { Decimal } from '../../src/kernel/money.ts';

// `toEqual` ignores private fields, so two different amounts would be equal.
expect.addEqualityTesters([
  (one, other) =>
    one instanceof Decimal && other instanceof Decimal ? String(one) === String(other) : undefined,
]);
