import type {
  Expression,
  ExpressionBuilder,
  Insertable,
  Kysely,
  Selectable,
  SqlBool,
} from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant } from '../kernel/instant.ts';
import { takeLease } from './leases.ts';
import type { DueDomains, LedgerStore, NewDomains, UnlistedDomain } from './ledger-store.ts';
import {
  hasSeveralWriters,
  type JournalTables,
  type KnownDomainRow,
  literal,
  timeOf,
  timeText,
} from './tables.ts';
import { guarded, readFault, writeFault } from './unavailable.ts';

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
        return rows.map(({ listed, ...row }) => ({
          name: nameOf(row.domain),
          unlisted: listed === 1 ? null : unlistedOf(row),
        }));
      }),
    names: (account) =>
      reading(async () => {
        const rows = await known(db, account).select('domain').execute();
        return rows.map(({ domain }) => nameOf(domain));
      }),
    markListed: (account, names, listed) => writing(() => markListed(db, account, names, listed)),
    makeUnreadDue: (account, at) =>
      writing(async () => {
        await db
          .updateTable('known_domains')
          .where('account', '=', account)
          .where(isUnlisted)
          .where('taken_at', 'is', null)
          .where('due_at', '>', timeText(at))
          .set({ due_at: timeText(at) })
          .execute();
      }),
    hasDue: (account, due) =>
      reading(async () => {
        const row = await dueDomains(db, account, due).limit(literal(1)).executeTakeFirst();
        return row !== undefined;
      }),
    takeDue: (account, due) => writing(() => takeDue(db, account, due)),
    countTaken: (account, { after, until }) =>
      reading(async () => {
        const { amount } = await db
          .selectFrom('known_domains')
          .where('account', '=', account)
          .where('taken_at', '>', timeText(after))
          .where('taken_at', '<=', timeText(until))
          .select(({ fn }) => fn.countAll().as('amount'))
          .executeTakeFirstOrThrow();
        return Number(amount);
      }),
    saveRow: (account, name, { text, at, dueAt }) =>
      writing(async () => {
        await unlessNewer(db, account, name, '<=', at)
          .set((eb) => ({
            row: text,
            row_at: timeText(at),
            due_at: timeText(dueAt),
            missing_at: null,
            changed_at: eb
              .case()
              .when('changed_at', '<', timeText(at))
              .then(null)
              .else(eb.ref('changed_at'))
              .end(),
          }))
          .execute();
      }),
    saveMissing: (account, name, { at, dueAt }) =>
      writing(async () => {
        await unlessNewer(db, account, name, '<', at)
          .set(({ fn, ref, val }) => ({
            missing_at: fn.coalesce(ref('missing_at'), val(timeText(at))),
            due_at: timeText(dueAt),
          }))
          .execute();
      }),
    remove: (account, name, at) =>
      writing(async () => {
        const { numUpdatedRows } = await unlessNewer(db, account, name, '<', at)
          .set({ ...noRow, removed_at: timeText(at) })
          .executeTakeFirstOrThrow();
        return numUpdatedRows > 0n;
      }),
    recordWrite: (account, name, at) =>
      writing(async () => {
        await db
          .updateTable('known_domains')
          .where('account', '=', account)
          .where('domain', '=', name)
          .where(isUnlisted)
          .where('row', 'is not', null)
          .set({ changed_at: timeText(at), due_at: timeText(at) })
          .execute();
      }),
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

const noRow = { row: null, row_at: null, changed_at: null, missing_at: null };

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

const dueDomains = (
  db: Pick<Database, 'selectFrom'>,
  account: string,
  { now, counted, latest, onlyUnread }: Omit<DueDomains, 'limit' | 'retryAt'>,
) =>
  db
    .selectFrom('known_domains')
    .select('domain')
    .where('account', '=', account)
    .where(isUnlisted)
    .where(({ or, eb }) =>
      or([eb('due_at', '<=', timeText(now)), eb('due_at', '>', timeText(latest))]),
    )
    .where(({ or, eb }) =>
      or([
        eb('taken_at', 'is', null),
        eb('taken_at', '<=', timeText(counted.after)),
        eb('taken_at', '>', timeText(counted.until)),
      ]),
    )
    .$if(onlyUnread, (query) =>
      query.where(({ or, eb }) => or([eb('row', 'is', null), eb('changed_at', 'is not', null)])),
    )
    .orderBy('due_at')
    .orderBy('domain');

async function takeDue(
  db: Database,
  account: string,
  { retryAt, limit, ...due }: DueDomains,
): Promise<readonly UnlistedDomain[]> {
  const query = dueDomains(db, account, due).limit(literal(limit));
  const rows = await db
    // PostgreSQL executes a query in `with` once. One in `in (…)` it may repeat, and then exceed the limit.
    .with('due', () => (hasSeveralWriters(db) ? query.forUpdate().skipLocked() : query))
    .updateTable('known_domains')
    .set({ taken_at: timeText(due.now), due_at: timeText(retryAt) })
    .where('account', '=', account)
    .where('domain', 'in', ({ selectFrom }) => selectFrom('due').select('domain'))
    .returning(unlistedColumns)
    .execute();
  return rows.map(unlistedOf);
}

const known = (db: Database, account: string) =>
  db.selectFrom('known_domains').where('account', '=', account).where('removed_at', 'is', null);

/** The domain, when it is unlisted and its row, if it has one, was requested at or before a time. */
const unlessNewer = (
  db: Database,
  account: string,
  name: DomainName,
  operator: '<' | '<=',
  at: Date,
) =>
  db
    .updateTable('known_domains')
    .where('account', '=', account)
    .where('domain', '=', name)
    .where(isUnlisted)
    .where(({ or, eb }) => or([eb('row_at', 'is', null), eb('row_at', operator, timeText(at))]));

/** The condition of the index `known_domains_unlisted` in the same words, so that SQLite uses the index. */
const isUnlisted = (eb: ExpressionBuilder<JournalTables, 'known_domains'>): Expression<SqlBool> =>
  eb.and([eb('listed', '=', literal(0)), eb('removed_at', 'is', null)]);

/** Only names that were parsed are ever written. */
const nameOf = (text: string): DomainName => text as DomainName;

const unlistedColumns = [
  ...(['domain', 'source', 'added_at', 'row', 'row_at'] as const),
  ...(['changed_at', 'missing_at', 'taken_at', 'due_at'] as const),
] as const;

const unlistedOf = (
  row: Pick<Selectable<KnownDomainRow>, (typeof unlistedColumns)[number]>,
): UnlistedDomain => ({
  name: nameOf(row.domain),
  source: row.source,
  addedAt: parseInstant(row.added_at),
  row: row.row,
  rowAt: timeOf(row.row_at),
  changedAt: timeOf(row.changed_at),
  missingAt: timeOf(row.missing_at),
  takenAt: timeOf(row.taken_at),
  dueAt: parseInstant(row.due_at),
});
