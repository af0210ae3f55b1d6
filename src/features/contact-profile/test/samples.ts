import {
  type AddedInputs,
  local,
  type Samples,
  type StoredObject,
  storedQuery,
} from '../../../../test/samples/sample.ts';
import {
  afterAndBefore,
  hosts,
  otherDefaults,
  page,
  personText,
  values,
} from '../../../../test/samples/shared.ts';
import { ada } from '../../../../test/support/ada.ts';
import { cursorText } from '../../../kernel/ids.ts';

export const objects: Readonly<Record<string, StoredObject>> = {
  profile: {
    type: 'ContactProfile',
    create: (label) =>
      `saveContactProfile(input: { name: "Of ${label}", contact: ${personText} }) { profile { id } }`,
  },
};

export const addedInputs: AddedInputs = {
  'Mutation.registerDomain': {
    ContactChoiceInput: {
      base: { domain: '$-a.xyz', ...values, idempotencyKey: 'key-$' },
      at: ['registrant'],
      fields: { profile: 'none' },
    },
  },
};

export const samples: Samples = {
  'Query.contactProfiles': {
    ...storedQuery,
    args: ({ customer }) => afterAndBefore(cursorText([customer, 'A'])),
    select: page('id name customer contact { company email }'),
  },
  'Query.purchaseDefaults': {
    ...storedQuery,
    args: ({ customer }) => [{ customer }, {}],
    select: 'nameServers profile { id name }',
  },
  'Mutation.saveContactProfile': {
    ...local,
    args: ({ ids, name }) => [
      { input: { id: ids.profile, name: 'Office', contact: ada } },
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
    args: ({ ids }) => ({ input: { id: ids.profile } }),
    select: 'deletedId',
    inputs: { IdInput: { base: { id: '%profile' }, fields: { id: 'none' } } },
  },
  'Mutation.setDefaults': {
    ...local,
    args: ({ ids, customer }) => [
      { input: { profile: ids.profile } },
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
