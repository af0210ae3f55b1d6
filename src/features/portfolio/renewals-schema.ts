import { withinRange } from '../../kernel/faults.ts';
import { longestTermDays } from '../../kernel/instant.ts';
import { resellerRead } from '../../modules/balance/balance.ts';
import { exactTotalsFor, TotalRef } from '../../modules/quote/total-schema.ts';
import { ResellerRef } from '../../modules/reseller/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsRead, costsTldList } from '../../schema/cost.ts';
import { requiredFields } from '../../schema/fields.ts';
import { DomainStatsRef, PortfolioCoverageRef } from './schema.ts';
import { portfolio, type Renewals } from './service.ts';

const costsLists = costs((count) => {
  costsRead(count, 'getdomainlist');
  return costsRead(count, 'tldlist');
});

const ofBalances = {
  ...needs('account:read'),
  extensions: costs((count) => costsRead(count, 'resellerdetails')),
};

const RenewalsRef = builder.objectRef<Renewals>('Renewals').implement({
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

builder.objectFields(ResellerRef, (t) => ({
  renewalsDue: t.field({
    ...needs('domains:read'),
    type: RenewalsRef,
    description:
      'The renewals that are due soon. Null when the list or the price list cannot be read. Calls: one `getdomainlist` and one `tldlist`.',
    args: {
      days: t.arg.int({
        required: true,
        defaultValue: 30,
        description: `Days until the expiry: 1 to ${longestTermDays}.`,
      }),
    },
    extensions: costsLists,
    resolve: (_reseller, { days }, { use }) =>
      use(portfolio).renewalsDue(withinRange('days', days, 1, longestTermDays)),
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
