import {
  type GraphQLSchema,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  validate,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { findDocumentFlaw, parseWithinLimits } from '../limits/check-document.ts';
import { OnePurchaseRule } from '../one-purchase.ts';

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
