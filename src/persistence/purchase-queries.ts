import { type Expression, type SqlBool, sql } from 'kysely';
import type { DomainName } from '../kernel/domain-name.ts';
import { parseInstant, type TimeSpan } from '../kernel/instant.ts';
import type { Money } from '../kernel/money.ts';
import { type PurchaseState, unsettledStates } from '../kernel/purchase-states.ts';
import type { FilteredPage, TimePlace } from '../lib/pages.ts';
import { amount } from './counts.ts';

import { byTime, type FilterOf, is, listOf, meets, oneOf, unindexed, within } from './lists.ts';
import { moneyOf, type PurchaseKind, purchaseOf, purchasesOf } from './purchase-record.ts';
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

/** Charges of a span of time, from `from` to before `until`. */
export interface ChargeFilter {
  readonly from: Date;
  readonly until: Date;
  readonly caller?: string;
  readonly customer?: string;
}

/** ACCEPTED: the registrar accepted the purchase. REVERSED: it came to nothing after that. */
type ChargeStep = 'ACCEPTED' | 'REVERSED';

/** A purchase at one of the times at which its charge changes. */
export interface Charge {
  readonly step: ChargeStep;
  readonly at: Date;
  readonly id: string;
  readonly kind: PurchaseKind;
  readonly domain: DomainName;
  readonly caller: string | null;
  readonly customer: string | null;
  /** What the customer pays; null when that is not known. */
  readonly price: Money | null;
  readonly cost: Money | null;
  /** Whether the registrar returned the cost. */
  readonly isReturned: boolean;
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
  /** A page of the charges of a step, in the order of their times: those after `after`. */
  charges: (
    account: string,
    step: ChargeStep,
    filter: ChargeFilter,
    page: { readonly after: Charge | undefined; readonly limit: number },
  ) => reading(() => listCharges(db, account, step, filter, page)),
  /** When the registrar accepted the first purchase; null before. */
  firstCharge: (account: string) =>
    reading(() =>
      firstOf(
        rowsOf(db, 'purchases', account)
          .select(sql<string>`accepted_at`.as('at'))
          .where('accepted_at', 'is not', null)
          .orderBy('accepted_at')
          .limit(literal(1)),
        ({ at }) => parseInstant(at),
      ),
    ),
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

const chargeColumns = [
  ...(['id', 'kind', 'domain', 'caller', 'customer', 'refunded'] as const),
  ...(['cost_amount', 'cost_currency', 'retail_amount', 'retail_currency'] as const),
] as const;

function listCharges(
  db: Database,
  account: string,
  step: ChargeStep,
  { from, until, ...who }: ChargeFilter,
  { after, limit }: { readonly after: Charge | undefined; readonly limit: number },
): Promise<readonly Charge[]> {
  const isReversal = step === 'REVERSED';
  const time = isReversal ? 'settled_at' : 'accepted_at';
  let query = rowsOf(db, 'purchases', account)
    .select(chargeColumns)
    .select(sql<string>`${sql.ref(time)}`.as('at'))
    .where(isMet(who))
    .where('accepted_at', 'is not', null)
    .where(time, '<', timeText(until));
  if (isReversal) query = query.where('state', '=', literal('FAILED'));
  // With both starts SQLite would read each page from the first one.
  query = query.where((eb) =>
    after
      ? eb(eb.refTuple(time, 'id'), '>', eb.tuple(timeText(after.at), after.id))
      : eb(time, '>=', timeText(from)),
  );
  return allOf(query.orderBy(time).orderBy('id').limit(literal(limit)), (row): Charge => {
    const cost = moneyOf(row.cost_amount, row.cost_currency);
    return {
      ...{ step, at: parseInstant(row.at), id: row.id, kind: row.kind, domain: row.domain },
      ...{ caller: row.caller, customer: row.customer, isReturned: row.refunded === 1, cost },
      price: moneyOf(row.retail_amount, row.retail_currency) ?? cost,
    };
  });
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
