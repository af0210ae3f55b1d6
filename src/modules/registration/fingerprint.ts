import { createHash } from 'node:crypto';

/**
 * What was asked, as a hash: the same for the same input, whatever the order of its fields or how they were written.
 *
 * Values are taken after coercion, so `Example.COM` and `example.com` are one; absent and null are one too.
 */
export const fingerprint = (kind: string, input: object): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, canonical(input)]))
    .digest('hex');

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if ('toJSON' in value) return value;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined && member !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, canonical(member)]);
}
