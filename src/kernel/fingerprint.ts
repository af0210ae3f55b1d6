import { createHash } from 'node:crypto';
import { Decimal } from './money.ts';

/**
 * A hash of the input: equal for equal input, regardless of the order of fields and of spelling.
 *
 * Values are hashed after coercion, so `Example.COM` equals `example.com`. Absent, null and blank text are equal, text is
 * trimmed, and trailing zeros of amounts are ignored. The order of a list counts and its duplicates do not, as in the call.
 */
export const fingerprint = (kind: string, input: object): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, canonical(input)]))
    .digest('hex');

const one = Decimal.parse('1');

function canonical(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return [...new Set(value.map(canonical))];
  if (typeof value !== 'object' || value === null) return value ?? null;
  // A product has no more zeros than it needs.
  if (value instanceof Decimal) return value.times(one).toString();
  return Object.entries(value)
    .map(([key, member]): [string, unknown] => [key, canonical(member)])
    .filter(([, member]) => member !== null && member !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
