import { ContactFieldsRef } from '../../modules/contact/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsEach, costsList } from '../../schema/cost.ts';
import { nullableFields } from '../../schema/fields.ts';
import { approvals } from './parts.ts';
import { maxRegistrations } from './requested.ts';
import { ApprovalRef } from './schema.ts';
import type { RequestedRegistration } from './service.ts';

const RequestedRegistrationRef = builder
  .objectRef<RequestedRegistration>('RequestedRegistration')
  .implement({
    description: 'A registration that waits for an approval.',
    fields: (t) => ({
      ...nullableFields(t, 'DomainName', {
        domainName: 'The domain; null when the text that was sent is no domain name.',
      }),
      ...nullableFields(t, ContactFieldsRef, {
        registrant: 'The holder of the domain; null when it is missing.',
      }),
      ...nullableFields(t, ['String'], { nameServers: 'Null when they are missing.' }),
    }),
  });

builder.objectField(ApprovalRef, 'registrations', (t) =>
  t.field({
    ...needs('approvals:decide', 'contacts:read'),
    type: [RequestedRegistrationRef],
    description: `The registrations of the request with the values that are sent, until they are sent or refused: at most ${maxRegistrations}. Empty for any other operation. Calls: none.`,
    extensions: costs((count, _args, above) => {
      costsList(count, above, maxRegistrations);
      return { owners: costsEach(count, above, 'registrations of approvals') };
    }),
    resolve: (approval, _args, { use, recorder }) =>
      recorder.read('contacts.read', null, () => use(approvals).registrationsOf(approval)),
  }),
);
