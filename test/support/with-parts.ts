/** The `use` of a scope that has these parts, each by the name of its key. */
export const withParts = (parts: Readonly<Record<string, unknown>>) => ({
  use: ({ name }: { readonly name: string }): unknown => parts[name],
});

/** The part of a key in a context with these facts, and with other parts by the names of their keys. */
export const partOf = <Context, Part>(
  key: { readonly create: (context: Context) => Part },
  parts: Readonly<Record<string, unknown>>,
  facts: object = {},
): Part => key.create({ ...facts, ...withParts(parts) } as Context);
