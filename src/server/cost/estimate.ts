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
import { CallCount, type Led } from '../../kernel/call-count.ts';
import { createOutliner, type Outline, type Part } from './outline.ts';

/** An operation as a client asks for it. */
export interface Asked {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  /** As they were sent. */
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** What an operation takes, known before it is executed. */
export interface Estimate {
  readonly upstreamCalls: number;
  /** Searches among it; each may use more than it needs at least. */
  readonly searches: number;
  /** Whether it buys, or asks for nothing but what became of purchases. */
  readonly isNeverLimited: boolean;
}

type Variables = Readonly<Record<string, unknown>>;
type Count = (variables: Variables | null | undefined) => Estimate | null;

/**
 * Makes of a schema, whose fields have marks, what counts the upstream calls of operations; null for one that will not be
 * executed, since it is not there or its variables do not fit. Takes time that grows with the document, and little once it
 * knows it.
 */
export function createEstimate(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, Map<string, Count>>();

  const countOf = (document: DocumentNode, operationName: string | null | undefined): Count => {
    const operation = getOperationAST(document, operationName);
    return operation ? createCount(schema, document, operation) : () => null;
  };

  return ({ document, operationName, variables }: Asked): Estimate | null => {
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
  // Changes come one after the other, and what is read after one is read anew.
  const groups = operation === OperationTypeNode.MUTATION ? roots.map((one) => [one]) : [roots];
  const counts = groups.map((fields) => countCalls(fields, variables));
  return {
    upstreamCalls: counts.reduce((sum, { total }) => sum + total, 0),
    searches: counts.reduce((sum, { searches }) => sum + searches, 0),
    isNeverLimited: isNeverLimited(roots),
  };
}

/** The fields of the root, also those in fragments; each once, as they are executed. */
function fieldsOf(outline: Outline, variables: Variables): readonly Part[] {
  const fields = new Set<Part>();
  const seen = new Set<Outline>();
  const collect = (parts: Outline): void => {
    if (seen.has(parts)) return;
    seen.add(parts);
    for (const part of parts) {
      if (isLeftOut(part.node, variables)) continue;
      if (part.field) fields.add(part);
      else collect(part.below);
    }
  };
  collect(outline);
  return [...fields];
}

function countCalls(parts: readonly Part[], variables: Variables): CallCount {
  const count = new CallCount();
  // The same fields below the same things take nothing more, in however many places a fragment stands.
  const seen = new Map<Part, Set<Led>>();
  const walk = (part: Part, above: Led): void => {
    const before = seen.get(part) ?? new Set<Led>();
    if (before.has(above) || isLeftOut(part.node, variables)) return;
    seen.set(part, before.add(above));
    const below = ledTo(part, above);
    if (below) for (const one of part.below) walk(one, below);
  };
  /** Null for a field that will not be resolved. */
  const ledTo = ({ field }: Part, above: Led): Led | null => {
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

function isLeftOut(node: SelectionNode, variables: Variables): boolean {
  if (!node.directives?.length) return false;
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variables);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variables);
  return skip?.if === true || include?.if === false;
}

/** Nobody who buys, or asks what became of it, is kept waiting. */
function isNeverLimited(roots: readonly Part[]): boolean {
  const marks = roots.map(({ field }) => field?.definition.extensions ?? {});
  const isOutcome = marks.length > 0 && marks.every(({ neverLimited }) => neverLimited === true);
  return isOutcome || marks.some(({ purchase }) => purchase === true);
}
