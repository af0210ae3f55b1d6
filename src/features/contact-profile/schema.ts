import { keyOfId } from '../../kernel/ids.ts';
import { knownBy, nullWithError } from '../../kernel/schema-extensions.ts';
import { ContactFieldsRef, ContactInputRef } from '../../modules/contact/schema.ts';
import {
  DeletedPayloadRef,
  idInput,
  mutation,
  type PayloadFieldBuilder,
} from '../../modules/mutation/schema.ts';
import { ContactChoiceInputRef } from '../../modules/registration/schema.ts';
import { builder, type InputFieldBuilder, needs } from '../../schema/builder.ts';
import { pageArgs } from '../../schema/connection.ts';
import { costs, costsObject, noEntities } from '../../schema/cost.ts';
import {
  inputFields,
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { storedList, storedListRef } from '../../schema/stored-list.ts';
import { contactProfiles, type OwnedDefaults } from './service.ts';
import type { ContactProfile, ProfilePage } from './store.ts';

const typename = 'ContactProfile';
const readScope = 'contacts:read';
const writeScopes = ['customers:write', 'domains:spend'] as const;

const ContactProfileRef = builder.objectRef<ContactProfile>(typename).implement({
  description:
    'A contact with a name, for purchases. The gateway stores it, of a customer or of the reseller; the registrar does not know it.',
  interfaces: [NodeRef],
  extensions: knownBy('id'),
  fields: (t) => ({
    id: nodeId(t, typename, ({ id }: ContactProfile) => id),
    ...requiredFields(t, 'String', { name: 'Unique among the profiles of its owner.' }),
    ...nullableFields(t, 'String', {
      customer: 'The customer whose profile it is; null for one of the reseller.',
    }),
    contact: t.field({
      ...needs(readScope),
      type: ContactFieldsRef,
      description:
        'The person or company; null, with an error, when it is encrypted with a key that the gateway does not have.',
      resolve: (profile, _args, { use, recorder }) =>
        recorder.read('contactProfiles.read', null, () => use(contactProfiles).contactOf(profile)),
    }),
    ...requiredFields(t, 'DateTime', {
      createdAt: 'Time of its creation.',
      updatedAt: 'Time of its last change.',
    }),
  }),
});

registerNode(typename, {
  needed: [readScope],
  load: ({ use }, key) => use(contactProfiles).byId(key),
  cost: costsObject('contact profile'),
});

inputFields(ContactChoiceInputRef, (t) =>
  optionalInputs(t, 'ID', {
    profile:
      'The id of a contact profile. The purchase has the contact that the profile has when it is made.',
  }),
);

const PurchaseDefaultsRef = builder.objectRef<OwnedDefaults>('PurchaseDefaults').implement({
  description:
    'What a registration has where its input leaves something out. Each field is null without a default. The defaults of the reseller apply where those of the customer are null.',
  fields: (t) => ({
    ...nullableFields(t, 'String', {
      customer: 'The customer; null for the defaults of the reseller.',
    }),
    ...nullableFields(t, ContactProfileRef, {
      profile:
        'The registrant and the contact. Also null for a profile that the caller does not see.',
    }),
    ...nullableFields(t, ['String'], { nameServers: 'The name servers.' }),
    ...nullableFields(t, 'Boolean', {
      privacyProtected: 'Whether privacy protection hides the contacts from the public.',
      transferLocked: 'Whether the transfer lock is set.',
    }),
  }),
});

const ContactProfileConnectionRef = storedListRef(typename, ContactProfileRef);

const profileList = storedList({
  name: 'contact profiles',
  parts: 2,
  positionOf: ({ customer, name }: ContactProfile) => [customer ?? '', name],
  placeOf: ([customer = '', name = '']) => ({ customer: customer || null, name }),
  list: ({ use }, page: ProfilePage) => use(contactProfiles).list(page),
});

builder.queryFields((t) => ({
  contactProfiles: t.field({
    ...needs(readScope),
    type: ContactProfileConnectionRef,
    description:
      'The contact profiles by customer and name, those of the reseller first. A caller that is bound to a customer sees those of its customer only. Calls: none.',
    args: {
      ...pageArgs(t),
      customer: t.arg.string({
        description: 'Only profiles of this customer. Default: all profiles.',
      }),
    },
    extensions: profileList.extensions,
    resolve: (_root, { customer, ...page }, scope) =>
      profileList.page(scope, page, typeof customer === 'string' ? { customer } : {}),
  }),
  purchaseDefaults: t.field({
    ...needs(readScope),
    type: PurchaseDefaultsRef,
    description:
      'The defaults of a customer, or of the reseller. A caller that is bound to a customer reads those of its customer. Calls: none.',
    args: {
      customer: t.arg.string({
        description: 'The customer. Default: the customer of the caller, otherwise the reseller.',
      }),
    },
    extensions: {
      ...nullWithError,
      ...costs((count) => {
        count.listRows(1);
        return noEntities;
      }),
    },
    resolve: (_root, { customer }, { use }) => use(contactProfiles).defaults(customer),
  }),
}));

const customerInput = (t: InputFieldBuilder, what: string) =>
  optionalInputs(t, 'String', {
    customer: `${what}, 1 to 64 printable characters. Default: the customer of the caller, otherwise the reseller. A caller that is bound to a customer can name no other one.`,
  });

const keyOf = (id: string): string => keyOfId(typename, id) ?? '';

const ofCaller =
  'A caller that is bound to a customer needs `domains:spend`, any other caller `customers:write`. Calls: none.';

mutation('saveContactProfile', {
  needs: writeScopes,
  description: `Saves a contact with a name, after the checks of a registrant. The same customer and name again replaces the contact. ${ofCaller}`,
  extensions: {},
  input: {
    description: 'A contact with a name.',
    fields: (t) => ({
      ...requiredInputs(t, 'String', {
        name: 'A name, unique for its customer, 1 to 64 printable characters.',
      }),
      ...requiredInputs(t, ContactInputRef, { contact: 'The person or company.' }),
      ...customerInput(t, 'The customer whose profile it is'),
      ...optionalInputs(t, 'ID', {
        id: 'The id of a profile, to change its name and its contact. Default: the profile of this name, or a new one.',
      }),
    }),
  },
  result: 'Result of saving a contact profile.',
  payload: (t: PayloadFieldBuilder<{ profile: ContactProfile }>) =>
    nullableFields(t, ContactProfileRef, { profile: 'The profile; null after an error.' }),
  resolve: ({ id, ...input }, { use }) =>
    use(contactProfiles).save({
      ...input,
      ...((id ?? null) !== null && { id: keyOf(id ?? '') }),
    }),
});

mutation('deleteContactProfile', {
  needs: writeScopes,
  description: `Deletes a contact profile, and removes it from the defaults. Purchases that were made with it, and orders that were placed with it, are not changed. ${ofCaller}`,
  extensions: {},
  input: idInput('The contact profile to delete.'),
  result: DeletedPayloadRef,
  resolve: ({ id }, { use }) => use(contactProfiles).remove({ id: keyOf(id) }),
});

mutation('setDefaults', {
  needs: writeScopes,
  description: `Sets the stored defaults: what a registration has where its input leaves something out. Fields that are absent are not changed, null ends a default. ${ofCaller}`,
  extensions: {},
  input: {
    description: 'Defaults of registrations.',
    fields: (t) => ({
      ...customerInput(t, 'The customer whose registrations have these defaults'),
      ...optionalInputs(t, 'ID', {
        profile:
          'The registrant and the contact: a profile of this customer, or one of the reseller.',
      }),
      ...optionalInputs(t, ['String'], {
        nameServers: '1 to 13 host names, in any spelling of `DomainName`.',
      }),
      ...optionalInputs(t, 'Boolean', {
        privacyProtected: 'Whether privacy protection hides the contacts from the public.',
        transferLocked: 'Whether to set the transfer lock.',
      }),
    }),
  },
  result: 'Result of a change of defaults.',
  payload: (t: PayloadFieldBuilder<{ defaults: OwnedDefaults }>) =>
    nullableFields(t, PurchaseDefaultsRef, {
      defaults: 'The defaults after the change; null after an error.',
    }),
  resolve: ({ profile, ...input }, { use }) =>
    use(contactProfiles).setDefaults({
      ...input,
      ...(profile !== undefined && { profile: profile && keyOf(profile) }),
    }),
});
