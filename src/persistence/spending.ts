import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { parseInstant } from '../kernel/instant.ts';
import {
  countedMs,
  type LimitScope,
  limitScopes,
  type ScopedLimits,
  unitsLeftBefore,
} from '../kernel/spend-limits.ts';
import type { PurchaseStop, Spending, SpendingOf } from './store.ts';
import { type JournalTables, timeText } from './tables.ts';

/** The conditions of a claim: purchases are not stopped, and every limit allows its price. */
export const claimConditions = (of: SpendingOf, limits: ScopedLimits): readonly Condition[] => [
  ({ not, exists, selectFrom }) =>
    not(exists(selectFrom('stops').select('account').where('account', '=', of.account))),
  ...limitScopes.flatMap((scope) => withinLimits(of, scope, limits)),
];

type Condition = (eb: ExpressionBuilder<JournalTables, never>) => Expression<SqlBool>;

function withinLimits(
  of: SpendingOf,
  scope: LimitScope,
  limits: ScopedLimits,
): readonly Condition[] {
  const { perHour } = limits[scope];
  const remaining = unitsLeftBefore(limits[scope], of.price);
  return [
    ...(remaining === null ? [] : [atMost(sum(of, scope), remaining)]),
    ...(perHour === undefined ? [] : [atMost(sql<number>`${count(of, scope)} + 1`, perHour)]),
  ];
}

/** The number is no text, not even on the way: SQLite holds every text for more than every number. */
const atMost =
  (used: Expression<unknown>, most: number): Condition =>
  () =>
    sql<SqlBool>`${used} <= ${most}`;

/** Units of the currency of the price that were spent in the day; what failed was given back. */
const sum = ({ account, caller, price, claimedAt }: SpendingOf, scope: LimitScope) =>
  sql<string>`(select coalesce(sum(spend), 0) from purchases
    where account = ${account} and claimed_at > ${before(claimedAt, countedMs.PER_DAY)}
    and state <> 'FAILED' and price_currency = ${price?.currency ?? ''} ${ofCaller(scope, caller)})`;

/** Purchases in the hour, without those that failed. */
const count = ({ account, caller, claimedAt }: SpendingOf, scope: LimitScope) =>
  sql<number>`(select count(*) from purchases
    where account = ${account} and claimed_at > ${before(claimedAt, countedMs.PER_HOUR)}
    and state <> 'FAILED' ${ofCaller(scope, caller)})`;

const before = (time: Date, ms: number) => timeText(new Date(time.getTime() - ms));

/** Without a key nothing is counted in its scope: nothing equals null. */
const ofCaller = (scope: LimitScope, caller: string | null) =>
  scope === 'KEY' ? sql`and caller = ${caller}` : sql``;

/** One statement, so that all of it is true at one moment. */
export async function readSpending(db: Kysely<JournalTables>, of: SpendingOf): Promise<Spending> {
  const reason = sql<string | null>`(select reason from stops where account = ${of.account})`;
  const since = sql<string | null>`(select since from stops where account = ${of.account})`;
  // A sum may be larger than what JavaScript reads exactly from a column.
  const units = (scope: LimitScope) => sql<string>`cast(${sum(of, scope)} as text)`;
  const row = await db
    .selectNoFrom([
      since.as('since'),
      reason.as('reason'),
      units('GATEWAY').as('GATEWAY_units'),
      count(of, 'GATEWAY').as('GATEWAY_count'),
      units('KEY').as('KEY_units'),
      count(of, 'KEY').as('KEY_count'),
    ])
    .executeTakeFirstOrThrow();
  const spent = (scope: LimitScope) => ({
    units: BigInt(row[`${scope}_units`]),
    count: Number(row[`${scope}_count`]),
  });
  return {
    stop: stopOf(row),
    spent: { GATEWAY: spent('GATEWAY'), KEY: spent('KEY') },
  };
}

/** Why nothing may be bought for an account; null while everything may. */
export async function readStop(
  db: Kysely<JournalTables>,
  account: string,
): Promise<PurchaseStop | null> {
  const row = await db
    .selectFrom('stops')
    .select(['since', 'reason'])
    .where('account', '=', account)
    .executeTakeFirst();
  return row ? stopOf(row) : null;
}

/** A stop that is there already stays as old as it is, and takes the new reason. */
export async function writeStop(
  db: Kysely<JournalTables>,
  account: string,
  { since, reason }: PurchaseStop,
): Promise<void> {
  await db
    .insertInto('stops')
    .values({ account, since: timeText(since), reason })
    .onConflict((conflict) => conflict.column('account').doUpdateSet({ reason }))
    .execute();
}

export async function removeStop(db: Kysely<JournalTables>, account: string): Promise<void> {
  await db.deleteFrom('stops').where('account', '=', account).execute();
}

const stopOf = ({ since, reason }: { since: string | null; reason: string | null }) =>
  since === null || reason === null ? null : { since: parseInstant(since), reason };
