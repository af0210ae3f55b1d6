import {
  type DocumentNode,
  GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getOperationAST,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
} from 'graphql';
import { CallCount, type CostContext } from '../../../kernel/call-count.ts';
import { createOutliner, type Outline, type Part } from './outline.ts';

/** An operation as a client requests it. */
export interface EstimatedOperation {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As the client sent them. */
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The cost of an operation, before it is executed. */
export interface Estimate {
  readonly upstreamCalls: number;
  /** Searches of the operation; each may use more calls than estimated. */
  readonly searches: number;
  /** Whether it is a purchase, or selects only fields about purchases. */
  readonly isNeverLimited: boolean;
}

type Variables = Readonly<Record<string, unknown>>;
type Count = (variables: Variables | null | undefined) => Estimate | null;

/**
 * Creates the function that estimates the upstream calls of operations from the cost marks of the schema. It returns null
 * for an operation that will not be executed: it does not exist, or its variables are invalid. The outline of a document
 * is computed once.
 */
export function createEstimate(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, Map<string, Count>>();

  const countOf = (document: DocumentNode, operationName: string | null | undefined): Count => {
    const operation = getOperationAST(document, operationName);
    return operation ? createCount(schema, document, operation) : () => null;
  };

  return ({ document, operationName, variables }: EstimatedOperation): Estimate | null => {
    const counts = known.get(document) ?? new Map<string, Count>();
    known.set(document, counts);
    const count = counts.get(operationName ?? '') ?? countOf(document, operationName);
    counts.set(operationName ?? '', count);
    return count(variables);
  };
}

function createCount(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Count {
  const outline = createOutliner(schema, document)(operation);
  const definitions = operation.variableDefinitions ?? [];
  if (outline.length === 0) return () => free;
  if (definitions.length === 0) {
    const always = estimate(operation, outline, {});
    return () => always;
  }
  return (variables) => {
    const { coerced } = getVariableValues(schema, definitions, variables ?? {});
    return coerced ? estimate(operation, outline, coerced) : null;
  };
}

const free: Estimate = { upstreamCalls: 0, searches: 0, isNeverLimited: false };

function estimate(
  { operation }: OperationDefinitionNode,
  outline: Outline,
  variables: Variables,
): Estimate {
  const roots = fieldsOf(outline, variables);
  // Mutations run one after the other, and reads after a write bypass the cache.
  const groups = operation === OperationTypeNode.MUTATION ? roots.map((one) => [one]) : [roots];
  const counts = groups.map((fields) => countCalls(fields, variables));
  return {
    upstreamCalls: counts.reduce((sum, { total }) => sum + total, 0),
    searches: counts.reduce((sum, { searches }) => sum + searches, 0),
    isNeverLimited: isNeverLimited(roots),
  };
}

/** The root fields, also those in fragments, each once. */
function fieldsOf(outline: Outline, variables: Variables): readonly Part[] {
  const fields = new Set<Part>();
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

function countCalls(parts: readonly Part[], variables: Variables): CallCount {
  const count = new CallCount();
  // Fields of a fragment that is spread several times in the same context cost nothing more.
  const seen = new Map<Part, Set<CostContext>>();
  const walk = (part: Part, above: CostContext): void => {
    const before = seen.get(part) ?? new Set<CostContext>();
    if (before.has(above) || isSkipped(part.node, variables)) return;
    seen.set(part, before.add(above));
    const below = contextBelow(part, above);
    if (below) for (const one of part.below) walk(one, below);
  };
  /** Null for a field that will not be resolved. */
  const contextBelow = ({ field }: Part, above: CostContext): CostContext | null => {
    if (!field?.mark) return above;
    try {
      const { definition, node, mark } = field;
      const hasArguments = definition.args.length > 0;
      const args = hasArguments ? getArgumentValues(definition, node, variables) : {};
      return mark(count, args, above) ?? above;
    } catch (error) {
      if (error instanceof GraphQLError) return null;
      throw error;
    }
  };
  for (const part of parts) walk(part, {});
  return count;
}

function isSkipped(node: SelectionNode, variables: Variables): boolean {
  if (!node.directives?.length) return false;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variables);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variables);
  return skip?.if === true || include?.if === false;
}

/** True for a purchase, and for an operation that only selects fields about purchases. */
function isNeverLimited(roots: readonly Part[]): boolean {
  const marks = roots.map(({ field }) => field?.definition.extensions ?? {});
  const isOutcome = marks.length > 0 && marks.every(({ neverLimited }) => neverLimited === true);
  return isOutcome || marks.some(({ purchase }) => purchase === true);
}
