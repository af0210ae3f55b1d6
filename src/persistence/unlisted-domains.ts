import type { Expression, ExpressionBuilder, Kysely, Selectable, SqlBool } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant } from '../kernel/instant.ts';
import type { DueDomains, LedgerStore, UnlistedDomain } from './ledger-store.ts';
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

/** The known domains that the last list left out: which are due, which process reads them, and the rows that it stores. */
export function createUnlistedDomains(
  db: Database,
): Omit<LedgerStore, 'add' | 'addPurchased' | 'known' | 'names' | 'markListed' | 'lease'> {
  const reading = <T>(work: () => Promise<T>) => guarded(work, readFault);
  const writing = <T>(work: () => Promise<T>) => guarded(work, writeFault);
  return {
    makeUnreadDue: (account, at) =>
      writing(async () => {
        await db
          .updateTable('known_domains')
          .where('account', '=', account)
          .where(isUnlisted)
          .where(isUnread)
          .where('taken_at', 'is', null)
          .where('due_at', '>', timeText(at))
          .set({ due_at: timeText(at) })
          .execute();
      }),
    hasDue: (account, due) =>
      reading(async () => {
        // Two ranges of one index. Of a condition with `or`, SQLite reads the whole index.
        const overdue = untaken(db, account, due).where('due_at', '<=', timeText(due.now));
        const wrong = untaken(db, account, due).where('due_at', '>', timeText(due.latest));
        const row = await overdue.unionAll(wrong).limit(literal(1)).executeTakeFirst();
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
  };
}

export const noRow = { row: null, row_at: null, changed_at: null, missing_at: null };

const untaken = (
  db: Pick<Database, 'selectFrom'>,
  account: string,
  { counted, onlyUnread }: Pick<DueDomains, 'counted' | 'onlyUnread'>,
) =>
  db
    .selectFrom('known_domains')
    .select('domain')
    .where('account', '=', account)
    .where(isUnlisted)
    .where(({ or, eb }) =>
      or([
        eb('taken_at', 'is', null),
        eb('taken_at', '<=', timeText(counted.after)),
        eb('taken_at', '>', timeText(counted.until)),
      ]),
    )
    .$if(onlyUnread, (query) => query.where(isUnread));

async function takeDue(
  db: Database,
  account: string,
  { retryAt, limit, ...due }: DueDomains,
): Promise<readonly UnlistedDomain[]> {
  const query = untaken(db, account, due)
    .where(({ or, eb }) =>
      or([eb('due_at', '<=', timeText(due.now)), eb('due_at', '>', timeText(due.latest))]),
    )
    .orderBy('due_at')
    .orderBy('domain')
    .limit(literal(limit));
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

type Condition = (eb: ExpressionBuilder<JournalTables, 'known_domains'>) => Expression<SqlBool>;

/** The condition of the index `known_domains_unlisted` in the same words, so that SQLite uses the index. */
const isUnlisted: Condition = (eb) =>
  eb.and([eb('listed', '=', literal(0)), eb('removed_at', 'is', null)]);

/** With `isUnlisted` the condition of the index `known_domains_unread`. */
const isUnread: Condition = (eb) =>
  eb.or([eb('row', 'is', null), eb('changed_at', 'is not', null)]);

/** Only names that were parsed are ever written. */
export const nameOf = (text: string): DomainName => text as DomainName;

export const unlistedColumns = [
  'domain',
  'source',
  'added_at',
  'row',
  'row_at',
  'changed_at',
  'missing_at',
  'taken_at',
  'due_at',
] as const;

export const unlistedOf = (
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
