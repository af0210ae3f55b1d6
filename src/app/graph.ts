// First: it adds the scopes and error codes of features.
import { features } from '../features/index.ts';
import '../modules/index.ts';
import {
  getDocumentNodeFromSchema,
  MapperKind,
  mapSchema,
  pruneSchema,
} from '@graphql-tools/utils';
import {
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  print,
  printSchema,
  specifiedDirectives,
} from 'graphql';
import { readGlobalId } from '../kernel/ids.ts';
import { builder } from '../schema/builder.ts';
import { incrementalDirectives } from '../schema/incremental-delivery.ts';
import { inOrderOfUse } from '../schema/root-order.ts';
import type { Feature, GraphVariants, SdlFiles, Serving } from '../seam/feature.ts';
import { checkFeatures, rootFieldsOf } from './features.ts';

/** The fields of the features, such as `Query.events` and `Domain.events`. */
const fieldsOf = (features: readonly Feature[]): readonly string[] =>
  features.flatMap((feature) => [...(feature.fields ?? []), ...rootFieldsOf(feature)]);

type IsValue = (type: string, value: string) => boolean;

/** Whether the features add the value to an enum of others. */
function isValueOf(features: readonly Feature[]): IsValue {
  const ofEnums: Readonly<Record<string, ReadonlySet<string>>> = {
    ErrorCode: new Set(features.flatMap(({ faults = {} }) => Object.keys(faults))),
    EventType: new Set(features.flatMap(({ events = {} }) => Object.keys(events))),
  };
  const states = new Set(features.flatMap(({ heldState = [] }) => heldState));
  const added = (type: string, value: string) =>
    features.some(({ enumValues = {} }) => value in (enumValues[type] ?? {}));
  return (type, value) => ofEnums[type]?.has(value) ?? (states.has(value) || added(type, value));
}

const nodesOf = (features: readonly Feature[]): readonly string[] =>
  features.flatMap(({ nodes = [] }) => nodes);

/** @throws Error for a name of a feature that the graph does not have: it would remove nothing */
function checkNames(schema: GraphQLSchema, features: readonly Feature[]): void {
  const isField = (name: string): boolean => {
    const [typename = '', field = ''] = name.split('.');
    const type = schema.getType(typename);
    return (isObjectType(type) || isInputObjectType(type)) && field in type.getFields();
  };
  const missing = [
    ...nodesOf(features).filter((name) => !isObjectType(schema.getType(name))),
    ...fieldsOf(features).filter((name) => !isField(name)),
  ];
  if (missing.length > 0) {
    throw new Error(`Features declare what the graph does not have: ${missing.join(', ')}.`);
  }
}

/** The graph without the root fields, fields and types of these features, and without what only these refer to. */
function withoutFeatures(schema: GraphQLSchema, features: readonly Feature[]): GraphQLSchema {
  const nodes = new Set(nodesOf(features));
  const fields = new Set(fieldsOf(features));
  const isValue = isValueOf(features);
  const remaining = mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => (nodes.has(type.name) ? null : withoutCodes(type, isValue)),
    [MapperKind.COMPOSITE_FIELD]: (config, name, type) =>
      fields.has(`${type}.${name}`) ? null : withoutNodes(config, `${type}.${name}`, nodes),
    [MapperKind.ENUM_VALUE]: (_config, type, _schema, name) =>
      isValue(type, name) ? null : undefined,
    [MapperKind.INPUT_OBJECT_FIELD]: (_config, name, type) =>
      fields.has(`${type}.${name}`) ? null : undefined,
  });
  return pruneSchema(remaining);
}

/** The type, whose description lists error codes when it is one of errors. Those of features follow those of the core. */
function withoutCodes(type: GraphQLObjectType, isValue: IsValue): GraphQLObjectType | undefined {
  if (!type.getInterfaces().some(({ name }) => name === 'UserError')) return undefined;
  const description = type.description?.replaceAll(/, `(\w+)`/g, (text, code: string) =>
    isValue('ErrorCode', code) ? '' : text,
  );
  return new GraphQLObjectType({ ...type.toConfig(), description });
}

type Field = GraphQLFieldConfig<unknown, unknown>;

/** The fields that read any object by its id find none of these types. */
function withoutNodes(config: Field, name: string, nodes: ReadonlySet<string>): Field {
  if (name !== 'Query.node' && name !== 'Query.nodes') return config;
  const keep = (id: string): string => (nodes.has(readGlobalId(id)?.typename ?? '') ? '' : id);
  const resolve: GraphQLFieldResolver<unknown, unknown> = (root, args, ...rest) => {
    const { id, ids } = args as { id?: string; ids?: readonly string[] };
    return config.resolve?.(
      root,
      { ...args, ...(id !== undefined && { id: keep(id) }), ...(ids && { ids: ids.map(keep) }) },
      ...rest,
    );
  };
  return { ...config, resolve };
}

checkFeatures(features);
for (const { joins = {} } of features) {
  for (const [name, join] of Object.entries(joins)) {
    if (features.some((feature) => feature.name === name)) await join();
  }
}
for (const { graph } of features) await graph?.();

/** By their features. */
const variants = new Map<Feature, GraphVariants>();
for (const feature of features) {
  const found = await feature.variants?.();
  if (found) variants.set(feature, found);
}

/** The whole graph, printed in `schema.graphql`. Only this file builds it. */
export const schema = inOrderOfUse(
  builder.toSchema({ directives: [...specifiedDirectives, ...incrementalDirectives] }),
  features,
);

checkNames(schema, features);

// The first text of the documentation in GraphiQL. Pothos has no option for it.
schema.description = descriptionOf(features);

function descriptionOf(selected: readonly Feature[]): string {
  const everyday = selected.flatMap(({ everyday = [] }) => everyday.map((line) => `- ${line}\n`));
  return `The domains, purchases and account of a domain reseller.

Everyday operations, each with the field to begin with:

- search a name: \`searchDomains\`
- check a list of names: \`availabilities\`
- the price for some years: \`tld\` with \`quote\`
- register a domain: \`registerDomain\`
- a domain with its contacts: \`domain\`
- change name servers: \`setNameServers\`
${everyday.join('')}
\`gateway\` has your scopes and limits. The description of a field has its upstream calls. \`extensions.cost\` has the calls
that were estimated before the execution.
A mutation returns its failures in \`errors\`: \`executed\` is whether the registrar may have acted, and \`retryable\` whether a
repetition can help.`;
}

/** The graph that a gateway with these settings serves, without the features that are not selected. */
export function servedSchema(serving: Serving, selected: readonly Feature[]): GraphQLSchema {
  const leftOut = features.filter((feature) => !selected.includes(feature));
  return selected.reduce(
    (graph, feature) => variants.get(feature)?.serve(graph, serving) ?? graph,
    leftOut.length > 0 ? remaining(selected, leftOut) : schema,
  );
}

function remaining(selected: readonly Feature[], leftOut: readonly Feature[]): GraphQLSchema {
  // The types of a topic may follow from other fields now.
  const graph = inOrderOfUse(withoutFeatures(schema, leftOut), selected);
  graph.description = descriptionOf(selected);
  return graph;
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
  ...Object.assign({}, ...[...variants.values()].map(({ sdlFiles: files }) => files)),
  'semantic.graphql': printSemantic,
};
