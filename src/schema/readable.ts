import { type FieldResult, unwrap } from '../kernel/field-result.ts';
import type { ObjectFieldBuilder } from './builder.ts';

interface Values {
  String: string;
  Int: number;
  Boolean: boolean;
  DateTime: Date;
}

/** The members of an object that hold such a value, or the fault of reading it. */
type ReadableNames<Shape, Value> = {
  [Name in keyof Shape]-?: Shape[Name] extends FieldResult<Value | null> ? Name : never;
}[keyof Shape];

/**
 * Nullable fields of one type, by name and description. A value of the upstream that cannot be read is an error of its own
 * field alone.
 */
export const readable = <
  Shape,
  Type extends keyof Values,
  Name extends ReadableNames<Shape, Values[Type]> & string,
>(
  t: ObjectFieldBuilder<Shape>,
  type: Type,
  descriptions: Readonly<Record<Name, string>>,
) => {
  const field = (name: Name) =>
    t.field({
      type: type as keyof Values,
      nullable: true,
      description: descriptions[name],
      resolve: (parent) => unwrap(parent[name] as FieldResult<Values[keyof Values] | null>),
    });
  const names = Object.keys(descriptions) as Name[];
  return Object.fromEntries(names.map((name) => [name, field(name)])) as Record<
    Name,
    ReturnType<typeof field>
  >;
};
