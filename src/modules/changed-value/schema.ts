import { builder } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import { DomainStateRef } from '../domain/schema.ts';
import { PriceOperationRef } from '../tld/schema.ts';
import type { ChangedField, ChangedValue } from './value.ts';

export const ChangedValueRef = builder.objectRef<ChangedValue>('ChangedValue').implement({
  description:
    'A value before or after a change. The fields that the change is about are set, and all others are null.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      text: 'The value as text, of every change: times in ISO 8601, flags as `true` or `false`, name servers separated by blanks.',
    }),
    ...nullableFields(t, 'String', { status: 'The raw status of the domain.' }),
    ...nullableFields(t, DomainStateRef, { state: 'The state of the domain.' }),
    ...nullableFields(t, 'DateTime', {
      registeredAt: 'Start of the registration.',
      expiresAt: 'Expiry date.',
    }),
    ...nullableFields(t, 'Boolean', {
      transferLocked: 'Whether the transfer lock is set.',
      privacyProtected: 'Whether privacy protection is on.',
    }),
    ...nullableFields(t, ['String'], { nameServers: 'Host names of the name servers.' }),
    ...nullableFields(t, 'Int', { days: 'Number of days until the expiry.' }),
    ...nullableFields(t, MoneyRef, { money: 'A balance, a total or a price.' }),
    ...nullableFields(t, PriceOperationRef, { operation: 'The operation of a price.' }),
    ...nullableFields(t, 'Int', { period: 'The number of years of a price.' }),
  }),
});

export const ChangedFieldRef = builder.objectRef<ChangedField>('ChangedField').implement({
  description: 'A field of a domain that has two values.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      field: 'Name of the field of `Domain` and of `ChangedValue`, such as `transferLocked`.',
    }),
    ...nullableFields(t, ChangedValueRef, {
      before: 'The value before; null when there was none.',
      after: 'The value after; null when there is none.',
    }),
  }),
});
