import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { features } from '../../src/features/index.ts';
import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { stepsOf } from '../../test/persistence/plan-steps.ts';
import { fillingStatements } from '../../test/persistence/large-tables.ts';
import { type Use, usesOf } from '../../test/persistence/store-uses.ts';

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

/** The uses of all stores on large tables of SQLite, the longest first. PostgreSQL does not stop the process. */
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

/** Fills a new SQLite journal: `rows` entries of the audit log, and other rows in proportion. */
export async function fillJournal(file: string, rows: number): Promise<void> {
  const tables = features.flatMap((feature) => feature.tables ?? []);
  await (await openSqliteJournal({ file, tables })).close();
  const database = new DatabaseSync(file);
  database.exec('pragma synchronous = off; begin');
  for (const statement of fillingStatements(rows)) database.exec(statement);
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
