import {
  type AuditActor,
  type AuditTrail,
  createAudited,
  type WriteAudit,
} from '../../src/kernel/audit.ts';
import { createJobAudit } from '../../src/modules/job/job-audit.ts';

/** An audit log that stores nothing. */
export const noTrail: AuditTrail = {
  begin: async () => () => undefined,
  add: async () => undefined,
  note: () => undefined,
  noteLater: () => undefined,
};

/** An audit with lines of the log only. */
export const auditedLines = (log: WriteAudit, actor: Partial<AuditActor> = {}) => {
  const noCaller = { caller: null, customer: null, tenant: 'a', requestId: 'b', address: null };
  return createAudited({ log, trail: noTrail }, { ...noCaller, ...actor }, () => 0);
};

export const noJobAudit = createJobAudit({ log: () => undefined, trail: noTrail }, 'default');
