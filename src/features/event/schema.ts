import type { GraphQLEnumType, GraphQLSchema } from 'graphql';
import { mayAny } from '../../kernel/caller.ts';
import { cursorText } from '../../kernel/ids.ts';
import { labelConditions } from '../../kernel/label.ts';
import { servedTypeName } from '../../kernel/schema-extensions.ts';
import { composed } from '../../lib/text.ts';
import { ChangedValueRef } from '../../modules/changed-value/schema.ts';
import { DomainRef, domainNow } from '../../modules/domain/schema.ts';
import { GatewayInfoRef } from '../../modules/gateway-info/schema.ts';
import { purchaseOf } from '../../modules/purchase/related-schema.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { pageArgs } from '../../schema/connection.ts';
import { costs } from '../../schema/cost.ts';
import { givenIn, nullableFields, optionalInputs, requiredFields } from '../../schema/fields.ts';
import { checkSpans, listArgs, storedList, storedListRef } from '../../schema/stored-list.ts';
import { labelFilterRef, TimeSpanRef } from '../../schema/values.ts';
import { eventTypeTexts } from '../../scope/hooks.ts';
import {
  type EventPage,
  type EventRecord,
  type EventSource,
  type EventType,
  events,
} from './service.ts';

export const EventTypeRef = enumRef<EventType>(
  'EventType',
  'The kind of an event. More kinds will follow.',
  // Those of all features.
  eventTypeTexts as Readonly<Record<EventType, string>>,
);

/** The types of this graph. The journal may have one of a feature that is left out. */
export function servedTypes({ schema }: { readonly schema: GraphQLSchema }): readonly EventType[] {
  const types = schema.getType(servedTypeName(schema, EventTypeRef.name)) as GraphQLEnumType;
  return types.getValues().map(({ value }) => value);
}

const EventSourceRef = enumRef<EventSource>('EventSource', 'The origin of a change.', {
  GATEWAY: 'A request to this gateway made the change.',
  UPSTREAM:
    'Anything else: another program or a person at the registrar, the registry, or the passing of time.',
});

const EventRef = builder.objectRef<EventRecord>('Event').implement({
  description:
    'A change that the gateway found. The registrar sends no events: the gateway compares the account at an interval, and two changes of one field within it are one event.',
  fields: (t) => ({
    ...requiredFields(t, 'ID', {
      id: 'Unique. The same change is never a second event.',
    }),
    cursor: t.string({
      nullable: false,
      description: 'Pass it as `after` of `events` or of the subscription to continue here.',
      resolve: (event, _args, { use }) => cursorText([use(events).placeOf(event)]),
    }),
    ...requiredFields(t, EventTypeRef, { type: 'The kind of event.' }),
    foundAt: t.expose('at', {
      type: 'DateTime',
      nullable: false,
      description: 'Time at which the gateway found the change.',
    }),
    ...requiredFields(t, 'String', {
      subject:
        'Name of the thing that changed: a domain, a TLD or a currency; of anything else its id.',
    }),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: true,
      description: 'The name of the domain; null for an event that is not about a domain.',
    }),
    domain: domainNow(t, 'domains'),
    ...nullableFields(t, 'String', {
      customer:
        'The customer of the domain when the event was stored, or of the purchase; null for none.',
    }),
    purchase: purchaseOf(t, 'The purchase that caused the event; null when there is none'),
    ...requiredFields(t, EventSourceRef, { source: 'The origin of the change.' }),
    caller: t.string({
      description:
        'Name of the API key or token whose request made the change. Null for `UPSTREAM`, when the gateway requires no credential, and for the name of another caller without the scope `ops`.',
      resolve: ({ caller }, _args, scope) =>
        caller === scope.caller.name || mayAny(scope.caller, ['ops']) ? caller : null,
    }),
    before: t.field({
      type: ChangedValueRef,
      description:
        'The value before; null when there was none, and for a balance or a sum of costs that the caller must not know.',
      resolve: (event, _args, { use }) => use(events).valueOf(event, event.before),
    }),
    after: t.field({
      type: ChangedValueRef,
      description:
        'The value after; null when there is none, and for a balance or a sum of costs that the caller must not know.',
      resolve: (event, _args, { use }) => use(events).valueOf(event, event.after),
    }),
  }),
});

const EventConnectionRef = storedListRef('Event', EventRef);

const EventFilterRef = builder.inputType('EventFilter', {
  description: 'Conditions for events. An event must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, [EventTypeRef], { types: 'Only events of these kinds.' }),
    ...optionalInputs(t, 'DomainName', { domain: 'Only events of this domain.' }),
    ...optionalInputs(t, 'String', {
      customer: 'Only events of domains and purchases of this customer.',
    }),
    ...optionalInputs(t, [labelFilterRef()], {
      labels: 'Only events of domains that meet each of these conditions now; at most 20.',
    }),
    ...optionalInputs(t, TimeSpanRef, { at: 'Only events found in this span.' }),
  }),
});

type FilterInput = typeof EventFilterRef.$inferInput | null | undefined;

const filterOf = (filter: FilterInput, info: { readonly schema: GraphQLSchema }) => {
  const { labels, customer, ...given } = givenIn(filter);
  return {
    types: servedTypes(info),
    ...given,
    ...(customer !== undefined && { customer: composed(customer) }),
    ...(labels && { labels: labelConditions(labels) }),
  };
};

const eventList = storedList({
  name: 'events',
  parts: 1,
  positionOf: (event: EventRecord, { use }) => [use(events).placeOf(event)],
  placeOf: ([place = ''], argument, { use }) => use(events).positionAt(argument, place),
  each: { domains: 1, purchases: 1 },
  list: ({ use }, page: EventPage) => use(events).list(page),
});

builder.queryField('events', (t) =>
  t.field({
    ...needs('events:read'),
    type: EventConnectionRef,
    description:
      'Changes of the account, oldest first. Calls: none. Events are deleted after `EVENTS_RETENTION_DAYS`; a cursor before a deleted event is refused.',
    args: listArgs(t, EventFilterRef, 'events'),
    extensions: eventList.extensions,
    resolve: (_root, { filter, ...page }, scope, info) =>
      eventList.page(scope, page, filterOf(filter, info)),
  }),
);

builder.objectField(DomainRef, 'events', (t) =>
  t.field({
    ...needs('events:read'),
    type: EventConnectionRef,
    description:
      'Events of the domain, oldest first: `last` returns the newest. Calls: none. Events are deleted after `EVENTS_RETENTION_DAYS`.',
    args: pageArgs(t),
    extensions: eventList.ofDomains,
    resolve: ({ name: domain }, page, scope, info) =>
      eventList.page(scope, page, { domain, types: servedTypes(info) }),
  }),
);

builder.objectFields(GatewayInfoRef, (t) => ({
  eventsIntervalSeconds: t.int({
    description:
      'Seconds between two comparisons of the account, which find events; null when the gateway finds none. Purchases and changes by this gateway are events within 2 seconds.',
    resolve: (_info, _args, { use }) => use(events).intervalSeconds,
  }),
  eventsSince: t.field({
    type: 'DateTime',
    description:
      'Time since which changes of the account are events: that of the first comparison, or of the last deletion of old events. Null when the gateway finds none, and before the first comparison has ended.',
    resolve: (_info, _args, { use }) => use(events).recordedSince(),
  }),
}));

builder.subscriptionFields((t) => ({
  events: t.field({
    ...needs('events:read'),
    type: EventRef,
    nullable: false,
    description:
      'Sends the events after a cursor, then each new one. After a disconnect subscribe again with the `cursor` of the last event: none is missing, and none is sent again. Calls: none.',
    args: {
      after: t.arg.string({ description: 'A cursor. Default: events from now on.' }),
      filter: t.arg({ type: EventFilterRef, description: 'Conditions. Default: all events.' }),
    },
    extensions: costs((count) => {
      const domains = count.page('event', 1);
      return { domains, purchases: domains, owners: { key: 'event', amount: 1 } };
    }),
    async subscribe(_root, { after, filter }, scope, info) {
      checkSpans(filter);
      const place = (await eventList.places(scope, { after })).after ?? null;
      return scope.use(events).follow(place, filterOf(filter, info));
    },
    resolve(event, _args, { beginUpdate }) {
      beginUpdate();
      return event;
    },
  }),
}));
