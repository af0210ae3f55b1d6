import { useDeferStream } from '@graphql-yoga/plugin-defer-stream';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationRule,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import { memoize } from '../../lib/lazy.ts';
import type { HttpExtension } from '../http/request-fault.ts';
import { findDocumentFlaw, parseWithinLimits } from './limits/check-document.ts';
import { OnePurchaseRule } from './one-purchase.ts';
import { UnconditionalRootRule } from './unconditional-root.ts';

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
