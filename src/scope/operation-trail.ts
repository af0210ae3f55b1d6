import type { OperationTrail } from '../kernel/recorder.ts';
import { tenantHook } from './tenant.ts';

/** The stored operations of the tenant. By default nothing is stored. */
export const operationTrail = tenantHook<OperationTrail>('operationTrail', () => ({
  begin: async () => () => undefined,
  add: async () => undefined,
  note: () => undefined,
  noteRefused: () => undefined,
  noteLater: () => undefined,
}));
