import { invalidInput } from '../kernel/faults.ts';
import { keyOfId, type Lookup } from '../kernel/ids.ts';
import { builder, type InputFieldBuilder, type QueryArgBuilder } from './builder.ts';
import { optionalInputs } from './fields.ts';

/** The most items of a list argument or a page. */
export const maxItems = 100;

/** The size of a page without `first` and `last`. */
export const defaultPageSize = 20;

/** @throws Fault `INVALID_INPUT` for a list argument with more than `most` items. */
export function withinLimit<T>(name: string, items: readonly T[], most = maxItems): readonly T[] {
  if (items.length > most) {
    throw invalidInput(
      `"${name}" must have at most ${most} items; it has ${items.length}. Send several requests.`,
      { path: [name] },
    );
  }
  return items;
}

/** The argument of a read that lets a client bypass the cache. */
export const refreshArg = (t: { readonly arg: QueryArgBuilder }) => ({
  refresh: t.arg.boolean({
    required: true,
    defaultValue: false,
    description:
      'Bypass the cache and read from the registrar now. The new result replaces the cached one.',
  }),
});

/** The `domain` field of a mutation's input. It is a string, so that an invalid name is reported in `errors`. */
export const domainField = (t: InputFieldBuilder, what: string) =>
  t.string({ required: true, description: `${what}, in any spelling of \`DomainName\`.` });

export const DomainInputRef = builder.inputType('DomainInput', {
  description: 'A domain of the account.',
  fields: (t) => ({ domain: domainField(t, 'A domain of the account') }),
});

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
