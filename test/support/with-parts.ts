/** The `use` of a scope that has these parts, each by the name of its key. */
export const withParts = (parts: Readonly<Record<string, unknown>>) => ({
  use: ({ name }: { readonly name: string }): unknown => parts[name],
});
