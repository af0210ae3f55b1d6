import type { GraphQLSchema } from 'graphql';

/**
 * The `extensions` of a root field that returns the same to all callers of a tenant. `cacheTag` names the cached data of these
 * arguments; null for arguments with which the field is always null.
 */
export const publicRead = (cacheTag: (args: never) => string | null) => ({ cacheTag });

/** The `extensions` of a type whose objects are read by `publicRead`, and whose fields without a cost are the same for all callers. */
export const publicType = { isPublicType: true };

/** The `extensions` of a field of such a type that is not the same for all callers. */
export const confidential = { isConfidential: true };

interface Marked {
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** The function of `publicRead`. */
export const cacheTagOf = ({ extensions }: Marked) =>
  extensions.cacheTag as ((args: object) => string | null) | undefined;

export const isPublicType = ({ extensions }: Marked): boolean => extensions.isPublicType === true;

export const isConfidential = ({ extensions }: Marked): boolean =>
  extensions.isConfidential === true;

interface Renamed {
  readonly typeName?: (name: string) => string;
}

/** The name of a type in the graph that is served. A feature can rename types. */
export const servedTypeName = ({ extensions }: GraphQLSchema, name: string): string =>
  (extensions as Renamed).typeName?.(name) ?? name;

/** The graph, whose types were renamed, with the function that `servedTypeName` uses. */
export const withTypeNames = (
  schema: GraphQLSchema,
  typeName: (name: string) => string,
): GraphQLSchema =>
  Object.assign(schema, { extensions: { ...schema.extensions, typeName } satisfies Renamed });

/** Directives by name, each with its arguments; a repeatable directive has a list. */
export type Directives = Readonly<Record<string, object | readonly object[]>>;

/** The directives of a definition in the SDL variants. The served graph has none of them. */
export interface SupergraphDirectives {
  /** Of Apollo Federation 2. */
  readonly federation?: Directives;
  readonly stitching?: Directives;
}

const directives = (supergraph: SupergraphDirectives) => ({ supergraph });

/** The `extensions` of a value type. Other subgraphs may define the same type. */
export const valueType = directives({ federation: { shareable: {} } });

/** The `extensions` of a field whose value is a secret. A contract variant can exclude the field. */
export const secret = directives({ federation: { tag: { name: 'secret' } } });

/** The `extensions` of an entity type. Each of these non-null fields is a key. */
export const knownBy = (...keys: readonly string[]) =>
  directives({ federation: { key: keys.map((fields) => ({ fields })) } });

/**
 * The `extensions` of a root field with which a stitching gateway loads a type by values of `keyField`. `keyArg` names the
 * argument that takes the values, when the field has several.
 */
export const loadsBy = (
  keyField: string,
  { keyArg, ...others }: SupergraphDirectives & { readonly keyArg?: string } = {},
) => directives({ ...others, stitching: { merge: { keyField, ...(keyArg && { keyArg }) } } });

/** Directives of the root fields `node` and `nodes`: each subgraph has its own, for its own global ids. */
export const onlyHere: SupergraphDirectives = { federation: { shareable: {}, inaccessible: {} } };

/** The `extensions` of a nullable field that is null only together with an error; `semantic.graphql` shows it to clients. */
export const nullWithError = { semantic: { semanticNonNull: {} } };
