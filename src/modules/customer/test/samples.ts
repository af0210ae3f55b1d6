import { type Samples, With } from '../../../../test/samples/sample.ts';
import { domainFields } from '../../../../test/samples/shared.ts';

const labels = 'domains { name labels { name value } }';
const labelled = { names: ['unlocked-demo.com'], set: [{ name: 'team', value: 'red' }] };

export const samples: Samples = {
  'Mutation.setDomainCustomer': {
    calls: 'none: writes the journal',
    exceptions: '1 `getdomainlist` for a domain that the gateway does not know, and for `domains`',
    counts: { getdomainlist: 1 },
    args: ({ name }) => ({ input: { names: [name], customer: 'acme' } }),
    select: 'domains { name customer }',
    customers: 'refused',
    inputs: {
      SetDomainCustomerInput: {
        base: { names: ['unlocked-demo.com'], customer: 'acme' },
        fields: { names: ['reseller-demo.com'], customer: 'bolt' },
      },
    },
  },
  'Mutation.labelDomains': {
    calls: 'none: writes the journal',
    exceptions: 'as `setDomainCustomer`',
    costs: {
      'labelDomains(input: { names: ["unknown-demo.com"], set: [{ name: "team" }] }) { errors { code } }':
        { getdomainlist: 1 },
      'labelDomains(input: { names: ["a.com"], remove: ["x"] }) { errors { code } }': 1,
    },

    args: ({ name }) => ({ input: { names: [name], set: [{ name: 'a', value: 'b' }] } }),
    select: `domains { ${domainFields} }`,
    customers: 'own',
    inputs: {
      LabelDomainsInput: {
        select: labels,
        base: labelled,
        fields: {
          names: ['reseller-demo.com'],
          set: [{ name: 'team', value: 'blue' }],
          remove: new With({ names: ['unlocked-demo.com'], set: [{ name: 'old' }] }, ['team']),
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
