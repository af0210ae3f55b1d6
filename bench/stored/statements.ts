import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { Client } from 'pg';
import { features } from '../../src/features/index.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { stepsOf } from '../../test/persistence/plan-steps.ts';
import { fillingStatements } from '../../test/persistence/large-tables.ts';
import { type Use, usesOf } from '../../test/persistence/store-uses.ts';
import { createDatabase, runOnPostgres, whyNoPostgres } from '../../test/support/postgres.ts';

interface Measured {
  /** CPU time between two turns of the event loop, and of one statement; the longest, in milliseconds. */
  holdMs: number;
  statementMs: number;
  statements: number;
  /** The text of the longest statement. */
  sql: string;
}

export const statementHead: readonly string[] = [
  'use of a store',
  'CPU time between two turns / of a statement, most in ms',
  'statements, and the plan of the longest',
];

/** The uses of all stores on large tables of SQLite, the longest first. */
export async function measureStatements(rows: number): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
  const file = join(folder, 'journal.db');
  const tables = features.flatMap((feature) => feature.tables ?? []);
  try {
    await fillJournal(file, rows);
    const journal = await openSqliteJournal({ file, tables });
    const measured: (Measured & { readonly name: string })[] = [];
    for (const use of usesOf(journal.database)) {
      measured.push({ name: use.name, ...(await measure(use)) });
    }
    await journal.close();
    using database = new DatabaseSync(file);
    return measured
      .toSorted((one, other) => other.holdMs - one.holdMs)
      .map(({ name, holdMs, statementMs, statements, sql }) => [
        name,
        `${holdMs.toFixed(1)} / ${statementMs.toFixed(1)}`,
        `${statements}; ${sql && stepsOf(database, sql).join('; ')}`,
      ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const postgresHead: readonly string[] = [
  'use of a store, on PostgreSQL',
  'time of a statement, most in ms',
  'statements',
];

/** The same on PostgreSQL, which does not stop the process. The reason instead where there is none. */
export async function measurePostgresStatements(rows: number): Promise<string[][]> {
  if (whyNoPostgres !== null) return [['not measured', '', whyNoPostgres]];
  const { url, remove } = await createDatabase();
  const tables = features.flatMap((feature) => feature.tables ?? []);
  const options = { url: new Secret(url), connections: 1, timeoutMs: 60_000, tables };
  const journal = await openPostgresJournal(options);
  try {
    for (const statement of fillingStatements(rows)) await runOnPostgres(statement, url);
    await runOnPostgres('vacuum analyze', url);
    const measured: { name: string; ms: number; statements: number }[] = [];
    for (const { name, isRead, run } of usesOf(journal.database)) {
      const first = await timeQueries(run);
      const second = isRead ? await timeQueries(run) : first;
      measured.push({ name, ...(second.ms < first.ms ? second : first) });
    }
    return measured
      .toSorted((one, other) => other.ms - one.ms)
      .map(({ name, ms, statements }) => [name, ms.toFixed(1), String(statements)]);
  } finally {
    await journal.close();
    await remove();
  }
}

async function timeQueries(run: Use['run']): Promise<{ ms: number; statements: number }> {
  const measured = { ms: 0, statements: 0 };
  const { query } = Client.prototype;
  const observed = async function (this: Client, ...values: Parameters<typeof query>) {
    const startedMs = performance.now();
    try {
      const result: unknown = Reflect.apply(query, this, values);
      return await result;
    } finally {
      measured.statements += 1;
      measured.ms = Math.max(measured.ms, performance.now() - startedMs);
    }
  };
  Object.assign(Client.prototype, { query: observed });
  try {
    await run();
    return measured;
  } finally {
    Object.assign(Client.prototype, { query });
  }
}

/** Fills a new SQLite journal: `rows` entries of the audit log, and other rows in proportion. `more` are the last statements. */
export async function fillJournal(
  file: string,
  rows: number,
  more: readonly string[] = [],
): Promise<void> {
  const tables = features.flatMap((feature) => feature.tables ?? []);
  await (await openSqliteJournal({ file, tables })).close();
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; begin');
  for (const statement of [...fillingStatements(rows), ...more]) database.exec(statement);
  database.exec('commit');
  database.close();
  // Otherwise the first write of the journal waits until the system has written all of them.
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/** A read runs twice, because the first one also loads the pages of the file: the shorter one counts. */
async function measure({ isRead, run }: Use): Promise<Measured> {
  const first = await measureOnce(run);
  if (!isRead) return first;
  const second = await measureOnce(run);
  return second.holdMs < first.holdMs ? second : first;
}

async function measureOnce(run: Use['run']): Promise<Measured> {
  const measured: Measured = { holdMs: 0, statementMs: 0, statements: 0, sql: '' };
  const { all, run: change } = StatementSync.prototype;
  const observed = <Method extends typeof all | typeof change>(method: Method) =>
    function (this: StatementSync, ...values: Parameters<Method>) {
      const startedMs = cpuMs();
      try {
        return Reflect.apply(method, this, values);
      } finally {
        const ms = cpuMs() - startedMs;
        measured.statements += 1;
        if (ms >= measured.statementMs) [measured.statementMs, measured.sql] = [ms, this.sourceSQL];
      }
    };
  Object.assign(StatementSync.prototype, { all: observed(all), run: observed(change) });
  try {
    await turn();
    let isOver = false;
    let startedMs = cpuMs();
    const ended = run().finally(() => {
      isOver = true;
    });
    do {
      await turn();
      const nowMs = cpuMs();
      measured.holdMs = Math.max(measured.holdMs, nowMs - startedMs);
      startedMs = nowMs;
    } while (!isOver);
    await ended;
    return measured;
  } finally {
    Object.assign(StatementSync.prototype, { all, run: change });
  }
}
