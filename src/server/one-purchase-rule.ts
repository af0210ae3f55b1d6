import {
  type ASTVisitor,
  type DirectiveNode,
  type FieldNode,
  GraphQLError,
  type ValidationContext,
} from 'graphql';

/** What a caller may still say about a purchase: whether it is made at all. */
const allowed: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * One document, one purchase, told whole and under its own name: a second one beside it, an alias, or a directive that
 * repeats or delays it is refused before anything runs.
 *
 * The field says itself that it is a purchase, by `extensions: { purchase: true }`. Every node is looked at once, however
 * fragments are nested; that a fragment may be left unused, or an operation unchosen, does not make two purchases one.
 */
export function onePurchaseRule(context: ValidationContext): ASTVisitor {
  const purchases: FieldNode[] = [];
  const directives: DirectiveNode[] = [];
  const report = (message: string, node: FieldNode | DirectiveNode) =>
    context.reportError(new GraphQLError(message, { nodes: [node] }));

  return {
    Field(node) {
      if (context.getFieldDef()?.extensions.purchase !== true) return;
      if (node.alias) {
        report(
          `A purchase has no alias: write "${node.name.value}", not "${node.alias.value}: ${node.name.value}".`,
          node,
        );
      }
      if (purchases.length > 0) {
        report(
          `One document makes one purchase: send "${node.name.value}" in a request of its own.`,
          node,
        );
      }
      purchases.push(node);
    },
    Directive(node, _key, _parent, _path, ancestors) {
      const isOfMutation = context.getParentType() === context.getSchema().getMutationType();
      const holder = ancestors.at(-1);
      const isOfSelection =
        holder !== undefined &&
        'kind' in holder &&
        ['Field', 'FragmentSpread', 'InlineFragment'].includes(holder.kind);
      if (isOfMutation && isOfSelection && !allowed.has(node.name.value)) directives.push(node);
    },
    Document: {
      leave() {
        if (purchases.length === 0) return;
        for (const node of directives) {
          report(
            `A purchase is made once and told at once: take "@${node.name.value}" away.`,
            node,
          );
        }
      },
    },
  };
}
