import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { FilteredPage, TimePlace } from '../../lib/pages.ts';
import { byTime, type FilterOf, is, listOf, meets, oneOf } from '../../persistence/lists.ts';
import { allOf, firstOf, hasChanged } from '../../persistence/results.ts';
import {
  type Database,
  isOfAccount,
  type JournalTables,
  literal,
  rowsOf,
  timeText,
} from '../../persistence/tables.ts';
import { reading, writing } from '../../persistence/unavailable.ts';
import { type Approval, approvalOf, type NewApproval, rowOf } from './record.ts';
import type { ApprovalOperation } from './rules.ts';
import type { ApprovalState, ApprovalTables } from './table.ts';

export type { Approval, ApprovalState, NewApproval };

const areRequested = (states: readonly ApprovalState[]): boolean =>
  states.every((state) => state === 'REQUESTED');

const conditions = {
  states: (states: readonly ApprovalState[]) => {
    const isOne = oneOf<ApprovalState>('state')(states);
    // As the index `approvals_requested` has it.
    return areRequested(states) ? sql<SqlBool>`${isOne} and state = 'REQUESTED'` : isOne;
  },
  operations: oneOf<ApprovalOperation>('operation'),
  domain: is<DomainName>('domain'),
  caller: is('caller'),
  customer: is('customer'),
};

export type ApprovalFilter = FilterOf<typeof conditions>;

type ApprovalDatabase = Kysely<JournalTables & ApprovalTables>;

/** A condition of a statement on the approvals. */
type Condition = (
  eb: ExpressionBuilder<JournalTables & ApprovalTables, 'approvals'>,
) => Expression<SqlBool>;

export type ApprovalPage = FilteredPage<TimePlace<'requestedAt'>, ApprovalFilter>;

export interface ApprovalDecision {
  readonly to: 'GRANTED' | 'REJECTED';
  readonly at: Date;
  /** The name of the key of the decision. */
  readonly by: string;
  readonly reason: string | null;
}

/** A request that is sent again after the decision. */
export type RepeatedRequest = Pick<
  Approval,
  'operation' | 'domain' | 'caller' | 'customer' | 'fingerprint'
>;

export type ApprovalStore = ReturnType<typeof createApprovalStore>;

/**
 * The approvals of an account. Each write is one statement, and the database releases the items of a job in the statement that ends
 * the wait. An approval whose job is not stored does not exist for readers: it is written first.
 */
export const createApprovalStore = (database: Database) => {
  const db = database.$extendTables<ApprovalTables>();
  return {
    /** Stores a request. Returns its id, or that of an equal request without a job that waits. */
    request: (account: string, approval: NewApproval): Promise<string> =>
      writing(async () => {
        const { id } = await db
          .insertInto('approvals')
          .values(rowOf(account, approval))
          // The index `approvals_waiting` in the same words.
          .onConflict((conflict) =>
            conflict
              .expression(sql`account, fingerprint, coalesce(caller, ''), coalesce(customer, '')`)
              .where('job_kind', 'is', null)
              .where('state', '=', literal('REQUESTED'))
              // It is in this state. Without an update the statement returns no row.
              .doUpdateSet({ state: 'REQUESTED' }),
          )
          .returning('id')
          .executeTakeFirstOrThrow();
        return id;
      }),
    byIds: (account: string, ids: readonly string[]) =>
      reading(() => {
        const some = db.selectFrom('approvals').selectAll().where(isOfAccount(account));
        return allOf(some.where(hasItsJob).where(oneOf('id')(ids)), approvalOf);
      }),
    ...listOf(db, {
      order: byTime('requested_at', 'requestedAt'),
      rows: (account, condition) => approvals(db, account).where(condition),
      selected: (some) => some.selectAll(),
      meets: (filter: ApprovalFilter) => meets(conditions, filter),
      indexed: ({ states }) => (states && areRequested(states) ? ['states'] : []),
      itemOf: approvalOf,
    }),
    /** Of several concurrent decisions one is made. Null when this one is not: there is another one, or it has expired. */
    decide: (account: string, id: string, { to, at, by, reason }: ApprovalDecision) =>
      writing(() => {
        const decided = db
          .updateTable('approvals')
          .where('account', '=', account)
          .where('id', '=', id)
          .where('state', '=', literal('REQUESTED'))
          .where('expires_at', '>', timeText(at))
          .where(hasItsJob)
          .set({ state: to, decided_at: timeText(at), decided_by: by, reason });
        return firstOf(decided.returningAll(), approvalOf);
      }),
    /** Ends the wait of a job that is cancelled. False when it does not wait: there is a decision, or the wait has ended. */
    cancel: (account: string, id: string) =>
      writing(() =>
        hasChanged(
          db
            .updateTable('approvals')
            .where('account', '=', account)
            .where('id', '=', id)
            .where('state', '=', literal('REQUESTED'))
            .set({ state: 'CANCELLED' }),
        ),
      ),
    /** Uses a granted approval of this request. Of several concurrent uses one returns true. */
    use: (account: string, request: RepeatedRequest, at: Date) =>
      writing(async () => {
        const granted = ofRequest(db, account, request, at)
          .where('state', '=', literal('GRANTED'))
          .select('id')
          .orderBy('id')
          .limit(literal(1));
        return hasChanged(
          db
            .updateTable('approvals')
            .where('id', 'in', granted)
            // PostgreSQL checks this again when another statement has changed the row.
            .where('state', '=', literal('GRANTED'))
            .set({ state: 'USED' }),
        );
      }),
    /** The undecided approval of this request; null when there is none. */
    requested: (account: string, request: RepeatedRequest, at: Date) =>
      reading(() => {
        const requested = ofRequest(db, account, request, at);
        return firstOf(requested.where('state', '=', literal('REQUESTED')).selectAll(), approvalOf);
      }),
    /** Whether an approval has expired. */
    hasDue: (account: string, now: Date) =>
      reading(() => hasRow(rowsOf(db, 'approvals', account).where(hasExpired(now)))),
    /** Ends some of the expired approvals. Returns whether there was one. */
    expire: (account: string, now: Date) =>
      writing(() =>
        hasChanged(
          db
            .updateTable('approvals')
            .where('id', 'in', ({ selectFrom }) =>
              selectFrom('approvals')
                .select('id')
                .where('account', '=', account)
                .where(hasExpired(now))
                .limit(literal(expiriesPerStatement)),
            )
            // PostgreSQL checks this again when another statement has changed the row.
            .where(hasExpired(now))
            .set({ state: 'EXPIRED' }),
        ),
      ),
    /** Whether an approval waits for its decision. */
    hasRequested: (account: string) =>
      reading(() => hasRow(approvals(db, account).where('state', '=', literal('REQUESTED')))),
    /**
     * Deletes approvals that were requested before then and have no job, because the process ended between the two writes. Without
     * its job an approval has no decision. Looks at some of them, those after a place, and returns the place of the last one; null
     * when none are left.
     */
    deleteOrphans: (account: string, before: Date, after: ApprovalPlace = ['', '']) =>
      writing(() => deleteOrphans(db, account, before, after)),
  };
};

/** Time and id. */
type ApprovalPlace = readonly [requestedAt: string, id: string];

const approvalsPerPart = 500;

async function deleteOrphans(
  db: ApprovalDatabase,
  account: string,
  before: Date,
  after: ApprovalPlace,
): Promise<ApprovalPlace | null> {
  const rows = await rowsOf(db, 'approvals', account)
    .where('state', '=', literal('REQUESTED'))
    .where('requested_at', '<', timeText(before))
    .where(({ eb, refTuple, tuple }) => eb(refTuple('requested_at', 'id'), '>', tuple(...after)))
    .orderBy('requested_at')
    .orderBy('id')
    .limit(literal(approvalsPerPart))
    .select(['requested_at', 'id'])
    .select((eb) => sql<boolean | number>`${hasItsJob(eb)}`.as('has_job'))
    .execute();
  const orphans = rows.flatMap(({ id, has_job }) => (has_job ? [] : [id]));
  await db
    .deleteFrom('approvals')
    .where(oneOf('id')(orphans))
    .where((eb) => eb.not(hasItsJob(eb)))
    .execute();
  const last = rows[approvalsPerPart - 1];
  return last ? [last.requested_at, last.id] : null;
}

const hasItsJob: Condition = ({ or, eb, exists, selectFrom }) =>
  or([
    eb('job_kind', 'is', null),
    exists(selectFrom('jobs').select('jobs.id').whereRef('jobs.id', '=', 'approvals.id')),
  ]);

/** Undecided approvals, and granted ones without a job: the index `approvals_open` in the same words, so that SQLite uses it. */
const isOpen: Condition = (eb) =>
  eb.or([
    eb('state', '=', literal('REQUESTED')),
    eb.and([eb('state', '=', literal('GRANTED')), eb('job_kind', 'is', null)]),
  ]);

/** A statement of SQLite stops all requests. */
const expiriesPerStatement = 200;

/** The items of a job that is not stored yet could not be released. */
const hasExpired =
  (now: Date): Condition =>
  (eb) =>
    eb.and([isOpen(eb), eb('expires_at', '<=', timeText(now)), hasItsJob(eb)]);

const approvals = (db: ApprovalDatabase, account: string) =>
  rowsOf(db, 'approvals', account).where(hasItsJob);

const hasRow = async (some: ReturnType<typeof approvals>): Promise<boolean> =>
  (await some.select('id').limit(literal(1)).executeTakeFirst()) !== undefined;

const ofRequest = (
  db: ApprovalDatabase,
  account: string,
  { operation, domain, caller, customer, fingerprint }: RepeatedRequest,
  at: Date,
) =>
  rowsOf(db, 'approvals', account)
    .where('fingerprint', '=', fingerprint)
    .where('job_kind', 'is', null)
    .where('operation', '=', operation)
    .where('domain', 'is not distinct from', domain)
    .where('caller', 'is not distinct from', caller)
    .where('customer', 'is not distinct from', customer)
    // No index serves it: SQLite would read all approvals that have not expired, instead of those of this input.
    .where(sql<SqlBool>`coalesce(expires_at, '') > ${timeText(at)}`);
