import { type Samples, With } from '../../../../test/samples/sample.ts';
import { domainFields } from '../../../../test/samples/shared.ts';

const labels = 'domains { name labels { name value } }';
const labelled = { domains: ['unlocked-demo.com'], set: [{ name: 'team', value: 'red' }] };

export const samples: Samples = {
  'Mutation.setDomainCustomer': {
    calls: 'none: writes the journal',
    exceptions: '1 `getdomainlist` for a domain that the gateway does not know, and for `domains`',
    counts: { getdomainlist: 1 },
    args: ({ name }) => ({ input: { domains: [name], customer: 'acme' } }),
    select: 'domains { name customer }',
    customers: 'refused',
    inputs: {
      SetDomainCustomerInput: {
        base: { domains: ['unlocked-demo.com'], customer: 'acme' },
        fields: { domains: ['reseller-demo.com'], customer: 'bolt' },
      },
    },
  },
  'Mutation.labelDomains': {
    calls: 'none: writes the journal',
    exceptions: 'as `setDomainCustomer`',
    costs: {
      'labelDomains(input: { domains: ["unknown-demo.com"], set: [{ name: "team" }] }) { errors { code } }':
        { getdomainlist: 1 },
      'labelDomains(input: { domains: ["a.com"], remove: ["x"] }) { errors { code } }': 1,
    },

    args: ({ name }) => ({ input: { domains: [name], set: [{ name: 'a', value: 'b' }] } }),
    select: `domains { ${domainFields} }`,
    customers: 'own',
    inputs: {
      LabelDomainsInput: {
        select: labels,
        base: labelled,
        fields: {
          domains: ['reseller-demo.com'],
          set: [{ name: 'team', value: 'blue' }],
          remove: new With({ domains: ['unlocked-demo.com'], set: [{ name: 'old' }] }, ['team']),
        },
      },
      LabelInput: {
        select: labels,
        base: labelled,
        at: ['set', '0'],
        fields: { name: 'crew', value: 'blue' },
      },
    },
  },
};
