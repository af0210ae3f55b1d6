import type { Fault } from '../kernel/faults.ts';
import { builder, type ObjectFieldBuilder, type ObjectFields } from './builder.ts';
import { UserErrorRef, userError } from './user-error.ts';

/** What a mutation answers: its subject as far as it is known, and everything that stood in its way. */
export interface Answer {
  readonly errors: readonly Fault[];
}

/** `XPayload`: the fields given, in their order, and `errors` last. */
export const payloadRef = <Shape extends Answer>(
  name: string,
  description: string,
  fields: (t: ObjectFieldBuilder<Shape>) => ObjectFields,
) =>
  builder.objectRef<Shape>(name).implement({
    description,
    fields: (t) => ({
      ...(fields(t as never) as Record<string, never>),
      errors: t.field({
        type: [UserErrorRef],
        nullable: false,
        description:
          'Everything that stood in the way, all that can be told at once; empty when it was done.',
        resolve: ({ errors }) => errors.map(userError),
      }),
    }),
  });
