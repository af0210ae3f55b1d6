import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { TransferStage } from './store.ts';
import type { JournalTables } from './tables.ts';

/** `stageOf` of `modules/transfer/progress.ts`, as conditions on the row. */
const conditions: Record<TransferStage, Expression<SqlBool>> = {
  REQUESTED: sql`state = 'IN_PROGRESS'`,
  COMPLETED: sql`state = 'SUCCEEDED' and accepted_at is not null`,
  REJECTED: sql`state = 'FAILED' and fault_code = 'TRANSFER_REJECTED'`,
  CANCELLED: sql`state = 'FAILED' and fault_code = 'TRANSFER_CANCELLED'`,
  UNKNOWN: sql`(state = 'UNKNOWN' or (state = 'SUCCEEDED' and accepted_at is null))`,
};

export const isInStage = (
  eb: ExpressionBuilder<JournalTables, 'operations'>,
  stages: readonly TransferStage[],
): Expression<SqlBool> =>
  eb.and([eb('kind', '=', 'TRANSFER'), eb.or(stages.map((stage) => conditions[stage]))]);
