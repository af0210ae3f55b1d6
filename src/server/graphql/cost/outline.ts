import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { CostMark } from '../../../kernel/call-count.ts';

/** The parts of a selection that cause upstream calls, or contain such parts. */
export type Outline = readonly Part[];

export interface Part {
  /** Its directives decide whether the part is executed. */
  readonly node: SelectionNode;
  /** The field; null for a fragment, whose parts are `below`. */
  readonly field: MarkedField | null;
  readonly below: Outline;
}

interface MarkedField {
  readonly node: FieldNode;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly mark: CostMark | null;
}

/** Outlines operations of a valid document. Each fragment is visited once. */
export function createOutliner(schema: GraphQLSchema, document: DocumentNode) {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) {
    if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  }
  const known = new Map<string, Outline>();

  const outlineOf = (type: GraphQLNamedType | undefined, { selections }: SelectionSetNode) =>
    selections.flatMap((node) => partOf(type, node) ?? []);

  function partOf(type: GraphQLNamedType | undefined, node: SelectionNode): Part | null {
    if (node.kind === Kind.FIELD) return fieldPart(type, node);
    const below = node.kind === Kind.INLINE_FRAGMENT ? inline(type, node) : spread(node.name.value);
    return below.length > 0 ? { node, field: null, below } : null;
  }

  function fieldPart(type: GraphQLNamedType | undefined, node: FieldNode): Part | null {
    if (!isObjectType(type) && !isInterfaceType(type)) return null;
    const definition = type.getFields()[node.name.value];
    if (!definition) return null;
    const mark = (definition.extensions.cost as CostMark | undefined) ?? null;
    const { selectionSet } = node;
    const below = selectionSet ? outlineOf(getNamedType(definition.type), selectionSet) : [];
    return mark || below.length > 0 ? { node, field: { node, definition, mark }, below } : null;
  }

  const inline = (
    type: GraphQLNamedType | undefined,
    { typeCondition, selectionSet }: Extract<SelectionNode, { kind: Kind.INLINE_FRAGMENT }>,
  ) => outlineOf(typeCondition ? schema.getType(typeCondition.name.value) : type, selectionSet);

  function spread(name: string): Outline {
    const before = known.get(name);
    if (before) return before;
    const fragment = fragments.get(name);
    if (!fragment) return [];
    const outline = outlineOf(
      schema.getType(fragment.typeCondition.name.value),
      fragment.selectionSet,
    );
    known.set(name, outline);
    return outline;
  }

  return ({ operation, selectionSet }: OperationDefinitionNode): Outline =>
    outlineOf(schema.getRootType(operation) ?? undefined, selectionSet);
}
