import { person } from '../../../../test/samples/documents.ts';
import { readsJournal, type Samples, writesJournal } from '../../../../test/samples/sample.ts';
import { afterAndBefore, page } from '../../../../test/samples/selections.ts';
import { ada } from '../../../../test/support/ada.ts';

export const samples: Samples = {
  'Query.contactProfiles': {
    calls: readsJournal,
    args: ({ cursors }) => afterAndBefore(cursors.profile),
    select: page('id name customer contact { company email }'),
    customers: 'own',
  },
  'Query.purchaseDefaults': {
    calls: readsJournal,
    args: ({ customer }) => [{ customer }, {}],
    select: 'nameServers profile { id name }',
    customers: 'own',
  },
  'Mutation.saveContactProfile': {
    calls: writesJournal,
    measured: [
      {
        document: `mutation { saveContactProfile(input: { name: "Office", contact: ${person} }) { errors { code } } }`,
        counts: {},
      },
    ],
    args: ({ profile, name }) => [
      { input: { id: profile, name: 'Office', contact: ada } },
      { input: { name: `Of ${name}`, contact: ada } },
    ],
    select: 'profile { name customer }',
    customers: 'own',
  },
  'Mutation.deleteContactProfile': {
    calls: writesJournal,
    args: ({ profile }) => ({ input: { id: profile } }),
    select: 'deleted',
    customers: 'own',
  },
  'Mutation.setDefaults': {
    calls: writesJournal,
    args: ({ profile, customer }) => [
      { input: { profile } },
      { input: { customer, transferLocked: true } },
    ],
    select: 'defaults { nameServers profile { id } }',
    customers: 'own',
  },
};
