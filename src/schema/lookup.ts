import type { Lookup } from '../kernel/global-id.ts';
import { builder, type QueryArgBuilder } from './builder.ts';
import { keyOfId } from './global-id.ts';
import { optionalInputs } from './input-fields.ts';

/** Exactly one member is set. */
export interface LookupInput {
  readonly id?: string | null | undefined;
  readonly key?: string | null | undefined;
}

export const LookupInputRef = builder.inputRef<LookupInput>('LookupInput').implement({
  description: 'A stored object, such as a purchase, by its id or by its idempotency key.',
  isOneOf: true,
  fields: (t) => ({
    ...optionalInputs(t, 'ID', { id: 'The id, from a payload, a list or an error.' }),
    ...optionalInputs(t, 'String', {
      key: 'The idempotency key. A request that is still in progress may use it later.',
    }),
  }),
});

/** The argument of a read of one object. `what` is such as `an order`. */
export const lookupArg = (t: { readonly arg: QueryArgBuilder }, what: string) => ({
  by: t.arg({
    type: LookupInputRef,
    required: true,
    description: `The id or the idempotency key of ${what}.`,
  }),
});

/** Null for an id of another type. */
export function lookupOf(typename: string, { id, key }: LookupInput): Lookup | null {
  if (typeof key === 'string') return { key: key.trim() };
  const found = keyOfId(typename, id ?? '');
  return found === null ? null : { id: found };
}

/** The object in the estimate of costs: equal for equal lookups. */
export const lookupName = ({ id, key }: LookupInput): string =>
  typeof key === 'string' ? `key ${key.trim()}` : (id ?? '');
