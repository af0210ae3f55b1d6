import type { ShapeFromTypeParam, TypeParam } from '@pothos/core';
import { type FieldResult, unwrap } from '../kernel/field-result.ts';
import type { GraphTypes, ObjectFieldBuilder } from './builder.ts';

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
