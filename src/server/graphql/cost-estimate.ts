import { shouldIncludeNode } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { CallCount, type CostContext, type CostMark } from '../../kernel/upstream-calls.ts';
import { variableValuesOf } from '../../lib/graphql-js.ts';
import { memoize } from '../../lib/lazy.ts';
import type { Estimate } from '../http/http-request.ts';
import type { RequestedOperation } from './rule.ts';
import { coerceVariables, createArgumentReader } from './values/coerced-values.ts';

type Variables = NonNullable<RequestedOperation['variables']>;
type EstimatedRequest = Pick<
  RequestedOperation,
  'document' | 'operation' | 'variables' | 'coerceVariables'
>;
type CountCalls = (requested: EstimatedRequest) => Estimate | null;

/**
 * Creates the function that estimates the upstream calls of operations from the cost marks of the schema. It returns null
 * for invalid variables, with which an operation is not executed. The outline of an operation is computed once.
 */
export function createEstimate(schema: GraphQLSchema, hasShopPrices = false) {
  const counts = new WeakMap<OperationDefinitionNode, CountCalls>();
  return (requested: EstimatedRequest): Estimate | null => {
    const { operation } = requested;
    const count = counts.get(operation) ?? createCount(schema, requested, hasShopPrices);
    counts.set(operation, count);
    return count(requested);
  };
}

function createCount(
  schema: GraphQLSchema,
  { document, operation }: EstimatedRequest,
  hasShopPrices: boolean,
): CountCalls {
  const outline = outlineOf(schema, document, operation);
  if (outline.length === 0) return () => free;
  if (!operation.variableDefinitions?.length) {
    const always = estimate(operation, outline, {}, hasShopPrices);
    return () => always;
  }
  return (requested) => {
    const { coerced } =
      requested.coerceVariables?.() ?? coerceVariables(schema, operation, requested.variables);
    return coerced ? estimate(operation, outline, coerced, hasShopPrices) : null;
  };
}

const free: Estimate = { upstreamCalls: 0, searches: 0, storedRows: 0, isNeverLimited: false };

/** Rows that a document about purchases may read without a limit, such as a page of the lines of an order. */
const fewRows = 250;

function estimate(
  { operation }: OperationDefinitionNode,
  outline: Outline,
  variables: Variables,
  hasShopPrices: boolean,
): Estimate {
  const roots = fieldsOf(outline, variables);
  // Mutations run one after the other, and reads after a write bypass the cache.
  const groups = operation === OperationTypeNode.MUTATION ? roots.map((one) => [one]) : [roots];
  const counts = groups.map((fields) =>
    countCalls(fields, variables, new CallCount(hasShopPrices)),
  );
  const storedRows = counts.reduce((sum, count) => sum + count.storedRows, 0);
  return {
    upstreamCalls: counts.reduce((sum, { total }) => sum + total, 0),
    searches: counts.reduce((sum, { searches }) => sum + searches, 0),
    storedRows,
    isNeverLimited: isPurchase(roots) || (storedRows <= fewRows && isOutcome(roots)),
  };
}

/** The root fields, also those in fragments, each once. */
function fieldsOf(outline: Outline, variables: Variables): readonly DocumentPart[] {
  const fields = new Set<DocumentPart>();
  const seen = new Set<Outline>();
  const collect = (parts: Outline): void => {
    if (seen.has(parts)) return;
    seen.add(parts);
    for (const part of parts) {
      if (isSkipped(part.node, variables)) continue;
      if (part.field) fields.add(part);
      else collect(part.below);
    }
  };
  collect(outline);
  return [...fields];
}

function countCalls(parts: readonly DocumentPart[], variables: Variables, count: CallCount) {
  // Fields of a fragment that is spread several times in the same context cost nothing more.
  const seen = new Map<DocumentPart, Set<CostContext>>();
  const walk = (part: DocumentPart, above: CostContext): void => {
    const before = seen.get(part) ?? new Set<CostContext>();
    if (before.has(above) || isSkipped(part.node, variables)) return;
    seen.set(part, before.add(above));
    const below = contextBelow(part, above);
    if (below) for (const one of part.below) walk(one, below);
  };
  /** Null for a field that will not be resolved. */
  const contextBelow = ({ addCost }: DocumentPart, above: CostContext): CostContext | null => {
    try {
      return addCost?.(count, variables, above) ?? above;
    } catch (error) {
      if (error instanceof GraphQLError) return null;
      throw error;
    }
  };
  for (const part of parts) walk(part, {});
  return count;
}

const isSkipped = (node: SelectionNode, variables: Variables): boolean =>
  (node.directives?.length ?? 0) > 0 && !shouldIncludeNode(variableValuesOf(variables), node);

const isPurchase = (roots: readonly DocumentPart[]): boolean =>
  roots.some(({ field }) => field?.extensions.purchase === true);

/** Whether an operation only selects fields about purchases. */
const isOutcome = (roots: readonly DocumentPart[]): boolean =>
  roots.length > 0 && roots.every(({ field }) => field?.extensions.neverLimited === true);

/** The parts of a selection that cause upstream calls, or contain such parts. */
type Outline = readonly DocumentPart[];

interface DocumentPart {
  /** Its directives decide whether the part is executed. */
  readonly node: SelectionNode;
  /** Null for a fragment, whose parts are `below`. */
  readonly field: GraphQLField<unknown, unknown> | null;
  /** Adds the calls of the field, by its mark. Null for a field without a mark. */
  readonly addCost:
    | ((count: CallCount, variables: Variables, above: CostContext) => ReturnType<CostMark>)
    | null;
  readonly below: Outline;
}

/** Outlines an operation of a valid document. Each fragment is visited once. */
function outlineOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): Outline {
  const definitions = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = new Map(definitions.map((one) => [one.name.value, one]));

  const conditionOf = ({ typeCondition }: InlineFragmentNode | FragmentDefinitionNode) =>
    typeCondition && schema.getType(typeCondition.name.value);
  const partsOf = (type: GraphQLNamedType | undefined, { selections }: SelectionSetNode) =>
    selections.flatMap((node) => partOf(type, node) ?? []);

  const ofFragment = memoize(
    (fragment: FragmentDefinitionNode): Outline =>
      partsOf(conditionOf(fragment), fragment.selectionSet),
  );
  const spread = (name: string): Outline => {
    const fragment = fragments.get(name);
    return fragment ? ofFragment(fragment) : [];
  };

  function partOf(type: GraphQLNamedType | undefined, node: SelectionNode): DocumentPart | null {
    if (node.kind === Kind.FIELD) return fieldPart(type, node);
    const below =
      node.kind === Kind.INLINE_FRAGMENT
        ? partsOf(conditionOf(node) ?? type, node.selectionSet)
        : spread(node.name.value);
    return below.length > 0 ? { node, field: null, addCost: null, below } : null;
  }

  function fieldPart(type: GraphQLNamedType | undefined, node: FieldNode): DocumentPart | null {
    if (!isObjectType(type) && !isInterfaceType(type)) return null;
    const field = type.getFields()[node.name.value];
    if (!field) return null;
    const mark = field.extensions.cost as CostMark | undefined;
    const { selectionSet } = node;
    const below = selectionSet ? partsOf(getNamedType(field.type), selectionSet) : [];
    if (!mark) return below.length > 0 ? { node, field, addCost: null, below } : null;
    const readArguments = createArgumentReader(field, node);
    const addCost: DocumentPart['addCost'] = (count, variables, above) =>
      mark(count, readArguments(variables), above);
    return { node, field, addCost, below };
  }

  return partsOf(schema.getRootType(operation) ?? undefined, selectionSet);
}
