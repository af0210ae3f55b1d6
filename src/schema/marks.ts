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
