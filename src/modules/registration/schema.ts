import { domainField } from '../../schema/arguments.ts';
import { builder } from '../../schema/builder.ts';
import { optionalInputs, requiredInputs } from '../../schema/input-fields.ts';
import { mutation } from '../mutation/schema.ts';
import {
  flag,
  guards,
  periodField,
  purchase,
  purchaseFields,
  reads,
} from '../purchase/input-schema.ts';

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

mutation('registerDomain', {
  needs: 'domains:spend',
  description: `Registers a domain. Checks with ${reads}, \`singlecheckavailability\` and \`getdetails\`. Then sends one \`registerdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
  extensions: purchase,
  input: {
    argument: 'The registration.',
    description: 'Domain, contacts, options and limits of a registration.',
    fields: (t) => ({
      domain: domainField(t, 'The domain to register'),
      ...periodField(t),
      ...requiredInputs(t, ['String'], {
        nameServers:
          '1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped.',
      }),
      ...requiredInputs(t, ContactInputRef, { registrant: 'The holder of the domain.' }),
      ...optionalInputs(t, ContactInputRef, {
        contact: 'Administrative, billing and technical contact. Default: the registrant.',
      }),
      privacyProtected: flag(
        t,
        false,
        'Whether privacy protection hides the contacts from the public.',
      ),
      transferLocked: flag(t, true, 'Whether to set the transfer lock.'),
      acceptPremium: flag(t, false, 'Whether a premium name may be bought at its premium price.'),
      ...guards(t),
    }),
  },
  result:
    'Result of a registration: succeeded, refused (see `errors`), or still pending (see `purchase`).',
  payload: purchaseFields,
  resolve: (input, { services }) => services.registration.register(input),
});
