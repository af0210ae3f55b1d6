import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { print, readArguments } from '../src/console/program.ts';
import { parseDomainName } from '../src/kernel/domain-name.ts';
import { money } from '../src/kernel/money.ts';
import { Secret } from '../src/kernel/secret.ts';
import type { SpendLimits } from '../src/kernel/spend-limits.ts';
import type { Journal } from '../src/persistence/journal.ts';
import { openPostgresJournal } from '../src/persistence/postgres.ts';
import type { PurchaseState } from '../src/persistence/purchase-record.ts';
import { openSqliteJournal } from '../src/persistence/sqlite.ts';

// The steps are look-ups, the claim with spend limits, the mark before the call and the outcome after it. Each one is
// durable when it returns.

const help = `Measures the steps of the journal in a purchase, on the disk of the folder for temporary files.

Usage: npm run bench:journal -- [--purchases N] [--url postgres://…]

  --purchases N  Default 1000.
  --url URL      Measures this PostgreSQL database too.
`;

const { values } = readArguments('bench:journal', help, {
  options: { purchases: { type: 'string', default: '1000' }, url: { type: 'string' } },
});
const purchases = Number(values.purchases);
const warmUp = 100;

const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-bench-'));
try {
  await measure('SQLite', await openSqliteJournal({ file: join(folder, 'journal.sqlite') }));
  if (values.url) {
    await measure('PostgreSQL', await openPostgresJournal({ url: new Secret(values.url) }));
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The purchases of a run are all of one hour, so each counts all that came before it. */
async function measure(name: string, journal: Journal): Promise<void> {
  await run(`${name}, no limits`, journal, {});
  await run(`${name}, limits`, journal, { perDay: [money('1000000', 'USD')], perHour: 1_000_000 });
  await journal.close();
}

async function run(name: string, journal: Journal, limits: SpendLimits): Promise<void> {
  const spans: number[] = [];
  const account = randomUUID();
  for (let at = -warmUp; at < purchases; at += 1) {
    const startedMs = performance.now();
    await purchase(journal, account, limits);
    if (at >= 0) spans.push(performance.now() - startedMs);
  }
  spans.sort((one, other) => one - other);
  const quantile = (share: number) => spans[Math.floor(share * (spans.length - 1))] ?? 0;
  const shown = [0.5, 0.95, 0.99].map((share) => quantile(share).toFixed(2).padStart(8));
  print(
    `${name.padEnd(22)} p50${shown[0]} ms   p95${shown[1]} ms   p99${shown[2]} ms   ${purchases} purchases`,
  );
}

/** Every use of the journal that a purchase makes which goes well, in its order. */
async function purchase(journal: Journal, account: string, limits: SpendLimits): Promise<void> {
  const id = randomUUID();
  const domain = parseDomainName(`bench-${id}.com`);
  const price = money('11.2900', 'USD');
  const caller = 'bench';
  const claim = {
    ...{
      id,
      account,
      domain,
      caller,
      cost: price,
      retail: null,
      balanceAfter: null,
      key: id,
      fingerprint: id,
    },
    ...{ kind: 'REGISTRATION' as const, period: 1, claimedAt: new Date() },
    ...{ customer: null, orderId: null, orderLine: null },
  };
  const ofDomain = (states: readonly PurchaseState[]) =>
    journal.list(account, { filter: { domain, states }, limit: 1 });

  await journal.byKey(account, id);
  await ofDomain(['CLAIMED', 'SENDING', 'PENDING']);
  await journal.spending(claim);
  await journal.claim(claim, { GATEWAY: limits, KEY: limits });
  await ofDomain(['SUCCEEDED']);
  await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: new Date() });
  await journal.move(id, ['SENDING', 'PENDING'], { to: 'SUCCEEDED', at: new Date() });
}
