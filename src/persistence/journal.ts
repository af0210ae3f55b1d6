import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { countedBreaches, type ScopedLimits } from '../kernel/spend-limits.ts';
import { createDomainWriteStore } from './domain-writes.ts';
import { createEventStore } from './events.ts';
import { hasLease } from './job-leases.ts';
import { purchasesOfLines } from './job-queries.ts';
import type { Lease } from './job-store.ts';
import { createJobStore } from './jobs.ts';
import { createLedgerStore } from './ledger.ts';
import { listOpenTransfers } from './open-transfers.ts';
import { claimConditions, readSpending, readStop, removeStop, writeStop } from './spending.ts';
import {
  assertTransition,
  type Claim,
  type ClaimOutcome,
  isEnd,
  type Journal,
  type Look,
  type PurchaseFilter,
  type PurchasePage,
  type PurchasePosition,
  type PurchaseRecord,
  type PurchaseState,
  type TransferStage,
  type Transition,
  unsettledStates,
} from './store.ts';
import {
  claimRow,
  faultColumns,
  type JournalTables,
  literal,
  purchaseOf,
  timeText,
} from './tables.ts';
import { guarded, readFault, unavailable, writeFault } from './unavailable.ts';
import { createWebhookStore } from './webhooks.ts';

/**
 * The journal over any database that kysely speaks to. `migrate` has run before.
 *
 * Each method is one statement, or statements of which each may stand alone: no transaction is ever open between two.
 */
export function createJournal(db: Kysely<JournalTables>): Journal {
  return {
    jobs: createJobStore(db),
    ledger: createLedgerStore(db),
    events: createEventStore(db),
    webhooks: createWebhookStore(db),
    domainWrites: createDomainWriteStore(db),

    claim: (claim, limits, lease = null) =>
      guarded(() => claimPurchase(db, { claim, limits, lease })),

    async move(id, from, transition) {
      assertTransition(from, transition.to);
      return guarded(() => movePurchase(db, id, from, transition), moveFault(from));
    },

    takeLook: (id, look) => guarded(() => takeLook(db, id, look), writeFault),
    dueLooks: (account, due) => guarded(() => listDueLooks(db, account, due), readFault),
    openTransfers: (account) => guarded(() => listOpenTransfers(db, account), readFault),

    byId: (account, id) =>
      guarded(() => first(purchases(db, account).where('id', '=', id)), readFault),

    byIds: (account, ids) =>
      guarded(async () => {
        if (ids.length === 0) return [];
        return all(purchases(db, account).where('id', 'in', ids));
      }, readFault),

    byLines: (account, orderId, lines) =>
      guarded(() => purchasesOfLines(db, account, orderId, lines), readFault),

    byDomains: (account, domains) =>
      guarded(async () => {
        if (domains.length === 0) return [];
        return all(purchases(db, account).where('domain', 'in', domains).orderBy('ordinal'));
      }, readFault),

    byKey: (account, key) =>
      guarded(() => first(purchases(db, account).where('key', '=', key)), readFault),

    list: (account, page) => guarded(() => listOperations(db, account, page), readFault),

    count: (account, filter = {}) =>
      guarded(async () => {
        const { amount } = await db
          .selectFrom('purchases')
          .where('account', '=', account)
          .where(matches(filter))
          .select(({ fn }) => fn.countAll().as('amount'))
          .executeTakeFirstOrThrow();
        return Number(amount);
      }, readFault),

    spending: (of) => guarded(() => readSpending(db, of), readFault),
    stopped: (account) => guarded(() => readStop(db, account), readFault),
    stop: (account, stop) => guarded(() => writeStop(db, account, stop), writeFault),
    resume: (account) => guarded(() => removeStop(db, account), writeFault),

    checkWritable: (at) =>
      guarded(async () => {
        await db
          .insertInto('proofs')
          .values({ id: 1, at: timeText(at), filler })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ at: timeText(at), filler }))
          .execute();
      }, writeFault),

    close: () => guarded(() => db.destroy()),
  };
}

const filler = '0'.repeat(32 * 1024);

/** After SENDING a failed write leaves the outcome at the upstream unknown. */
const moveFault = (from: readonly PurchaseState[]) =>
  from.every((state) => state === 'CLAIMED') ? {} : { ...writeFault, executed: 'UNKNOWN' as const };

/**
 * Of several concurrent claims one is written; the others find its number taken and try again. One contender wins each
 * round, so this many lost rounds mean overload.
 */
const claimAttempts = 200;

interface Claiming {
  readonly claim: Claim;
  readonly limits: ScopedLimits;
  readonly lease: Lease | null;
}

async function claimPurchase(db: Kysely<JournalTables>, claiming: Claiming): Promise<ClaimOutcome> {
  for (let attempt = 1; attempt <= claimAttempts; attempt += 1) {
    const inserted = await insert(db, claiming);
    if (inserted) return { outcome: 'claimed', purchase: inserted };
    const refused = await whyRefused(db, claiming);
    if (refused) return refused;
  }
  throw unavailable(undefined, {
    message: 'Too many purchases are made at the same time, so nothing was bought; try again.',
  });
}

/**
 * Writes the claim in one statement when its conditions are met; else returns null.
 *
 * Two concurrent statements can both be within the limits for the last purchase. They also compute the same number, and
 * the unique index accepts it once: the second statement writes nothing, and tries again with the first one counted.
 */
async function insert(
  db: Kysely<JournalTables>,
  { claim, limits, lease }: Claiming,
): Promise<PurchaseRecord | null> {
  const values = claimRow(claim);
  const columns = Object.keys(values) as (keyof typeof values)[];
  const highest = sql<number>`(select coalesce(max(ordinal), 0) from purchases where account = ${claim.account})`;
  const row = await db
    .insertInto('purchases')
    .columns([...columns, 'ordinal'])
    .expression(
      db
        .selectNoFrom(({ val }) => [
          ...columns.map((column) => val(values[column]).as(column)),
          sql<number>`${highest} + 1`.as('ordinal'),
        ])
        .where((eb) => eb.and(claimConditions(claim, limits).map((condition) => condition(eb))))
        .where((eb) => (lease ? hasLease(db, lease)(eb) : eb.lit(true))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ? purchaseOf(row) : null;
}

/** Why a claim is refused; null when the reason is gone. */
async function whyRefused(
  db: Kysely<JournalTables>,
  { claim, limits, lease }: Claiming,
): Promise<ClaimOutcome | null> {
  const sameKey = await first(purchases(db, claim.account).where('key', '=', claim.key));
  if (sameKey) {
    const isSameInput = sameKey.fingerprint === claim.fingerprint;
    return { outcome: isSameInput ? 'replayed' : 'key-conflict', purchase: sameKey };
  }
  if (lease && !(await isValid(db, lease))) return { outcome: 'lease-lost' };
  const inTheWay = await first(
    purchases(db, claim.account)
      .where('domain', '=', claim.domain)
      .where('kind', '=', claim.kind)
      .where('state', 'in', unsettledStates),
  );
  if (inTheWay) return { outcome: 'domain-busy', purchase: inTheWay };
  const { stop, spent } = await readSpending(db, claim);
  if (stop) return { outcome: 'stopped', stop };
  const breaches = countedBreaches(limits, spent, claim.price);
  return breaches.length > 0 ? { outcome: 'over-limit', breaches } : null;
}

async function isValid(db: Kysely<JournalTables>, lease: Lease): Promise<boolean> {
  const row = await db
    .selectNoFrom(({ lit }) => lit(1).as('one'))
    .where(hasLease(db, lease))
    .executeTakeFirst();
  return row !== undefined;
}

async function movePurchase(
  db: Kysely<JournalTables>,
  id: string,
  from: readonly PurchaseState[],
  { to, at, fault = null, quietUntil, nextLookAt, refunded }: Transition,
): Promise<PurchaseRecord | null> {
  const row = await db
    .updateTable('purchases')
    .set({
      state: to,
      ...faultColumns(fault),
      ...(to === 'SENDING' && { submitted_at: timeText(at) }),
      ...(quietUntil && { quiet_until: timeText(quietUntil) }),
      ...(isAccepted(to) && { accepted_at: sql<string>`coalesce(accepted_at, ${timeText(at)})` }),
      ...(nextLookAt && { looked_at: timeText(at), next_look_at: timeText(nextLookAt) }),
      ...(typeof refunded === 'boolean' && { refunded: refunded ? 1 : 0 }),
      ...(isEnd(to) && { settled_at: timeText(at), unreported: 1 }),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst();
  return row ? purchaseOf(row) : null;
}

const isAccepted = (state: PurchaseState): boolean =>
  state === 'IN_PROGRESS' || state === 'SUCCEEDED';

/** Another process that read the same row has changed `looked_at` when it was first. */
async function takeLook(
  db: Kysely<JournalTables>,
  id: string,
  { seen, at, next }: Look,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('purchases')
    .set({ looked_at: timeText(at), next_look_at: timeText(next) })
    .where('id', '=', id)
    .where('state', '=', 'IN_PROGRESS')
    .where((eb) => (seen ? eb('looked_at', '=', timeText(seen)) : eb('looked_at', 'is', null)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const listDueLooks = (
  db: Kysely<JournalTables>,
  account: string,
  { now, latest, limit }: Parameters<Journal['dueLooks']>[1],
) =>
  all(
    purchases(db, account)
      .where('state', '=', literal('IN_PROGRESS'))
      .where(({ eb, or }) =>
        or([
          eb('next_look_at', '<=', timeText(now)),
          eb('looked_at', '>', timeText(latest)),
          eb('next_look_at', 'is', null),
        ]),
      )
      .orderBy('next_look_at')
      .limit(literal(limit)),
  );

async function listOperations(
  db: Kysely<JournalTables>,
  account: string,
  { filter = {}, limit, after, before, fromEnd = false }: PurchasePage,
): Promise<readonly PurchaseRecord[]> {
  const direction = fromEnd ? 'asc' : 'desc';
  let query = purchases(db, account).where(matches(filter));
  if (after) query = query.where(isBeside('<', after));
  if (before) query = query.where(isBeside('>', before));
  const found = await all(
    query.orderBy('claimed_at', direction).orderBy('id', direction).limit(literal(limit)),
  );
  return fromEnd ? found.toReversed() : found;
}

const purchases = (db: Kysely<JournalTables>, account: string) =>
  db.selectFrom('purchases').selectAll().where('account', '=', account);

type Purchases = ReturnType<typeof purchases>;

async function first(query: Purchases): Promise<PurchaseRecord | null> {
  const row = await query.executeTakeFirst();
  return row ? purchaseOf(row) : null;
}

async function all(query: Purchases): Promise<readonly PurchaseRecord[]> {
  return (await query.execute()).map(purchaseOf);
}

type Condition = (eb: ExpressionBuilder<JournalTables, 'purchases'>) => Expression<SqlBool>;

/** An empty list of states or kinds matches nothing; an absent one matches all. */
const matches =
  (filter: PurchaseFilter): Condition =>
  (eb) => {
    const { states, kinds, domain, caller, stages, createdAfter, createdBefore } = filter;
    // `in ()` is no SQL for PostgreSQL.
    if ([states, kinds, stages].some((list) => list?.length === 0)) return sql<SqlBool>`1 = 0`;
    return eb.and([
      ...(states ? [eb('state', 'in', states)] : []),
      ...(kinds ? [eb('kind', 'in', kinds)] : []),
      ...(domain ? [eb('domain', '=', domain)] : []),
      ...(stages ? [isInStage(eb, stages)] : []),
      ...(createdAfter ? [eb('claimed_at', '>=', timeText(createdAfter))] : []),
      ...(createdBefore ? [eb('claimed_at', '<', timeText(createdBefore))] : []),
      ...(caller === undefined ? [] : [eb('caller', '=', caller)]),
    ]);
  };

/** On one side of a place: `<` is older. */
const isBeside =
  (side: '<' | '>', { claimedAt, id }: PurchasePosition): Condition =>
  (eb) =>
    eb(eb.refTuple('claimed_at', 'id'), side, eb.tuple(timeText(claimedAt), id));

/** `stageOf` of `modules/purchase/transfer-progress.ts`, as conditions on the row. */
const conditions: Record<TransferStage, Expression<SqlBool>> = {
  REQUESTED: sql`state = 'IN_PROGRESS'`,
  COMPLETED: sql`state = 'SUCCEEDED' and accepted_at is not null`,
  REJECTED: sql`state = 'FAILED' and fault_code = 'TRANSFER_REJECTED'`,
  CANCELLED: sql`state = 'FAILED' and fault_code = 'TRANSFER_CANCELLED'`,
  UNKNOWN: sql`(state = 'UNKNOWN' or (state = 'SUCCEEDED' and accepted_at is null))`,
};

const isInStage = (
  eb: ExpressionBuilder<JournalTables, 'purchases'>,
  stages: readonly TransferStage[],
): Expression<SqlBool> =>
  eb.and([eb('kind', '=', 'TRANSFER'), eb.or(stages.map((stage) => conditions[stage]))]);
