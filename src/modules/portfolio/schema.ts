import type { DomainState } from '../../kernel/domain-state.ts';
import { invalidInput } from '../../kernel/faults.ts';
import type { FieldResult } from '../../kernel/field-result.ts';
import { maxItems, refreshArg } from '../../schema/arguments.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import {
  connectionRef,
  pageArgs,
  type RelayPage,
  readPage,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { costs, costsRead, costsTldList, pageSize } from '../../schema/cost.ts';
import { optionalInputs } from '../../schema/input-fields.ts';
import { nullWithError } from '../../schema/marks.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { DomainRef, DomainStateRef } from '../domain/schema.ts';
import type { Count, DomainFilter, RenewalMonth } from './index/portfolio-index.ts';
import type { DomainStats } from './service.ts';

interface DomainConnection extends RelayPage<DomainDetails> {
  readonly complete: boolean;
  readonly asOf: Date;
  readonly oldestRowAt: Date;
  readonly upstreamCount: FieldResult<number>;
  readonly knownCount: number;
}

const DomainConnectionRef = connectionRef<DomainDetails, DomainConnection>('Domain', DomainRef);

builder.objectFields(DomainConnectionRef, (t) => ({
  ...requiredFields(t, 'Boolean', {
    complete:
      "Whether every domain that the registrar counts, and every domain that the gateway knows, has a row here. The registrar's list has one page. The gateway reads known domains that it leaves out by `getdetails` in the background. Use `trackDomains` for domains that the gateway does not know.",
  }),
  ...requiredFields(t, 'DateTime', {
    asOf: "Time of the registrar's list behind this page. Changes made through this gateway since then are included.",
    oldestRowAt:
      "Time of the oldest row of all pages. It is before `asOf` when the registrar's list leaves out domains.",
  }),
  ...requiredFields(t, 'Int', {
    knownCount:
      'Number of all domains that the gateway knows, with those that it has not read yet. The filter does not change it.',
  }),
  ...nullableFields(t, 'Int', {
    upstreamCount:
      'Number of all domains of the account, as the registrar counts them. The filter does not change it. Null when the count cannot be read.',
  }),
}));

export const DomainFilterRef = builder.inputRef<DomainFilter>('DomainFilter').implement({
  description: 'Conditions for domains. A domain must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, 'String', {
      contains: 'Only names that contain this text, in ASCII or Unicode.',
    }),
    ...optionalInputs(t, ['String'], { tlds: 'Only names under these TLDs, in any spelling.' }),
    ...optionalInputs(t, [DomainStateRef], { states: 'Only domains in these states.' }),
    ...optionalInputs(t, 'DateTime', {
      expiresAfter: 'Only domains that expire at this time or later.',
      expiresBefore: 'Only domains that expire before this time.',
    }),
    ...optionalInputs(t, 'Boolean', {
      transferLocked: 'True: only domains with a transfer lock. False: only the others.',
      privacyProtected: 'True: only domains with privacy protection. False: only the others.',
    }),
    ...optionalInputs(t, 'DomainName', { nameServer: 'Only domains with this name server.' }),
  }),
});

const DomainOrderFieldRef = enumRef('DomainOrderField', 'The value by which domains are ordered.', {
  NAME: 'The ASCII name.',
  EXPIRES_AT: 'End of the registration. Domains without it are last.',
  REGISTERED_AT: 'Start of the registration. Domains without it are last.',
});

const OrderDirectionRef = enumRef('OrderDirection', 'Ascending or descending.', {
  ASC: 'Smallest or earliest.',
  DESC: 'Largest or latest.',
});

const DomainOrderRef = builder.inputType('DomainOrder', {
  description: 'The order of a list of domains. Domains with the same value are ordered by name.',
  fields: (t) => ({
    field: t.field({
      type: DomainOrderFieldRef,
      required: true,
      defaultValue: 'NAME',
      description: 'The value by which to order.',
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
      'The domains of the account in pages; null when the list cannot be read. Costs one `getdomainlist` for all pages and filters, or none while the list is cached. A domain that this gateway has changed since costs one `getdetails`, and shows the change at once.',
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: DomainFilterRef, description: 'Conditions. Default: all domains.' }),
      orderBy: t.arg({ type: DomainOrderRef, description: 'Default: by name, ascending.' }),
      ...refreshArg(t),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, args) => {
        count.once('getdomainlist', args.refresh);
        return { domains: count.page(`domains ${JSON.stringify(args)}`, pageSize(args)) };
      }),
    },
    resolve: async (_root, { filter, orderBy, refresh, ...args }, { services: { portfolio } }) => {
      const place = portfolio.placeIn(orderBy ?? {});
      const query = { place, ...readPage(args, { parts: 3, order: place.order }) };
      const { domains, more, ...facts } = await portfolio.page(filter, query, refresh);
      return { ...facts, ...toConnection(domains, place.positionOf, more) };
    },
  }),
);

const maxMonths = 120;

/** A type of a text and how many domains have it. */
const countRef = (type: string, description: string, key: string, what: string) =>
  builder.objectRef<Count>(type).implement({
    description,
    fields: (t) => ({
      [key]: t.exposeString('key', { nullable: false, description: what }),
      count: t.exposeInt('count', { nullable: false, description: 'Number of domains.' }),
    }),
  });

const TldCountRef = countRef(
  'TldCount',
  'Number of domains under one TLD.',
  'tld',
  'The part of the names after the first dot, in ASCII: `com`, `co.uk`.',
);
const MonthCountRef = countRef(
  'MonthCount',
  'Number of domains in one month.',
  'month',
  'Calendar month in UTC: `2026-11`.',
);
const NameServerCountRef = countRef(
  'NameServerCount',
  'Number of domains with one name server.',
  'host',
  'Host name, lower-cased.',
);

const DomainStateCountRef = builder.objectRef<Count<DomainState>>('DomainStateCount').implement({
  description: 'Number of domains in one state.',
  fields: (t) => ({
    state: t.expose('key', { type: DomainStateRef, nullable: false, description: 'The state.' }),
    count: t.exposeInt('count', { nullable: false, description: 'Number of domains.' }),
  }),
});

const RenewalMonthRef = builder.objectRef<RenewalMonth>('RenewalMonth').implement({
  description:
    'The domains whose registration ends in one month, and the cost of renewing all of them for one year.',
  fields: (t) => ({
    ...requiredFields(t, 'String', { month: 'Calendar month in UTC: `2026-11`.' }),
    ...requiredFields(t, 'Int', {
      count: 'Number of domains, including those without a price.',
      unpriced:
        'Number of domains that are in no total, because their price is not listed or cannot be read.',
    }),
    ...requiredFields(t, [MoneyRef], {
      totals:
        'The exact sums of the listed `RENEWAL` prices of one year. One sum per currency, in the order of the currency codes.',
    }),
  }),
});

const DomainStatsRef = builder.objectRef<DomainStats>('DomainStats').implement({
  description: 'Counts of domains. Only `renewals` costs a call beyond the list.',
  fields: (t) => {
    const first = {
      first: t.arg.int({
        required: true,
        defaultValue: 20,
        description: `Return only the largest groups: 0 to ${maxItems}.`,
      }),
    };
    return {
      ...requiredFields(t, 'Int', { totalCount: 'Number of domains that match the filter.' }),
      ...requiredFields(t, 'Boolean', {
        complete: 'As `complete` of `domains`. Domains without a row are in no count here.',
      }),
      ...requiredFields(t, 'DateTime', { asOf: 'Time of the list that is counted.' }),
      byTld: t.field({
        type: [TldCountRef],
        nullable: false,
        description: 'Domains per TLD, the largest number first.',
        args: first,
        resolve: async (stats, args) => [...(await stats.byTld(readSpan(args).limit))],
      }),
      byState: t.field({
        type: [DomainStateCountRef],
        nullable: false,
        description:
          'Domains per state, the largest number first. States without a domain are left out.',
        resolve: async (stats) => [...(await stats.byState())],
      }),
      byExpiryMonth: t.field({
        type: [MonthCountRef],
        nullable: false,
        description:
          'Domains per month of expiry, the earliest month first. Months without a domain are left out, and so are domains without an expiry date.',
        resolve: async (stats) => [...(await stats.byExpiryMonth())],
      }),
      byNameServer: t.field({
        type: [NameServerCountRef],
        nullable: false,
        description:
          'Domains per name server, the largest number first. A domain counts once for each of its name servers.',
        args: first,
        resolve: async (stats, args) => [...(await stats.byNameServer(readSpan(args).limit))],
      }),
      renewals: t.field({
        type: [RenewalMonthRef],
        nullable: false,
        description:
          'Renewals due per month, from the current month on. Months without a renewal are included. Domains that are deleted, in redemption or transferred out are left out. Costs one `tldlist`.',
        args: {
          months: t.arg.int({
            required: true,
            defaultValue: 12,
            description: `Number of months: 1 to ${maxMonths}.`,
          }),
        },
        extensions: costsTldList,
        resolve: (stats, { months }) => stats.renewals(withinMonths(months)),
      }),
    };
  },
});

function withinMonths(months: number): number {
  if (months >= 1 && months <= maxMonths) return months;
  throw invalidInput(`"months" must be from 1 to ${maxMonths}; it is ${months}.`, {
    path: ['months'],
    facts: { minimum: 1, maximum: maxMonths },
  });
}

builder.queryField('domainStats', (t) =>
  t.field({
    ...needs('domains:read'),
    type: DomainStatsRef,
    nullable: true,
    description:
      'Counts of the domains of the account, and the cost of their renewals; null when the list cannot be read. Costs one `getdomainlist`, which it shares with `domains`.',
    args: {
      filter: t.arg({ type: DomainFilterRef, description: 'Conditions. Default: all domains.' }),
      ...refreshArg(t),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, { refresh }) => costsRead(count, 'getdomainlist', refresh)),
    },
    resolve: (_root, { filter, refresh }, { services }) =>
      services.portfolio.count(filter, refresh),
  }),
);
