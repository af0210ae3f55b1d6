import { type Kysely, SqliteAdapter } from 'kysely';
import { type SliceClock, Turns } from '../lib/slices.ts';

/** What our driver can do, and kysely's adapter denies. */
export class TransactionalAdapter extends SqliteAdapter {
  /** Of the reads of long lists of all requests: SQLite occupies the thread during a statement. */
  readonly turns: Turns;

  constructor(clock: SliceClock) {
    super();
    this.turns = new Turns(clock);
  }

  /** A statement that waits for a lock holds up no other. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }

  /** A migration is all or nothing: SQLite can undo DDL. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Null for PostgreSQL, which reads in processes of its own. */
export function turnsOf<Tables>(db: Kysely<Tables>): Turns | null {
  const { adapter } = db.getExecutor();
  return adapter instanceof TransactionalAdapter ? adapter.turns : null;
}
