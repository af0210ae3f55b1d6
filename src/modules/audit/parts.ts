import { dayMs } from '../../kernel/instant.ts';
import { auditTrail } from '../../scope/audit-trail.ts';
import { type Fill, fill } from '../../scope/keys.ts';
import { observer, settings } from '../../scope/settings.ts';
import { perTenant } from '../../scope/tenant.ts';
import { createAuditTrail } from './trail.ts';

// In a file of its own, because a planted bug of the simulation replaces the imported function.

export const openAuditTrail = perTenant('openAuditTrail', ({ facts, use, reports }) => {
  const { retentionDays, ...audit } = use(settings).audit;
  return createAuditTrail({
    ...facts,
    ...audit,
    store: facts.journal.audit,
    retentionMs: retentionDays * dayMs,
    onLost: use(observer).auditEntryLost,
    onError: reports('the audit log cannot be written'),
  });
});

export const auditFills: readonly Fill[] = [fill(auditTrail, ({ use }) => use(openAuditTrail))];
