import { type DirectiveNode, type DocumentNode, visit } from 'graphql';

const names: ReadonlySet<string> = new Set(['defer', 'stream']);
const known = new WeakMap<DocumentNode, readonly DirectiveNode[]>();

/** Every `@defer` and `@stream` of the document, which make of one answer several; looked for once in a document. */
export function delayingDirectives(document: DocumentNode): readonly DirectiveNode[] {
  const before = known.get(document);
  if (before) return before;
  const found: DirectiveNode[] = [];
  visit(document, { Directive: (node) => void (isDelaying(node) && found.push(node)) });
  known.set(document, found);
  return found;
}

export const isDelaying = ({ name }: DirectiveNode): boolean => names.has(name.value);
