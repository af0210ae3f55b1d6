import { createHash, createHmac } from 'node:crypto';
import { expressionBuilder, type Kysely, sql } from 'kysely';
import type { DomainName } from '../../kernel/domain-name.ts';
import { parseInstant } from '../../kernel/instant.ts';
import type { OperationEnd, RecordedOperation } from '../../kernel/recorder.ts';
import type { FilteredPage } from '../../lib/pages.ts';
import { systemRandomBytes } from '../../lib/system.ts';
import { type FilterOf, is, listOf, meets, unindexed, within } from '../../persistence/lists.ts';
import type { RecordOf } from '../../persistence/table.ts';
import {
  type Database,
  isUniqueViolation,
  type JournalTables,
  literal,
  rowsOf,
  timeOf,
  timeText,
} from '../../persistence/tables.ts';
import { guarded, reading, unavailable, writing } from '../../persistence/unavailable.ts';
import { stored } from '../../scope/tenant.ts';
import {
  type AuditEntryRow,
  type AuditLogRow,
  type AuditTables,
  auditEntriesTable,
} from './table.ts';

/** A new row: an operation, with its outcome when it has ended, or the end of an operation that has a row. */
export type NewAuditEntry = { readonly at: Date } & (
  | { readonly operation: RecordedOperation; readonly end: OperationEnd | null }
  | { readonly begun: number; readonly end: OperationEnd }
);

/** An operation of the audit log with its end. */
export interface AuditEntry extends RecordOf<typeof auditEntriesTable> {
  readonly operation: string;
  readonly tenant: string;
  readonly requestId: string;
  readonly startedAt: Date;
  /** Null while it runs, and when the process ended before it was stored; also the outcome is null then. */
  readonly endedAt: Date | null;
}

const entry = expressionBuilder<
  JournalTables & AuditTables & { readonly entry: AuditEntryRow },
  'entry'
>();

const conditions = {
  caller: is('entry.caller'),
  customer: is('entry.customer'),
  domain: is<DomainName>('entry.domain'),
  operation: is('entry.operation'),
  /** That of its end, which may have a row of its own. */
  outcome: (outcome: string) =>
    entry('entry.outcome', '=', outcome).or(
      entry.exists(
        entry
          .selectFrom('audit_entries as ended')
          .select('ended.position')
          .whereRef('ended.account', '=', 'entry.account')
          .whereRef('ended.begun', '=', 'entry.position')
          .whereRef('ended.position', '>', 'entry.position')
          .where('ended.outcome', '=', outcome),
      ),
    ),
  at: within(unindexed('entry.at')),
};

type AuditFilter = FilterOf<typeof conditions>;

/** Newest first. A place is a position. */
export type AuditPage = FilteredPage<number, AuditFilter>;

/** A row whose position and hash were stored elsewhere. */
export type KnownRow = Pick<AuditCheck, 'position' | 'hash'>;

export interface AuditCheck {
  /** Position and hash of the last row. */
  readonly position: number;
  readonly hash: string;
  readonly deletedUntil: number;
  /** The first position that is wrong, and why; null when no row was removed or changed. */
  readonly flaw: { readonly position: number; readonly reason: string } | null;
}

/**
 * The audit log of an account. Each row has the hash of the row before it. The last position and hash, and those of the last row
 * that was deleted because of its age, are in a table of their own.
 */
export function createAuditStore(database: Database) {
  const db = database.$extendTables<AuditTables>();
  return {
    /** Appends rows, all or none, and returns their positions. */
    append: (account: string, entries: readonly NewAuditEntry[]) =>
      guarded(() => append(db, account, entries)),
    ...listOf(db, {
      order: {
        columns: ['entry.position'],
        newestFirst: true,
        valuesOf: (position: number) => [position],
      },
      rows: (account, condition) => entriesOf(db, account).where(condition),
      selected: withEnd,
      meets: (filter: AuditFilter) => meets(conditions, filter),
      // A domain has few entries.
      indexed: ({ domain }) => (domain === undefined ? [] : 'all'),
      itemOf: entryOf,
    }),
    /** `known` is a row that an earlier verification returned. */
    verify: (account: string, known?: KnownRow) => reading(() => verify(db, account, known)),
    /** Deletes some of the rows up to the last one from before this time. True when others are left. */
    deleteBefore: (account: string, time: Date) => writing(() => deleteBefore(db, account, time)),
  };
}

export type AuditStore = ReturnType<typeof createAuditStore>;

export const auditStore = stored('audit', createAuditStore);

/** The part of a row that its hash covers. */
type Hashed = Omit<AuditEntryRow, 'hash'>;

/** The columns in the order in which they are hashed and inserted. */
const hashedColumns = [
  ...['account', 'position', 'at', 'begun', 'operation', 'domain', 'caller', 'customer'],
  ...['tenant', 'request_id', 'address', 'input_hash', 'outcome', 'upstream_calls'],
  ...['refusals', 'previous_hash'],
] as readonly (keyof Hashed)[];

const hashOf = (row: Hashed): string =>
  createHash('sha256')
    .update(JSON.stringify(hashedColumns.map((column) => row[column])))
    .digest('hex');

/** A row without its place in the chain. */
export type UnchainedRow = Omit<Hashed, 'position' | 'previous_hash'>;

/** The rows that follow the last row. */
export function chainAfter(
  last: Pick<AuditLogRow, 'position' | 'hash'>,
  rows: readonly UnchainedRow[],
): readonly AuditEntryRow[] {
  let previous = last;
  return rows.map((row) => {
    const hashed = { ...row, position: previous.position + 1, previous_hash: previous.hash };
    const chained = { ...hashed, hash: hashOf(hashed) };
    previous = chained;
    return chained;
  });
}

/** Why a row cannot follow another one, in a clause without its position; null when it can. */
export function flawOf(
  last: Pick<AuditLogRow, 'position' | 'hash'>,
  row: AuditEntryRow,
): string | null {
  if (row.position !== last.position + 1) return 'is missing';
  if (row.hash !== hashOf(row)) return 'was changed';
  return row.previous_hash === last.hash ? null : 'does not follow the entry before it';
}

/** Without the key no reader can guess an input, such as an auth code, from its hash. */
const inputHash = (key: string, operation: string, input: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`${operation} ${input}`).digest('hex');

type AuditDatabase = Kysely<JournalTables & AuditTables>;

/** Of several processes that append at once one succeeds in each round. */
const appendAttempts = 200;
const keyBytes = 32;
/** Before the first row. */
const emptyLog = { position: 0, hash: '', deleted_until: 0, deleted_hash: '' };

async function append(
  db: AuditDatabase,
  account: string,
  entries: readonly NewAuditEntry[],
): Promise<readonly number[]> {
  for (let attempt = 1; attempt <= appendAttempts; attempt += 1) {
    const log = (await readLog(db, account)) ?? (await openLog(db, account));
    const rows = chainAfter(
      log,
      entries.map((entry) => rowOf(account, entry, log.input_key)),
    );
    if (await insertAfter(db, log, rows)) return rows.map(({ position }) => position);
  }
  throw unavailable(undefined, {
    message: 'Too many entries of the audit log are written at the same time; try again.',
  });
}

const readLog = (db: AuditDatabase, account: string) =>
  rowsOf(db, 'audit_logs', account).selectAll().executeTakeFirst();

async function openLog(db: AuditDatabase, account: string): Promise<AuditLogRow> {
  await db
    .insertInto('audit_logs')
    .values({ account, ...emptyLog, input_key: systemRandomBytes(keyBytes).toString('hex') })
    .onConflict((conflict) => conflict.column('account').doNothing())
    .execute();
  const log = await readLog(db, account);
  if (!log) throw new Error('The audit log was deleted while it was opened.');
  return log;
}

/** The columns that an end does not have. */
const noOperation = auditEntriesTable.row({
  ...{ begun: null, operation: null, domain: null, caller: null, customer: null, tenant: null },
  ...{ requestId: null, address: null, inputHash: null },
});

function rowOf(account: string, entry: NewAuditEntry, key: string): UnchainedRow {
  const { at, end } = entry;
  const { outcome = null, upstreamCalls = null, refusals = null } = end ?? {};
  const ending = auditEntriesTable.row({ account, at, outcome, upstreamCalls, refusals });
  if ('begun' in entry) return { ...noOperation, ...ending, begun: entry.begun };
  const { input, ...operation } = entry.operation;
  const hash = input === null ? null : inputHash(key, operation.operation, input);
  const begin = auditEntriesTable.row({ ...operation, begun: null, inputHash: hash });
  return { ...begin, ...ending };
}

const integers = new Set<keyof AuditEntryRow>(['position', 'begun', 'upstream_calls', 'refusals']);
const columns = [...hashedColumns, 'hash'] as const;

/** False when another process has appended rows since the log was read. */
async function insertAfter(
  db: AuditDatabase,
  { account, position }: AuditLogRow,
  rows: readonly AuditEntryRow[],
): Promise<boolean> {
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  // PostgreSQL takes a column of nulls or of parameters for text.
  const selected = columns.map((column, at) => {
    const value = sql.ref(`column${at + 1}`);
    return integers.has(column) ? sql`cast(${value} as integer)` : value;
  });
  const insert = sql`
    insert into audit_entries (${sql.join(columns.map((column) => sql.ref(column)))})
    select ${sql.join(selected)} from (values ${sql.join(values)}) as added
    where exists (select 1 from audit_logs where account = ${account} and position = ${position})`;
  try {
    const { numAffectedRows } = await insert.execute(db);
    return numAffectedRows !== 0n;
  } catch (error) {
    // Two statements that run at once have the same positions, and PostgreSQL fails one as a whole.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

const entriesOf = (db: AuditDatabase, account: string) =>
  db
    .selectFrom('audit_entries as entry')
    .where('entry.account', '=', account)
    .where('entry.begun', 'is', null)
    // No verification reads a row before, so it is no entry.
    // The sign: SQLite must not search with this condition, which selects nearly all rows.
    .where(({ selectFrom }) => {
      const log = selectFrom('audit_logs').where('audit_logs.account', '=', account);
      return sql<boolean>`+entry.position > (${log.select('deleted_until')})`;
    });

const withEnd = (entries: ReturnType<typeof entriesOf>) =>
  entries
    .leftJoin('audit_entries as ended', (join) =>
      join
        .onRef('ended.account', '=', 'entry.account')
        .onRef('ended.begun', '=', 'entry.position')
        .onRef('ended.position', '>', 'entry.position'),
    )
    .selectAll('entry')
    .select([
      'ended.at as ended_at',
      'ended.outcome as ended_outcome',
      'ended.upstream_calls as ended_calls',
    ]);

type EndedRow = Awaited<ReturnType<ReturnType<typeof withEnd>['executeTakeFirstOrThrow']>>;

function entryOf({ ended_at, ended_outcome, ended_calls, ...row }: EndedRow): AuditEntry {
  const entry = auditEntriesTable.record(row);
  return {
    ...entry,
    operation: entry.operation ?? '',
    tenant: entry.tenant ?? '',
    requestId: entry.requestId ?? '',
    outcome: entry.outcome ?? ended_outcome,
    upstreamCalls: entry.upstreamCalls ?? ended_calls,
    startedAt: parseInstant(row.at),
    endedAt: timeOf(entry.outcome === null ? ended_at : row.at),
  };
}

const rowsPerRead = 1_000;

async function verify(db: AuditDatabase, account: string, known?: KnownRow): Promise<AuditCheck> {
  const logNow = async () => (await readLog(db, account)) ?? emptyLog;
  const log = await logNow();
  const { deleted_until: deletedUntil } = log;
  let last = { position: deletedUntil, hash: log.deleted_hash };
  const checked = (position: number, reason: string): AuditCheck => ({
    ...last,
    deletedUntil,
    flaw: { position, reason },
  });
  /** Whether the row is another one than that which was stored elsewhere. */
  const isOther = ({ position, hash }: KnownRow) =>
    position === known?.position && hash !== known.hash;
  if (isOther(last)) return checked(deletedUntil, 'is not the one with this hash');
  for (;;) {
    const rows = await rowsOf(db, 'audit_entries', account)
      .selectAll()
      .where('position', '>', last.position)
      .orderBy('position')
      .limit(literal(rowsPerRead))
      .execute();
    for (const row of rows) {
      const reason = flawOf(last, row);
      if (reason) {
        // Rows that were deleted because of their age in the meantime are not missing.
        const isCurrent = (await logNow()).deleted_until === deletedUntil;
        return isCurrent ? checked(last.position + 1, reason) : verify(db, account, known);
      }
      last = row;
      if (row.position === log.position && row.hash !== log.hash) {
        return checked(row.position, 'is not the entry that was written');
      }
      if (isOther(row)) return checked(row.position, 'is not the one with this hash');
    }
    if (rows.length < rowsPerRead) break;
  }
  const end = Math.max(log.position, known?.position ?? 0);
  if (last.position < end) return checked(last.position + 1, 'is missing');
  // Each statement that appends rows sets the last position.
  const { position: written } = await logNow();
  if (written < last.position) return checked(written + 1, 'is later than the last one');
  return { position: last.position, hash: last.hash, deletedUntil, flaw: null };
}

/** A statement of SQLite stops all requests. */
const rowsPerDeletion = 500;

async function deleteBefore(db: AuditDatabase, account: string, time: Date): Promise<boolean> {
  const rows = rowsOf(db, 'audit_entries', account);
  const log = await readLog(db, account);
  if (!log) return false;
  const newest = await rows
    .where('at', '<', timeText(time))
    .select('position')
    .orderBy('at', 'desc')
    .limit(literal(1))
    .executeTakeFirst();
  const old = newest?.position ?? 0;
  const until = Math.min(old, log.deleted_until + rowsPerDeletion);
  const last = await rows.where('position', '=', until).select('hash').executeTakeFirst();
  if (!last || until <= log.deleted_until) return false;
  // First, so that rows which another process does not find any more are known to be deleted.
  await db
    .updateTable('audit_logs')
    .set({ deleted_until: until, deleted_hash: last.hash })
    .where('account', '=', account)
    .where('deleted_until', '<', until)
    .execute();
  await db
    .deleteFrom('audit_entries')
    .where('account', '=', account)
    .where('position', '<=', until)
    .execute();
  return until < old;
}
