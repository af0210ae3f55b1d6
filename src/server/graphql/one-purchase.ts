import {
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
        if (total > 1 || purchases.size > 1) context.reportError(severalError(purchases));
        for (const node of purchases) if (node.alias) context.reportError(aliasError(node));
        for (const container of containers) {
          const directive = container.directives?.find(isRisky);
          if (directive && count(container) > 0) context.reportError(directiveError(directive));
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

const severalError = (purchases: ReadonlySet<FieldNode>) =>
  new GraphQLError('A document may hold one purchase; send each in a request of its own.', {
    nodes: [...purchases].slice(0, 2),
  });

const aliasError = (purchase: FieldNode) =>
  new GraphQLError(`A purchase has no alias; write "${purchase.name.value}" alone.`, {
    nodes: purchase,
  });

const directiveError = (directive: DirectiveNode) =>
  new GraphQLError(
    `"@${directive.name.value}" must not be on a purchase or around it, where only "@skip" and "@include" may be.`,
    { nodes: directive },
  );
