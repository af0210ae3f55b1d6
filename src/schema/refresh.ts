import type { QueryArgBuilder } from './builder.ts';

/** The argument of a read that lets a client bypass the cache. */
export const refreshArg = (t: { readonly arg: QueryArgBuilder }) => ({
  refresh: t.arg.boolean({
    required: true,
    defaultValue: false,
    description:
      'Bypass the cache and read from the registrar now. The new result replaces the cached one.',
  }),
});
