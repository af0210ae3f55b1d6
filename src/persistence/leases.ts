import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { type Database, hasSeveralWriters, type JournalTables, timeText } from './tables.ts';

export interface LeaseRequest {
  readonly owner: string;
  readonly now: Date;
  readonly until: Date;
  /** The end of a lease that is later than this was stored with a wrong clock; such a lease is not valid. */
  readonly latest: Date;
}

/** Acquires or renews the lease of a kind of background work, which one process at a time does for an account; false while another process has it. */
export async function takeLease(
  db: Database,
  account: string,
  name: string,
  { owner, now, until, latest }: LeaseRequest,
): Promise<boolean> {
  const row = await db
    .insertInto('leases')
    .values({ account, name, owner, until: timeText(until) })
    .onConflict((conflict) =>
      conflict
        .columns(['account', 'name'])
        .doUpdateSet(({ ref }) => ({ owner: ref('excluded.owner'), until: ref('excluded.until') }))
        .where(({ or, eb, ref }) =>
          or([
            eb('leases.owner', '=', ref('excluded.owner')),
            eb('leases.until', '<=', timeText(now)),
            eb('leases.until', '>', timeText(latest)),
          ]),
        ),
    )
    .returning('owner')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this process has the lease, and no other process acquires it before the statement has ended. */
export function ownsLease(
  db: Database,
  account: string,
  name: string,
  owner: string,
): Expression<SqlBool> {
  const lease = db
    .selectFrom('leases')
    .select('owner')
    .where('account', '=', account)
    .where('name', '=', name)
    .where('owner', '=', owner);
  return expressionBuilder<JournalTables, never>().exists(
    hasSeveralWriters(db) ? lease.forShare() : lease,
  );
}
