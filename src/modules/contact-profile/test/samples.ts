import { local, type Samples, storedQuery } from '../../../../test/samples/sample.ts';
import { afterAndBefore, hosts, otherDefaults, page } from '../../../../test/samples/shared.ts';
import { ada } from '../../../../test/support/ada.ts';

export const samples: Samples = {
  'Query.contactProfiles': {
    ...storedQuery,
    args: ({ cursors }) => afterAndBefore(cursors.profile),
    select: page('id name customer contact { company email }'),
  },
  'Query.purchaseDefaults': {
    ...storedQuery,
    args: ({ customer }) => [{ customer }, {}],
    select: 'nameServers profile { id name }',
  },
  'Mutation.saveContactProfile': {
    ...local,
    args: ({ profile, name }) => [
      { input: { id: profile, name: 'Office', contact: ada } },
      { input: { name: `Of ${name}`, contact: ada } },
    ],
    select: 'profile { name customer contact { firstName address { city } } }',
    inputs: {
      SaveContactProfileInput: {
        base: { name: 'Profile $', contact: ada },
        fields: {
          ...{ name: 'Other $', customer: 'acme', id: 'none' },
          contact: { ...ada, address: { ...ada.address, city: 'Bath' } },
        },
      },
    },
  },
  'Mutation.deleteContactProfile': {
    ...local,
    args: ({ profile }) => ({ input: { id: profile } }),
    select: 'deleted',
    inputs: { DeleteContactProfileInput: { base: { id: '%profile' }, fields: { id: 'none' } } },
  },
  'Mutation.setDefaults': {
    ...local,
    args: ({ profile, customer }) => [
      { input: { profile } },
      { input: { customer, transferLocked: true } },
    ],
    select: `defaults {
      customer nameServers privacyProtected transferLocked profile { id name } }`,
    inputs: {
      SetDefaultsInput: {
        base: { nameServers: hosts },
        fields: { ...otherDefaults, profile: '%profile' },
      },
    },
  },
};
