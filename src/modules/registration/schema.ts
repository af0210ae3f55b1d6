import { domainField } from '../../schema/arguments.ts';
import { builder, type InputFieldBuilder } from '../../schema/builder.ts';
import { optionalInputs } from '../../schema/fields.ts';
import { ContactInputRef } from '../contact/schema.ts';
import { mutation } from '../mutation/schema.ts';
import { runPurchase } from '../purchase/flow.ts';
import {
  flag,
  guards,
  PurchasePayloadRef,
  periodField,
  purchase,
  reads,
} from '../purchase/input-schema.ts';
import { purchasing } from '../purchase/parts.ts';
import { registerOperation } from './register.ts';

export const ContactChoiceInputRef = builder.inputType('ContactChoiceInput', {
  description: 'A contact of a purchase. Set exactly one field.',
  isOneOf: true,
  fields: (t) => ({
    fields: t.field({ type: ContactInputRef, description: 'The contact itself.' }),
  }),
});

const required = '; required without one';

/** The values of a registration that it may leave out. `first` is the first default of each. */
export const valueFields = (t: InputFieldBuilder, first: string) => {
  const described = (text: string, last: string) =>
    `${text} Default: ${first}the stored default${last}.`;
  return {
    ...optionalInputs(t, ['String'], {
      nameServers: described(
        '1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped.',
        required,
      ),
    }),
    ...optionalInputs(t, ContactChoiceInputRef, {
      registrant: described('The holder of the domain.', required),
      contact: described(
        'Administrative, billing and technical contact.',
        ', otherwise the registrant',
      ),
    }),
    ...optionalInputs(t, 'Boolean', {
      privacyProtected: described(
        'Whether privacy protection hides the contacts from the public.',
        ', otherwise false',
      ),
      transferLocked: described('Whether to set the transfer lock.', ', otherwise true'),
    }),
  };
};

mutation('registerDomain', {
  needs: 'domains:spend',
  description: `Registers a domain. Checks with ${reads}, \`singlecheckavailability\` and \`getdetails\`. Then sends one \`registerdomain\`, and never a second. When the reply is lost, one more \`getdetails\` verifies the outcome.`,
  extensions: purchase(3),
  input: {
    argument: 'The registration.',
    description: 'Domain, contacts, options and limits of a registration.',
    fields: (t) => ({
      domain: domainField(t, 'The domain to register'),
      ...periodField(t),
      ...valueFields(t, ''),
      acceptPremium: flag(t, false, 'Whether a premium name may be bought at its premium price.'),
      ...guards(t),
    }),
  },
  result: PurchasePayloadRef,
  resolve: (input, { use }) => runPurchase(use(purchasing), registerOperation, input),
});
