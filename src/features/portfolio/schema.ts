import type { DomainState } from '../../kernel/domain-state.ts';
import { unwrap, withinRange } from '../../kernel/faults.ts';
import { longestTermDays } from '../../kernel/instant.ts';
import { nullWithError } from '../../kernel/schema-extensions.ts';
import { resellerRead } from '../../modules/balance/balance.ts';
import { DomainRef, DomainStateRef } from '../../modules/domain/schema.ts';
import { mutation, type PayloadFieldBuilder } from '../../modules/mutation/schema.ts';
import { exactTotalsFor, TotalRef } from '../../modules/quote/schema.ts';
import { ResellerRef } from '../../modules/reseller/schema.ts';
import { maxItems, refreshArg } from '../../schema/arguments.ts';
import { builder, enumRef, needs, type QueryArgBuilder } from '../../schema/builder.ts';
import {
  type CountedPage,
  connectionRef,
  pageArgs,
  readPage,
  readSpan,
  toConnection,
} from '../../schema/connection.ts';
import { costs, costsFilter, costsRead, costsTldList, pageSize } from '../../schema/cost.ts';
import { nullableFields, optionalInputs, requiredFields } from '../../schema/fields.ts';
import { labelFilterRef, TimeSpanRef } from '../../schema/values.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainFilterInput } from './filter-resolver.ts';
import type { Count } from './list-index/portfolio-index.ts';
import type { Portfolio } from './portfolio.ts';
import {
  type DomainStats,
  domainPlace,
  portfolio,
  type Renewals,
  trackedDomains,
} from './service.ts';

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

export const DomainCountRef = builder.objectRef<Count>('DomainCount').implement({
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

/** The `args` of the largest groups of a count. */
export const groupsArg = (t: { readonly arg: QueryArgBuilder }) => ({
  first: t.arg.int({
    required: true,
    defaultValue: 20,
    description: `Return only the largest groups: 0 to ${maxItems}.`,
  }),
});

export const DomainStatsRef = builder.objectRef<DomainStats>('DomainStats').implement({
  description: 'Counts of domains. Only `renewals` needs a call beyond the list.',
  fields: (t) => {
    const first = groupsArg(t);
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

const costsLists = costs((count) => {
  costsRead(count, 'getdomainlist');
  return costsRead(count, 'tldlist');
});

const ofBalances = {
  ...needs('account:read'),
  extensions: costs((count) => costsRead(count, 'resellerdetails')),
};

export const RenewalsRef = builder.objectRef<Renewals>('Renewals').implement({
  description:
    'The renewals of the domains whose registration ends in a time, for one year each. Domains that are deleted, in redemption or transferred out are left out.',
  fields: (t) => ({
    ...requiredFields(t, 'DateTime', {
      from: 'Start of the time.',
      until: 'End of the time, which is not in it.',
    }),
    ...requiredFields(t, 'Int', {
      count: 'Number of domains.',
      unpriced: 'Number of these domains without a known renewal price. `totals` omits them.',
    }),
    totals: t.field({
      type: [TotalRef],
      nullable: false,
      description: 'The exact sums of the `RENEWAL` prices of one year, one per currency.',
      resolve: (sums, _args, { caller }) => exactTotalsFor(caller, sums),
    }),
    covered: t.boolean({
      ...ofBalances,
      description:
        'Whether the balances cover all costs; without the scope `prices:cost` all prices. False when one does not. Otherwise null when a balance, a price or a domain is not known; see `coveredReason`. Calls: one `resellerdetails`.',
      resolve: async (renewals, _args, { use, hidesCosts }) =>
        renewals.coveredBy(await use(resellerRead)(), hidesCosts).covered,
    }),
    coveredReason: t.string({
      ...ofBalances,
      description:
        'Why `covered` is null, in one sentence for a person; null when it is not. Calls: the same.',
      resolve: async (renewals, _args, { use, hidesCosts }) =>
        renewals.coveredBy(await use(resellerRead)(), hidesCosts).reason,
    }),
    ...requiredFields(t, PortfolioCoverageRef, {
      coverage:
        'How much of the account the list covers. Of an incomplete list `count` and `totals` are minimums.',
    }),
  }),
});

/** The `args` of renewals that are due soon. */
export const daysArg = (t: { readonly arg: QueryArgBuilder }) => ({
  days: t.arg.int({
    required: true,
    defaultValue: 30,
    description: `Days until the expiry: 1 to ${longestTermDays}.`,
  }),
});

/** @throws Fault `INVALID_INPUT` */
export const daysOf = (days: number): number => withinRange('days', days, 1, longestTermDays);

builder.objectFields(ResellerRef, (t) => ({
  renewalsDue: t.field({
    ...needs('domains:read'),
    type: RenewalsRef,
    description:
      'The renewals that are due soon. Null when the list or the price list cannot be read. Calls: one `getdomainlist` and one `tldlist`.',
    args: daysArg(t),
    extensions: costsLists,
    resolve: (_reseller, { days }, { use }) => use(portfolio).renewalsDue(daysOf(days)),
  }),
  renewalsCovered: t.field({
    ...needs('domains:read'),
    type: RenewalsRef,
    description:
      'The renewals from now on that the balances cover, to the day: they do not cover the domains that expire on the day after `until`. Ten years when they cover all, no time when they do not cover those of a day. Without the scope `prices:cost` the prices count, otherwise the costs. `covered` is null when a balance, a price or a domain in this time is not known. Null when the list or the price list cannot be read. Calls: one `getdomainlist` and one `tldlist`.',
    extensions: costsLists,
    resolve: (reseller, _args, { use, hidesCosts }) =>
      use(portfolio).renewalsCovered(reseller, hidesCosts),
  }),
}));

const maxMonths = 120;

builder.objectField(DomainStatsRef, 'renewals', (t) =>
  t.field({
    type: [RenewalsRef],
    nullable: false,
    description:
      'Renewals due in each calendar month in UTC, from the current month on. Months without a renewal are included. Calls: one `tldlist`.',
    args: {
      months: t.arg.int({
        required: true,
        defaultValue: 12,
        description: `Number of months: 1 to ${maxMonths}.`,
      }),
    },
    extensions: costsTldList,
    resolve: (stats, { months }) => stats.renewals(withinRange('months', months, 1, maxMonths)),
  }),
);

mutation('trackDomains', {
  needs: 'domains:write',
  ofAccount: true,
  description:
    "Adds domains of the account that the registrar's list leaves out, so that `domains` and `domainStats` have them. Calls: none: the gateway reads each domain by `getdetails` in the background, up to ten times `PORTFOLIO_READS_PER_MINUTE` per minute: 1,000 domains take four minutes by default. Domains that the gateway listed or bought are known already. A name that the account does not have is removed when it is read.",
  extensions: {
    // Up to 10,000 names would be too many entries.
    recordedDomains: ({ names }: { readonly names: readonly string[] }) =>
      names.length === 1 ? names : [],
  },
  input: {
    description: 'Domains of the account.',
    fields: (t) => ({
      names: t.stringList({
        required: true,
        description: '1 to 10,000 domain names in any spelling.',
      }),
    }),
  },
  result: 'Result of adding domains.',
  payload: (t: PayloadFieldBuilder<{ added: number; alreadyKnown: number }>) => ({
    ...nullableFields(t, 'Int', {
      added: 'Number of domains that were added; null when none was, because of an error.',
      alreadyKnown: 'Number of domains that the gateway knew before; null after an error.',
    }),
  }),
  resolve: (input, { use }) => use(trackedDomains).track(input),
});
