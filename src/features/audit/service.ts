import { itemsOf, readStoredPage } from '../../lib/pages.ts';
import type { SliceClock } from '../../lib/slices.ts';
import { perRequest } from '../../scope/scope.ts';
import { openAuditTrail } from './parts.ts';
import { type AuditEntry, type AuditPage, type AuditStore, auditStore } from './store.ts';
import type { OpenAuditTrail } from './trail.ts';

interface AuditDeps {
  readonly store: Pick<AuditStore, 'list' | 'count'>;
  readonly account: string;
  readonly clock: SliceClock;
  readonly operationTrail: Pick<OpenAuditTrail, 'settled'>;
}

/** The audit log of an account. */
export function createAuditService({ store, account, clock, operationTrail }: AuditDeps) {
  return {
    /** A page, newest first. */
    async list(page: AuditPage) {
      // Entries of this process are stored after the response of their request.
      await operationTrail.settled();
      return readStoredPage(store, account, page);
    },
    /** All entries, newest first. */
    async *all(): AsyncGenerator<AuditEntry, void> {
      await operationTrail.settled();
      yield* itemsOf<AuditEntry>(clock, ({ limit, after }) =>
        store.list(account, { limit, after: after?.position }),
      );
    },
  };
}

export const auditLog = perRequest('auditLog', ({ tenant, use, store }) =>
  createAuditService({
    ...tenant,
    store: store(auditStore),
    operationTrail: use(openAuditTrail),
  }),
);
