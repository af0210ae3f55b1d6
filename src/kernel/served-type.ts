import type { GraphQLSchema } from 'graphql';

interface Renamed {
  readonly typeName?: (name: string) => string;
}

/** The name of a type in the graph that is served. A feature can rename types. */
export const servedTypeName = ({ extensions }: GraphQLSchema, name: string): string =>
  (extensions as Renamed).typeName?.(name) ?? name;

/** The graph, whose types were renamed, with the function that `servedTypeName` uses. */
export const withTypeNames = (
  schema: GraphQLSchema,
  typeName: (name: string) => string,
): GraphQLSchema =>
  Object.assign(schema, { extensions: { ...schema.extensions, typeName } satisfies Renamed });
