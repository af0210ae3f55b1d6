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

/** Whatever can hold fields, and directives beside them. */
type Holder = OperationDefinitionNode | FragmentDefinitionNode | SelectionNode;

/** They decide before the field runs whether it does; every other directive might run it later or again. */
const harmless: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * A document buys at most one thing, plainly: one purchase in all its operations and fragments together, without an
 * alias, and without a directive on it or around it that could repeat or delay it. A purchase is a field whose
 * definition says `extensions: { purchase: true }`.
 */
export function OnePurchaseRule(context: ValidationContext): ASTVisitor {
  const purchases = new Set<FieldNode>();
  const holders: Holder[] = [];
  const note = (node: Holder) => void holders.push(node);
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
        if (purchases.size === 0) return;
        const count = createCount(context, purchases);
        const operations = holders.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
        const bought = operations.reduce((sum, operation) => sum + count(operation), 0);
        if (bought > 1 || purchases.size > 1) context.reportError(severalError(purchases));
        for (const node of purchases) if (node.alias) context.reportError(aliasError(node));
        for (const holder of holders) {
          const [directive] = holder.directives?.filter(isRisky) ?? [];
          if (directive && count(holder) > 0) context.reportError(directiveError(directive));
        }
      },
    },
  };
}

const isRisky = ({ name }: DirectiveNode) => !harmless.has(name.value);

/** How many purchases a part of the document holds, those of its fragments included; each fragment is counted once. */
function createCount(context: ValidationContext, purchases: ReadonlySet<FieldNode>) {
  const counts = new Map<Holder, number>();
  const inside = (node: Holder): number => {
    if (node.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = context.getFragment(node.name.value);
      return fragment ? count(fragment) : 0;
    }
    const own = node.kind === Kind.FIELD && purchases.has(node) ? 1 : 0;
    const selections = node.selectionSet?.selections ?? [];
    return selections.reduce((sum, selection) => sum + count(selection), own);
  };
  const count = (node: Holder): number => {
    const known = counts.get(node);
    if (known !== undefined) return known;
    // A fragment that holds itself is refused by another rule; here it only has to end.
    counts.set(node, 0);
    const counted = inside(node);
    counts.set(node, counted);
    return counted;
  };
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
