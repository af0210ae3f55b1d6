import { keyOfId } from '../../kernel/ids.ts';
import { knownBy, nullWithError, secret } from '../../kernel/schema-extensions.ts';
import type { Secret } from '../../kernel/secret.ts';
import {
  DeletedPayloadRef,
  idInput,
  mutation,
  type PayloadFieldBuilder,
} from '../../modules/mutation/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsObject } from '../../schema/cost.ts';
import {
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { labelConditionRef, labelFilterRef } from '../../schema/values.ts';
import { calendars, maxFeeds } from './service.ts';
import type { CalendarFeed } from './table.ts';

const typename = 'CalendarFeed';
const scope = 'domains:read';

const CalendarFeedRef = builder.objectRef<CalendarFeed>(typename).implement({
  description:
    'A file of the expiry dates of domains that a calendar program reads without a key. Its address is a secret, and is only in the response that created it.',
  interfaces: [NodeRef],
  extensions: knownBy('id'),
  fields: (t) => ({
    id: nodeId(t, typename, ({ id }: CalendarFeed) => id),
    ...requiredFields(t, 'String', { name: 'The name that the calendar shows.' }),
    ...nullableFields(t, 'String', {
      customer: 'The customer whose domains it has; null for all domains of the account.',
    }),
    ...requiredFields(t, [labelConditionRef()], {
      labels: 'Conditions for the labels of its domains; empty for none.',
    }),
    ...requiredFields(t, 'DateTime', { createdAt: 'Time of its creation.' }),
  }),
});

registerNode(typename, {
  needed: [scope],
  load: ({ use }, key) => use(calendars).byId(key),
  cost: costsObject('calendar feed'),
});

builder.queryFields((t) => ({
  calendarFeeds: t.field({
    ...needs(scope),
    type: [CalendarFeedRef],
    description: `The calendar feeds of a customer, or those of the reseller, oldest first: at most ${maxFeeds}. They belong to the account, not to the key that created them. Calls: none.`,
    args: {
      customer: t.arg.string({
        description: 'The customer. Default: the customer of the caller, otherwise the reseller.',
      }),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, { customer }) => {
        const key = `calendar feeds ${customer}`;
        count.rows(key, maxFeeds);
        return { owners: { key, amount: maxFeeds } };
      }),
    },
    resolve: async (_root, { customer }, { use, readOnce }) => [
      ...(await readOnce(`calendar feeds ${customer}`, () => use(calendars).list(customer))),
    ],
  }),
}));

mutation('createCalendarFeed', {
  needs: scope,
  description:
    'Creates an address at which calendar programs read the expiry dates of domains without a key, until `deleteCalendarFeed`. The file has names and dates only. Calls: none.',
  extensions: {},
  input: {
    description: 'A new calendar feed.',
    fields: (t) => ({
      ...requiredInputs(t, 'String', {
        name: 'The name that the calendar shows, 1 to 64 printable characters.',
      }),
      ...optionalInputs(t, [labelFilterRef()], {
        labels:
          'Only domains that meet each of these conditions when the file is read; at most 20.',
      }),
      ...optionalInputs(t, 'String', {
        customer:
          'Only domains that this customer has when the file is read. Default: the customer of the caller, otherwise all domains. A caller that is bound to a customer can name no other one.',
      }),
    }),
  },
  result: 'Result of the creation of a calendar feed.',
  payload: (t: PayloadFieldBuilder<{ feed: CalendarFeed; secretPath: Secret }>) => ({
    ...nullableFields(t, CalendarFeedRef, { feed: 'The feed; null after an error.' }),
    secretPath: t.string({
      description:
        'The address without the URL of the gateway: `/calendar.ics?feed=` and 32 random bytes in base64url. It is shown in this response only. Null after an error.',
      extensions: secret,
      resolve: ({ secretPath }) => secretPath?.reveal(),
    }),
  }),
  resolve: (input, { use }) => use(calendars).create(input),
});

mutation('deleteCalendarFeed', {
  needs: scope,
  description: 'Deletes a calendar feed: its address is not found from now on. Calls: none.',
  extensions: {},
  input: idInput('The calendar feed to delete.'),
  result: DeletedPayloadRef,
  resolve: ({ id }, { use }) => use(calendars).remove({ id: keyOfId(typename, id) ?? '' }),
});
