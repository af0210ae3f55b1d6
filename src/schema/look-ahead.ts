import {
  type FieldNode,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  getDirectiveValues,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

type Facts = Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>;

/**
 * The selected fields below some others, by name. Fragments are followed, and `@skip` and `@include` are applied. Type
 * conditions are ignored: the result may contain a field too many, never one too few.
 */
export function fieldsBelow(
  nodes: readonly FieldNode[],
  facts: Facts,
): ReadonlyMap<string, readonly FieldNode[]> {
  return fieldsIn(
    nodes.flatMap(({ selectionSet }) => selectionSet?.selections ?? []),
    facts,
  );
}

/** The root fields of an operation, collected in the same way. */
export const fieldsOf = ({ selections }: SelectionSetNode, facts: Facts) =>
  fieldsIn(selections, facts);

function fieldsIn(
  roots: readonly SelectionNode[],
  facts: Facts,
): ReadonlyMap<string, readonly FieldNode[]> {
  const found = new Map<string, FieldNode[]>();
  const collect = (selections: readonly SelectionNode[]) => {
    for (const selection of selections) {
      if (isLeftOut(selection, facts)) continue;
      if (selection.kind === 'Field') {
        const known = found.get(selection.name.value);
        if (known) known.push(selection);
        else found.set(selection.name.value, [selection]);
      } else {
        const fragment =
          selection.kind === 'InlineFragment' ? selection : facts.fragments[selection.name.value];
        collect(fragment?.selectionSet.selections ?? []);
      }
    }
  };
  collect(roots);
  return found;
}

function isLeftOut(selection: SelectionNode, { variableValues }: Facts): boolean {
  if (!selection.directives?.length) return false;
  const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
  const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
  return skip?.if === true || include?.if === false;
}
