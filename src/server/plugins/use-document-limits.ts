import { type GraphQLSchema, specifiedRules, validate } from 'graphql';
import { type Layer, sharedValidation } from '../layer.ts';
import { findDocumentFlaw } from '../limits/document-flaw.ts';
import { parseWithinLimits } from '../limits/parse-within.ts';

/** Errors of validation that are looked for and told; whoever has mended these sees the others. */
const mostErrors = 10;

/**
 * Refuses a document that is larger than anybody needs, before the parser goes deep or a rule takes long over it. What was
 * found of a document is kept beside it, as the errors of all rules are.
 */
export const useDocumentLimits = (): Layer => ({
  full: {
    onParse({ setParseFn }) {
      setParseFn(parseWithinLimits);
    },
    onValidate({ setValidationFn }) {
      setValidationFn((schema: GraphQLSchema, document, rules = specifiedRules) => {
        const flaw = findDocumentFlaw(document);
        return flaw ? [flaw] : validate(schema, document, rules, { maxErrors: mostErrors - 1 });
      });
    },
  },
  plain: { none: sharedValidation },
});
