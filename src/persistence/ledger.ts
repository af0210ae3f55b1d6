import type { Insertable, Kysely } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parts } from '../lib/slices.ts';
import { takeLease } from './leases.ts';
import type { KnownDomain, LedgerStore, NewDomains, UnlistedDomain } from './ledger-store.ts';
import { type JournalTables, type KnownDomainRow, literal, timeText } from './tables.ts';
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
    known: (account, ...page) => reading(() => readKnown(db, account, ...page)),
    names: (account, ...page) =>
      reading(async () => {
        const rows = await pageOf(db, account, ...page)
          .select('domain')
          .execute();
        return rows.map(({ domain }) => nameOf(domain));
      }),
    markListed: (account, names, listed) => writing(() => markListed(db, account, names, listed)),
    ...createUnlistedDomains(db),
    lease: (account, lease) => writing(() => takeLease(db, account, 'portfolio', lease)),
  };
}

/** SQLite allows 32,766 parameters in a statement. */
const namesPerStatement = 1_000;

function newRows(
  account: string,
  names: readonly DomainName[],
  { source, at, dueAt }: NewDomains,
): readonly Insertable<KnownDomainRow>[] {
  const listed = source === 'LISTED' ? 1 : 0;
  const times = { added_at: timeText(at), due_at: timeText(dueAt) };
  return names.map((domain) => ({ account, domain, source, listed, ...times }));
}

async function addDomains(
  db: Database,
  rows: readonly Insertable<KnownDomainRow>[],
): Promise<number> {
  let added = 0;
  for (const some of parts(rows, namesPerStatement)) {
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
    .selectFrom('purchases')
    .where('purchases.account', '=', account)
    .where('purchases.state', '=', 'SUCCEEDED')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('known_domains')
            .select('known_domains.domain')
            .whereRef('known_domains.account', '=', 'purchases.account')
            .whereRef('known_domains.domain', '=', 'purchases.domain')
            .where(({ or, eb, ref }) =>
              or([
                eb('removed_at', 'is', null),
                eb('removed_at', '>=', ref('purchases.settled_at')),
              ]),
            ),
        ),
      ),
    )
    .select('purchases.domain')
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
  for (const some of parts(names, namesPerStatement)) {
    await db
      .updateTable('known_domains')
      .where('account', '=', account)
      .where('domain', 'in', some)
      // A removed domain that the list has is known again. Its old row would be shown when a later list leaves it out.
      .set(listed ? { ...noRow, listed: 1, removed_at: null } : { listed: 0 })
      .execute();
  }
}

/** Most domains are listed: the columns of the others are read in a second statement. */
async function readKnown(
  db: Database,
  account: string,
  ...page: readonly [after: DomainName | null, limit: number]
): Promise<readonly KnownDomain[]> {
  const rows = await pageOf(db, account, ...page)
    .select(['domain', 'listed'])
    .execute();
  const unlisted = new Map<string, UnlistedDomain>();
  if (rows.some(({ listed }) => listed === 0)) {
    const found = await known(db, account)
      .where('listed', '=', literal(0))
      .where('domain', '>=', (rows[0] as KnownDomainRow).domain)
      .where('domain', '<=', (rows.at(-1) as KnownDomainRow).domain)
      .select(unlistedColumns)
      .execute();
    for (const row of found) unlisted.set(row.domain, unlistedOf(row));
  }
  return rows.map(({ domain }) => ({
    name: nameOf(domain),
    unlisted: unlisted.get(domain) ?? null,
  }));
}

const pageOf = (db: Database, account: string, after: DomainName | null, limit: number) =>
  known(db, account)
    .where('domain', '>', after ?? '')
    .orderBy('domain')
    .limit(literal(limit));

const known = (db: Database, account: string) =>
  db.selectFrom('known_domains').where('account', '=', account).where('removed_at', 'is', null);
