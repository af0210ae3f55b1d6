import { dayMs } from '../../kernel/instant.ts';
import { operationTrail } from '../../scope/hooks.ts';
import { fill } from '../../scope/parts.ts';
import { perTenant, settings, tenantHook } from '../../scope/tenant.ts';
import type { OpenFeature, ProcessContext } from '../../seam/feature.ts';
import { auditSettings } from './settings.ts';
import { auditStore } from './store.ts';
import { createAuditTrail } from './trail.ts';

// In a file of its own, because a planted bug of the simulation replaces the imported function.

/** Counts an entry that is not stored, although its operation has run. */
const countLost = tenantHook('countLost', () => () => undefined);

export const openAuditTrail = perTenant('openAuditTrail', ({ facts, use, store, reports }) => {
  const values = auditSettings.of(use(settings));
  const { tenant, log } = facts;
  const count = use(countLost);
  return createAuditTrail({
    ...facts,
    store: store(auditStore),
    isRequired: values.AUDIT_REQUIRED,
    storesAddresses: values.AUDIT_ADDRESSES,
    retentionMs: values.AUDIT_RETENTION_DAYS * dayMs,
    onLost(reason) {
      log.error('an entry of the audit log is not stored', { tenant, reason });
      count();
    },
    onError: reports('the audit log cannot be written'),
  });
});

export function open({ metrics }: Pick<ProcessContext, 'metrics'>): OpenFeature {
  const lost = metrics?.counter(
    'audit_entries_lost_total',
    'Entries of the audit log that could not be stored although the operation ran, or had run.',
    ['tenant'],
  );
  return {
    fills: [
      fill(operationTrail, ({ use }) => use(openAuditTrail)),
      fill(countLost, ({ facts: { tenant } }) => {
        lost?.inc({ tenant }, 0);
        return () => lost?.inc({ tenant });
      }),
    ],
    background: [openAuditTrail],
  };
}
