import { dayMs } from '../kernel/instant.ts';
import { createAuditTrail, type OpenAuditTrail } from '../modules/audit/trail.ts';
import type { TenantObserver } from './observe.ts';
import type { SharedDeps } from './shared-deps.ts';

interface OpenAuditOptions {
  /** The name of the tenant. */
  readonly tenant: string;
  readonly account: string;
  readonly observer: Pick<TenantObserver, 'auditEntryLost'>;
}

/** Opens the audit log of one tenant. `opened` stores the entries that remain. */
export function openAuditTrail(
  { tenant, account, observer }: OpenAuditOptions,
  { config, journal, clock, log }: SharedDeps,
  opened: AsyncDisposableStack,
): OpenAuditTrail {
  const { retentionDays, ...settings } = config.audit;
  const trail = createAuditTrail({
    store: journal.audit,
    account,
    clock,
    ...settings,
    retentionMs: retentionDays * dayMs,
    onLost: observer.auditEntryLost,
    onError: (error) => log.error('the audit log cannot be written', { tenant, error }),
  });
  opened.defer(() => trail.close());
  return trail;
}
