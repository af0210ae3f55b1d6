import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import { type GraphQLSchema, print, printSchema } from 'graphql';
import type { SdlFiles } from '../seam/feature.ts';
import { variants } from './graph.ts';

const semanticHead = 'directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION';

/** The graph for Relay, Apollo and code generators that read `@semanticNonNull`: a marked field is null only together with an error. */
const printSemantic = (schema: GraphQLSchema): string =>
  `${semanticHead}\n\n${print(
    getDocumentNodeFromSchema(schema, { pathToDirectivesInExtensions: ['semantic'] }),
  )}`;

/** The SDL files of the graph by their names; the npm package has all of them. */
export const sdlFiles: SdlFiles = {
  'schema.graphql': printSchema,
  ...Object.assign({}, ...[...variants.values()].map(({ sdlFiles: files }) => files)),
  'semantic.graphql': printSemantic,
};
