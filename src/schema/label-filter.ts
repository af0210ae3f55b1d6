import type { LabelCondition } from '../kernel/label.ts';
import { lazy } from '../lib/lazy.ts';
import { builder } from './builder.ts';
import { optionalInputs, requiredInputs } from './input-fields.ts';
import { nullableFields, requiredFields } from './member-fields.ts';

export const LabelFilterRef = builder.inputType('LabelFilter', {
  description: 'A condition for the labels of a domain.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', { name: 'Only domains with a label of this name.' }),
    ...optionalInputs(t, 'String', { value: 'Only with this value. Default: any value.' }),
  }),
});

/** Only features show conditions: a graph without these has no such type. */
export const labelConditionRef = lazy(() =>
  builder.objectRef<LabelCondition>('LabelCondition').implement({
    description: 'A condition for the labels of a domain.',
    fields: (t) => ({
      ...requiredFields(t, 'String', { name: 'The name of a label that the domain has.' }),
      ...nullableFields(t, 'String', { value: 'Its value; null for any.' }),
    }),
  }),
);
