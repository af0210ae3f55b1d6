import { readStoredPage } from '../../lib/pages.ts';
import { perRequest } from '../../scope/scope.ts';
import { openAuditTrail } from './parts.ts';
import { type AuditEntry, type AuditPage, type AuditStore, auditStore } from './store.ts';
import type { OpenAuditTrail } from './trail.ts';

interface AuditDeps {
  readonly store: Pick<AuditStore, 'list' | 'count'>;
  readonly account: string;
  readonly operationTrail: Pick<OpenAuditTrail, 'settled'>;
}

/** SQLite reads a page without a break, so that a page must be short. */
const rowsPerRead = 100;

/** The audit log of an account. */
export function createAuditService({ store, account, operationTrail }: AuditDeps) {
  return {
    /** A page, newest first. */
    async list({ filter = {}, ...page }: AuditPage) {
      // Entries of this process are stored after the response of their request.
      await operationTrail.settled();
      return readStoredPage(
        {
          list: (place) => store.list(account, { filter, ...place }),
          count: () => store.count(account, filter),
        },
        page,
      );
    },
    /** All entries, newest first, read page by page. Entries that are made later are not among them. */
    async *all(): AsyncGenerator<AuditEntry, void> {
      await operationTrail.settled();
      let after: number | undefined;
      do {
        const page = { limit: rowsPerRead, ...(after !== undefined && { after }) };
        const entries = await store.list(account, page);
        yield* entries;
        after = entries[rowsPerRead - 1]?.position;
      } while (after !== undefined);
    },
  };
}

export const auditLog = perRequest('auditLog', ({ tenant: { account }, use, store }) =>
  createAuditService({ store: store(auditStore), account, operationTrail: use(openAuditTrail) }),
);
