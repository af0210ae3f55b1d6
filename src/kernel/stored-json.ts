import { createHash } from 'node:crypto';
import { Fault, type FaultFacts, type FaultOptions } from './faults.ts';
import { Decimal } from './money.ts';

/** JSON for the journal, in which exact decimals stay exact. */
export const toStoredJson = (value: unknown): string =>
  // The replacer receives what `toJSON` of a decimal returned; `this` has the decimal.
  JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, name, member) {
    const original = this[name];
    return original instanceof Decimal ? { $decimal: original.toString() } : member;
  });

/** Reads what `toStoredJson` wrote. The caller names the type, because only this code writes the journal. */
export const fromStoredJson = <T>(text: string): T =>
  JSON.parse(text, (_name, member) =>
    typeof member?.$decimal === 'string' ? Decimal.parse(member.$decimal) : member,
  );

/** A fault without its class. */
export interface StoredFault extends Required<Omit<FaultOptions, 'upstream'>> {
  readonly code: Fault['code'];
  readonly upstream: FaultOptions['upstream'] | null;
}

export const storedFault = (fault: Fault): StoredFault => ({
  code: fault.code,
  message: fault.message,
  facts: fault.facts,
  executed: fault.executed,
  retryable: fault.retryable,
  path: fault.inputPath,
  upstream: fault.upstream ?? null,
});

export const faultOfStored = ({ code, upstream, facts, ...stored }: StoredFault): Fault =>
  new Fault(code, { ...stored, facts: withTimes(facts), ...(upstream && { upstream }) });

/** JSON has no times. */
const withTimes = ({ since, ...facts }: FaultFacts): FaultFacts =>
  since ? { ...facts, since: new Date(since) } : facts;

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
