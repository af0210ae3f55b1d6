import { NoSchemaIntrospectionCustomRule } from 'graphql';
import { type Layer, sharedValidation } from '../layer.ts';

/** Outside development: no introspection. `use-masked-faults` removes names of the schema from errors. */
export const useHiddenSchema = (): Layer => ({
  full: {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
    },
  },
  plain: { none: sharedValidation },
});
