import { type GraphQLResolveInfo, getDirectiveValues } from 'graphql';

/** Whether the client takes the items of this list one by one: `@stream` is on the field, and not switched off. */
export function isStreamed({ schema, fieldNodes, variableValues }: GraphQLResolveInfo): boolean {
  const directive = schema.getDirective('stream');
  const [field] = fieldNodes;
  const values = directive && field && getDirectiveValues(directive, field, variableValues);
  return values !== undefined && values !== null && values.if !== false;
}
