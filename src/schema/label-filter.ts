import { builder } from './builder.ts';
import { optionalInputs, requiredInputs } from './input-fields.ts';

export const LabelFilterRef = builder.inputType('LabelFilter', {
  description: 'A condition for the labels of a domain.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', { name: 'Only domains with a label of this name.' }),
    ...optionalInputs(t, 'String', { value: 'Only with this value. Default: any value.' }),
  }),
});
