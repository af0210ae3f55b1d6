import type { Fault } from '../kernel/faults.ts';
import { builder, type ObjectFieldBuilder, type ObjectFields } from './builder.ts';
import { UserErrorRef, userError } from './user-error.ts';

/** The result of a mutation. */
export interface Answer {
  readonly errors: readonly Fault[];
}

/** The type `XPayload`: the given fields and `errors`. */
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
          'Why the change was not made: every reason that can be checked together. Empty when the change was made.',
        resolve: ({ errors }) => errors.map(userError),
      }),
    }),
  });
