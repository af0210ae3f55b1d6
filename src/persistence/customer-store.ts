import type { DomainName } from '../kernel/domain-name.ts';
import { parts } from '../lib/slices.ts';
import { type Database, literal, timeText } from './tables.ts';
import { reading, writing } from './unavailable.ts';

/** A domain and the customer that it belongs to. */
export interface DomainCustomer {
  readonly domain: DomainName;
  readonly customer: string;
}

/** Which customer each domain of an account belongs to, over all replicas. The domain need not be known. */
export const createCustomerStore = (db: Database) => ({
  /** The customers of these domains. Domains of the reseller are not among them. */
  of: (account: string, names: readonly DomainName[]) =>
    reading(async (): Promise<readonly DomainCustomer[]> => {
      if (names.length === 0) return [];
      const rows = await db
        .selectFrom('domain_customers')
        .select(['domain', 'customer'])
        .where('account', '=', account)
        .where('domain', 'in', names)
        .execute();
      return rows.map(({ domain, customer }) => ({ domain: domain as DomainName, customer }));
    }),
  /** A page of the domains of a customer by name, those after `after`. */
  domains: (account: string, customer: string, after: DomainName | null, limit: number) =>
    reading(async (): Promise<readonly DomainName[]> => {
      const rows = await db
        .selectFrom('domain_customers')
        .select('domain')
        .where('account', '=', account)
        .where('customer', '=', customer)
        .where('domain', '>', after ?? '')
        .orderBy('domain')
        .limit(literal(limit))
        .execute();
      return rows.map(({ domain }) => domain as DomainName);
    }),
  /** Sets the customer of domains; null makes them the reseller's own. */
  assign: (account: string, names: readonly DomainName[], customer: string | null, at: Date) =>
    writing(async () => {
      for (const some of parts(names, namesPerStatement)) {
        await (customer === null
          ? removeCustomer(db, account, some)
          : setCustomer(db, account, some, { customer, since: timeText(at) }));
      }
    }),
});

/** SQLite allows 32,766 parameters in a statement. */
const namesPerStatement = 1_000;

const removeCustomer = (db: Database, account: string, names: readonly DomainName[]) =>
  db
    .deleteFrom('domain_customers')
    .where('account', '=', account)
    .where('domain', 'in', names)
    .execute();

/** A domain that has the customer already keeps the time since when it has it. */
const setCustomer = (
  db: Database,
  account: string,
  names: readonly DomainName[],
  set: { readonly customer: string; readonly since: string },
) =>
  db
    .insertInto('domain_customers')
    .values(names.map((domain) => ({ account, domain, ...set })))
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'domain'])
        .doUpdateSet(set)
        .where('domain_customers.customer', '<>', set.customer),
    )
    .execute();
