import type { DomainState } from '../../kernel/domain-state.ts';
import { Fault } from '../../kernel/faults.ts';
import { type FieldResult, unwrap } from '../../kernel/field-result.ts';
import { builder, needs } from '../../schema/builder.ts';
import {
  type Connection,
  connectionRef,
  pageArgs,
  readPage,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { costs, costsTldList, noEntities, pageSize } from '../../schema/cost.ts';
import { mostItems } from '../../schema/list-limit.ts';
import { MoneyRef } from '../../schema/money.ts';
import { refreshArg } from '../../schema/refresh.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { DomainRef, DomainStateRef } from '../domain/schema.ts';
import type { DomainFilter } from './filter.ts';
import type { DomainStats } from './service.ts';
import type { Count, RenewalMonth } from './stats.ts';

interface DomainPage extends Connection<DomainDetails> {
  readonly complete: boolean;
  readonly asOf: Date;
  readonly upstreamCount: FieldResult<number>;
}

const DomainConnectionRef = connectionRef<DomainDetails, DomainPage>('Domain', DomainRef);

builder.objectFields(DomainConnectionRef, (t) => ({
  complete: t.exposeBoolean('complete', {
    nullable: false,
    description:
      "Whether the registrar's list holds every domain that it counts. The list has one page; read a domain beyond it by its name.",
  }),
  asOf: t.expose('asOf', {
    type: 'DateTime',
    nullable: false,
    description:
      'Time of the snapshot behind this page. Changes made through this gateway since then are included.',
  }),
  upstreamCount: t.int({
    description:
      'Number of domains that the registrar counts in the account, whatever the filter; null when the count cannot be read.',
    resolve: ({ upstreamCount }) => unwrap(upstreamCount),
  }),
}));

const DomainFilterRef = builder.inputRef<DomainFilter>('DomainFilter').implement({
  description: 'Which domains to list; every condition that is given must be met.',
  fields: (t) => ({
    contains: t.string({ description: 'Only names that contain this text, in ASCII or Unicode.' }),
    tlds: t.stringList({ description: 'Only names under these TLDs, in any spelling.' }),
    states: t.field({ type: [DomainStateRef], description: 'Only domains in these states.' }),
    expiresAfter: t.field({
      type: 'DateTime',
      description: 'Only those that expire at this time or later.',
    }),
    expiresBefore: t.field({
      type: 'DateTime',
      description: 'Only those that expire before this time.',
    }),
    transferLocked: t.boolean({ description: 'Only locked ones, or only the others.' }),
    privacyProtected: t.boolean({ description: 'Only protected ones, or only the others.' }),
    nameServer: t.field({ type: 'DomainName', description: 'Only those served by this host.' }),
  }),
});

const DomainOrderFieldRef = builder.enumType('DomainOrderField', {
  description: 'What domains can be ordered by.',
  values: {
    NAME: { description: 'The ASCII name.' },
    EXPIRES_AT: { description: 'When they expire; those without a date last.' },
    REGISTERED_AT: { description: 'When they were registered; those without a date last.' },
  },
});

const OrderDirectionRef = builder.enumType('OrderDirection', {
  description: 'Ascending or descending.',
  values: {
    ASC: { description: 'Smallest or earliest.' },
    DESC: { description: 'Largest or latest.' },
  },
});

const DomainOrderRef = builder.inputType('DomainOrder', {
  description: 'The order of a list of domains; names break ties.',
  fields: (t) => ({
    field: t.field({
      type: DomainOrderFieldRef,
      required: true,
      defaultValue: 'NAME',
      description: 'What to order by.',
    }),
    direction: t.field({
      type: OrderDirectionRef,
      required: true,
      defaultValue: 'ASC',
      description: 'Ascending or descending.',
    }),
  }),
});

builder.queryField('domains', (t) =>
  t.field({
    ...needs('domains:read'),
    type: DomainConnectionRef,
    nullable: true,
    description:
      'The domains of the account, a page at a time; null when the list cannot be read. Costs one `getdomainlist` for all pages and filters, or nothing while the list is cached. A domain that this gateway has changed since costs one `getdetails`, and shows the change at once.',
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: DomainFilterRef, description: 'Conditions; all items without it.' }),
      orderBy: t.arg({ type: DomainOrderRef, description: 'Default: by name, ascending.' }),
      ...refreshArg(t),
    },
    extensions: costs((count, args) => {
      count.once('getdomainlist', args.refresh);
      return { domains: count.page(`domains ${JSON.stringify(args)}`, pageSize(args)) };
    }),
    resolve: async (_root, { filter, orderBy, refresh, ...args }, { services: { portfolio } }) => {
      const place = portfolio.placeIn(orderBy ?? {});
      const wish = readPage(args, { parts: 3, order: place.order });
      const { domains, more, ...facts } = await portfolio.page(filter, place, wish, refresh);
      return { ...facts, ...toConnection(domains, place.positionOf, more) };
    },
  }),
);

const mostMonths = 120;

/** A type of a text and how many domains have it. */
const countRef = (type: string, description: string, key: string, what: string) =>
  builder.objectRef<Count>(type).implement({
    description,
    fields: (t) => ({
      [key]: t.exposeString('key', { nullable: false, description: what }),
      count: t.exposeInt('count', { nullable: false, description: 'Domains.' }),
    }),
  });

const TldCountRef = countRef(
  'TldCount',
  'Number of domains under one TLD.',
  'tld',
  'What follows the first dot of their names, in ASCII: `com`, `co.uk`.',
);
const MonthCountRef = countRef(
  'MonthCount',
  'How many domains fall into one month.',
  'month',
  'Calendar month in UTC: `2026-11`.',
);
const NameServerCountRef = countRef(
  'NameServerCount',
  'How many domains one host serves.',
  'host',
  'Host name, lower-cased.',
);

const DomainStateCountRef = builder.objectRef<Count<DomainState>>('DomainStateCount').implement({
  description: 'How many domains are in one state.',
  fields: (t) => ({
    state: t.expose('key', { type: DomainStateRef, nullable: false, description: 'The state.' }),
    count: t.exposeInt('count', { nullable: false, description: 'Domains.' }),
  }),
});

const RenewalMonthRef = builder.objectRef<RenewalMonth>('RenewalMonth').implement({
  description:
    'The domains whose registration ends in one month, and the cost of renewing all of them for one year.',
  fields: (t) => ({
    month: t.exposeString('month', {
      nullable: false,
      description: 'Calendar month in UTC: `2026-11`.',
    }),
    count: t.exposeInt('count', {
      nullable: false,
      description: 'Domains, those without a price among them.',
    }),
    totals: t.field({
      type: [MoneyRef],
      nullable: false,
      description:
        'The listed prices of one year, `RENEWAL`, added up exactly; one for each currency, in the order of their codes.',
      resolve: ({ totals }) => [...totals],
    }),
    unpriced: t.exposeInt('unpriced', {
      nullable: false,
      description: 'Domains that are in no total, because no price is listed or it cannot be read.',
    }),
  }),
});

const DomainStatsRef = builder.objectRef<DomainStats>('DomainStats').implement({
  description: 'Counts of domains. They cost nothing beyond the list, but for `renewals`.',
  fields: (t) => {
    const first = {
      first: t.arg.int({
        required: true,
        defaultValue: 20,
        description: `The largest so many; 0 to ${mostItems}.`,
      }),
    };
    return {
      totalCount: t.exposeInt('totalCount', {
        nullable: false,
        description: 'Domains that match.',
      }),
      complete: t.exposeBoolean('complete', {
        nullable: false,
        description:
          "Whether the registrar's list holds every domain that it counts; otherwise the rest is not counted here.",
      }),
      asOf: t.expose('asOf', {
        type: 'DateTime',
        nullable: false,
        description: 'Time of the snapshot that is counted.',
      }),
      byTld: t.field({
        type: [TldCountRef],
        nullable: false,
        description: 'By TLD, the largest first.',
        args: first,
        resolve: (stats, args) => [...stats.byTld(readSpan(args).limit)],
      }),
      byState: t.field({
        type: [DomainStateCountRef],
        nullable: false,
        description: 'By state, the largest first; without those that no domain is in.',
        resolve: (stats) => [...stats.byState()],
      }),
      byExpiryMonth: t.field({
        type: [MonthCountRef],
        nullable: false,
        description:
          'By the month in which they expire, the earliest first; without empty months and domains without a date.',
        resolve: (stats) => [...stats.byExpiryMonth()],
      }),
      byNameServer: t.field({
        type: [NameServerCountRef],
        nullable: false,
        description: 'By host, the largest first. A domain counts once for each of its hosts.',
        args: first,
        resolve: (stats, args) => [...stats.byNameServer(readSpan(args).limit)],
      }),
      renewals: t.field({
        type: [RenewalMonthRef],
        nullable: false,
        description:
          'Renewals due in each of the coming months, starting with the current one, including months without any. Domains that are deleted, in redemption or transferred out are left out. Costs one `tldlist`.',
        args: {
          months: t.arg.int({
            required: true,
            defaultValue: 12,
            description: `How many; 1 to ${mostMonths}.`,
          }),
        },
        extensions: costsTldList,
        resolve: (stats, { months }) => stats.renewals(withinMonths(months)),
      }),
    };
  },
});

function withinMonths(months: number): number {
  if (months >= 1 && months <= mostMonths) return months;
  throw new Fault('INVALID_INPUT', {
    message: `"months" must be from 1 to ${mostMonths}; it is ${months}.`,
    path: ['months'],
    facts: { minimum: 1, maximum: mostMonths, asked: months },
  });
}

builder.queryField('domainStats', (t) =>
  t.field({
    ...needs('domains:read'),
    type: DomainStatsRef,
    nullable: true,
    description:
      'Counts of the domains of the account, and the cost of their renewals; null when their list cannot be read. Costs the same list as `domains`, and together with it no more.',
    args: {
      filter: t.arg({ type: DomainFilterRef, description: 'Which ones; all without it.' }),
      ...refreshArg(t),
    },
    extensions: costs((count, { refresh }) => {
      count.once('getdomainlist', refresh);
      return noEntities;
    }),
    resolve: (_root, { filter, refresh }, { services }) =>
      services.portfolio.count(filter, refresh),
  }),
);
