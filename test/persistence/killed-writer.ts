import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { claimNumber, minute, operationIn, unlimited } from './claims.ts';

// Runs in its own process: moves purchases 1, 2, 3, … to SENDING and prints each id after its acknowledgement.
const journal = await openSqliteJournal({ file: process.argv[2] ?? '' });
for (let at = 1; ; at += 1) {
  const { id } = operationIn(await journal.claim(claimNumber(at), unlimited));
  await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(at) });
  process.stdout.write(`${id}\n`);
}
