import type { InputFieldRef, InputShapeFromTypeParam, InputTypeParam } from '@pothos/core';
import type { GraphTypes, InputFieldBuilder } from './builder.ts';

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;
type Descriptions<Name extends string> = Readonly<Record<Name, string>>;

/** Input fields of one type that may be absent or null, by name and description. */
export const optionalInputs = <Type extends InputTypeParam<Types>, Name extends string>(
  t: InputFieldBuilder,
  type: Type,
  descriptions: Descriptions<Name>,
) => inputsOf<Name, InputShapeFromTypeParam<Types, Type, false>>(t, type, false, descriptions);

/** Input fields of one type that a client must set, by name and description. */
export const requiredInputs = <Type extends InputTypeParam<Types>, Name extends string>(
  t: InputFieldBuilder,
  type: Type,
  descriptions: Descriptions<Name>,
) => inputsOf<Name, InputShapeFromTypeParam<Types, Type, true>>(t, type, true, descriptions);

function inputsOf<Name extends string, Shape>(
  t: InputFieldBuilder,
  type: InputTypeParam<Types>,
  required: boolean,
  descriptions: Descriptions<Name>,
) {
  const fields = Object.entries<string>(descriptions).map(([name, description]) => [
    name,
    t.field({ type: type as 'String', required, description }),
  ]);
  return Object.fromEntries(fields) as Record<Name, InputFieldRef<Types, Shape>>;
}
