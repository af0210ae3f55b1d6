import { itemsOf, readStoredPage } from '../../lib/pages.ts';
import { perRequest } from '../../scope/scope.ts';
import { openAuditTrail } from './parts.ts';
import { type AuditEntry, type AuditPage, type AuditStore, auditStore } from './store.ts';
import type { OpenAuditTrail } from './trail.ts';

interface AuditDeps {
  readonly store: Pick<AuditStore, 'list' | 'count'>;
  readonly account: string;
  readonly operationTrail: Pick<OpenAuditTrail, 'settled'>;
}

/** The audit log of an account. */
export function createAuditService({ store, account, operationTrail }: AuditDeps) {
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
      yield* itemsOf<AuditEntry>(({ limit, after }) =>
        store.list(account, { limit, after: after?.position }),
      );
    },
  };
}

export const auditLog = perRequest('auditLog', ({ tenant: { account }, use, store }) =>
  createAuditService({ store: store(auditStore), account, operationTrail: use(openAuditTrail) }),
);
