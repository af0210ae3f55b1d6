import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

export const rootsOf = (schema: GraphQLSchema): readonly GraphQLObjectType[] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap(
    (root) => root ?? [],
  );

/** The type of a field, and those of its arguments. */
export const typesOf = (field: Field): readonly GraphQLNamedType[] =>
  [field, ...field.args].map(({ type }) => getNamedType(type));

interface Followed {
  /** Default: all fields. */
  readonly field?: (field: Field) => boolean;
  /** The objects of an interface or a union; default: all. */
  readonly object?: (object: GraphQLObjectType, of: GraphQLNamedType) => boolean;
}

/** The types to which a type leads directly. */
export function typesFrom(
  type: GraphQLNamedType,
  schema: GraphQLSchema,
  { field = () => true, object = () => true }: Followed = {},
): readonly GraphQLNamedType[] {
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((one) => getNamedType(one.type));
  }
  return [
    ...(isObjectType(type) || isInterfaceType(type)
      ? [...type.getInterfaces(), ...Object.values(type.getFields()).filter(field).flatMap(typesOf)]
      : []),
    ...(isAbstractType(type)
      ? schema.getPossibleTypes(type).filter((one) => object(one, type))
      : []),
  ];
}
