import type { Feature } from '../../seam/feature.ts';
import { customerPurchasesTable, customersTable } from './table.ts';

/** The customers as a list, with their domains, renewals and purchases. */
export const customerList: Feature = {
  name: 'customer-list',
  uses: ['portfolio'],
  tables: [customersTable, customerPurchasesTable],
  rootFields: { Query: ['customers'] },
  after: { Query: 'domainsByName' },
  fields: ['DomainStats.byCustomer'],
  graph: () => import('./schema.ts'),
};
