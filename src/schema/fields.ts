import {
  InputFieldBuilder as FieldBuilder,
  type InputFieldMap,
  type InputFieldRef,
  type InputShapeFromTypeParam,
  type InputTypeParam,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core';
import { type FieldResult, unwrap } from '../kernel/faults.ts';
import {
  builder,
  type GraphTypes,
  type InputFieldBuilder,
  type InputRef,
  type ObjectFieldBuilder,
} from './builder.ts';

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

// Fields that show members of an object under their own names. A member may be a field result: a value of the upstream that
// cannot be read is an error of its own field alone.

type MemberTypes = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>;

/** The members of an object that hold a value of the type, or the fault of reading it. */
type NamesOf<Shape, Type extends TypeParam<MemberTypes>, Nullable extends boolean> = {
  [Name in keyof Shape]-?: Shape[Name] extends FieldResult<
    ShapeFromTypeParam<MemberTypes, Type, Nullable>
  >
    ? Name
    : never;
}[keyof Shape] &
  string;

const fieldsOf =
  <Nullable extends boolean>(nullable: Nullable) =>
  <Shape, Type extends TypeParam<MemberTypes>, Name extends NamesOf<Shape, Type, Nullable>>(
    t: ObjectFieldBuilder<Shape> | PothosSchemaTypes.InterfaceFieldBuilder<MemberTypes, Shape>,
    type: Type,
    descriptions: Readonly<Record<Name, string>>,
  ) => {
    const field = (name: Name) =>
      (t as ObjectFieldBuilder<Shape>).field({
        type: type as 'String',
        nullable,
        description: descriptions[name],
        resolve: (parent) => unwrap(parent[name as keyof Shape] as FieldResult<never>) as never,
      });
    const names = Object.keys(descriptions) as Name[];
    return Object.fromEntries(names.map((name) => [name, field(name)])) as Record<
      Name,
      ReturnType<typeof field>
    >;
  };

/** Fields of one type that may be null, by name and description. */
export const nullableFields = fieldsOf(true);

/** Fields of one type that are never null, by name and description. */
export const requiredFields = fieldsOf(false);
