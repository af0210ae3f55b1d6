import type { Insertable, Kysely } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { takeLease } from './leases.ts';
import type { LedgerStore, NewDomains } from './ledger-store.ts';
import { type JournalTables, type KnownDomainRow, timeText } from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';
import {
  createUnlistedDomains,
  nameOf,
  noRow,
  unlistedColumns,
  unlistedOf,
} from './unlisted-domains.ts';

type Database = Kysely<JournalTables>;

/** The known domains in the database of the journal. Each method is one statement, or statements that may each stand alone. */
export function createLedgerStore(db: Database): LedgerStore {
  const reading = <T>(work: () => Promise<T>) => guarded(work, readFault);
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    add: (account, names, how) => writing(() => addDomains(db, newRows(account, names, how))),
    addPurchased: (account, how) => writing(() => addPurchased(db, account, how)),
    known: (account) =>
      reading(async () => {
        const rows = await known(db, account)
          .select(['listed', ...unlistedColumns])
          .execute();
        return rows.map((row) => ({
          name: nameOf(row.domain),
          unlisted: row.listed === 1 ? null : unlistedOf(row),
        }));
      }),
    names: (account) =>
      reading(async () => {
        const rows = await known(db, account).select('domain').execute();
        return rows.map(({ domain }) => nameOf(domain));
      }),
    markListed: (account, names, listed) => writing(() => markListed(db, account, names, listed)),
    ...createUnlistedDomains(db),
    lease: (account, lease) => writing(() => takeLease(db, account, 'portfolio', lease)),
  };
}

/** SQLite allows 32,766 parameters in a statement. */
const namesPerStatement = 1_000;

function* parts<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += namesPerStatement) {
    yield items.slice(from, from + namesPerStatement);
  }
}

const newRows = (
  account: string,
  names: readonly DomainName[],
  { source, at, dueAt }: NewDomains,
): readonly Insertable<KnownDomainRow>[] =>
  names.map((domain) => ({
    account,
    domain,
    source,
    listed: source === 'LISTED' ? 1 : 0,
    added_at: timeText(at),
    due_at: timeText(dueAt),
  }));

async function addDomains(
  db: Database,
  rows: readonly Insertable<KnownDomainRow>[],
): Promise<number> {
  let added = 0;
  for (const some of parts(rows)) {
    const written = await db
      .insertInto('known_domains')
      .values([...some])
      .onConflict((conflict) =>
        conflict
          .columns(['account', 'domain'])
          .doUpdateSet(({ ref }) => ({
            source: ref('excluded.source'),
            listed: ref('excluded.listed'),
            added_at: ref('excluded.added_at'),
            due_at: ref('excluded.due_at'),
            removed_at: null,
          }))
          .where('known_domains.removed_at', 'is not', null),
      )
      .returning('domain')
      .execute();
    added += written.length;
  }
  return added;
}

/** Purchases settle while no process runs that could add their domains. */
async function addPurchased(
  db: Database,
  account: string,
  how: Omit<NewDomains, 'source'>,
): Promise<void> {
  const rows = await db
    .selectFrom('operations')
    .where('operations.account', '=', account)
    .where('operations.state', '=', 'SUCCEEDED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('known_domains')
            .select('known_domains.domain')
            .whereRef('known_domains.account', '=', 'operations.account')
            .whereRef('known_domains.domain', '=', 'operations.domain')
            .where(({ or, eb, ref }) =>
              or([
                eb('removed_at', 'is', null),
                eb('removed_at', '>=', ref('operations.settled_at')),
              ]),
            ),
        ),
      ),
    )
    .select('operations.domain')
    .distinct()
    .execute();
  const names = rows.map(({ domain }) => nameOf(domain));
  await addDomains(db, newRows(account, names, { ...how, source: 'PURCHASED' }));
}

async function markListed(
  db: Database,
  account: string,
  names: readonly DomainName[],
  listed: boolean,
): Promise<void> {
  for (const some of parts(names)) {
    await db
      .updateTable('known_domains')
      .where('account', '=', account)
      .where('domain', 'in', some)
      // A removed domain that the list has is known again. Its old row would be shown when a later list leaves it out.
      .set(listed ? { ...noRow, listed: 1, removed_at: null } : { listed: 0 })
      .execute();
  }
}

const known = (db: Database, account: string) =>
  db.selectFrom('known_domains').where('account', '=', account).where('removed_at', 'is', null);
