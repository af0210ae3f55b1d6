import type { Plugin } from 'graphql-yoga';
import { onePurchaseRule } from '../one-purchase-rule.ts';

/** Refuses documents that would buy more than once, or hide what became of it. */
export function useOnePurchase(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(onePurchaseRule);
    },
  };
}
