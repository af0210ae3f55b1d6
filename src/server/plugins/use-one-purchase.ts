import { type Layer, sharedValidation } from '../layer.ts';
import { OnePurchaseRule } from '../one-purchase.ts';

/** Refuses a document that could buy more than once, before any of it is executed. */
export const useOnePurchase = (): Layer => ({
  full: {
    onValidate({ addValidationRule }) {
      addValidationRule(OnePurchaseRule);
    },
  },
  plain: { none: sharedValidation },
});
