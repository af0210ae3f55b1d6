import { type Expression, type SqlBool, sql } from 'kysely';
import { parseInstant } from '../kernel/instant.ts';
import {
  countedMs,
  type LimitScope,
  limitScopes,
  type ScopedLimits,
  type Spent,
  unitsLeftBefore,
} from '../kernel/spend-limits.ts';
import type { Claim } from './purchase-record.ts';
import { firstOf } from './results.ts';
import { type Condition, type Database, timeText } from './tables.ts';
import { reading, writing } from './unavailable.ts';

/** The stop of all purchases of an account. */
export interface PurchaseStop {
  readonly since: Date;
  /** The operator's reason. */
  readonly reason: string;
}

/** Whose purchases are counted, in which currency and up to when. */
export type SpendingOf = Pick<Claim, 'account' | 'caller' | 'cost' | 'claimedAt'>;

/** What can refuse a purchase: the stop switch, and the counts of its limits. */
export interface Spending {
  readonly stop: PurchaseStop | null;
  readonly spent: Readonly<Record<LimitScope, Spent>>;
}

/** The conditions of a claim: purchases are not stopped, and every limit allows its cost. */
export const claimConditions = (of: SpendingOf, limits: ScopedLimits): readonly Condition[] => [
  ({ not, exists, selectFrom }) =>
    not(exists(selectFrom('stops').select('account').where('account', '=', of.account))),
  ...limitScopes.flatMap((scope) => withinLimits(of, scope, limits)),
];

function withinLimits(
  of: SpendingOf,
  scope: LimitScope,
  limits: ScopedLimits,
): readonly Condition[] {
  const { perHour } = limits[scope];
  const remaining = unitsLeftBefore(limits[scope], of.cost);
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

/** Units of the currency of the cost that were spent in the day; a failed purchase was given back, and one that is held is not spent. */
const sum = ({ account, caller, cost, claimedAt }: SpendingOf, scope: LimitScope) =>
  sql<string>`(select coalesce(sum(spend), 0) from purchases
    where account = ${account} and claimed_at > ${before(claimedAt, countedMs.PER_DAY)}
    and state not in ('FAILED', 'HELD') and cost_currency = ${cost?.currency ?? ''} ${ofCaller(scope, caller)})`;

/** Purchases in the hour, without those that failed or are held. */
const count = ({ account, caller, claimedAt }: SpendingOf, scope: LimitScope) =>
  sql<number>`(select count(*) from purchases
    where account = ${account} and claimed_at > ${before(claimedAt, countedMs.PER_HOUR)}
    and state not in ('FAILED', 'HELD') ${ofCaller(scope, caller)})`;

const before = (time: Date, ms: number) => timeText(new Date(time.getTime() - ms));

/** Without a key nothing is counted in its scope: nothing equals null. */
const ofCaller = (scope: LimitScope, caller: string | null) =>
  scope === 'KEY' ? sql`and caller = ${caller}` : sql``;

/** One statement, so that all of it is true at one moment. */
export async function readSpending(db: Database, of: SpendingOf): Promise<Spending> {
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

/** The stop switch of an account. */
export const createStopSwitch = (db: Database) => ({
  /** Null while purchases are allowed. */
  stopped: (account: string) =>
    reading(() => {
      const stops = db.selectFrom('stops').select(['since', 'reason']);
      return firstOf(stops.where('account', '=', account), stopOf);
    }),
  /** No later claim is `claimed`. A second stop keeps the time and replaces the reason. */
  stop: (account: string, { since, reason }: PurchaseStop) =>
    writing(async () => {
      await db
        .insertInto('stops')
        .values({ account, since: timeText(since), reason })
        .onConflict((conflict) => conflict.column('account').doUpdateSet({ reason }))
        .execute();
    }),
  resume: (account: string) =>
    writing(async () => {
      await db.deleteFrom('stops').where('account', '=', account).execute();
    }),
});

const stopOf = ({
  since,
  reason,
}: {
  since: string | null;
  reason: string | null;
}): PurchaseStop | null =>
  since === null || reason === null ? null : { since: parseInstant(since), reason };
