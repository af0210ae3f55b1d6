import { type Samples, With } from '../../../../test/samples/sample.ts';
import {
  bought,
  contacts,
  limits,
  other,
  otherValues,
  purchasePayload,
  registrationText,
  settled,
  settledText,
  values,
} from '../../../../test/samples/shared.ts';
import { ada } from '../../../../test/support/ada.ts';

const ofKey = { domain: '$-a.xyz', ...values, idempotencyKey: 'key-$' };
const contact = { ...ada, company: 'Engines Ltd', address: { ...ada.address, line2: 'Room 1' } };
const ofContact = { ...ofKey, registrant: { fields: contact } };

const ofMaple = (selection: string, more = '') =>
  registrationText('maple-orchard.com', selection, more);
const sent = { ...bought, registerdomain: 1 };

export const samples: Samples = {
  'Mutation.registerDomain': {
    calls:
      '1 `tldlist`, 1 `resellerdetails`, 1 `singlecheckavailability`, 1 `getdetails`, 1 `registerdomain`',
    exceptions:
      '1 more `getdetails` when the reply was lost. A dry run makes the first three, and 1 `getdetails` when the name is taken. A known idempotency key makes none',
    costs: {
      [registrationText('maple-harbor.com', 'purchase { state }')]: {
        counts: { ...sent, getdetails: 1 },
        estimate: 6,
      },
      [registrationText('lost-answer-harbor.com', 'purchase { state }')]: {
        ...sent,
        getdetails: 2,
      },
      [`${ofMaple('quote { highest { amount } }', ', dryRun: true')}`]: bought,
      [settledText('cost-4')]: { before: settled('cost-4'), counts: {}, estimate: 6 },
      [ofMaple('domain { name }')]: 6,
      [ofMaple('domain { name }', 'dryRun: true')]: 3,
      [ofMaple(`domain { ${contacts('email')} }`)]: 7,
      [ofMaple(`purchase { domain { ${contacts('email')} } }`)]: 7,
    },

    args: ({ name }) => ({
      input: {
        ...{ domain: name, nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'] },
        ...{ registrant: { fields: ada }, idempotencyKey: 'bolt-key' },
      },
    }),
    select: purchasePayload,
    customers: 'own',
    write: { action: 'registerdomain', lost: 'settled' },
    inputs: {
      RegisterDomainInput: {
        base: ofKey,
        fields: {
          ...{ ...otherValues, ...limits, domain: '$-other.xyz', period: 2, dryRun: true },
          idempotencyKey: 'other-$',
          acceptPremium: new With({ ...ofKey, domain: 'casino.cc', dryRun: true }, true),
        },
      },
      ContactChoiceInput: {
        base: ofKey,
        at: ['registrant'],
        fields: { fields: other.fields },
      },
      ContactInput: {
        base: ofContact,
        at: ['registrant', 'fields'],
        fields: {
          ...{
            firstName: 'Augusta',
            lastName: 'King',
            company: 'Other',
            email: 'other@example.com',
          },
          ...{ phone: '+44 20 7946 0000', address: { ...contact.address, city: 'Bath' } },
        },
      },
      AddressInput: {
        base: ofContact,
        at: ['registrant', 'fields', 'address'],
        fields: {
          ...{ line1: 'Way 2', line2: 'Room 9', city: 'Bath', state: 'Avon', zipCode: 'BA1 1AA' },
          country: 'IE',
        },
      },
      MoneyInput: {
        base: { ...ofKey, maxPrice: { amount: '900', currency: 'USD' } },
        at: ['maxPrice'],
        fields: { amount: '1', currency: 'EUR' },
      },
    },
  },
};
