import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { claimNumber, unlimited } from './claims.ts';

// Run as a process of its own: opens the file (perhaps as the first), claims keys 1 … 50 and prints how many it won.
const [file = '', name = ''] = process.argv.slice(2);
const journal = await openSqliteJournal({ file });
let won = 0;
for (let at = 1; at <= 50; at += 1) {
  const { outcome } = await journal.claim(claimNumber(at, { id: `${name}-${at}` }), unlimited);
  if (outcome === 'claimed') won += 1;
}
await journal.close();
process.stdout.write(String(won));
