import { expressionBuilder, sql } from 'kysely';
import {
  assertTransition,
  isEnd,
  type PurchaseState,
  unsettledStates,
} from '../kernel/purchase-states.ts';
import { type CountedBreach, countedBreaches, type ScopedLimits } from '../kernel/spend-limits.ts';
import { hasLease } from './job-leases.ts';
import type { Lease } from './job-record.ts';
import { createPurchaseQueries } from './purchase-queries.ts';
import {
  type Claim,
  claimRow,
  faultColumns,
  type PurchaseFault,
  type PurchaseRecord,
  purchaseOf,
  purchasesOf,
} from './purchase-record.ts';
import { firstOf, hasChanged } from './results.ts';
import {
  claimConditions,
  createStopSwitch,
  type PurchaseStop,
  readSpending,
  type SpendingOf,
} from './spending.ts';
import { type Database, isUniqueViolation, type JournalTables, timeText } from './tables.ts';
import { guarded, reading, unavailable, writing } from './unavailable.ts';

export type ClaimOutcome =
  /** This caller owns the key; nothing was sent for it before. */
  | { readonly outcome: 'claimed'; readonly purchase: PurchaseRecord }
  /** The same key with the same input, and its purchase. */
  | { readonly outcome: 'replayed'; readonly purchase: PurchaseRecord }
  /** The key was used for another input. */
  | { readonly outcome: 'key-conflict'; readonly purchase: PurchaseRecord }
  /** Another process works on the item of the job, or the item has ended. */
  | { readonly outcome: 'lease-lost' }
  /** Another key has an unsettled purchase of this domain. */
  | { readonly outcome: 'domain-busy'; readonly purchase: PurchaseRecord }
  /** Purchases of this account are stopped. */
  | { readonly outcome: 'stopped'; readonly stop: PurchaseStop }
  /** The limits that the claim exceeds; at least one. */
  | { readonly outcome: 'over-limit'; readonly breaches: readonly CountedBreach[] };

export interface Transition {
  readonly to: PurchaseState;
  readonly at: Date;
  readonly fault?: PurchaseFault | null;
  /** With SENDING: when the call has ended at the latest. */
  readonly callUntil?: Date;
  /** With SENDING: how long the upstream can still execute the call. */
  readonly quietUntil?: Date;
  /** With IN_PROGRESS: when to read the transfer. */
  readonly nextReadAt?: Date;
  /** With FAILED, for a transfer. */
  readonly refunded?: boolean | null;
}

/** One read of a transfer in progress. */
export interface ReadClaim {
  /** `readAt` of the purchase as it was read from the journal. */
  readonly seen: Date | null;
  readonly at: Date;
  /** When to read it again. */
  readonly next: Date;
}

/** The purchases: their claims, sends and outcomes. */
export const createPurchaseStore = (db: Database) => ({
  /**
   * One atomic statement: of many claims of one key exactly one is `claimed`, and all claims together stay within the
   * limits, also when they are concurrent. Failed purchases do not count; purchases with an unknown outcome do.
   *
   * With a lease it is claimed while that lease is valid. A known key, a lost lease and a busy domain are reported before a
   * stop, and a stop before a limit.
   */
  claim: (claim: Claim, limits: ScopedLimits, lease: Lease | null = null) =>
    guarded(() => claimPurchase({ db, claim, limits, lease, write: insert })),
  /** The same for a purchase that is held. It takes the key, and no open purchase of the domain prevents it. */
  hold: (claim: Claim, limits: ScopedLimits) =>
    guarded(() => claimPurchase({ db, claim, limits, lease: null, write: insertHeld })),
  /** The same for a purchase that was held: it leaves HELD with the cost and at the time of the claim. */
  claimHeld: (claim: Claim, limits: ScopedLimits, lease: Lease) =>
    guarded(() => claimPurchase({ db, claim, limits, lease, write: updateHeld })),
  spending: (of: SpendingOf) => reading(() => readSpending(db, of)),
  /** Moves a purchase when it is in one of `from`; null when it is not (another process moved it). */
  async move(id: string, from: readonly PurchaseState[], transition: Transition) {
    assertTransition(from, transition.to);
    const work = () => movePurchase(db, id, from, transition);
    if (from.every((state) => state === 'CLAIMED')) return guarded(work);
    // After SENDING a failed write leaves the outcome at the upstream unknown.
    return writing(work, { executed: 'UNKNOWN' });
  },
  /** Accepts exactly one read per state of a transfer in progress, over all processes. */
  claimRead: (id: string, claim: ReadClaim) => writing(() => claimRead(db, id, claim)),
  ...createStopSwitch(db),
  ...createPurchaseQueries(db),
});

/**
 * Of several concurrent claims one is written; the others find its number taken and try again. One contender wins each
 * round, so this many lost rounds mean overload.
 */
const claimAttempts = 200;

interface Claiming {
  readonly db: Database;
  readonly claim: Claim;
  readonly limits: ScopedLimits;
  readonly lease: Lease | null;
  /** Null when a condition is not met, and when another statement was first. */
  readonly write: (claiming: Claiming) => Promise<PurchaseRecord | null>;
}

async function claimPurchase(claiming: Claiming): Promise<ClaimOutcome> {
  for (let attempt = 1; attempt <= claimAttempts; attempt += 1) {
    const written = await claiming.write(claiming);
    if (written) return { outcome: 'claimed', purchase: written };
    const refused = await whyRefused(claiming);
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
  { db, claim, limits, lease }: Claiming,
  state: 'CLAIMED' | 'HELD' = 'CLAIMED',
): Promise<PurchaseRecord | null> {
  const values = claimRow(claim, state);
  const columns = Object.keys(values) as (keyof typeof values)[];
  const inserted = db
    .insertInto('purchases')
    .columns([...columns, 'ordinal'])
    .expression(
      db
        .selectNoFrom(({ val }) => [
          ...columns.map((column) => val(values[column]).as(column)),
          nextOrdinal(claim).as('ordinal'),
        ])
        .where((eb) => eb.and(claimConditions(claim, limits).map((condition) => condition(eb))))
        .where((eb) => (lease ? hasLease(db, lease)(eb) : eb.lit(true))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll();
  return firstOf(inserted, purchaseOf);
}

const nextOrdinal = ({ account }: Claim) =>
  sql<number>`(select coalesce(max(ordinal), 0) from purchases where account = ${account}) + 1`;

const insertHeld = (claiming: Claiming) => insert(claiming, 'HELD');

/** As `insert`, with the number that a purchase gets when it is claimed. A purchase that is not stored is inserted. */
async function updateHeld(claiming: Claiming): Promise<PurchaseRecord | null> {
  const { db, claim, limits, lease } = claiming;
  const { id, key: _key, ...values } = claimRow(claim);
  const eb = expressionBuilder<JournalTables, never>();
  const conditions = [
    ...claimConditions(claim, limits),
    ...(lease ? [hasLease(db, lease)] : []),
    () => eb.not(eb.exists(openPurchase(db, claim))),
  ];
  try {
    const row = await db
      .updateTable('purchases')
      .set({ ...values, ordinal: nextOrdinal(claim) })
      .where('id', '=', id)
      .where('state', '=', 'HELD')
      .where(eb.and(conditions.map((condition) => condition(eb))))
      .returningAll()
      .executeTakeFirst();
    if (row) return purchaseOf(row);
  } catch (error) {
    if (isUniqueViolation(error)) return null;
    throw error;
  }
  return insert(claiming);
}

/** The open purchase of the domain, of which the database allows one. */
const openPurchase = (db: Database, { account, domain, kind }: Claim) =>
  purchasesOf(db, account)
    .where('domain', '=', domain)
    .where('kind', '=', kind)
    .where('state', 'in', unsettledStates);

/** Why a claim is refused; null when the reason is gone. */
async function whyRefused({ db, claim, limits, lease }: Claiming): Promise<ClaimOutcome | null> {
  const sameKey = await firstOf(
    purchasesOf(db, claim.account).where('key', '=', claim.key),
    purchaseOf,
  );
  // The purchase of `claimHeld` has this key.
  const isOfClaim = lease && sameKey?.id === claim.id && sameKey.state === 'HELD';
  if (sameKey && !isOfClaim) {
    const isSameInput = sameKey.fingerprint === claim.fingerprint;
    return { outcome: isSameInput ? 'replayed' : 'key-conflict', purchase: sameKey };
  }
  if (lease && !(await isValid(db, lease))) return { outcome: 'lease-lost' };
  const inTheWay = await firstOf(openPurchase(db, claim), purchaseOf);
  if (inTheWay) return { outcome: 'domain-busy', purchase: inTheWay };
  const { stop, spent } = await readSpending(db, claim);
  if (stop) return { outcome: 'stopped', stop };
  const breaches = countedBreaches(limits, spent, claim.cost);
  return breaches.length > 0 ? { outcome: 'over-limit', breaches } : null;
}

async function isValid(db: Database, lease: Lease): Promise<boolean> {
  const row = await db
    .selectNoFrom(({ lit }) => lit(1).as('one'))
    .where(hasLease(db, lease))
    .executeTakeFirst();
  return row !== undefined;
}

async function movePurchase(
  db: Database,
  id: string,
  from: readonly PurchaseState[],
  { to, at, fault = null, callUntil, quietUntil, nextReadAt, refunded }: Transition,
): Promise<PurchaseRecord | null> {
  const moved = db
    .updateTable('purchases')
    .set({
      state: to,
      ...faultColumns(fault),
      ...(to === 'SENDING' && { submitted_at: timeText(at) }),
      ...(callUntil && { call_until: timeText(callUntil) }),
      ...(quietUntil && { quiet_until: timeText(quietUntil) }),
      ...(isAccepted(to) && { accepted_at: sql<string>`coalesce(accepted_at, ${timeText(at)})` }),
      ...(nextReadAt && { read_at: timeText(at), next_read_at: timeText(nextReadAt) }),
      ...(typeof refunded === 'boolean' && { refunded: refunded ? 1 : 0 }),
      ...(isEnd(to) && { settled_at: timeText(at) }),
    })
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll();
  return firstOf(moved, purchaseOf);
}

const isAccepted = (state: PurchaseState): boolean =>
  state === 'IN_PROGRESS' || state === 'SUCCEEDED';

/** Another process that read the same row has changed `read_at` when it was first. */
const claimRead = (db: Database, id: string, { seen, at, next }: ReadClaim): Promise<boolean> =>
  hasChanged(
    db
      .updateTable('purchases')
      .set({ read_at: timeText(at), next_read_at: timeText(next) })
      .where('id', '=', id)
      .where('state', '=', 'IN_PROGRESS')
      .where((eb) => (seen ? eb('read_at', '=', timeText(seen)) : eb('read_at', 'is', null))),
  );
