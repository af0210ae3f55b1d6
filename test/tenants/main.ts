import { parseArgs } from 'node:util';
import { runInterleavings } from './interleavings.ts';

// npm run tenants -- --rounds 1000               a long run of test/tenants/interleavings.test.ts
// npm run tenants -- --rounds 40 --seed 4711     one that failed, again

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '400' }, seed: { type: 'string' } },
});
const { rounds, seed } = values;
/** After so many the money of the smallest account is nearly spent. */
const roundsOfMoney = 80;

let asked = 0;
for (let left = Number(rounds); left > 0; left -= roundsOfMoney) {
  asked += await runInterleavings({
    rounds: Math.min(left, roundsOfMoney),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
}
process.stdout.write(`${asked} purchases of three tenants in ${rounds} rounds; nothing crossed.\n`);
