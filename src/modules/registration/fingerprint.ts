import { createHash } from 'node:crypto';
import { Decimal } from '../../kernel/money.ts';

/**
 * What was asked, as a hash: the same for the same input, whatever the order of its fields or how they were written.
 *
 * Values are taken after coercion, so `Example.COM` and `example.com` are one. Absent, null and blank text are one too,
 * as are texts that only blanks around them tell apart, and amounts that only zeros behind them do. A list keeps its
 * order and loses its repetitions, as the only one there is, that of name servers, does when it is sent.
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
