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
 * The fields asked for below some others, by name, also through fragments and without what `@skip` and `@include` leave
 * out. Types are not looked at: a field of another type of the same name counts too, which may cost a call too many and
 * never one too few.
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

/** The same of a whole operation: its root fields. */
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
