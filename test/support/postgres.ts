import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

/** A server that a test may make databases on: DATABASE_URL, or the usual one of this machine. */
const serverUrl = process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Statements on a database; that of the server itself when none is named. */
export async function runOnPostgres(sql: string, url = serverUrl): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  readonly url: string;
  remove(): Promise<void>;
}

/** An empty database of its own. */
export async function createDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnPostgres(`create database ${name}`);
  return {
    url: Object.assign(new URL(serverUrl), { pathname: name }).href,
    remove: () => runOnPostgres(`drop database ${name} with (force)`),
  };
}

/** Null where tests can have databases, else the reason to skip them. */
export const whyNoPostgres: string | null = await runOnPostgres('select 1').then(
  () => null,
  (error: Error) => `start PostgreSQL on loopback, or set DATABASE_URL (${error.message})`,
);
