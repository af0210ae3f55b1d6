import { mayAny } from '../../kernel/caller.ts';
import { labelConditions } from '../../kernel/label.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import {
  connectionRef,
  cursorText,
  type PageArgs,
  pageArgs,
  readCursor,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { costs, costsPage, costsPageOfDomains } from '../../schema/cost.ts';
import { givenIn, optionalInputs } from '../../schema/input-fields.ts';
import { LabelFilterRef } from '../../schema/label-filter.ts';
import { nullWithError } from '../../schema/marks.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import type { Scope } from '../../scope/scope.ts';
import { ChangedValueRef } from '../changed-value/schema.ts';
import { DomainRef, domainNow } from '../domain/schema.ts';
import { purchaseOf } from '../purchase/related-schema.ts';
import {
  type EventFilter,
  type EventRecord,
  type EventSource,
  type EventType,
  events,
} from './service.ts';

export const EventTypeRef = enumRef<EventType>(
  'EventType',
  'The kind of an event. More kinds will follow.',
  {
    DOMAIN_ADDED:
      'The gateway learned of the domain. `after` is its state. After a purchase the next comparison finds it: follow `PURCHASE_SETTLED` for the outcome.',
    DOMAIN_REMOVED: 'The account no longer has the domain. `before` is its state.',
    STATE_CHANGED: 'The state of the domain changed.',
    EXPIRY_CHANGED: 'The expiry date changed, for example by a renewal.',
    EXPIRING:
      'The domain expires within a number of days, which is `after`: one of `EXPIRY_EVENT_DAYS`. Each number is an event once, unless the expiry date changes.',
    NAME_SERVERS_CHANGED: 'The name servers changed.',
    TRANSFER_UNLOCKED: 'The transfer lock was removed.',
    TRANSFER_LOCKED: 'The transfer lock was set.',
    PRIVACY_CHANGED: 'Privacy protection was turned on or off.',
    PURCHASE_SETTLED:
      'A purchase of this gateway reached its outcome, which is `after`: `SUCCEEDED`, `FAILED` or `UNKNOWN`. It is the event to follow for one registration or transfer, because each has it. An outcome that is corrected later is another event.',
    TRANSFER_COMPLETED:
      'A transfer into the account is complete. Sent in addition to `PURCHASE_SETTLED`, for clients that follow transfers only.',
    TRANSFER_REJECTED:
      'A transfer into the account ended without the domain. `after` is `REJECTED` or `CANCELLED`. Sent in addition to `PURCHASE_SETTLED`. A transfer that the registrar did not accept has `PURCHASE_SETTLED` only.',
    BALANCE_LOW:
      'The balance of the currency in `subject` fell below its threshold in `BALANCE_LOW`. It is an event again after the balance reached the threshold.',
    RENEWALS_NOT_COVERED:
      'The balance of the currency in `subject` no longer covers the renewals that are due within `RENEWALS_DAYS`. `after` is their total.',
    SPEND_LIMIT_NEAR:
      'The purchases of 24 hours reached `SPEND_LIMIT_NEAR_PERCENT` of a daily spend limit. `subject` is the currency, `before` the limit and `after` the amount that was spent. `caller` is the key whose limit it is; null for the limit of the gateway. Once for each limit and UTC day.',
    SPEND_LIMIT_REACHED:
      'A daily spend limit refused a purchase that is below the limit on its own, or is used up. The values are those of `SPEND_LIMIT_NEAR`. Once for each limit and UTC day.',
    PRICE_CHANGED:
      'A price of the TLD in `subject` changed, appeared or was removed. `before` and `after` have the operation, the years, the amount and the currency. Where prices differ from costs, they are the prices of now for the costs before and after.',
    APPROVAL_REQUESTED:
      'A request waits for the decision of another person. `subject` is the id of the approval, `caller` the key of the request.',
    APPROVAL_GRANTED:
      'An approval was given. `subject` is its id, `caller` the key of the decision.',
    APPROVAL_REJECTED:
      'An approval was refused, so nothing is sent. `subject` is its id, `caller` the key of the decision.',
    APPROVAL_EXPIRED:
      'An approval was not decided or not used in time, so nothing is sent. `subject` is its id.',
    WEBHOOK_SUSPENDED:
      'The webhook whose id is `subject` was suspended, because its endpoint did not accept an event. `after` is the reason.',
  },
);

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

const EventConnectionRef = connectionRef('Event', EventRef);

const EventFilterRef = builder.inputType('EventFilter', {
  description: 'Conditions for events. An event must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, [EventTypeRef], { types: 'Only events of these kinds.' }),
    ...optionalInputs(t, 'DomainName', { domain: 'Only events of this domain.' }),
    ...optionalInputs(t, 'String', {
      customer: 'Only events of domains and purchases of this customer.',
    }),
    ...optionalInputs(t, [LabelFilterRef], {
      labels: 'Only events of domains that meet each of these conditions now; at most 20.',
    }),
    ...optionalInputs(t, 'DateTime', { since: 'Only events found at this time or later.' }),
  }),
});

type FilterInput = typeof EventFilterRef.$inferInput | null | undefined;

const filterOf = (filter: FilterInput) => {
  const { labels, customer, ...given } = givenIn(filter);
  return {
    ...given,
    ...(customer !== undefined && { customer: customer.normalize('NFC') }),
    ...(labels && { labels: labelConditions(labels) }),
  };
};

async function readPosition(
  use: Scope['use'],
  argument: 'after' | 'before',
  cursor: string,
): Promise<number> {
  const [place = ''] = readCursor(argument, cursor, 1);
  return use(events).positionAt(argument, place);
}

/** A page of events, read once for equal arguments. */
async function readEvents(
  { use, readOnce }: Pick<Scope, 'use' | 'readOnce'>,
  page: PageArgs,
  filter: EventFilter,
) {
  const key = `events ${JSON.stringify([page, filter])}`;
  const listed = await readOnce(key, async () => {
    const { after, before } = page;
    return use(events).list({
      ...readSpan(page),
      filter,
      ...(typeof after === 'string' && { after: await readPosition(use, 'after', after) }),
      ...(typeof before === 'string' && { before: await readPosition(use, 'before', before) }),
    });
  });
  return toConnection(listed.items, (event) => [use(events).placeOf(event)], listed);
}

builder.queryField('events', (t) =>
  t.field({
    ...needs('events:read'),
    type: EventConnectionRef,
    description:
      'Changes of the account, oldest first. Costs no upstream call. Events are deleted after `EVENTS_RETENTION_DAYS`; a cursor before a deleted event is refused.',
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: EventFilterRef, description: 'Conditions. Default: all events.' }),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, args) => {
        const owners = costsPage(count, 'events', args);
        const domains = count.page(owners.key, owners.amount);
        return { domains, purchases: domains, owners };
      }),
    },
    resolve: (_root, { filter, ...page }, scope) => readEvents(scope, page, filterOf(filter)),
  }),
);

builder.objectField(DomainRef, 'events', (t) =>
  t.field({
    ...needs('events:read'),
    type: EventConnectionRef,
    description:
      'Events of the domain, oldest first: `last` returns the newest. Costs no upstream call. Events are deleted after `EVENTS_RETENTION_DAYS`.',
    args: pageArgs(t),
    extensions: {
      ...nullWithError,
      ...costs((count, args, above) => costsPageOfDomains(count, 'events', args, above)),
    },
    resolve: ({ name: domain }, page, scope) => readEvents(scope, page, { domain }),
  }),
);

builder.subscriptionFields((t) => ({
  events: t.field({
    ...needs('events:read'),
    type: EventRef,
    nullable: false,
    description:
      'Sends the events after a cursor, then each new one. After a disconnect subscribe again with the `cursor` of the last event: none is missing, and none is sent again. Costs no upstream call.',
    args: {
      after: t.arg.string({ description: 'A cursor. Default: events from now on.' }),
      filter: t.arg({ type: EventFilterRef, description: 'Conditions. Default: all events.' }),
    },
    extensions: costs((count) => {
      const domains = count.page('event', 1);
      return { domains, purchases: domains, owners: { key: 'event', amount: 1 } };
    }),
    subscribe: async (_root, { after, filter }, { use }) =>
      use(events).follow(
        typeof after === 'string' ? await readPosition(use, 'after', after) : null,
        filterOf(filter),
      ),
    resolve(event, _args, { beginUpdate }) {
      beginUpdate();
      return event;
    },
  }),
}));
