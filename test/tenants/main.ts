import { parseArgs } from 'node:util';
import { runInterleavings } from './interleavings.ts';

// npm run tenants -- --rounds 1000               a long run of test/tenants/interleavings.test.ts
// npm run tenants -- --rounds 40 --seed 4711     repeats a failed run

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '400' }, seed: { type: 'string' } },
});
const { rounds, seed } = values;
/** After this number of rounds the balance of the smallest account is nearly spent. */
const roundsOfMoney = 80;

let sent = 0;
for (let left = Number(rounds); left > 0; left -= roundsOfMoney) {
  sent += await runInterleavings({
    rounds: Math.min(left, roundsOfMoney),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
}
process.stdout.write(`${sent} queries of three tenants in ${rounds} rounds; no data crossed.\n`);
