import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import {
  type DefinitionNode,
  type DirectiveDefinitionNode,
  type GraphQLSchema,
  Kind,
  print,
} from 'graphql';
import { defaultMaxAges } from '../../kernel/instant.ts';
import type { SupergraphDirectives } from '../../kernel/schema-extensions.ts';
import { incrementalDirectives } from '../../schema/incremental-delivery.ts';
import type { SdlFiles } from '../../seam/feature.ts';
import { withRouterDirectives } from './router-directives.ts';

/** Version 2.9 is the first with costs. No version of Federation defines `@oneOf`, so a composer that does not know it needs its definition. */
const federationHead = `extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@inaccessible", "@tag", "@authenticated", "@requiresScopes", "@cost", "@listSize"]
  )

directive @oneOf on INPUT_OBJECT`;

const stitchingHead = `directive @merge(
  keyField: String
  keyArg: String
  additionalArgs: String
  key: [String!]
  argsExpr: String
) on FIELD_DEFINITION`;

/** The graph as a Federation 2 subgraph. */
export const printSubgraph = (schema: GraphQLSchema, maxAges = defaultMaxAges): string =>
  `${federationHead}\n\n${printWithDirectives(withRouterDirectives(schema, maxAges), 'federation')}`;

/** The graph with stitching directives, which name the fields by which a gateway loads its types. */
export const printForStitching = (schema: GraphQLSchema): string =>
  `${stitchingHead}\n\n${printWithDirectives(schema, 'stitching')}`;

/** Federation defines the schema; a gateway delivers `@defer` and `@stream` itself. */
const isLeftOut = (definition: DefinitionNode): boolean =>
  definition.kind === Kind.SCHEMA_DEFINITION ||
  (definition.kind === Kind.DIRECTIVE_DEFINITION && isIncremental(definition));
const isIncremental = ({ name }: DirectiveDefinitionNode) =>
  incrementalDirectives.some((one) => one.name === name.value);

function printWithDirectives(schema: GraphQLSchema, dialect: keyof SupergraphDirectives): string {
  const { definitions, ...document } = getDocumentNodeFromSchema(schema, {
    pathToDirectivesInExtensions: ['supergraph', dialect],
  });
  return print({
    ...document,
    definitions: definitions.filter((one) => !isLeftOut(one)),
  });
}

export const sdlFiles: SdlFiles = {
  'subgraph.graphql': printSubgraph,
  'stitching.graphql': printForStitching,
};
