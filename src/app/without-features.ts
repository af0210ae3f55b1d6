import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import type { GraphQLFieldConfig, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { readGlobalId } from '../schema/global-id.ts';
import type { Feature } from '../seam/feature.ts';

/** The graph without the root fields, fields and types of these features. */
export function withoutFeatures(
  schema: GraphQLSchema,
  features: readonly Feature[],
): GraphQLSchema {
  const nodes = new Set(features.flatMap(({ nodes: own = [] }) => own));
  const fields = new Set(
    features.flatMap(({ rootFields = {}, fields: own = [] }) => [
      ...own,
      ...Object.entries(rootFields).flatMap(([type, names]) =>
        names.map((name) => `${type}.${name}`),
      ),
    ]),
  );
  const left = mapSchema(schema, {
    [MapperKind.OBJECT_TYPE]: (type) => (nodes.has(type.name) ? null : undefined),
    [MapperKind.COMPOSITE_FIELD]: (config, name, type) =>
      fields.has(`${type}.${name}`) ? null : withoutNodes(config, `${type}.${name}`, nodes),
    [MapperKind.INPUT_OBJECT_FIELD]: (_config, name, type) =>
      fields.has(`${type}.${name}`) ? null : undefined,
  });
  // Types of which only a removed field was.
  return pruneSchema(left);
}

type Field = GraphQLFieldConfig<unknown, unknown>;

/** The fields that read any object by its id find none of these types. */
function withoutNodes(config: Field, name: string, nodes: ReadonlySet<string>): Field | undefined {
  if (name !== 'Query.node' && name !== 'Query.nodes') return undefined;
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
