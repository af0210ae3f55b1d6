import {
  type DirectiveNode,
  type DocumentNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import { memoize } from '../../lib/lazy.ts';

/** Every `@defer` and `@stream` of the document, which make its response one of several parts. */
export const incrementalDirectives = memoize((document: DocumentNode): readonly DirectiveNode[] => {
  const found: DirectiveNode[] = [];
  visit(document, { Directive: (node) => void (isIncremental(node) && found.push(node)) });
  return found;
});

const isIncremental = ({ name }: DirectiveNode): boolean => /^(?:defer|stream)$/.test(name.value);

export const withoutIncrementalDirectives = (document: DocumentNode): DocumentNode =>
  visit(document, { Directive: (node) => (isIncremental(node) ? null : undefined) });

/** Whether the response of an operation has one part, and not a stream of them. */
export const hasSingleResult = (
  { operation }: OperationDefinitionNode,
  document: DocumentNode,
): boolean =>
  operation !== OperationTypeNode.SUBSCRIPTION && incrementalDirectives(document).length === 0;
