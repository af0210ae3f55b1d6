import { type Expression, type SqlBool, sql } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { type PurchaseState, unsettledStates } from '../kernel/purchase-states.ts';
import type { FilteredPage, TimePlace } from '../lib/pages.ts';
import { amount } from './counts.ts';
import type { TimeSpan } from '../kernel/instant.ts';
import { byTime, type FilterOf, is, listOf, meets, oneOf, unindexed, within } from './lists.ts';
import {
  type PurchaseKind,
  type PurchaseRecord,
  purchaseOf,
  purchasesOf,
} from './purchase-record.ts';
import { allOf, firstOf } from './results.ts';
import { stateAt } from './state-at.ts';
import { type Database, isOfAccount, literal, rowsOf, timeText } from './tables.ts';
import { reading } from './unavailable.ts';

/** The stage of a transfer; `modules/purchase/transfer-progress.ts` derives it from the purchase. */
export type TransferStage = 'REQUESTED' | 'COMPLETED' | 'REJECTED' | 'CANCELLED' | 'UNKNOWN';

const indexedStates: readonly PurchaseState[] = [...unsettledStates, 'UNKNOWN'];
/** As the index `purchases_unsettled` has it. Without it SQLite reads all purchases. */
const isIndexed = sql<SqlBool>`state in (${sql.join(indexedStates.map(literal))})`;

const areIndexed = (states: readonly PurchaseState[]): boolean =>
  states.every((state) => indexedStates.includes(state));

const isInState =
  (statesAt?: Date) =>
  (states: readonly PurchaseState[]): Expression<SqlBool> => {
    const isOne = oneOf<PurchaseState>(statesAt ? stateAt('purchases', statesAt) : 'state')(states);
    // A stored state and that of a later time are both in the index, or neither.
    return areIndexed(states) ? sql`${isOne} and ${isIndexed}` : isOne;
  };

const conditionsAt = (statesAt?: Date) => ({
  states: isInState(statesAt),
  kinds: oneOf<PurchaseKind>('kind'),
  domain: is<DomainName>('domain'),
  /** The name of the caller. */
  caller: is('caller'),
  customer: is('customer'),
  stages: isInStage,
  /** The time of the claim. */
  created: within('claimed_at'),
  settled: (span: TimeSpan) =>
    sql<SqlBool>`settled_at is not null and ${within(unindexed('settled_at'))(span)}`,
});

export interface PurchaseFilter extends FilterOf<ReturnType<typeof conditionsAt>> {
  /** The time of `states`; see `stateAt`. Default: the states that are stored. */
  readonly statesAt?: Date;
}

export type PurchasePage = FilteredPage<TimePlace<'claimedAt'>, PurchaseFilter>;

/** What the registrar charged or refunded in a span of time. */
export interface ChargeFilter {
  readonly kind: 'ACCEPTED' | 'REFUNDED';
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
  readonly caller?: string;
  readonly customer?: string;
}

interface DueReads {
  readonly now: Date;
  readonly latest: Date;
  readonly limit: number;
}

/** The reads of purchases. */
export const createPurchaseQueries = (db: Database) => ({
  byId: (account: string, id: string) =>
    reading(() => firstOf(purchasesOf(db, account).where('id', '=', id), purchaseOf)),
  byIds: (account: string, ids: readonly string[]) =>
    reading(() => {
      const some = db.selectFrom('purchases').selectAll().where(isOfAccount(account));
      return allOf(some.where(oneOf('id')(ids)), purchaseOf);
    }),
  /** The newest purchase of each of these lines of an order. */
  byLines: (account: string, orderId: string, lines: readonly number[]) =>
    reading(async () => {
      if (lines.length === 0) return [];
      // With a condition for the account SQLite reads all its purchases, because it expects few of them.
      const ofOrder = db.selectFrom('purchases').selectAll().where('order_id', '=', orderId);
      const rows = await ofOrder.where('order_line', 'in', lines).orderBy('ordinal').execute();
      // The newest purchase of a line comes last, and replaces the others.
      const newest = new Map(rows.map((row) => [row.order_line, row]));
      return [...newest.values()].map(purchaseOf).filter((one) => one.account === account);
    }),
  /** The purchases of these domains, in the order of their claims. */
  byDomains: (account: string, domains: readonly string[]) =>
    reading(async () => {
      const rows = await purchasesOf(db, account).where(oneOf('domain')(domains)).execute();
      // In SQL SQLite would read all purchases in this order.
      return rows.toSorted((one, other) => one.ordinal - other.ordinal).map(purchaseOf);
    }),
  byKey: (account: string, key: string) =>
    reading(() => firstOf(purchasesOf(db, account).where('key', '=', key), purchaseOf)),
  ...listOf(db, {
    order: byTime('claimed_at', 'claimedAt'),
    rows: (account, condition) => rowsOf(db, 'purchases', account).where(condition),
    selected: (some) => some.selectAll(),
    meets: isMet,
    // A domain has few purchases, and few are not settled.
    indexed: ({ domain, states }) =>
      domain !== undefined || (states && areIndexed(states)) ? 'all' : ['customer', 'created'],
    itemOf: purchaseOf,
  }),
  /** The number of purchases in each state that is not settled, or UNKNOWN. */
  countUnsettled: (account: string) =>
    reading(async () => {
      const counted = rowsOf(db, 'purchases', account)
        .where(isIndexed)
        .groupBy('state')
        .select(['state', amount]);
      const found = await allOf(counted, (row) => [row.state, Number(row.amount)] as const);
      return indexedStates.map((state) => [state, new Map(found).get(state) ?? 0] as const);
    }),
  /** A page of the purchases that the registrar accepted or refunded, in the order of that time: those after `after`. */
  charges: (
    account: string,
    filter: ChargeFilter,
    after: PurchaseRecord | undefined,
    limit: number,
  ) => reading(() => listCharges(db, account, filter, after, limit)),
  /**
   * Transfers in progress whose next read is due at `now`, the longest overdue first. One that was last read after
   * `latest` was read with a wrong clock, and is due too.
   */
  dueReads: (account: string, { now, latest, limit }: DueReads) =>
    reading(() =>
      allOf(
        purchasesOf(db, account)
          .where('state', '=', literal('IN_PROGRESS'))
          .where(({ eb, or }) =>
            or([
              eb('next_read_at', '<=', timeText(now)),
              eb('read_at', '>', timeText(latest)),
              eb('next_read_at', 'is', null),
            ]),
          )
          .orderBy('next_read_at')
          .limit(literal(limit)),
        purchaseOf,
      ),
    ),
  /** The domains whose transfer was sent and is not settled. */
  openTransfers: (account: string) =>
    reading(() => {
      const open = rowsOf(db, 'purchases', account)
        .select('domain')
        .where('kind', '=', 'TRANSFER')
        .where('submitted_at', 'is not', null)
        .where('state', 'in', unsettledStates.map(literal))
        // The order of the index of open purchases. Without it SQLite reads all purchases.
        .orderBy('domain');
      return allOf(open, ({ domain }) => domain);
    }),
});

const isMet = ({ statesAt, ...filter }: PurchaseFilter) => meets(conditionsAt(statesAt), filter);

function listCharges(
  db: Database,
  account: string,
  { kind, from, until, ...who }: ChargeFilter,
  after: PurchaseRecord | undefined,
  limit: number,
): Promise<readonly PurchaseRecord[]> {
  const isRefund = kind === 'REFUNDED';
  const column = isRefund ? 'settled_at' : 'accepted_at';
  const at = isRefund ? after?.settledAt : after?.acceptedAt;
  let query = purchasesOf(db, account).where(isMet(who)).where(column, '<', timeText(until));
  if (isRefund) query = query.where('refunded', '=', literal(1));
  // With both starts SQLite would read each page from the first one.
  query = query.where((eb) =>
    after && at
      ? eb(eb.refTuple(column, 'id'), '>', eb.tuple(timeText(at), after.id))
      : eb(column, '>=', timeText(from)),
  );
  return allOf(query.orderBy(column).orderBy('id').limit(literal(limit)), purchaseOf);
}

/** `stageOf` of `modules/purchase/transfer-progress.ts`, as conditions on the row. */
const stageConditions: Record<TransferStage, Expression<SqlBool>> = {
  REQUESTED: sql`state = 'IN_PROGRESS'`,
  COMPLETED: sql`state = 'SUCCEEDED' and accepted_at is not null`,
  REJECTED: sql`state = 'FAILED' and fault_code = 'TRANSFER_REJECTED'`,
  CANCELLED: sql`state = 'FAILED' and fault_code = 'TRANSFER_CANCELLED'`,
  UNKNOWN: sql`(state = 'UNKNOWN' or (state = 'SUCCEEDED' and accepted_at is null))`,
};

function isInStage(stages: readonly TransferStage[]): Expression<SqlBool> {
  const inOne = [sql`1 = 0`, ...stages.map((stage) => stageConditions[stage])];
  return sql`kind = 'TRANSFER' and (${sql.join(inOne, sql` or `)})`;
}
