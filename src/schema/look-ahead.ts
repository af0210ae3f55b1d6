import { shouldIncludeNode } from '@graphql-tools/utils';
import type { FieldNode, GraphQLResolveInfo, SelectionNode } from 'graphql';

type ResolveFacts = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

/**
 * The selected fields below some others, by name. Fragments are followed, and `@skip` and `@include` are applied. Type
 * conditions are ignored: the result may contain a field too many, never one too few.
 */
export const fieldsBelow = (nodes: readonly FieldNode[], facts: ResolveFacts) =>
  Map.groupBy(
    nodes.flatMap(({ selectionSet }) => [...fieldsIn(selectionSet?.selections, facts)]),
    ({ name }) => name.value,
  );

/** The selected fields, found in the same way. */
export function* fieldsIn(
  selections: readonly SelectionNode[] | undefined,
  facts: ResolveFacts,
): Generator<FieldNode> {
  for (const selection of selections ?? []) {
    const hasDirective = selection.directives && selection.directives.length > 0;
    if (hasDirective && !shouldIncludeNode(facts.variableValues, selection)) continue;
    if (selection.kind === 'Field') {
      yield selection;
    } else {
      const fragment =
        selection.kind === 'InlineFragment' ? selection : facts.fragments[selection.name.value];
      yield* fieldsIn(fragment?.selectionSet.selections, facts);
    }
  }
}
