import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import {
  type ASTNode,
  type ASTVisitor,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  NoSchemaIntrospectionCustomRule,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import { memoize } from '../../lib/lazy.ts';
import type { HttpExtension } from '../http/request-fault.ts';
import { findDocumentFlaw, parseWithinLimits } from './check-document.ts';

const conditionalRoot = 'The root of a subscription must not have "@skip" or "@include".';

/** A rule of the edition September 2025 of GraphQL that graphql-js 16 does not have: a subscription has exactly one root field. */
function UnconditionalRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const nodes = conditionsIn(context, selectionSet, new Set());
      if (nodes.length > 0) context.reportError(new GraphQLError(conditionalRoot, { nodes }));
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

/** A node with fields or directives. */
type Container = OperationDefinitionNode | FragmentDefinitionNode | SelectionNode;

/** Directives that only decide whether a field is executed; others could delay or repeat it. */
const harmless: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * Allows one purchase per document, counted over all operations and fragments, without an alias, and without a directive
 * on it or around it that could repeat or delay it. A purchase is a field with `extensions: { purchase: true }`.
 */
export function OnePurchaseRule(context: ValidationContext): ASTVisitor {
  const purchases = new Set<FieldNode>();
  const containers: Container[] = [];
  const note = (node: Container) => void containers.push(node);
  const report = (message: string, ...nodes: readonly ASTNode[]) =>
    context.reportError(new GraphQLError(message, { nodes }));
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
        const count = createCount(context, purchases);
        const operations = containers.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
        const total = operations.reduce((sum, operation) => sum + count(operation), 0);
        if (total > 1 || purchases.size > 1)
          report(severalPurchases, ...[...purchases].slice(0, 2));
        for (const node of purchases) {
          if (node.alias)
            report(`A purchase has no alias; write "${node.name.value}" alone.`, node);
        }
        for (const container of containers) {
          const directive = container.directives?.find(isRisky);
          if (directive && count(container) > 0) report(isAround(directive), directive);
        }
      },
    },
  };
}

const isRisky = ({ name }: DirectiveNode) => !harmless.has(name.value);

/** Counts the purchases in a part of the document, including those of its fragments; each fragment is visited once. */
function createCount(context: ValidationContext, purchases: ReadonlySet<Container>) {
  const partsOf = (node: Container): readonly Container[] =>
    node.kind === Kind.FRAGMENT_SPREAD
      ? [context.getFragment(node.name.value) ?? []].flat()
      : (node.selectionSet?.selections ?? []);
  // Validation refuses a cycle; here the recursion only has to end.
  const count: (node: Container) => number = memoize((node) => {
    const own = purchases.has(node) ? 1 : 0;
    return partsOf(node).reduce((sum, part) => sum + count(part), own);
  }, 0);
  return count;
}

const severalPurchases = 'A document may hold one purchase; send each in a request of its own.';

const isAround = ({ name }: DirectiveNode) =>
  `"@${name.value}" must not be on a purchase or around it, where only "@skip" and "@include" may be.`;

/**
 * A cache of values by the text of their document, with 300,000 characters of text. It ignores texts of more than 20,000
 * characters. A parsed document has up to 180 bytes per character. `memo` creates a value that is absent.
 */
export const cachedByText = <Value extends NonNullable<unknown>>(
  memoMethod?: (text: string) => Value,
) =>
  new LRUCache<string, Value>({
    ...(memoMethod && { memoMethod }),
    max: 1_000,
    maxSize: 300_000,
    maxEntrySize: 20_000,
    // A size is at least 1.
    sizeCalculation: (_value, { length }) => Math.max(1, length),
  });

/** Reported errors of validation. */
const maxErrors = 10;

export type Documents = ReturnType<typeof createDocuments>;
export type DocumentReader = Documents['read'];

/** Whether a document may read the schema. It is also true for a string or a comment with one of these names. */
const introspects = (text: string): boolean => /\b__(?:schema|type)\b/.test(text);

/**
 * Parses and validates documents for both paths, and caches the outcomes. A document that reads the schema is validated and executed
 * with that of its caller.
 */
export function createDocuments(
  schema: GraphQLSchema,
  isIntrospectable: boolean,
  schemaOf: (caller: Caller) => GraphQLSchema = () => schema,
) {
  const schemaFor = (text: string, caller: Caller): GraphQLSchema =>
    isIntrospectable && introspects(text) ? schemaOf(caller) : schema;
  const rules = validationRules(isIntrospectable);
  const outcomes = cachedByText(parseOrError);
  const validateWith = (valid: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
    const flaw = findDocumentFlaw(document);
    const options = { maxErrors: maxErrors - 1 };
    const errors = flaw ? [flaw] : validate(valid, document, rules, options);
    for (const error of errors) markInvalid(error, 'GRAPHQL_VALIDATION_FAILED', 422);
    // Its memory is free at once. V8 collects what a cache has released much later: 2,000 refused documents took 2 GB.
    if (errors.length > 0) outcomes.delete(textOf(document));
    return errors;
  };
  const cachedErrors = memoize((document: DocumentNode) => validateWith(schema, document));
  const errorsOf = (document: DocumentNode, caller: Caller = anonymous) => {
    const valid = schemaFor(textOf(document), caller);
    return valid === schema ? cachedErrors(document) : validateWith(valid, document);
  };

  /** @throws GraphQLError for a document that is too large or invalid. */
  const parse = (text: string): DocumentNode => {
    const outcome = outcomes.memo(text);
    if (outcome instanceof GraphQLError) throw outcome;
    return outcome;
  };

  /** @throws GraphQLError also for a document without the requested operation. */
  const parseOperation = (text: string, operationName: string | null | undefined) => {
    const document = parse(text);
    const operation = getOperationAST(document, operationName);
    if (operation) return { document, operation };
    throw new GraphQLError('Could not determine what operation to execute.', {
      extensions: { code: 'OPERATION_RESOLUTION_FAILURE', http: { status: 422 } },
    });
  };

  return {
    parse,
    parseOperation,
    validate: errorsOf,
    schemaFor,
    schemaOf,
    /** The schema that a caller may know; null when clients must not read it. */
    shownTo: (caller: Caller): GraphQLSchema | null => (isIntrospectable ? schemaOf(caller) : null),
    /** A valid document with the requested operation, or the errors. */
    read(text: string, operationName: string | null | undefined, caller = anonymous) {
      try {
        const read = parseOperation(text, operationName);
        const errors = errorsOf(read.document, caller);
        return errors.length > 0 ? { errors } : read;
      } catch (error) {
        if (error instanceof GraphQLError) return { errors: [error] };
        throw error;
      }
    },
  };
}

const textOf = ({ loc }: DocumentNode): string => loc?.source.body ?? '';

/** The rules of GraphQL, of this server, and of `@defer` and `@stream`. */
function validationRules(isIntrospectable: boolean): readonly ValidationRule[] {
  const rules = [...specifiedRules];
  // `mask-errors` removes the names of the schema from messages.
  if (!isIntrospectable) rules.push(NoSchemaIntrospectionCustomRule);
  rules.push(OnePurchaseRule, UnconditionalRootRule);
  // The plugin exports its rules in this hook only.
  const hook = { params: {}, addValidationRule: (rule: ValidationRule) => rules.push(rule) };
  useDeferStream().onValidate?.(hook as never);
  return rules;
}

function parseOrError(text: string): DocumentNode | GraphQLError {
  try {
    return parseWithinLimits(text);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    markInvalid(error, 'GRAPHQL_PARSE_FAILED', 400);
    return error;
  }
}

/** Adds the status that the specification of GraphQL over HTTP demands. */
function markInvalid({ extensions }: GraphQLError, code: string, status: number): void {
  extensions.code ??= code;
  extensions.http = { spec: true, status, ...(extensions.http ?? {}) } satisfies HttpExtension;
}
