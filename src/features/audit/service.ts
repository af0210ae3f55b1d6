import { itemsOf, readStoredPage } from '../../lib/pages.ts';
import { perRequest } from '../../scope/scope.ts';
import { openAuditTrail } from './parts.ts';
import { type AuditEntry, type AuditPage, auditStore } from './store.ts';

export const auditLog = perRequest('auditLog', ({ tenant, use, store }) => {
  const { account, clock } = tenant;
  const entries = store(auditStore);
  return {
    /** A page, newest first. */
    async list(page: AuditPage) {
      // Entries of this process are stored after the response of their request.
      await use(openAuditTrail).settled();
      return readStoredPage(entries, account, page);
    },
    /** All entries, newest first. */
    async *all(): AsyncGenerator<AuditEntry, void> {
      await use(openAuditTrail).settled();
      yield* itemsOf<AuditEntry>(clock, ({ limit, after }) =>
        entries.list(account, { limit, after: after?.position }),
      );
    },
  };
});
