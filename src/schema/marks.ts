/** Directives of a definition in what is printed for a supergraph; the graph itself has none of them. */
export interface Marks {
  readonly federation?: string;
  readonly stitching?: string;
}

const marks = (supergraph: Marks) => ({ supergraph });

/** The `extensions` of a value type: whoever has one with the same fields shares it. */
export const valueType = marks({ federation: '@shareable' });

/** The `extensions` of a field whose value is a secret, so that a contract variant can leave it out. */
export const secret = marks({ federation: '@tag(name: "secret")' });

/** The `extensions` of a type whose things are known by each of these non-null fields. */
export const knownBy = (...keys: readonly string[]) =>
  marks({ federation: keys.map((key) => `@key(fields: "${key}")`).join(' ') });

/**
 * The `extensions` of a root field that a stitching gateway loads types with: it takes values of `keyField`. A field with
 * several arguments names the one that takes them, `keyArg`.
 */
export const loadsBy = (
  keyField: string,
  { federation, keyArg }: Marks & { readonly keyArg?: string } = {},
) => {
  const argument = keyArg ? `, keyArg: "${keyArg}"` : '';
  return marks({
    stitching: `@merge(keyField: "${keyField}"${argument})`,
    ...(federation && { federation }),
  });
};

/** Of a root field that every graph with global ids has one of, and that can't know the ids of the others. */
export const onlyHere: Marks = { federation: '@shareable @inaccessible' };
