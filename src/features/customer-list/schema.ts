import { nullWithError } from '../../kernel/schema-extensions.ts';
import { exactTotalsFor, TotalRef } from '../../modules/quote/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { pageArgs, readSpan } from '../../schema/connection.ts';
import { costs, costsRead, costsSum } from '../../schema/cost.ts';
import { requiredFields } from '../../schema/fields.ts';
import { storedList, storedListRef } from '../../schema/stored-list.ts';
import {
  DomainCountRef,
  DomainStatsRef,
  daysArg,
  daysOf,
  groupsArg,
  RenewalsRef,
} from '../portfolio/schema.ts';
import { portfolio } from '../portfolio/service.ts';
import { customerList } from './service.ts';
import type { Customer, CustomerPage } from './store.ts';

const scope = 'domains:read';

const CustomerRef = builder.objectRef<Customer>('Customer').implement({
  description: 'A customer of the reseller.',
  fields: (t) => ({
    ...requiredFields(t, 'String', { name: "The name, in the reseller's own words." }),
    domainCount: t.int({
      description:
        'Number of domains of the account that the customer has. Null when the list cannot be read. Calls: one `getdomainlist` for all customers.',
      extensions: {
        ...nullWithError,
        ...costs((count, _args, above) => {
          costsRead(count, 'getdomainlist');
          return costsSum(count, above, 'domains');
        }),
      },
      resolve: async ({ name }, _args, { use }) =>
        (await use(portfolio).count({ customer: name }, false)).totalCount,
    }),
    renewalsDue: t.field({
      type: RenewalsRef,
      description:
        'The renewals of its domains that are due soon. Null when the list or the price list cannot be read. Calls: one `getdomainlist` and one `tldlist` for all customers.',
      args: daysArg(t),
      extensions: costs((count, _args, above) => {
        costsRead(count, 'getdomainlist');
        costsRead(count, 'tldlist');
        return costsSum(count, above, 'domains');
      }),
      resolve: ({ name }, { days }, { use }) =>
        use(portfolio).renewalsDue(daysOf(days), { customer: name }),
    }),
    spent: t.field({
      type: [TotalRef],
      description:
        'The sums of its purchases that the registrar accepted, one per currency. Failed purchases, and those with an unknown outcome, are not in it. Null without the scope `ops` for a caller that is not bound to a customer. Calls: none.',
      extensions: costs((count, _args, above) => costsSum(count, above, 'spent')),
      async resolve({ name }, _args, { caller, use }) {
        const spent = await use(customerList).spentBy(name);
        return spent && exactTotalsFor(caller, spent);
      },
    }),
  }),
});

const CustomerConnectionRef = storedListRef('Customer', CustomerRef);

const customers = storedList({
  name: 'customers',
  parts: 1,
  positionOf: ({ name }: Customer) => [name],
  placeOf: ([name = '']) => name,
  list: ({ use }, page: CustomerPage) => use(customerList).list(page),
});

builder.queryField('customers', (t) =>
  t.field({
    ...needs(scope),
    type: CustomerConnectionRef,
    description:
      'The customers to whom a domain was assigned, by name. A caller that is bound to a customer sees this one. Calls: none.',
    args: pageArgs(t),
    extensions: customers.extensions,
    resolve: (_root, page, context) => customers.page(context, page, {}),
  }),
);

builder.objectField(DomainStatsRef, 'byCustomer', (t) =>
  t.field({
    type: [DomainCountRef],
    nullable: false,
    description:
      'Domains per customer, the largest number first. A value is the name of the customer. Domains of the reseller are left out. Calls: none.',
    args: groupsArg(t),
    extensions: costs((count, _args, above) => costsSum(count, above, 'customers of domains')),
    resolve: (stats, args, { use }) => use(customerList).largestOf(stats, readSpan(args).limit),
  }),
);
