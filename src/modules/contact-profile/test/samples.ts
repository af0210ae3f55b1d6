import { personText } from '../../../../test/samples/documents.ts';
import { hosts, otherDefaults } from '../../../../test/samples/inputs.ts';
import { readsJournal, type Samples, writesJournal } from '../../../../test/samples/sample.ts';
import { afterAndBefore, page } from '../../../../test/samples/selections.ts';
import { ada } from '../../../../test/support/ada.ts';

export const samples: Samples = {
  'Query.contactProfiles': {
    calls: readsJournal,
    args: ({ cursors }) => afterAndBefore(cursors.profile),
    select: page('id name customer contact { company email }'),
    customers: 'own',
    cached: false,
  },
  'Query.purchaseDefaults': {
    calls: readsJournal,
    args: ({ customer }) => [{ customer }, {}],
    select: 'nameServers profile { id name }',
    customers: 'own',
    cached: false,
  },
  'Mutation.saveContactProfile': {
    calls: writesJournal,
    measured: [
      {
        document: `mutation { saveContactProfile(input: { name: "Office", contact: ${personText} }) { errors { code } } }`,
        counts: {},
      },
    ],
    args: ({ profile, name }) => [
      { input: { id: profile, name: 'Office', contact: ada } },
      { input: { name: `Of ${name}`, contact: ada } },
    ],
    select: 'profile { name customer contact { firstName address { city } } }',
    customers: 'own',
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
    calls: writesJournal,
    args: ({ profile }) => ({ input: { id: profile } }),
    select: 'deleted',
    customers: 'own',
    inputs: {
      DeleteContactProfileInput: { base: { id: '%profile' }, fields: { id: 'none' } },
    },
  },
  'Mutation.setDefaults': {
    calls: writesJournal,
    args: ({ profile, customer }) => [
      { input: { profile } },
      { input: { customer, transferLocked: true } },
    ],
    select: `defaults {
      customer nameServers privacyProtected transferLocked profile { id name } }`,
    customers: 'own',
    inputs: {
      SetDefaultsInput: {
        base: { nameServers: hosts },
        fields: { ...otherDefaults, profile: '%profile' },
      },
    },
  },
};
