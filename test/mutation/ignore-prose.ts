/** The part of a Babel path that the plugin reads. */
interface Path {
  readonly node: {
    readonly type: string;
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly raw: string } }[];
  };
}

/** The fixed text of a string or template literal. */
function textOf({ node }: Path): string {
  if (node.type === 'StringLiteral') return String(node.value);
  if (node.type !== 'TemplateLiteral') return '';
  return (node.quasis ?? []).map(({ value }) => value.raw).join('');
}

/** A plugin of Stryker. Tests check codes, not wording, so literals of at least three words are not changed. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'prose',
    value: {
      shouldIgnore: (path: Path) => (textOf(path).split(' ').length > 2 ? 'Prose' : undefined),
    },
  },
];
