import type { Fault } from '../kernel/faults.ts';
import { builder, type ObjectFieldBuilder, type ObjectFields } from './builder.ts';
import { UserErrorRef, userError } from './user-error.ts';

/** The result of a mutation: its subject as far as it is known, and every reason why it was not changed. */
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
          'Every reason why the change was not made, as far as it can be checked at once; empty when it was made.',
        resolve: ({ errors }) => errors.map(userError),
      }),
    }),
  });
