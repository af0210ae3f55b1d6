import { builder } from '../../schema/builder.ts';
import { optionalInputs, requiredInputs } from '../../schema/fields.ts';

const AddressInputRef = builder.inputType('AddressInput', {
  description: 'A postal address.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      line1: 'Street and number.',
      city: 'City.',
      country: 'ISO 3166-1 alpha-2, such as `DE`; any case.',
    }),
    ...optionalInputs(t, 'String', {
      line2:
        'Second line. For the registrant it is appended to the first line, because the registrar has one line; both have at most 253 characters together.',
      state: 'State or province, if the country has them.',
      zipCode: 'Postal code of at most 16 characters, if the country has them.',
    }),
  }),
});

export const ContactInputRef = builder.inputType('ContactInput', {
  description:
    'A person or company. Validated before any upstream call. A text has at most 255 characters, without line breaks and invisible characters, and is sent in Unicode NFC.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      firstName: 'First name.',
      lastName:
        'Last name; the first name again for a person with one name. Both have at most 254 characters together.',
      email:
        'One e-mail address, ASCII before the `@`. The domain may be in Unicode, and is sent in ASCII (A-labels).',
      phone:
        'Telephone number in any common spelling, such as `+49 30 123456`. Without `+` it is a national number of `address.country`.',
    }),
    ...optionalInputs(t, 'String', { company: 'Company.' }),
    ...requiredInputs(t, AddressInputRef, { address: 'Postal address.' }),
  }),
});
