import * as graphql from 'graphql';

// Differences between versions 16 and 17 of graphql-js. The gateway is built with 16; CI also runs its tests with 17.

/** `execute` of version 17 refuses each schema with `@defer` and `@stream`. */
export const execute =
  (graphql as { readonly experimentalExecuteIncrementally?: typeof graphql.execute })
    .experimentalExecuteIncrementally ?? graphql.execute;

type CoercedValues = Readonly<Record<string, unknown>>;

/** Coerced variables as graphql-js receives them. Version 17 adds their sources, which no scalar of the graph needs. */
export const variableValuesOf = (
  coerced: CoercedValues,
): graphql.GraphQLResolveInfo['variableValues'] =>
  (graphql.versionInfo.major < 17 ? coerced : { sources: {}, coerced }) as never;

export type CoercedVariables =
  | { readonly coerced: CoercedValues; readonly errors?: never }
  | { readonly coerced?: never; readonly errors: readonly graphql.GraphQLError[] };

/** `getVariableValues`; in version 17 the coerced variables are below `variableValues`. */
export function readVariables(
  ...args: Parameters<typeof graphql.getVariableValues>
): CoercedVariables {
  const read: object = graphql.getVariableValues(...args);
  if (!('variableValues' in read)) return read as CoercedVariables;
  return { coerced: (read.variableValues as { readonly coerced: CoercedValues }).coerced };
}

/** The default value of an argument. Version 17 has that of a schema in SDL as a literal. */
export function defaultOf(argument: graphql.GraphQLArgument): unknown {
  const { literal } =
    (argument as { readonly default?: { readonly literal?: graphql.ValueNode } }).default ?? {};
  return literal ? graphql.valueFromAST(literal, argument.type) : argument.defaultValue;
}
