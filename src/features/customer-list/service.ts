import { mayAny } from '../../kernel/caller.ts';
import { type Money, money, sumsOf } from '../../kernel/money.ts';
import { readAllPages, readStoredPage } from '../../lib/pages.ts';
import type { DomainCustomer } from '../../persistence/customer-store.ts';
import { perRequest } from '../../scope/scope.ts';
import { largest } from '../portfolio/list-index/portfolio-index.ts';
import type { DomainStats } from '../portfolio/service.ts';
import { type CustomerPage, customerListStore } from './store.ts';

/** SQLite occupies the thread during a statement, so that a page must be short. */
const domainsPerRead = 5_000;

/** Exact sums, one for each currency. */
interface Spent {
  readonly totals: readonly Money[];
  readonly costs: readonly Money[];
}

/** The customers that the caller sees: one that is bound to a customer sees this one. */
export const customerList = perRequest('customerList', ({ tenant, caller, stored, store }) => {
  const { account, journal } = tenant;
  const customers = store(customerListStore);
  const bought = stored.batched(async (names) => {
    const counts = Map.groupBy(
      await customers.purchases(account, names),
      ({ customer }) => customer,
    );
    return [...counts].map(([id, rows]) => ({ id, rows }));
  });
  const own = caller.customer;

  return {
    /** A page by name. */
    list: (page: CustomerPage) =>
      readStoredPage(customers, account, own === null ? page : { ...page, filter: { name: own } }),

    /** Null for a caller that does not see the purchases of others. */
    async spentBy(name: string): Promise<Spent | null> {
      if (own === null && !mayAny(caller, ['ops'])) return null;
      const rows = (await bought(name))?.rows ?? [];
      return {
        totals: sumsOf(
          rows.flatMap((row) => counted(row.priceAmount, row.priceCurrency, row.purchases)),
        ),
        costs: sumsOf(
          rows.flatMap((row) => counted(row.costAmount, row.costCurrency, row.purchases)),
        ),
      };
    },

    /** The customers with the most domains of these, the largest number first. */
    async largestOf({ includes, totalCount }: DomainStats, limit: number) {
      if (own !== null) return largest([own], Uint32Array.of(totalCount), limit);
      const assigned = await readAllPages<DomainCustomer>(domainsPerRead, (last) =>
        stored.inTurn(() =>
          journal.customers.assigned(account, last?.domain ?? null, domainsPerRead),
        ),
      );
      const numbers = new Map<string, number>();
      for (const { domain, customer } of assigned) {
        if (includes(domain)) numbers.set(customer, (numbers.get(customer) ?? 0) + 1);
      }
      return largest([...numbers.keys()], Uint32Array.from(numbers.values()), limit);
    },
  };
});

/** A price of some purchases; an empty amount is not known. */
const counted = (amount: string, currency: string, purchases: number) =>
  amount === '' ? [] : [[money(amount, currency), purchases] as const];
