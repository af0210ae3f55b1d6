import type { InputFieldRef, InputShapeFromTypeParam, InputTypeParam } from '@pothos/core';
import type { GraphTypes, InputFieldBuilder } from './builder.ts';

type InputTypes = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

const inputsOf =
  <Required extends boolean>(required: Required) =>
  <Type extends InputTypeParam<InputTypes>, Name extends string>(
    t: InputFieldBuilder,
    type: Type,
    descriptions: Readonly<Record<Name, string>>,
  ) => {
    const fields = Object.entries<string>(descriptions).map(([name, description]) => [
      name,
      t.field({ type: type as 'String', required, description }),
    ]);
    type Shape = InputShapeFromTypeParam<InputTypes, Type, Required>;
    return Object.fromEntries(fields) as Record<Name, InputFieldRef<InputTypes, Shape>>;
  };

/** Input fields of one type that may be absent or null, by name and description. */
export const optionalInputs = inputsOf(false);

/** Input fields of one type that a client must set, by name and description. */
export const requiredInputs = inputsOf(true);

type Given<Input> = { readonly [Name in keyof Input]?: NonNullable<Input[Name]> };

/** The members of an input that are neither absent nor null. */
export const givenIn = <Input extends object>(input: Input | null | undefined): Given<Input> =>
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== null),
  ) as Given<Input>;
