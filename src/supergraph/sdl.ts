import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import { type GraphQLSchema, Kind, print, printSchema } from 'graphql';
import type { SupergraphDirectives } from '../schema/marks.ts';

/** Version 2.4 is the first with subscriptions. */
const federationHead = `extend schema
  @link(url: "https://specs.apollo.dev/federation/v2.4", import: ["@key", "@shareable", "@inaccessible", "@tag"])`;

const stitchingHead = `directive @merge(
  keyField: String
  keyArg: String
  additionalArgs: String
  key: [String!]
  argsExpr: String
) on FIELD_DEFINITION`;

/** The graph as a Federation 2 subgraph. */
export const printSubgraph = (schema: GraphQLSchema): string =>
  `${federationHead}\n\n${printWithDirectives(schema, 'federation')}`;

/** The graph with stitching directives, which name the fields by which a gateway loads its types. */
export const printForStitching = (schema: GraphQLSchema): string =>
  `${stitchingHead}\n\n${printWithDirectives(schema, 'stitching')}`;

/** Federation defines these; a gateway delivers `@defer` and `@stream` itself. */
const leftOut: readonly Kind[] = [Kind.SCHEMA_DEFINITION, Kind.DIRECTIVE_DEFINITION];

function printWithDirectives(schema: GraphQLSchema, dialect: keyof SupergraphDirectives): string {
  const { definitions, ...document } = withDirectives(schema, ['supergraph', dialect]);
  return print({
    ...document,
    definitions: definitions.filter(({ kind }) => !leftOut.includes(kind)),
  });
}

const withDirectives = (schema: GraphQLSchema, pathToDirectivesInExtensions: string[]) =>
  getDocumentNodeFromSchema(schema, { pathToDirectivesInExtensions });

const semanticHead = 'directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION';

/** The graph for Relay, Apollo and code generators that read `@semanticNonNull`: a marked field is null only together with an error. */
const printSemantic = (schema: GraphQLSchema): string =>
  `${semanticHead}\n\n${print(withDirectives(schema, ['semantic']))}`;

/** The SDL files of the graph by their names; the npm package has all of them. */
export const sdlFiles: Readonly<Record<string, (schema: GraphQLSchema) => string>> = {
  'schema.graphql': printSchema,
  'subgraph.graphql': printSubgraph,
  'stitching.graphql': printForStitching,
  'semantic.graphql': printSemantic,
};
