import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { DomainName } from '../../kernel/domain-name.ts';
import { countOf } from '../../persistence/counts.ts';
import { allOf, hasChanged } from '../../persistence/results.ts';
import type { RecordOf } from '../../persistence/table.ts';
import { literal, rowsOf, timeText } from '../../persistence/tables.ts';
import { reading, type writing } from '../../persistence/unavailable.ts';
import {
  type KnownDomainRow,
  knownDomainsTable,
  type PortfolioDatabase,
  type PortfolioTables,
} from './table.ts';

/** A domain of the ledger that the last list of the upstream left out. */
export interface UnlistedDomain extends RecordOf<typeof knownDomainsTable> {
  readonly name: DomainName;
}

/** A time range. Its end is after the present, because the clocks of two gateways differ. */
interface TimeRange {
  readonly after: Date;
  readonly until: Date;
}

/** Which domains `takeDue` selects. */
export interface DueDomains {
  readonly now: Date;
  /** Domains that were taken in this range are not taken again, so that `countTaken` counts every read. */
  readonly counted: TimeRange;
  /** When a domain is due again if the process ends during the read. */
  readonly retryAt: Date;
  /** A domain that is due later than this was stored with a wrong clock, and is due too. */
  readonly latest: Date;
  readonly limit: number;
  /** `UNREAD`: without a row, or with a write that the row does not show. `NEVER_READ`: no read has shown its row or its absence. */
  readonly which: 'ALL' | 'UNREAD' | 'NEVER_READ';
}

/** A read of a domain. */
interface DomainRead {
  readonly at: Date;
  readonly dueAt: Date;
}

/** The known domains that the last list left out: which are due, which process reads them, and the rows that it stores. */
export const createUnlistedDomains = (
  db: PortfolioDatabase,
  hasSeveralWriters: boolean,
  write: typeof writing,
) => ({
  /** Unlisted domains that were never read are due now. */
  makeUnreadDue: (account: string, at: Date) =>
    write(async () => {
      const later = rowsOf(db, 'known_domains', account)
        .select('domain')
        .where(isUnlisted)
        .where(isUnread)
        .where('taken_at', 'is', null)
        .where('due_at', '>', timeText(at))
        .limit(literal(domainsPerStatement));
      const due = db
        .updateTable('known_domains')
        .where('account', '=', account)
        .where('domain', 'in', later)
        .set({ due_at: timeText(at) });
      while (await hasChanged(due));
    }),
  /** Whether `takeDue` would return a domain. */
  hasDue: (account: string, due: Omit<DueDomains, 'limit' | 'retryAt'>) =>
    reading(async () => {
      // Two ranges of one index. Of a condition with `or`, SQLite reads the whole index.
      const overdue = untaken(db, account, due).where('due_at', '<=', timeText(due.now));
      const wrong = untaken(db, account, due).where('due_at', '>', timeText(due.latest));
      const row = await overdue.unionAll(wrong).limit(literal(1)).executeTakeFirst();
      return row !== undefined;
    }),
  /** Takes unlisted domains that are due, the longest overdue first. No other process takes them until `retryAt`. */
  takeDue: (account: string, due: DueDomains) =>
    write(() => takeDue(db, hasSeveralWriters, account, due)),
  /** How many domains were taken in the range. */
  countTaken: (account: string, { after, until }: TimeRange) =>
    reading(() =>
      countOf(
        rowsOf(db, 'known_domains', account)
          .where('taken_at', '>', timeText(after))
          .where('taken_at', '<=', timeText(until)),
      ),
    ),
  /** Stores the row of an unlisted domain unless a newer one is stored. */
  saveRow: (
    account: string,
    name: DomainName,
    { text, at, dueAt }: DomainRead & { readonly text: string },
  ) =>
    write(async () => {
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
  /** The upstream does not have the domain: stores the time of the first such read since the last row. */
  saveMissing: (account: string, name: DomainName, { at, dueAt }: DomainRead) =>
    write(async () => {
      await unlessNewer(db, account, name, '<', at)
        .set(({ fn, ref, val }) => ({
          missing_at: fn.coalesce(ref('missing_at'), val(timeText(at))),
          due_at: timeText(dueAt),
        }))
        .execute();
    }),
  /** Removes an unlisted domain unless it has a row that was requested at `at` or later. */
  remove: (account: string, name: DomainName, at: Date) =>
    write(() => {
      const removed = { ...noRow, removed_at: timeText(at) };
      return hasChanged(unlessNewer(db, account, name, '<', at).set(removed));
    }),
  /** A domain was written: the row of an unlisted one, if it has one, is due. */
  recordWrite: (account: string, name: DomainName, at: Date) =>
    write(async () => {
      await db
        .updateTable('known_domains')
        .where('account', '=', account)
        .where('domain', '=', name)
        .where(isUnlisted)
        .where('row', 'is not', null)
        .set({ changed_at: timeText(at), due_at: timeText(at) })
        .execute();
    }),
});

/** A statement of SQLite stops all requests. */
const domainsPerStatement = 500;

export const noRow = { row: null, row_at: null, changed_at: null, missing_at: null };

const untaken = (
  db: PortfolioDatabase,
  account: string,
  { counted, which }: Pick<DueDomains, 'counted' | 'which'>,
) =>
  rowsOf(db, 'known_domains', account)
    .select('domain')
    .where(isUnlisted)
    .where(({ or, eb }) =>
      or([
        eb('taken_at', 'is', null),
        eb('taken_at', '<=', timeText(counted.after)),
        eb('taken_at', '>', timeText(counted.until)),
      ]),
    )
    .$if(which !== 'ALL', (query) => query.where(isUnread))
    .$if(which === 'NEVER_READ', (query) => query.where(wasNeverRead));

function takeDue(
  db: PortfolioDatabase,
  hasSeveralWriters: boolean,
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
  const taken = db
    // PostgreSQL executes a query in `with` once. One in `in (…)` it may repeat, and then exceed the limit.
    .with('due', () => (hasSeveralWriters ? query.forUpdate().skipLocked() : query))
    .updateTable('known_domains')
    .set({ taken_at: timeText(due.now), due_at: timeText(retryAt) })
    .where('account', '=', account)
    .where('domain', 'in', ({ selectFrom }) => selectFrom('due').select('domain'))
    .returning(unlistedColumns);
  return allOf(taken, unlistedOf);
}

/** The domain, when it is unlisted and its row, if it has one, was requested at or before a time. */
const unlessNewer = (
  db: PortfolioDatabase,
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

type Condition = (eb: ExpressionBuilder<PortfolioTables, 'known_domains'>) => Expression<SqlBool>;

/** The condition of the index `known_domains_unlisted` in the same words, so that SQLite uses the index. */
const isUnlisted: Condition = (eb) =>
  eb.and([eb('listed', '=', literal(0)), eb('removed_at', 'is', null)]);

/** With `isUnlisted` the condition of the index `known_domains_unread`. */
const isUnread: Condition = (eb) =>
  eb.or([eb('row', 'is', null), eb('changed_at', 'is not', null)]);

const wasNeverRead: Condition = (eb) =>
  eb.and([eb('row', 'is', null), eb('missing_at', 'is', null)]);

export const unlistedColumns = ['domain', ...knownDomainsTable.columns] as const;

export const unlistedOf = (
  row: Pick<KnownDomainRow, (typeof unlistedColumns)[number]>,
): UnlistedDomain => ({ ...knownDomainsTable.record(row), name: row.domain });
