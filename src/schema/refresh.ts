import type { QueryArgBuilder } from './builder.ts';

/** The argument of a read for whoever has to see what is true now, and not some seconds ago. */
export const refreshArg = (t: { readonly arg: QueryArgBuilder }) => ({
  refresh: t.arg.boolean({
    required: true,
    defaultValue: false,
    description:
      'Whether the service is asked anew, past every answer that was kept. What it says is kept for the others.',
  }),
});
