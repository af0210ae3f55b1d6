import {
  InputFieldBuilder as FieldBuilder,
  type InputFieldMap,
  type InputFieldRef,
  type InputShapeFromTypeParam,
  type InputTypeParam,
} from '@pothos/core';
import { builder, type GraphTypes, type InputFieldBuilder, type InputRef } from './builder.ts';

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

/** Adds fields to an input type of another module. */
export const inputFields = <Shape>(
  type: InputRef<Shape>,
  fields: (t: InputFieldBuilder) => InputFieldMap,
): void =>
  builder.configStore.addInputFields(type, () => fields(new FieldBuilder(builder, 'InputObject')));

type Given<Input> = { readonly [Name in keyof Input]?: NonNullable<Input[Name]> };

/** The members of an input that are neither absent nor null. */
export const givenIn = <Input extends object>(input: Input | null | undefined): Given<Input> =>
  Object.fromEntries(
    Object.entries(input ?? {}).filter(([, value]) => value !== null),
  ) as Given<Input>;
