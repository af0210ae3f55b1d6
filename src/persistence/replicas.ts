import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Client } from 'pg';
import { z } from 'zod';
import { type Notice, type Notices, noticeShape } from '../kernel/notice.ts';
import { createBatches } from '../lib/batches.ts';
import type { Clock, Randomness } from '../lib/clock.ts';
import { resultOr } from '../lib/json.ts';
import type { GrantedTokens, SharedBuckets } from '../lib/token-bucket.ts';
import type { Table } from './table.ts';
import type { Database } from './tables.ts';

/** What the processes that share a database have in common. */
export interface Replicas {
  noticesOf(account: string): Notices;
  /** The buckets of all replicas whose keys begin with this prefix. */
  bucketsOf(prefix: string): SharedBuckets;
  close(): Promise<void>;
}

interface ReplicasOptions {
  /** Returns a new connection each time, which only listens: a broken one is replaced. */
  readonly createClient: () => Client;
  readonly clock: Pick<Clock, 'wait'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

/** Their rows need not survive a crash of the database, so no write waits for its disk. */
const unlogged = (name: string, columns: string): Table => ({
  name,
  steps: [[{ postgres: `create unlogged table if not exists ${name} (${columns})` }]],
});

export const replicaTables: readonly Table[] = [
  unlogged('notices', 'at timestamptz not null, text text not null'),
  unlogged(
    'token_buckets',
    'name text primary key, full_at timestamptz not null, seconds float8 not null',
  ),
];

const channel = 'reseller_graph';
const reconnectAfterMs = 1_000;
/** While no notifications arrive the table of notices is read this often, so that a notice arrives within a second. */
const pollEveryMs = 800;
/** Every so many polls a notification to itself shows whether they still arrive. */
const checkEvery = 40;
/** A longer notice is ignored. PostgreSQL accepts 8,000 bytes. */
const maxLength = 2_000;
const maxBatch = 1_000;
/** Notices are stored for ten seconds, and several replicas may send many. */
const maxKnownNotices = 10_000;

const messageShape = z.object({ id: z.string(), account: z.string(), notice: noticeShape });

/**
 * Notices by `NOTIFY`. Each is stored for ten seconds too: a replica reads them there while it receives no notifications, as
 * behind a pooler of transactions or after a broken connection. The first follower opens the connection that listens.
 */
export function createReplicas(db: Database, options: ReplicasOptions): Replicas {
  const { clock, randomness } = options;
  const followers = new Set<{
    readonly account: string;
    readonly listener: (notice: Notice) => void;
  }>();
  /** Ids of the notices that were sent or received. */
  const known = new LRUCache<string, true>({ max: maxKnownNotices });
  const closing = new AbortController();
  const send = createSend(db);
  const report = createReport(db);
  let connection: ReturnType<typeof startReceiving> | null = null;

  const receive = (text: string): void => {
    if (text.length > maxLength) return;
    const message = resultOr(() => messageShape.parse(JSON.parse(text)), null);
    if (!message || known.has(message.id)) return;
    known.set(message.id, true);
    for (const { account, listener } of followers) {
      if (account === message.account) listener(message.notice);
    }
  };

  return {
    noticesOf: (account) => ({
      send(notice) {
        const id = randomness.uuid();
        known.set(id, true);
        const text = JSON.stringify({ id, account, notice });
        if (text.length <= maxLength) void send(text).catch(() => undefined);
      },
      follow(listener) {
        const follower = { account, listener };
        followers.add(follower);
        connection ??= startReceiving(db, receive, closing.signal, options);
        return () => void followers.delete(follower);
      },
    }),
    bucketsOf: (prefix) => ({
      // A digest has the same length for every name of a caller.
      report: (key, granted) =>
        report({ ...granted, name: hash('sha256', `${prefix} ${key}`, 'base64url') }),
      wait: (ms) => clock.wait(ms, closing.signal),
    }),
    async close() {
      closing.abort();
      await connection?.close();
    },
  };
}

/** Receives notices until `closing` aborts. */
function startReceiving(
  db: Database,
  receive: (text: string) => void,
  closing: AbortSignal,
  { createClient, clock, randomness }: ReplicasOptions,
) {
  const ownId = randomness.uuid();
  let isNotified = false;
  /** Whether the notices were read after the last start of notifications: one that was sent before it is only stored. */
  let hasRead = false;
  let client: Client | null = null;
  let turn = 0;

  /** Resolves when the connection has ended. */
  const listen = async (): Promise<void> => {
    const opened = createClient();
    client = opened;
    const ended = new Promise<void>((resolve) => opened.once('end', resolve));
    opened.on('error', () => undefined);
    opened.on('notification', ({ payload = '' }) => {
      if (payload === ownId) isNotified = true;
      else receive(payload);
    });
    const listening = async () => {
      await opened.connect();
      await opened.query(`listen ${channel}`);
    };
    try {
      // `connect` never settles when `end` is called before it has connected.
      await Promise.race([listening(), ended]);
    } catch {
      return opened.end();
    }
    await ended;
    isNotified = false;
  };

  const poll = async (): Promise<void> => {
    if (turn++ % checkEvery !== 0 && isNotified && hasRead) return;
    hasRead = isNotified;
    isNotified = false;
    await sql`delete from notices where at < now() - interval '10 seconds'`.execute(db);
    await sql`delete from token_buckets where name in
      (select name from token_buckets where full_at < now() for update skip locked)`.execute(db);
    const { rows } = await sql<{ readonly text: string }>`select text from notices`.execute(db);
    for (const { text } of rows) receive(text);
    await sql`select pg_notify(${channel}, ${ownId})`.execute(db);
  };

  const repeat = async (work: () => Promise<void>, pauseMs: number): Promise<void> => {
    while (!closing.aborted) {
      await work().catch(() => undefined);
      await clock.wait(pauseMs, closing).catch(() => undefined);
    }
  };

  const running = [repeat(listen, reconnectAfterMs), repeat(poll, pollEveryMs)];
  return {
    async close(): Promise<void> {
      await client?.end().catch(() => undefined);
      await Promise.all(running);
    },
  };
}

/** Sends the notices that arrive while a statement runs in one statement. */
const createSend = (db: Database) =>
  createBatches<string, void>(maxBatch, async (texts) => {
    await sql`with sent as (
        insert into notices (at, text) select now(), text from unnest(${texts}::text[]) as text returning text)
      select pg_notify(${channel}, text) from sent`.execute(db);
    return texts.map(() => undefined);
  });

const createReport = (db: Database) =>
  createBatches<GrantedTokens & { readonly name: string }, number>(maxBatch, async (granted) => {
    const names = granted.map(({ name }) => name);
    const seconds = granted.map((each) => each.seconds);
    const untilFull = granted.map((each) => each.untilFull);
    // The column `seconds` passes the value to the update, and has no other meaning.
    const { rows } = await sql<{ readonly name: string; readonly until_full: number }>`
      insert into token_buckets as stored (name, full_at, seconds)
        select name, now() + make_interval(secs => max(until_full - seconds) + sum(seconds)), sum(seconds)
        from unnest(${names}::text[], ${untilFull}::float8[], ${seconds}::float8[]) as granted (name, until_full, seconds)
        group by name order by name
      on conflict (name) do update set full_at =
        greatest(stored.full_at + make_interval(secs => excluded.seconds), excluded.full_at)
      returning name, extract(epoch from full_at - now())::float8 as until_full`.execute(db);
    const found = new Map(rows.map((row) => [row.name, row.until_full]));
    return names.map((name) => found.get(name) ?? 0);
  });
