import { type Kysely, sql } from 'kysely';
import type { Client } from 'pg';
import type { Clock } from '../lib/clock.ts';
import type { JobNotices } from './job-notices.ts';
import type { JournalTables } from './tables.ts';
import { writing } from './unavailable.ts';

const channel = 'reseller_graph_jobs';
const reconnectAfterMs = 1_000;

/**
 * Notices by `NOTIFY`. The first subscription opens a connection that only listens. `createClient` returns a new one each time:
 * a broken connection is replaced.
 */
export function createPostgresNotices(
  db: Kysely<JournalTables>,
  createClient: () => Client,
  clock: Pick<Clock, 'wait'>,
): JobNotices {
  const subscriptions = new Set<{ readonly account: string; readonly wake: () => void }>();
  const stop = new AbortController();
  let client: Client | null = null;
  let listening: Promise<void> | null = null;

  /** Resolves when the connection has ended. */
  const listen = async (): Promise<void> => {
    const opened = createClient();
    client = opened;
    const ended = new Promise<void>((resolve) => opened.once('end', resolve));
    opened.on('error', () => undefined);
    opened.on('notification', ({ payload }) => {
      for (const { account, wake } of subscriptions) if (account === payload) wake();
    });
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`);
    } catch {
      return opened.end();
    }
    for (const { wake } of subscriptions) wake();
    await ended;
  };

  const keepListening = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await listen().catch(() => undefined);
      await clock.wait(reconnectAfterMs, stop.signal).catch(() => undefined);
    }
  };

  return {
    send: (account) =>
      writing(async () => {
        await sql`select pg_notify(${sql.lit(channel)}, ${account})`.execute(db);
      }),
    subscribe(account, wake) {
      const subscription = { account, wake };
      subscriptions.add(subscription);
      listening ??= keepListening();
      return () => subscriptions.delete(subscription);
    },
    async close() {
      stop.abort();
      await client?.end().catch(() => undefined);
      await listening;
    },
  };
}
