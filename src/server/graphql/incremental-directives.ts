import { type DirectiveNode, type DocumentNode, visit } from 'graphql';

const names: ReadonlySet<string> = new Set(['defer', 'stream']);
const known = new WeakMap<DocumentNode, readonly DirectiveNode[]>();

/** Every `@defer` and `@stream` of the document, which make its response one of several parts. */
export function incrementalDirectives(document: DocumentNode): readonly DirectiveNode[] {
  const before = known.get(document);
  if (before) return before;
  const found: DirectiveNode[] = [];
  visit(document, { Directive: (node) => void (isIncremental(node) && found.push(node)) });
  known.set(document, found);
  return found;
}

export const isIncremental = ({ name }: DirectiveNode): boolean => names.has(name.value);
