import type { Kysely } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { unsettledStates } from './store.ts';
import { type JournalTables, literal } from './tables.ts';

/** The domains whose transfer was sent and is not settled. */
export async function listOpenTransfers(
  db: Kysely<JournalTables>,
  account: string,
): Promise<readonly DomainName[]> {
  const rows = await db
    .selectFrom('purchases')
    .select('domain')
    .where('account', '=', account)
    .where('kind', '=', 'TRANSFER')
    // The states as text, so that SQLite uses the index of open purchases.
    .where('state', 'in', unsettledStates.map(literal))
    .where('submitted_at', 'is not', null)
    .execute();
  return rows.map(({ domain }) => domain as DomainName);
}
