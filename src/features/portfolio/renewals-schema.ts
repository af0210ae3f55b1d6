import { withinRange } from '../../kernel/faults.ts';
import { longestTermDays } from '../../kernel/instant.ts';
import { exactTotalsFor, TotalRef } from '../../modules/quote/total-schema.ts';
import { ResellerRef } from '../../modules/reseller/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsRead } from '../../schema/cost.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import type { RenewalsDue } from './renewals-due.ts';
import { PortfolioCoverageRef } from './schema.ts';
import { portfolio } from './service.ts';

const costsLists = costs((count) => {
  costsRead(count, 'getdomainlist');
  return costsRead(count, 'tldlist');
});

const RenewalsDueRef = builder.objectRef<RenewalsDue>('RenewalsDue').implement({
  description:
    'The renewals of the domains that expire within a number of days, for one year each. Domains that are deleted, in redemption or transferred out are left out.',
  fields: (t) => ({
    ...requiredFields(t, 'Int', {
      count: 'Number of domains.',
      unpriced: 'Number of these domains without a known renewal price. `totals` omits them.',
    }),
    totals: t.field({
      type: [TotalRef],
      nullable: false,
      description: 'The sums of the renewals, one per currency.',
      resolve: (sums, _args, { caller }) => exactTotalsFor(caller, sums),
    }),
    ...nullableFields(t, 'Boolean', {
      covered:
        'Whether the balances cover all costs; without the scope `prices:cost` all prices. False when one does not. Otherwise null when a balance, a price or a domain is not known; see `coveredReason`.',
    }),
    ...nullableFields(t, 'String', {
      coveredReason: 'Why `covered` is null, in one sentence for a person; null when it is not.',
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
    type: RenewalsDueRef,
    description:
      'The renewals that are due soon, and whether the balances cover them. Null when the list or the price list cannot be read. Calls: one `getdomainlist` and one `tldlist`.',
    args: {
      days: t.arg.int({
        required: true,
        defaultValue: 30,
        description: `Days until the expiry: 1 to ${longestTermDays}.`,
      }),
    },
    extensions: costsLists,
    resolve: (reseller, { days }, { use, hidesCosts }) => {
      const term = withinRange('days', days, 1, longestTermDays);
      return use(portfolio).renewalsDue(reseller, term, hidesCosts);
    },
  }),
  coversRenewalsUntil: t.field({
    ...needs('domains:read'),
    type: 'DateTime',
    description:
      'The time until which the balances cover the renewals, for one year each and to the day: domains that expire later are not covered. Ten years from now when they cover all. Without the scope `prices:cost` the prices count, otherwise the costs. Null when a balance, a price or a domain before this time is not known; see `coversRenewalsUntilReason`. Calls: one `getdomainlist` and one `tldlist`.',
    extensions: costsLists,
    resolve: async (reseller, _args, { use, hidesCosts }) =>
      (await use(portfolio).coversRenewals(reseller, hidesCosts)).until,
  }),
  coversRenewalsUntilReason: t.string({
    ...needs('domains:read'),
    description:
      'Why `coversRenewalsUntil` is null, in one sentence for a person; null when it is not. Calls: the same.',
    extensions: costsLists,
    resolve: async (reseller, _args, { use, hidesCosts }) =>
      (await use(portfolio).coversRenewals(reseller, hidesCosts)).reason,
  }),
}));
