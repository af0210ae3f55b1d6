import { withinRange } from '../../kernel/faults.ts';
import { longestTermDays } from '../../kernel/instant.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsRead } from '../../schema/cost.ts';
import { knownBy, nullWithError } from '../../schema/marks.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { BalanceDetails, ResellerDetails } from '../../upstream/domain-api/shapes.ts';
import { resellerRead } from '../balance/balance.ts';
import type { RenewalsDue } from '../portfolio/renewals-due.ts';
import { PortfolioCoverageRef } from '../portfolio/schema.ts';
import { portfolio } from '../portfolio/service.ts';
import { costField } from '../price/schema.ts';

const BalanceRef = builder.objectRef<BalanceDetails>('Balance').implement({
  description: 'Balance of the account in one currency.',
  fields: (t) => ({
    ...nullableFields(t, MoneyRef, { money: 'The amount; null when it cannot be read.' }),
    ...nullableFields(t, 'String', { symbol: 'Currency symbol, such as `$` or `TL`.' }),
  }),
});

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
    ...requiredFields(t, [MoneyRef], {
      totals: 'Prices of the renewals, one sum for each currency.',
    }),
    costs: costField(
      t,
      [MoneyRef],
      'As `totals`: what the registrar charges.',
      ({ costs }) => costs,
    ),
    ...nullableFields(t, 'Boolean', {
      covered:
        'Whether the balances cover all costs; without the scope `prices:cost` all prices. False when one does not. Otherwise null when a balance, a price or a domain is not known; see `coveredReason`.',
    }),
    ...nullableFields(t, 'String', {
      coveredReason: 'Why `covered` is null, in one sentence for a person; null when it is not.',
    }),
    ...requiredFields(t, PortfolioCoverageRef, {
      coverage:
        'How much of the account the list covers. Of an incomplete list `count`, `totals` and `costs` are minimums.',
    }),
  }),
});

/** There is one account behind a request, so its key says no more than that; its login name is confidential. */
const onlyKey = 'self';

const ResellerRef = builder.objectRef<ResellerDetails>('Reseller').implement({
  description:
    "The registrar's reseller account, which owns the domains and pays for purchases. Costs one `resellerdetails`.",
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'Reseller', () => onlyKey),
    ...nullableFields(t, 'Int', {
      upstreamId:
        'Number of the account at the registrar; may be -1. Null when the registrar sends none.',
    }),
    ...nullableFields(t, 'String', {
      name: 'Name of the account; null when the registrar sends none.',
    }),
    ...nullableFields(t, 'Boolean', { active: 'Whether the account is active.' }),
    ...nullableFields(t, BalanceRef, { balance: 'Balance in the main currency.' }),
    ...nullableFields(t, [BalanceRef], { balances: 'Balances, one for each currency.' }),
    renewalsDue: t.field({
      ...needs('domains:read'),
      type: RenewalsDueRef,
      description:
        'The renewals that are due soon, and whether the balances cover them. Null when the list or the price list cannot be read. Costs one `getdomainlist` and one `tldlist`.',
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
        'The time until which the balances cover the renewals, for one year each and to the day: domains that expire later are not covered. Ten years from now when they cover all. Without the scope `prices:cost` the prices count, otherwise the costs. Null when a balance, a price or a domain before this time is not known; see `coversRenewalsUntilReason`. Costs one `getdomainlist` and one `tldlist`.',
      extensions: costsLists,
      resolve: async (reseller, _args, { use, hidesCosts }) =>
        (await use(portfolio).coversRenewals(reseller, hidesCosts)).until,
    }),
    coversRenewalsUntilReason: t.string({
      ...needs('domains:read'),
      description:
        'Why `coversRenewalsUntil` is null, in one sentence for a person; null when it is not. Costs the same calls.',
      extensions: costsLists,
      resolve: async (reseller, _args, { use, hidesCosts }) =>
        (await use(portfolio).coversRenewals(reseller, hidesCosts)).reason,
    }),
  }),
});

registerNode('Reseller', {
  needed: ['account:read'],
  load: async ({ use }, key) => (key === onlyKey ? use(resellerRead)() : null),
  cost: (count) => costsRead(count, 'resellerdetails'),
});

builder.queryField('reseller', (t) =>
  t.field({
    ...needs('account:read'),
    type: ResellerRef,
    description: 'The account and its balances. Costs one `resellerdetails`.',
    extensions: { ...nullWithError, ...costs((count) => costsRead(count, 'resellerdetails')) },
    resolve: (_root, _args, { use }) => use(resellerRead)(),
  }),
);
