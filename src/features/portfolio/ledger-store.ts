import type { Insertable } from 'kysely';
import type { DomainName } from '../../kernel/domain-name.ts';
import { parts } from '../../lib/slices.ts';
import { type LeaseRequest, takeLease } from '../../persistence/leases.ts';
import { allOf } from '../../persistence/results.ts';
import { noName } from '../../persistence/table.ts';
import { type Database, hasSeveralWriters, literal, timeText } from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import type { DomainSource, KnownDomainRow, PortfolioDatabase, PortfolioTables } from './table.ts';
import {
  createUnlistedDomains,
  noRow,
  type UnlistedDomain,
  unlistedColumns,
  unlistedOf,
} from './unlisted-domains.ts';

export interface KnownDomain {
  readonly name: DomainName;
  /** Null while the last list has the domain: then the ledger has no row of it. */
  readonly unlisted: UnlistedDomain | null;
}

/** How domains are added. */
export interface NewDomains {
  readonly source: DomainSource;
  readonly at: Date;
  /** When an unlisted one is to be read. */
  readonly dueAt: Date;
}

type NamePage = readonly [after: DomainName | null, limit: number];

/** The domains that the gateway knows, per account, over all replicas. */
export function createLedgerStore(database: Database) {
  const db = database.$extendTables<PortfolioTables>();
  let revision = 0;
  const write: typeof writing = async (work, options) => {
    revision += 1;
    try {
      return await writing(work, options);
    } finally {
      revision += 1;
    }
  };
  return {
    /** Changes with each write of this process. */
    revision: () => revision,
    /** Adds the domains that are not known, or that were removed; returns how many these are. */
    add: (account: string, names: readonly DomainName[], how: NewDomains) =>
      write(() => addDomains(db, newRows(account, names, how))),
    /**
     * Adds the domains of successful purchases, except those that were removed after the purchase. Looks at some of the purchases,
     * those after an ordinal, and returns that of the last one; null when none are left.
     */
    addPurchased: (account: string, how: Omit<NewDomains, 'source'>, after = 0) =>
      write(() => addPurchased(db, account, how, after)),
    /** A page of the known domains by name, those after `after`. A domain that is known all the time is in one page. */
    known: (account: string, ...page: NamePage) => reading(() => readKnown(db, account, ...page)),
    /** The same, names alone. */
    names: (account: string, ...page: NamePage) =>
      reading(() => namesIn(pageOf(db, account, ...page))),
    /** Those of these domains that are known. */
    knownOf: (account: string, names: readonly DomainName[]) =>
      reading(() => namesIn(known(db, account).where('domain', 'in', names))),
    /** Stores whether the last list has these domains, and removes the rows of those that it has. Unknown names are ignored. */
    markListed: (account: string, names: readonly DomainName[], listed: boolean) =>
      write(() => markListed(db, account, names, listed)),
    /** Acquires or renews the lease for the background reads of an account; false while another process has it. */
    lease: (account: string, lease: LeaseRequest) =>
      write(() => takeLease(database, account, 'portfolio', lease)),
    ...createUnlistedDomains(db, hasSeveralWriters(database), write),
  };
}

export type LedgerStore = ReturnType<typeof createLedgerStore>;

/** A statement of SQLite stops all requests. */
const namesPerStatement = 500;

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
  db: PortfolioDatabase,
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

const purchasesPerPart = 1_000;

/** Purchases settle while no process runs that could add their domains. */
async function addPurchased(
  db: PortfolioDatabase,
  account: string,
  how: Omit<NewDomains, 'source'>,
  after: number,
): Promise<number | null> {
  const until = after + purchasesPerPart;
  const rows = await db
    .selectFrom('purchases')
    .where('purchases.account', '=', account)
    .where('purchases.ordinal', '>', after)
    .where('purchases.ordinal', '<=', until)
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
    .execute();
  const names = [...new Set(rows.map(({ domain }) => domain))];
  await addDomains(db, newRows(account, names, { ...how, source: 'PURCHASED' }));
  const { last } = await db
    .selectFrom('purchases')
    .where('account', '=', account)
    .select(({ fn }) => fn.max('ordinal').as('last'))
    .executeTakeFirstOrThrow();
  return until < (last ?? 0) ? until : null;
}

async function markListed(
  db: PortfolioDatabase,
  account: string,
  names: readonly DomainName[],
  listed: boolean,
): Promise<void> {
  for (const some of parts(names, namesPerStatement)) {
    await db
      .updateTable('known_domains')
      .where('account', '=', account)
      .where('domain', 'in', some)
      // A removed domain that the list has is known again. Its old row would be shown when a later list leaves it out: then it is
      // due at once, also soon after a read.
      .set(({ ref }) =>
        listed ? { ...noRow, listed: 1, removed_at: null, due_at: ref('added_at') } : { listed: 0 },
      )
      .execute();
  }
}

/** Most domains are listed: the columns of the others are read in a second statement. */
async function readKnown(
  db: PortfolioDatabase,
  account: string,
  ...page: NamePage
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
    name: domain,
    unlisted: unlisted.get(domain) ?? null,
  }));
}

const pageOf = (db: PortfolioDatabase, account: string, after: DomainName | null, limit: number) =>
  known(db, account)
    .where('domain', '>', after ?? noName)
    .orderBy('domain')
    .limit(literal(limit));

const namesIn = (rows: ReturnType<typeof known>) =>
  allOf(rows.select('domain'), ({ domain }) => domain);

const known = (db: PortfolioDatabase, account: string) =>
  db.selectFrom('known_domains').where('account', '=', account).where('removed_at', 'is', null);
