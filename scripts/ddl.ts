import { print, readArguments } from '../src/console/program.ts';
import { features } from '../src/features/index.ts';
import { coreTables } from '../src/persistence/core-tables.ts';
import { replicaTables } from '../src/persistence/replicas.ts';
import { statementsFor } from '../src/persistence/table.ts';

const help = `Prints the statements that create the tables, for SQLite.

Usage: npm run ddl -- [OPTIONS]

  --postgres  For PostgreSQL instead.
`;

const { values } = readArguments('ddl', help, { options: { postgres: { type: 'boolean' } } });
const ofFeatures = features.flatMap((feature) => feature.tables ?? []);
const tables = [...coreTables, ...replicaTables, ...ofFeatures];
const statements = tables.flatMap(({ steps }) => steps.flat());

print(
  statementsFor(values.postgres ? 'postgres' : 'sqlite', statements)
    .map((statement) => `${statement};\n`)
    .join(''),
);
