import { integer, type RowsOf, table, text, trigger } from '../../persistence/table.ts';

const addCustomer = `insert into customers (account, name) values (new.account, new.customer)
  on conflict (account, name) do nothing;`;

const customerAdded = (name: string, change: string) =>
  trigger(name, `after ${change} on domain_customers`, addCustomer, 'new.customer is not null');

/** The customers to whom a domain was ever assigned. Triggers of `domain_customers` write it. */
export const customersTable = table(
  'customers',
  { name: text },
  {
    hidden: { account: text },
    key: 'account, name',
    triggers: [
      ...customerAdded('domain_customers_inserted', 'insert'),
      ...customerAdded('domain_customers_updated', 'update of customer'),
      // Domains that had a customer before this table existed.
      `insert into customers (account, name)
        select distinct account, customer from domain_customers where customer is not null`,
    ],
  },
);

const key = 'account, customer, price_amount, price_currency, cost_amount, cost_currency';

/** The columns of `key`, and whether the purchase counts: the registrar accepted it and has not rejected it since. */
const valuesOf = (row: string) => `${row}.account, ${row}.customer,
  coalesce(${row}.retail_amount, ${row}.cost_amount, ''), coalesce(${row}.retail_currency, ${row}.cost_currency, ''),
  coalesce(${row}.cost_amount, ''), coalesce(${row}.cost_currency, '')`;
const isSpent = (row: string) =>
  `${row}.customer is not null and ${row}.state in ('IN_PROGRESS', 'SUCCEEDED')`;

/** Adds a row of `purchases` to its count, or subtracts it. */
const count = (row: 'new' | 'old', sign: '+' | '-') => `
  insert into customer_purchases (${key}, purchases)
    select ${valuesOf(row)}, ${sign} 1 where ${isSpent(row)}
    on conflict (${key}) do update set purchases = customer_purchases.purchases + excluded.purchases;`;

/** The number of purchases of each customer by their price and cost, so that sums are exact. Triggers of `purchases` write it. */
export const customerPurchasesTable = table(
  'customer_purchases',
  {
    customer: text,
    /** Exact decimal text; each empty without a price or a cost. */
    priceAmount: text,
    priceCurrency: text,
    costAmount: text,
    costCurrency: text,
    purchases: integer,
  },
  {
    hidden: { account: text },
    key,
    triggers: [
      ...trigger('purchases_bought', 'after insert on purchases', count('new', '+')),
      ...trigger(
        'purchases_changed',
        'after update of state on purchases',
        `${count('old', '-')} ${count('new', '+')}`,
        `(${isSpent('old')}) <> (${isSpent('new')})`,
      ),
      // Purchases from before this table existed.
      `insert into customer_purchases (${key}, purchases)
        select ${valuesOf('purchases')}, count(*) from purchases where ${isSpent('purchases')}
        group by 1, 2, 3, 4, 5, 6`,
    ],
  },
);

export type CustomerTables = RowsOf<typeof customersTable | typeof customerPurchasesTable>;
