import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { features } from '../../src/features/index.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { openPostgresJournal } from '../../src/persistence/postgres.ts';
import { rootSamples, unknownTarget } from '../samples/all.ts';
import { documentOf } from '../samples/document-of.ts';
import { openTestJournal, writeEmptyJournal } from '../support/empty-journal.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway } from '../support/gateway.ts';
import {
  createDatabase,
  runOnPostgres,
  type TestDatabase,
  whyNoPostgres,
} from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { fillingStatements } from './large-tables.ts';
import { stepsOf } from './plan-steps.ts';
import { postgresStatementsOf, sqliteStatementsOf, wideNodes, wideSteps } from './plans.ts';
import { usesOf, usesOfStores } from './store-uses.ts';

// A statement that reads a whole table stops a process with SQLite once the table is large.

const tables = features.flatMap((feature) => feature.tables ?? []);
const rows = 2_000;

/** The statements with steps that are too wide, as texts. */
const report = (sql: string, wide: readonly string[]): readonly string[] =>
  wide.length === 0 ? [] : [`${wide.join('; ')} in ${sql.replaceAll(/\s+/g, ' ').slice(0, 500)}`];

/** Whether a slice or a page of a list is searched by its ends, and not by a filter that all rows may meet. */
const usesEnds = (database: DatabaseSync, sql: string): boolean => {
  const [, columns] = /\(((?:"\w+"\.)?"\w+"(?:, "\w+")*)\) [<>]=? \(/.exec(sql) ?? [];
  const names = columns?.replaceAll(/"\w+"\.|[" ]/g, '');
  const isSearched = (step: string) =>
    [`${names}<`, `${names}>`, `(${names})<`, `(${names})>`].some((end) => step.includes(end));
  return names === undefined || stepsOf(database, sql).some(isSearched);
};

describe('on SQLite', () => {
  let folder: string;
  let file: string;
  let database: DatabaseSync;
  beforeAll(async () => {
    folder = await newFolder('plans');
    file = join(folder, 'journal.db');
    await (await openTestJournal(file, tables)).close();
    database = new DatabaseSync(file);
    for (const statement of fillingStatements(rows)) database.exec(statement);
  });
  afterAll(async () => {
    database.close();
    await rm(folder, { recursive: true });
  });

  const wide = (statements: readonly string[]) =>
    statements.flatMap((sql) => report(sql, wideSteps(database, sql)));

  test('each function of a store has a use', async () => {
    const journal = await openTestJournal(file, tables);
    const stores = Object.entries(usesOfStores(journal.database));
    await journal.close();

    const unused = stores.flatMap(([name, { store, reads, writes }]) => {
      const used = Object.keys({ ...reads, ...writes }).map((use) => use.split(' ')[0]);
      return Object.keys(store).flatMap((one) => (used.includes(one) ? [] : [`${name}.${one}`]));
    });
    // A command verifies the audit log, in a process of its own.
    expect(unused).toEqual(['audit.verify']);
  });

  test('no statement of a store reads a whole table, and each index has a statement', async () => {
    const journal = await openTestJournal(file, tables);
    const statements = await sqliteStatementsOf(async () => {
      for (const { run } of usesOf(journal.database)) await run();
    });
    await journal.close();

    expect(statements.length).toBeGreaterThan(150);
    expect(wide(statements)).toEqual([]);
    expect(statements.filter((sql) => !usesEnds(database, sql))).toEqual([]);
    const steps = statements.flatMap((sql) => stepsOf(database, sql));
    const indexes = database.prepare(
      "select name from sqlite_schema where sql like 'create index %'",
    );
    const unused = indexes
      .all()
      .filter(({ name }) => !steps.some((step) => step.includes(` ${name} (`)));
    expect(unused).toEqual([]);
    // A limit reads the purchases of one minute, and sums.
    expect(steps).toContainEqual(
      expect.stringMatching(/purchases_by_time \(account=\? AND claimed_at>\? AND claimed_at<\?\)/),
    );
    expect(steps).toContainEqual(
      expect.stringMatching(
        /purchase_sums_1 \(account=\? AND scope=\? AND caller=\? AND minute>\?\)/,
      ),
    );
  });

  test('no statement of a gateway reads a whole table while it responds to every root field', async () => {
    const target = unknownTarget('reseller-demo.com');
    // Migrations may read whole tables.
    await writeEmptyJournal(join(folder, 'migrated.db'), true);
    const statements = await sqliteStatementsOf(async () => {
      const gateway = await startTestGateway({ env: { EVENTS_INTERVAL_SECONDS: '300' } });
      for (const sample of rootSamples) {
        if (sample.field.startsWith('Subscription')) continue;
        await gateway.query(documentOf(sample, target));
      }
      await gateway.close();
    });

    const selects = statements.filter((sql) =>
      /^\s*(?:select|with|insert|update|delete) /.test(sql),
    );
    expect(selects.length).toBeGreaterThan(50);
    expect(wide(selects)).toEqual([]);
  });

  test.each([
    ['a condition without an index', "select * from purchases where fingerprint = '7'"],
    ['an account alone', 'select * from purchases where account = ? and period = 2'],
    ['a sort', 'select * from purchases where account = ? order by period limit 10'],
    [
      'many ids of an account',
      `select * from jobs where account = ? and id in (${Array(20).fill('?')})`,
    ],
    ['an alias', 'select one.id from jobs as one where one.options = ?'],
  ])('a statement with %s is reported', (_what, sql) => {
    expect(wide([sql])).toHaveLength(1);
  });

  test('statistics that an operator made do not change a plan after the next start', async () => {
    database.exec('analyze');
    await (await openTestJournal(file, tables)).close();

    const names = database.prepare("select name from sqlite_schema where name like 'sqlite_stat%'");
    expect(names.all()).toEqual([]);
  });
});

describe.skipIf(whyNoPostgres)(`on PostgreSQL${because(whyNoPostgres)}`, () => {
  let created: TestDatabase;
  beforeAll(async () => {
    created = await createDatabase();
  });
  afterAll(() => created.remove());

  test('no statement of a store reads a whole table', async () => {
    const journal = await openPostgresJournal({ url: new Secret(created.url), tables });
    await runOnPostgres(fillingStatements(rows).join(';'), created.url);
    const statements = await postgresStatementsOf(async () => {
      for (const { run } of usesOf(journal.database)) await run();
    });
    await journal.close();
    // Small tables are read whole, sorted or hashed too. Loops over an index leave only the reads without one.
    const client = new Client({ connectionString: created.url });
    await client.connect();
    await client.query(
      ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin']
        .map((one) => `set enable_${one} = off;`)
        .join(' '),
    );
    await client.query('set plan_cache_mode = force_generic_plan');

    const wide: string[] = [];
    for (const sql of statements) wide.push(...report(sql, await wideNodes(client, sql)));
    await client.end();
    expect(statements.length).toBeGreaterThan(150);
    expect(wide).toEqual([]);
  });
});
