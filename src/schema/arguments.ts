import { invalidInput } from '../kernel/faults.ts';
import { builder, type InputFieldBuilder, type QueryArgBuilder } from './builder.ts';

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
