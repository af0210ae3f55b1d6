import {
  DirectiveLocation,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLResolveInfo,
  GraphQLString,
  getDirectiveValues,
} from 'graphql';

const common = {
  if: {
    type: new GraphQLNonNull(GraphQLBoolean),
    defaultValue: true,
    description: 'Whether the directive is active.',
  },
  label: { type: GraphQLString, description: 'Name of the part, unique in the document.' },
};

/** The directives of incremental delivery, as graphql-js 17 defines them. */
export const incrementalDirectives: readonly GraphQLDirective[] = [
  new GraphQLDirective({
    name: 'defer',
    description:
      'Delivers a fragment in a later part of the response, to a client that accepts `multipart/mixed` or `text/event-stream`.',
    locations: [DirectiveLocation.FRAGMENT_SPREAD, DirectiveLocation.INLINE_FRAGMENT],
    args: common,
  }),
  new GraphQLDirective({
    name: 'stream',
    description:
      'Delivers the items of a list in later parts of the response, to a client that accepts `multipart/mixed` or `text/event-stream`.',
    locations: [DirectiveLocation.FIELD],
    args: {
      ...common,
      initialCount: {
        type: GraphQLInt,
        defaultValue: 0,
        description: 'Number of items in the first part.',
      },
    },
  }),
];

/** Whether the field has an active `@stream` directive. */
export function isStreamed({ schema, fieldNodes, variableValues }: GraphQLResolveInfo): boolean {
  const directive = schema.getDirective('stream');
  const [field] = fieldNodes;
  const values = directive && field && getDirectiveValues(directive, field, variableValues);
  return values !== undefined && values !== null && values.if !== false;
}
