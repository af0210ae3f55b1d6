import type { FilteredPage } from '../../lib/pages.ts';
import { type FilterOf, is, listOf, meets, oneOf } from '../../persistence/lists.ts';
import { allOf } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import { type Database, rowsOf } from '../../persistence/tables.ts';
import { reading } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';
import { type CustomerTables, customerPurchasesTable, customersTable } from './table.ts';

export type Customer = RecordOf<typeof customersTable>;

const conditions = { name: is('name') };

/** By name. A place is a name. */
export type CustomerPage = FilteredPage<string, FilterOf<typeof conditions>>;

/** The customers of an account, and their purchases. */
export function createCustomerListStore(database: Database) {
  const db = database.$extendTables<CustomerTables>();
  return {
    ...listOf(db, {
      order: { columns: ['name'], valuesOf: (name: string) => [name] },
      rows: (account, condition) => rowsOf(db, 'customers', account).where(condition),
      selected: (rows) => rows.select(customersTable.columns),
      meets: (filter: FilterOf<typeof conditions>) => meets(conditions, filter),
      indexed: ({ name }) => (name === undefined ? [] : 'all'),
      itemOf: customersTable.record,
    }),
    /** The numbers of purchases that the registrar accepted, by customer, price and cost. */
    purchases: (account: string, customers: readonly string[]) =>
      reading(() =>
        allOf(
          rowsOf(db, 'customer_purchases', account)
            .select(customerPurchasesTable.columns)
            .where(oneOf('customer')(customers))
            .where('purchases', '>', 0),
          customerPurchasesTable.record,
        ),
      ),
  };
}

export const customerListStore = stored('customerList', createCustomerListStore);
