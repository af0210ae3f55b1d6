import { openSqliteJournal } from '../../src/persistence/sqlite.ts';
import { claimNumber, minute, operationIn, unlimited } from './claims.ts';

// Run as a process of its own: sends purchases 1, 2, 3, … and names each as soon as the journal has acknowledged it.
const journal = await openSqliteJournal({ file: process.argv[2] ?? '' });
for (let at = 1; ; at += 1) {
  const { id } = operationIn(await journal.claim(claimNumber(at), unlimited));
  await journal.move(id, ['CLAIMED'], { to: 'SENDING', at: minute(at) });
  process.stdout.write(`${id}\n`);
}
