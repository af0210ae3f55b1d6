import {
  type ASTVisitor,
  type DirectiveNode,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

const sentence = 'The root of a subscription must not have "@skip" or "@include".';

/** A rule of the edition September 2025 of GraphQL that graphql-js 16 does not have: a subscription has exactly one root field. */
export function UnconditionalRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const nodes = conditionsIn(context, selectionSet, new Set());
      if (nodes.length > 0) context.reportError(new GraphQLError(sentence, { nodes }));
    },
  };
}

/** Each fragment is visited once. */
function conditionsIn(
  context: ValidationContext,
  { selections }: SelectionSetNode,
  seen: Set<string>,
): readonly DirectiveNode[] {
  return selections.flatMap((selection) => {
    const own = selection.directives?.filter(({ name }) => /^(?:skip|include)$/.test(name.value));
    let below = selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : undefined;
    if (selection.kind === Kind.FRAGMENT_SPREAD && !seen.has(selection.name.value)) {
      seen.add(selection.name.value);
      below = context.getFragment(selection.name.value)?.selectionSet;
    }
    return [...(own ?? []), ...(below ? conditionsIn(context, below, seen) : [])];
  });
}
