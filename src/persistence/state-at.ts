import { sql } from 'kysely';
import type { PurchaseState } from '../kernel/purchase-states.ts';
import { timeText } from './tables.ts';

/**
 * The state of a purchase at a time. A call that did not end in time has lost its reply, also when its process ended before it
 * recorded that. `stateAt` of `kernel/purchase-states.ts` is the same for a record.
 */
export const stateAt = (purchases: string, at: Date) =>
  sql<PurchaseState>`case when ${sql.ref(`${purchases}.state`)} = 'SENDING' and ${sql.ref(`${purchases}.call_until`)} <= ${timeText(at)} then 'PENDING' else ${sql.ref(`${purchases}.state`)} end`;
