import type { Plugin } from 'graphql-yoga';
import { OnePurchaseRule } from '../one-purchase.ts';

/** Refuses a document that could buy more than once, before any of it is executed. */
export function useOnePurchase(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(OnePurchaseRule);
    },
  };
}
