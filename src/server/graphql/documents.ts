import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import type { Plugin, YogaServerInstance } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { findDocumentFlaw, parseWithinLimits } from './limits/check-document.ts';
import { OnePurchaseRule } from './one-purchase.ts';

/** A cache of values by the text of their document. It ignores texts of more than 20,000 characters, which bounds the memory. */
export const cachedByText = <Value extends NonNullable<unknown>>() =>
  new LRUCache<string, Value>({
    max: 1_000,
    maxEntrySize: 20_000,
    // A size is at least 1.
    sizeCalculation: (_value, { length }) => Math.max(1, length),
  });

/** Reported errors of validation. */
const maxErrors = 10;

/**
 * Refuses a document beyond the limits before it is parsed or validated, and adds validation rules of this server. Both
 * paths read documents with it.
 */
export const useDocumentChecks = (isIntrospectable: boolean): Plugin => ({
  onParse({ setParseFn }) {
    setParseFn(parseWithinLimits);
  },
  onValidate({ addValidationRule, setValidationFn }) {
    // `mask-errors` removes the names of the schema from messages.
    if (!isIntrospectable) addValidationRule(NoSchemaIntrospectionCustomRule);
    addValidationRule(OnePurchaseRule);
    setValidationFn((schema: GraphQLSchema, document, rules = specifiedRules) => {
      const flaw = findDocumentFlaw(document);
      return flaw ? [flaw] : validate(schema, document, rules, { maxErrors: maxErrors - 1 });
    });
  },
});

/** Parses and validates a document with all plugins of Yoga, for a context such as `{ params }`. */
export type Envelop = (
  context: object,
) => ReturnType<YogaServerInstance<object, object>['getEnveloped']>;

export type DocumentReader = ReturnType<typeof createDocumentReader>;

/**
 * Parses and validates documents for the fast path as the Yoga path does, and caches valid ones by their text. The result is a
 * valid document with the requested operation, or the errors.
 */
export function createDocumentReader(envelop: Envelop) {
  const valid = cachedByText<DocumentNode>();
  return (text: string, operationName: string | null | undefined) => {
    const cached = valid.get(text);
    const known = cached && getOperationAST(cached, operationName);
    if (known) return { document: cached, operation: known };
    // The members of the context that Yoga's own plugins read.
    const context = { request: { method: 'POST' }, params: { query: text, operationName } };
    const { parse, validate, schema } = envelop(context);
    try {
      const document: DocumentNode = parse(text);
      const errors = validate(schema, document) as readonly GraphQLError[];
      if (errors.length > 0) return { errors };
      const operation = getOperationAST(document, operationName);
      if (!operation) throw new Error('Yoga accepted a document without the requested operation.');
      valid.set(text, document);
      return { document, operation };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  };
}
