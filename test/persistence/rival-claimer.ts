import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { claimNumber } from './claims.ts';

// Run as a process of its own: opens the file (perhaps as the first), claims keys 1 … 50 and prints how many it won,
// of as many in an hour as are allowed.
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
