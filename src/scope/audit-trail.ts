import type { AuditTrail } from '../kernel/audit.ts';
import { tenantHook } from './tenant.ts';

/** The stored audit log of the tenant. By default nothing is stored. */
export const auditTrail = tenantHook<AuditTrail>('auditTrail', () => ({
  begin: async () => () => undefined,
  add: async () => undefined,
  note: () => undefined,
  noteLater: () => undefined,
}));
