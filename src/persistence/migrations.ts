import { type Kysely, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { coreTables } from './core-tables.ts';
import { statementsFor, type Table } from './table.ts';
import { isPostgres, type JournalTables } from './tables.ts';
import { guarded, unavailable } from './unavailable.ts';

/** The step that runs statements. */
const step = (statements: Table['steps'][number]): Migration => ({
  async up(db: Kysely<unknown>) {
    const driver = isPostgres(db) ? 'postgres' : 'sqlite';
    for (const statement of statementsFor(driver, statements)) await sql.raw(statement).execute(db);
  },
});

/**
 * The migrations of the core by name; they run in the order of their names, before those of features.
 *
 * A released step is never edited, and imports no code that can change: the release replaces the declarations of its tables by the
 * statements that `npm run ddl` prints.
 */
const migrations: Record<string, Migration> = {
  '0001-base': step(coreTables.flatMap(({ steps }) => steps.flat())),
};

/** The steps of a table, such as `calendar_feeds.0001`. */
const stepsOf = ({ name, steps }: Table): readonly (readonly [string, Migration])[] =>
  steps.map((statements, at) => [`${name}.${String(at + 1).padStart(4, '0')}`, step(statements)]);

const stepsWith = (tables: readonly Table[]): Readonly<Record<string, Migration>> => ({
  ...migrations,
  ...Object.fromEntries(tables.flatMap(stepsOf)),
});

/** Whether the step is of a table of a feature that is not there. */
function isOfOther(step: string, tables: readonly Table[]): boolean {
  const table = /^(\w+)\.\d{4}$/.exec(step)?.[1];
  return table !== undefined && !tables.some(({ name }) => name === table);
}

/** A step that a newer version of the gateway has taken; undefined for none. */
export function newerStep(taken: readonly string[], tables: readonly Table[]): string | undefined {
  const steps = stepsWith(tables);
  return taken.find((step) => !(step in steps) && !isOfOther(step, tables));
}

/** The first steps of the journals before the first release, which had other tables. */
const earlierSteps: readonly string[] = [
  ...['0001-operations', '0001-purchases', '0001-journal', '0001-first-release', '0001-tables'],
  '0001-core',
];

/** Kysely's own record of the steps that were taken. */
type MigrationTables = { readonly kysely_migration: { readonly name: string } };

/**
 * Brings the database up to this code, with the tables of the features that are there. The tables of other features remain. Two
 * processes that start at once take turns.
 *
 * @throws Fault `JOURNAL_UNAVAILABLE` when a step fails, or when a newer version of the gateway has been here.
 */
export async function migrate(
  db: Kysely<JournalTables>,
  tables: readonly Table[] = [],
): Promise<void> {
  await guarded(async () => {
    const taken = await takenSteps(db);
    if (taken.some((name) => earlierSteps.includes(name))) {
      throw unavailable(undefined, {
        message:
          'The journal was written by a development version before the first release, whose tables this version cannot read; name another journal, or delete that one.',
      });
    }
    const steps = stepsWith(tables);
    const names = Object.keys(steps);
    const unknown = newerStep(taken, tables);
    if (unknown !== undefined) {
      throw unavailable(undefined, {
        message: `The journal was written by a newer version of this gateway (step "${unknown}"); start that version, or name another journal.`,
      });
    }
    if (names.every((name) => taken.includes(name))) return;
    for (let others = taken.filter((step) => isOfOther(step, tables)); ; ) {
      const error = await runSteps(db, steps, others);
      if (!error) return;
      // A process that has another feature may have added its steps in between.
      const now = (await takenSteps(db)).filter((step) => isOfOther(step, tables));
      if (now.length === others.length) throw error;
      others = now;
    }
  });
}

/** Runs the steps that were not taken. `others` are those of features that are not there. Returns why one failed. */
async function runSteps(
  db: Kysely<JournalTables>,
  steps: Readonly<Record<string, Migration>>,
  others: readonly string[],
): Promise<unknown> {
  const names = Object.keys(steps);
  // The migrator refuses a database with steps that it does not know.
  const all = {
    ...steps,
    ...Object.fromEntries(others.map((step) => [step, { up: async () => undefined }])),
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => all },
    // A feature may be added between the steps of others.
    allowUnorderedMigrations: true,
    // In the order of the list, because a trigger may need the table of another feature.
    nameComparator: (one, other) => names.indexOf(one) - names.indexOf(other),
  });
  return (await migrator.migrateToLatest()).error;
}

async function takenSteps(db: Kysely<JournalTables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === 'kysely_migration')) return [];
  const steps = db.$extendTables<MigrationTables>();
  const rows = await steps.selectFrom('kysely_migration').select('name').execute();
  return rows.map(({ name }) => name);
}
