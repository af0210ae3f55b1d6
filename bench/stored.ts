import { writeFileSync } from 'node:fs';
import { print, readArguments } from '../src/console/program.ts';
import { tableOf } from './report/numbers.ts';
import { measureBeside } from './stored/beside.ts';
import { measureDocuments } from './stored/documents.ts';
import { changes, measureFollowers, orders } from './stored/followers.ts';
import {
  growthHead,
  growthRows,
  measureStoredGrowth,
  storedGrowthPlotOf,
} from './stored/growth.ts';
import { measureLists } from './stored/lists.ts';
import {
  measurePostgresStatements,
  measureStatements,
  postgresHead,
  statementHead,
} from './stored/statements.ts';
import { measureWebhooks } from './stored/webhooks.ts';

// Sandbox, gateway and client are three processes.

const help = `Measures how long others wait beside stored lists, followers, slow webhooks, long lists and statements of large tables.

Usage: npm run bench:stored -- [--quick] [--only documents,followers,webhooks,lists,large,statements,growth]

  --quick     Small sizes, which show that it runs.
  --svg FILE  Where the picture of growth is written.
`;

const { values } = readArguments('bench:stored', help, {
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: 'documents,followers,webhooks,lists,large,statements,growth' },
    svg: { type: 'string' },
  },
});

const { quick } = values;
const followers = quick ? [0, 2] : [0, 20];
const parts: Readonly<Record<string, () => Promise<string[][]>>> = {
  documents: () =>
    measureDocuments(
      quick
        ? { orders: 2, lines: 5, items: 20, repeats: 2 }
        : { orders: 20, lines: 500, items: 2_000, repeats: 100 },
    ),
  followers: async () => [
    ...(await measureFollowers(orders, quick ? 5 : 500, followers)),
    ...(await measureFollowers(changes, quick ? 5 : 2_000, followers)),
  ],
  webhooks: () => (quick ? measureWebhooks(1, 1) : measureWebhooks(20, 30)),
  large: () => measureBeside(quick ? 2_000 : 1_000_000),
  lists: () => measureLists(quick ? 1_000 : 100_000),
};

const rows: string[][] = [];
for (const name of values.only.split(',')) {
  if (name === 'statements') {
    const size = quick ? 2_000 : 1_000_000;
    print(tableOf(statementHead, await measureStatements(size)));
    print(tableOf(postgresHead, await measurePostgresStatements(size)));
    continue;
  }
  if (name === 'growth') {
    const sizes = quick ? [1_000, 2_000] : [1_000, 10_000, 100_000, 1_000_000];
    const all = await measureStoredGrowth(sizes);
    print(tableOf(growthHead(sizes), growthRows(all)));
    if (values.svg) writeFileSync(values.svg, storedGrowthPlotOf(all, sizes));
    continue;
  }
  const part = parts[name];
  if (!part)
    throw new Error(
      `--only names "${name}". Use ${Object.keys(parts).join(', ')}, statements, growth.`,
    );
  rows.push(...(await part()));
}
if (rows.length > 0)
  print(tableOf(['beside', '`/health/live`, p50 / p99 / most in ms', 'result'], rows));
