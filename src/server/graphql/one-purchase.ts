import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type ValidationContext,
} from 'graphql';
import { memoize } from '../../lib/lazy.ts';

/** A node with fields or directives. */
type Container = OperationDefinitionNode | FragmentDefinitionNode | SelectionNode;

/** Directives that only decide whether a field is executed; others could delay or repeat it. */
const harmless: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * Allows one purchase per document, counted over all operations and fragments, without an alias, and without a directive
 * on it or around it that could repeat or delay it. A purchase is a field with `extensions: { purchase: true }`.
 */
export function OnePurchaseRule(context: ValidationContext): ASTVisitor {
  const purchases = new Set<FieldNode>();
  const containers: Container[] = [];
  const note = (node: Container) => void containers.push(node);
  const report = (message: string, ...nodes: readonly ASTNode[]) =>
    context.reportError(new GraphQLError(message, { nodes }));
  return {
    OperationDefinition: note,
    FragmentDefinition: note,
    FragmentSpread: note,
    InlineFragment: note,
    Field(node) {
      note(node);
      if (context.getFieldDef()?.extensions.purchase === true) purchases.add(node);
    },
    Document: {
      leave() {
        const count = createCount(context, purchases);
        const operations = containers.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
        const total = operations.reduce((sum, operation) => sum + count(operation), 0);
        if (total > 1 || purchases.size > 1) report(several, ...[...purchases].slice(0, 2));
        for (const node of purchases) {
          if (node.alias)
            report(`A purchase has no alias; write "${node.name.value}" alone.`, node);
        }
        for (const container of containers) {
          const directive = container.directives?.find(isRisky);
          if (directive && count(container) > 0) report(isAround(directive), directive);
        }
      },
    },
  };
}

const isRisky = ({ name }: DirectiveNode) => !harmless.has(name.value);

/** Counts the purchases in a part of the document, including those of its fragments; each fragment is visited once. */
function createCount(context: ValidationContext, purchases: ReadonlySet<Container>) {
  const partsOf = (node: Container): readonly Container[] =>
    node.kind === Kind.FRAGMENT_SPREAD
      ? [context.getFragment(node.name.value) ?? []].flat()
      : (node.selectionSet?.selections ?? []);
  // Validation refuses a cycle; here the recursion only has to end.
  const count: (node: Container) => number = memoize((node) => {
    const own = purchases.has(node) ? 1 : 0;
    return partsOf(node).reduce((sum, part) => sum + count(part), own);
  }, 0);
  return count;
}

const several = 'A document may hold one purchase; send each in a request of its own.';

const isAround = ({ name }: DirectiveNode) =>
  `"@${name.value}" must not be on a purchase or around it, where only "@skip" and "@include" may be.`;
