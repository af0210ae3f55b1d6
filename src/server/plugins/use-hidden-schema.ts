import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { type Layer, sharedValidation } from '../layer.ts';

/** Outside development: no introspection. Names are not suggested either; `use-masked-faults` sees to that. */
export const useHiddenSchema = (): Layer => ({
  full: {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
    },
  },
  plain: { none: sharedValidation },
});
