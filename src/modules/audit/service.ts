import { readStoredPage } from '../../lib/pages.ts';
import type { AuditEntry, AuditPage } from '../../persistence/audit-store.ts';
import type { Journal } from '../../persistence/journal.ts';
import { perRequest } from '../../scope/scope.ts';
import { openAuditTrail } from './parts.ts';
import type { OpenAuditTrail } from './trail.ts';

export type { AuditEntry } from '../../persistence/audit-store.ts';

interface AuditDeps {
  readonly journal: Pick<Journal, 'audit'>;
  readonly account: string;
  readonly auditTrail: Pick<OpenAuditTrail, 'settled'>;
}

/** SQLite reads a page without a break, so that a page must be short. */
const rowsPerRead = 100;

/** The audit log of an account. */
export function createAuditService({ journal: { audit }, account, auditTrail }: AuditDeps) {
  return {
    /** A page, newest first. */
    async list({ filter = {}, ...page }: AuditPage) {
      // Entries of this process are stored after the response of their request.
      await auditTrail.settled();
      return readStoredPage<AuditEntry, number>(
        {
          list: (place) => audit.list(account, { filter, ...place }),
          count: () => audit.count(account, filter),
          positionOf: ({ position }) => position,
        },
        page,
      );
    },
    /** All entries, newest first, read page by page. Entries that are made later are not among them. */
    async *all(): AsyncGenerator<AuditEntry, void> {
      await auditTrail.settled();
      let after: number | undefined;
      do {
        const page = { limit: rowsPerRead, ...(after !== undefined && { after }) };
        const entries = await audit.list(account, page);
        yield* entries;
        after = entries[rowsPerRead - 1]?.position;
      } while (after !== undefined);
    },
  };
}

export const auditLog = perRequest('auditLog', ({ tenant, use }) =>
  createAuditService({ ...tenant, auditTrail: use(openAuditTrail) }),
);
