import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { claimNumber } from './claims.ts';

// Runs in its own process: opens or creates the file, claims keys 1 … 50 and prints how many succeeded,
// with the given limit per hour.
const [file = '', name = '', perHour = '50'] = process.argv.slice(2);
const limits = { GATEWAY: { perHour: Number(perHour) }, KEY: {} };
const journal = await openSqliteJournal({ file });
let won = 0;
for (let at = 1; at <= 50; at += 1) {
  const { outcome } = await journal.claim(claimNumber(at, { id: `${name}-${at}` }), limits);
  if (outcome === 'claimed') won += 1;
}
await journal.close();
process.stdout.write(String(won));
