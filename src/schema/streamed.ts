import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql';

/** Whether the field has an active `@stream` directive. */
export function isStreamed({ schema, fieldNodes, variableValues }: GraphQLResolveInfo): boolean {
  const directive = schema.getDirective('stream');
  const [field] = fieldNodes;
  const values = directive && field && getDirectiveValues(directive, field, variableValues);
  return values !== undefined && values !== null && values.if !== false;
}
