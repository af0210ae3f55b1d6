import { knownBy, nullWithError } from '../../kernel/schema-extensions.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsRead } from '../../schema/cost.ts';
import { nullableFields } from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { BalanceDetails, ResellerDetails } from '../../upstream/domain-api/shapes.ts';
import { resellerRead } from '../balance/balance.ts';

const BalanceRef = builder.objectRef<BalanceDetails>('Balance').implement({
  description: 'Balance of the account in one currency.',
  fields: (t) => ({
    ...nullableFields(t, MoneyRef, { money: 'The amount; null when it cannot be read.' }),
    ...nullableFields(t, 'String', { symbol: 'Currency symbol, such as `$` or `TL`.' }),
  }),
});

/** There is one account behind a request, so its key says no more than that; its login name is confidential. */
const onlyKey = 'self';

export const ResellerRef = builder.objectRef<ResellerDetails>('Reseller').implement({
  description:
    "The registrar's reseller account, which owns the domains and pays for purchases. Calls: one `resellerdetails`.",
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
    description: 'The account and its balances. Calls: one `resellerdetails`.',
    extensions: { ...nullWithError, ...costs((count) => costsRead(count, 'resellerdetails')) },
    resolve: (_root, _args, { use }) => use(resellerRead)(),
  }),
);
