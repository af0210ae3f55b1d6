import { type GraphQLSchema, getVariableValues, type OperationDefinitionNode } from 'graphql';

export type CoercedVariables = ReturnType<typeof getVariableValues>;

/** The limit of `execute` of graphql-js. */
const maxErrors = 50;

/** The variables of an operation as its resolvers receive them, or the errors with which `execute` refuses it. */
export const coerceVariables = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>> | null | undefined,
): CoercedVariables =>
  getVariableValues(schema, variableDefinitions, variables ?? {}, { maxErrors });
