import { features } from '../features/index.ts';
import { getDocumentNodeFromSchema } from '@graphql-tools/utils';
import { type GraphQLSchema, isInputObjectType, isObjectType, print, printSchema } from 'graphql';
import type { SdlFiles } from '../seam/feature.ts';
import { fieldsOf, loadGraph, sdlFilesOfVariants, servedSchema } from './build-graph.ts';
import { checkFeatures } from './features.ts';

export { servedSchema };

// The whole graph, for programs and tests. A gateway builds that of its features.

checkFeatures(features);
await loadGraph(features);

/** Printed in `schema.graphql`. */
export const schema = servedSchema({ featureValues: {}, introspection: 'caller' }, features);

checkNames();

/** @throws Error for a name of a feature that the graph does not have: it would remove nothing */
function checkNames(): void {
  const isField = (name: string): boolean => {
    const [typename = '', field = ''] = name.split('.');
    const type = schema.getType(typename);
    return (isObjectType(type) || isInputObjectType(type)) && field in type.getFields();
  };
  const missing = features.flatMap((feature) => [
    ...(feature.nodes ?? []).filter((name) => !isObjectType(schema.getType(name))),
    ...fieldsOf(feature).filter((name) => !isField(name)),
  ]);
  if (missing.length > 0) {
    throw new Error(`Features declare what the graph does not have: ${missing.join(', ')}.`);
  }
}

const semanticHead = 'directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION';

/** The graph for Relay, Apollo and code generators that read `@semanticNonNull`: a marked field is null only together with an error. */
const printSemantic = (schema: GraphQLSchema): string =>
  `${semanticHead}\n\n${print(
    getDocumentNodeFromSchema(schema, { pathToDirectivesInExtensions: ['semantic'] }),
  )}`;

/** The SDL files of the graph by their names; the npm package has all of them. */
export const sdlFiles: SdlFiles = {
  'schema.graphql': printSchema,
  ...sdlFilesOfVariants(),
  'semantic.graphql': printSemantic,
};
