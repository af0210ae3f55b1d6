import { type DomainName, isLookalike, unicodeName } from '../kernel/domain-name.ts';
import type { TimeSpan } from '../kernel/instant.ts';
import type { LabelCondition } from '../kernel/label.ts';
import type { Money } from '../kernel/money.ts';
import { publicType, valueType } from '../kernel/schema-extensions.ts';
import { lazy } from '../lib/lazy.ts';
import { builder, type ObjectFieldBuilder } from './builder.ts';
import { nullableFields, optionalInputs, requiredFields, requiredInputs } from './fields.ts';

export const MoneyRef = builder.objectRef<Money>('Money').implement({
  description: 'An exact amount in one currency.',
  extensions: { ...valueType, ...publicType },
  fields: (t) => ({
    ...requiredFields(t, 'Decimal', {
      amount: 'The exact amount, with at least four fractional digits.',
    }),
    ...requiredFields(t, 'CurrencyCode', { currency: 'Currency of the amount.' }),
  }),
});

export const MoneyInputRef = builder.inputRef<Money>('MoneyInput').implement({
  description: 'An exact amount in one currency.',
  fields: (t) => ({
    ...requiredInputs(t, 'Decimal', { amount: 'The amount, such as `"12.50"`.' }),
    ...requiredInputs(t, 'CurrencyCode', { currency: 'The currency, such as `USD`.' }),
  }),
});

export const TimeSpanRef = builder.inputRef<TimeSpan>('TimeSpan').implement({
  description:
    'A span of time, from `from` to before `until`. It is refused when `until` is not after `from`.',
  fields: (t) =>
    optionalInputs(t, 'DateTime', {
      from: 'The first time in the span. Default: no bound.',
      until: 'The first time after the span. Default: no bound.',
    }),
});

interface KeyValueShape {
  readonly key: string;
  readonly value: string;
}

export const KeyValueRef = builder.objectRef<KeyValueShape>('KeyValue').implement({
  description: "A key and value from the registrar's additional data.",
  extensions: valueType,
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      key: 'Key as the registrar sends it.',
      value: 'Text as the registrar sends it; any other value as JSON.',
    }),
  }),
});

/** The fields `name`, `unicodeName` and `lookalike` of a type that describes one domain name. */
export const domainNameFields = (t: ObjectFieldBuilder<{ readonly name: DomainName }>) => ({
  ...requiredFields(t, 'DomainName', { name: 'The name in lower-case ASCII.' }),
  unicodeName: t.string({
    nullable: false,
    description: 'The name in Unicode; a deceptive label remains in its `xn--` form.',
    resolve: ({ name }) => unicodeName(name),
  }),
  lookalike: t.boolean({
    nullable: false,
    description:
      'Whether the name mixes scripts, or has letters or marks that look like others or cannot be seen.',
    resolve: ({ name }) => isLookalike(name),
  }),
});

// Only features have conditions of labels: a graph without these has no such types.

export const labelFilterRef = lazy(() =>
  builder.inputType('LabelFilter', {
    description: 'A condition for the labels of a domain.',
    fields: (t) => ({
      ...requiredInputs(t, 'String', { name: 'Only domains with a label of this name.' }),
      ...optionalInputs(t, 'String', { value: 'Only with this value. Default: any value.' }),
    }),
  }),
);

export const labelConditionRef = lazy(() =>
  builder.objectRef<LabelCondition>('LabelCondition').implement({
    description: 'A condition for the labels of a domain.',
    fields: (t) => ({
      ...requiredFields(t, 'String', { name: 'The name of a label that the domain has.' }),
      ...nullableFields(t, 'String', { value: 'Its value; null for any.' }),
    }),
  }),
);
