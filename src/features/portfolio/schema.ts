import type { DomainState } from '../../kernel/domain-state.ts';
import { unwrap } from '../../kernel/faults.ts';
import { nullWithError } from '../../kernel/schema-extensions.ts';
import { DomainRef, DomainStateRef } from '../../modules/domain/schema.ts';
import { maxItems, refreshArg } from '../../schema/arguments.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import {
  type CountedPage,
  connectionRef,
  pageArgs,
  readPage,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { costs, costsFilter, costsRead, pageSize } from '../../schema/cost.ts';
import { nullableFields, optionalInputs, requiredFields } from '../../schema/fields.ts';
import { labelFilterRef, TimeSpanRef } from '../../schema/values.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainFilterInput } from './filter-resolver.ts';
import type { Count } from './list-index/portfolio-index.ts';
import type { Portfolio } from './portfolio.ts';
import { type DomainStats, domainPlace, portfolio } from './service.ts';

type Coverage = Omit<Portfolio, 'index' | 'find' | 'rowAsOf'>;

export const PortfolioCoverageRef = builder.objectRef<Coverage>('PortfolioCoverage').implement({
  description:
    "How much of the account the gateway's list of domains covers. The registrar's list has one page. The gateway reads known domains that it leaves out by `getdetails` in the background. A filter changes no value.",
  fields: (t) => ({
    ...requiredFields(t, 'Boolean', {
      complete:
        'Whether every domain that the registrar counts, and every domain that the gateway knows, has a row. Use `trackDomains` for domains that the gateway does not know.',
    }),
    ...nullableFields(t, 'String', {
      nextStep:
        'What completes the list, in one sentence for a person; null when it is complete. Counts and totals of an incomplete list are minimums.',
    }),
    known: t.exposeInt('knownCount', {
      nullable: false,
      description: 'Number of domains that the gateway knows, with those that it has not read yet.',
    }),
    listed: t.int({
      extensions: nullWithError,
      description:
        "Number of domains of the account by the count in the registrar's list, which may leave some of them out. Null when the count cannot be read.",
      resolve: ({ upstreamCount }) => unwrap(upstreamCount),
    }),
    ...requiredFields(t, 'DateTime', {
      asOf: "Time of the registrar's list. Changes made through this gateway since then are included.",
      oldestRowAt:
        "Time of the oldest row. It is before `asOf` when the registrar's list leaves out domains.",
    }),
  }),
});

interface DomainConnection extends CountedPage<DomainDetails> {
  readonly coverage: Coverage;
}

const DomainConnectionRef = connectionRef<DomainDetails, DomainConnection>('Domain', DomainRef);

builder.objectFields(DomainConnectionRef, (t) =>
  requiredFields(t, PortfolioCoverageRef, {
    coverage: 'How much of the account the list behind this page covers.',
  }),
);

export const DomainFilterRef = builder.inputRef<DomainFilterInput>('DomainFilter').implement({
  description: 'Conditions for domains. A domain must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, 'String', {
      contains: 'Only names that contain this text, in ASCII or Unicode.',
    }),
    ...optionalInputs(t, ['String'], { tlds: 'Only names under these TLDs, in any spelling.' }),
    ...optionalInputs(t, [DomainStateRef], { states: 'Only domains in these states.' }),
    ...optionalInputs(t, TimeSpanRef, { expires: 'Only domains that expire in this span.' }),
    ...optionalInputs(t, 'Boolean', {
      transferLocked: 'True: only domains with a transfer lock. False: only the others.',
      privacyProtected: 'True: only domains with privacy protection. False: only the others.',
    }),
    ...optionalInputs(t, 'DomainName', { nameServer: 'Only domains with this name server.' }),
    ...optionalInputs(t, 'String', { customer: 'Only domains of this customer.' }),
    ...optionalInputs(t, [labelFilterRef()], {
      labels: 'Only domains that meet each of these conditions; at most 20.',
    }),
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
      'The domains of the account in pages; null when the list cannot be read. Calls: one `getdomainlist` for all pages and filters, or none while the list is cached. A domain that this gateway has changed since needs one `getdetails`, and shows the change at once.',
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
        costsFilter(count, args.filter);
        return { domains: count.page(`domains ${JSON.stringify(args)}`, pageSize(args)) };
      }),
    },
    resolve: async (_root, { filter, orderBy, refresh, ...args }, { use }) => {
      // Before a read, so that an invalid cursor causes no call.
      const place = domainPlace(orderBy ?? {});
      const query = { place, ...readPage(args, { parts: 3, order: place.order }) };
      const { coverage, domains: page, more } = await use(portfolio).page(filter, query, refresh);
      return { coverage, ...toConnection(page, place.positionOf, more) };
    },
  }),
);

const DomainCountRef = builder.objectRef<Count>('DomainCount').implement({
  description: 'Number of domains that have one value in common.',
  fields: (t) => ({
    value: t.exposeString('key', {
      nullable: false,
      description: 'The value; the field with the list has its kind.',
    }),
    count: t.exposeInt('count', { nullable: false, description: 'Number of domains.' }),
  }),
});

const DomainStateCountRef = builder.objectRef<Count<DomainState>>('DomainStateCount').implement({
  description: 'Number of domains in one state.',
  fields: (t) => ({
    state: t.expose('key', { type: DomainStateRef, nullable: false, description: 'The state.' }),
    count: t.exposeInt('count', { nullable: false, description: 'Number of domains.' }),
  }),
});

export const DomainStatsRef = builder.objectRef<DomainStats>('DomainStats').implement({
  description: 'Counts of domains. Only `renewals` needs a call beyond the list.',
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
      ...requiredFields(t, PortfolioCoverageRef, {
        coverage:
          'How much of the account the counted list covers. Domains without a row are in no count here.',
      }),
      byTld: t.field({
        type: [DomainCountRef],
        nullable: false,
        description:
          'Domains per TLD, the largest number first. A value is the part of the names after the first dot, in ASCII: `com`, `co.uk`.',
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
        type: [DomainCountRef],
        nullable: false,
        description:
          'Domains per month of expiry, the earliest month first. A value is a calendar month in UTC: `2026-11`. Months without a domain are left out, and so are domains without an expiry date.',
        resolve: async (stats) => [...(await stats.byExpiryMonth())],
      }),
      byNameServer: t.field({
        type: [DomainCountRef],
        nullable: false,
        description:
          'Domains per name server, the largest number first. A value is a host name, lower-cased. A domain counts once for each of its name servers.',
        args: first,
        resolve: async (stats, args) => [...(await stats.byNameServer(readSpan(args).limit))],
      }),
    };
  },
});

builder.queryField('domainStats', (t) =>
  t.field({
    ...needs('domains:read'),
    type: DomainStatsRef,
    nullable: true,
    description:
      'Counts of the domains of the account, and the cost of their renewals; null when the list cannot be read. Calls: one `getdomainlist`, which it shares with `domains`.',
    args: {
      filter: t.arg({ type: DomainFilterRef, description: 'Conditions. Default: all domains.' }),
      ...refreshArg(t),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, { filter, refresh }) => {
        costsFilter(count, filter);
        return costsRead(count, 'getdomainlist', refresh);
      }),
    },
    resolve: (_root, { filter, refresh }, { use }) => use(portfolio).count(filter, refresh),
  }),
);
