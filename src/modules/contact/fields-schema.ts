import { builder } from '../../schema/builder.ts';
import { requiredFields } from '../../schema/fields.ts';
import type { ContactInput } from './contact-input.ts';

const optionalText = <Shape>(textOf: (shape: Shape) => string | null | undefined) => ({
  nullable: true as const,
  resolve: (shape: Shape) => textOf(shape) || null,
});

const AddressFieldsRef = builder.objectRef<ContactInput['address']>('AddressFields').implement({
  description: 'A postal address as it was saved.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      line1: 'Street and number.',
      city: 'City.',
      country: 'ISO 3166-1 alpha-2.',
    }),
    line2: t.string({ description: 'Second line.', ...optionalText(({ line2 }) => line2) }),
    state: t.string({ description: 'State or province.', ...optionalText(({ state }) => state) }),
    zipCode: t.string({ description: 'Postal code.', ...optionalText(({ zipCode }) => zipCode) }),
  }),
});

export const ContactFieldsRef = builder.objectRef<ContactInput>('ContactFields').implement({
  description: 'A person or company as it was saved: the fields of `ContactInput`.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      firstName: 'First name.',
      lastName: 'Last name.',
      email: 'E-mail address.',
      phone: 'Telephone number.',
    }),
    company: t.string({ description: 'Company.', ...optionalText(({ company }) => company) }),
    ...requiredFields(t, AddressFieldsRef, { address: 'Postal address.' }),
  }),
});
