import { accounts } from '../session/session.ts';

/** Those of the demo. A real shop reads them from its own database, for its staff only. */
export const customers = accounts.filter(({ isStaff }) => !isStaff);

/** The name of the customer that the graph has for a domain, purchase or order. */
export const customerName = (customer: string | null): string =>
  customers.find(({ id }) => id === customer)?.name ?? customer ?? 'none';
