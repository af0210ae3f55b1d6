import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import {
  type GraphQLFieldConfig,
  type GraphQLFieldResolver,
  GraphQLObjectType,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import { readGlobalId } from '../schema/global-id.ts';
import type { Feature } from '../seam/feature.ts';
import { rootFieldsOf } from './features.ts';

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
  return (type, value) => ofEnums[type]?.has(value) ?? states.has(value);
}

const nodesOf = (features: readonly Feature[]): readonly string[] =>
  features.flatMap(({ nodes = [] }) => nodes);

/** @throws Error for a name of a feature that the graph does not have: it would remove nothing */
export function checkNames(schema: GraphQLSchema, features: readonly Feature[]): void {
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
export function withoutFeatures(
  schema: GraphQLSchema,
  features: readonly Feature[],
): GraphQLSchema {
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
