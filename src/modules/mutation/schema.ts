import type { InputFieldMap, InputShapeFromFields } from '@pothos/core';
import type { GraphQLResolveInfo } from 'graphql';
import type { AccessScope } from '../../kernel/caller.ts';
import type { Fault } from '../../kernel/faults.ts';
import {
  builder,
  type InputFieldBuilder,
  type InputRef,
  needs,
  type ObjectFieldBuilder,
  type ObjectFields,
} from '../../schema/builder.ts';
import { nullableFields, requiredInputs } from '../../schema/fields.ts';
import { errorsField } from '../../schema/user-error.ts';
import type { Scope } from '../../scope/scope.ts';

/** The result of a mutation. A refused one has the errors only. */
type Payload<Shape> = Partial<Shape> & { readonly errors: readonly Fault[] };

/** The `t` of the fields of a payload. */
export type PayloadFieldBuilder<Shape> = ObjectFieldBuilder<Payload<Shape>>;

/** The input of one mutation. */
interface OwnInput<Inputs extends InputFieldMap> {
  readonly description: string;
  /** Description of the argument. Default: that of its type. */
  readonly argument?: string;
  readonly fields: (t: InputFieldBuilder) => Inputs;
}

/** An input that several mutations share. */
interface SharedInput<Input> {
  readonly type: InputRef<Input>;
  /** Description of the argument. */
  readonly argument: string;
}

type PayloadFields<Shape> = (t: PayloadFieldBuilder<Shape>) => ObjectFields;
type PayloadRef<Shape> = ReturnType<typeof payloadRef<Shape>>;

/** The type of a payload: the fields, and `errors`. */
export const payloadRef = <Shape>(
  name: string,
  description: string,
  fields?: PayloadFields<Shape>,
) =>
  builder.objectRef<Payload<Shape>>(name).implement({
    description,
    fields: (t) => ({
      ...(fields?.(t as never) as Record<string, never>),
      errors: errorsField(
        t,
        'Why the change was not made: every reason that can be checked together. Empty when the change was made.',
      ),
    }),
  });

const IdInputRef = builder.inputType('IdInput', {
  description: 'The object of a mutation that needs nothing else.',
  fields: (t) => requiredInputs(t, 'ID', { id: 'Its id.' }),
});

/** The input of a mutation that needs the id of an object only. */
export const idInput = (argument: string) => ({ type: IdInputRef, argument });

/** The payload of mutations that delete the object with an id. */
export const DeletedPayloadRef = payloadRef<{ deleted: boolean; deletedId: string | null }>(
  'DeletedPayload',
  'Result of a deletion.',
  (t) => ({
    deleted: t.boolean({
      nullable: false,
      description:
        'Whether it was deleted. Of a call of the registrar true only when the registrar accepted it, and its reply does not say that it failed. When false, `errors` says why, and whether it may have been deleted.',
      resolve: ({ deleted = false, deletedId }) => deleted || typeof deletedId === 'string',
    }),
    ...nullableFields(t, 'ID', {
      deletedId:
        'The id of the deleted object. Null after an error, and when the registrar does not name the object.',
    }),
  }),
);

interface Mutation<Shape, Inputs extends InputFieldMap, Input> {
  /** The caller needs one of them. */
  readonly needs: AccessScope | readonly AccessScope[];
  /** Whether it is refused to callers that are bound to a customer. */
  readonly ofAccount?: boolean;
  readonly description: string;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** The argument `input`: a type `XInput`, or a shared one. Without it the mutation has no argument. */
  readonly input?: OwnInput<Inputs> | SharedInput<Input>;
  /** Description of the type `XPayload`; or a type that several mutations return. */
  readonly result: string | PayloadRef<Shape>;
  /** The fields of the type `XPayload`, which has `errors` as well. */
  readonly payload?: PayloadFields<Shape>;
  readonly resolve: (
    input: Input,
    scope: Scope,
    info: GraphQLResolveInfo,
  ) => Promise<Payload<Shape>>;
}

/** Adds a mutation with the types of its input and payload. */
export function mutation<Shape, Inputs extends InputFieldMap, Input = InputShapeFromFields<Inputs>>(
  name: string,
  options: Mutation<Shape, Inputs, Input>,
): void {
  const {
    needs: accessScopes,
    ofAccount,
    description,
    extensions,
    input,
    result,
    payload,
    resolve,
  } = options;
  const typeName = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const inputArgument = input && inputOf(typeName, input);
  const ResultRef =
    typeof result === 'string' ? payloadRef(`${typeName}Payload`, result, payload) : result;
  builder.mutationField(name, (t) =>
    t.field({
      ...needs(...[accessScopes].flat()),
      ofAccount,
      type: ResultRef,
      nullable: false,
      description,
      extensions,
      args: {
        ...(inputArgument && { input: t.arg({ ...inputArgument, required: true }) }),
      },
      resolve: (_root, args: object, scope, info) => {
        const { input } = args as { input: Input };
        // The fields of the payload read what this mutation wrote.
        const forget = () => scope.forgetReads();
        return resolve(input, scope, info).finally(forget) as never;
      },
    }),
  );
}

function inputOf<Input>(
  typeName: string,
  input: OwnInput<InputFieldMap> | SharedInput<Input>,
): { readonly type: InputRef<object>; readonly description: string } {
  if ('type' in input) {
    return { type: input.type as InputRef<object>, description: input.argument };
  }
  const { description, argument = description, fields } = input;
  const type = builder.inputType(`${typeName}Input`, { description, fields });
  return { type: type as InputRef<object>, description: argument };
}
