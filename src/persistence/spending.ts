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
import type { stopsTable } from './core-tables.ts';
import type { Claim } from './purchase-record.ts';
import { firstOf } from './results.ts';
import type { RecordOf } from './table.ts';
import { type Condition, type Database, timeText } from './tables.ts';
import { reading, writing } from './unavailable.ts';

/** The stop of all purchases of an account. */
export type PurchaseStop = RecordOf<typeof stopsTable>;

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
const sum = (of: SpendingOf, scope: LimitScope) => {
  const currency = of.cost?.currency ?? '';
  const { wholeMinutes, firstMinute } = counted(of, scope, countedMs.PER_DAY);
  return sql<string>`((select coalesce(sum(spend), 0) from purchase_sums ${wholeMinutes} and currency = ${currency})
    + (select coalesce(sum(spend), 0) from purchases ${firstMinute} and cost_currency = ${currency}))`;
};

/** Purchases in the hour, without those that failed or are held. */
const count = (of: SpendingOf, scope: LimitScope) => {
  const { wholeMinutes, firstMinute } = counted(of, scope, countedMs.PER_HOUR);
  return sql<number>`((select coalesce(sum(purchases), 0) from purchase_sums ${wholeMinutes})
    + (select count(*) from purchases ${firstMinute}))`;
};

/** The sums of all minutes after the one in which the window of a limit begins, and the purchases of that minute in the window. */
function counted({ account, caller, claimedAt }: SpendingOf, scope: LimitScope, windowMs: number) {
  const begin = timeText(new Date(claimedAt.getTime() - windowMs));
  const minute = begin.slice(0, 'yyyy-mm-ddThh:mm'.length);
  const isKey = scope === 'KEY';
  // Without a key nothing is counted in its scope: nothing equals null.
  return {
    wholeMinutes: sql`where account = ${account} and scope = ${scope}
      and caller = ${isKey ? caller : ''} and minute > ${minute}`,
    firstMinute: sql`where account = ${account} and claimed_at > ${begin} and claimed_at <= ${`${minute}:59.999Z`}
      and state not in ('FAILED', 'HELD') ${isKey ? sql`and caller = ${caller}` : sql``}`,
  };
}

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
