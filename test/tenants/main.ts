import { print, printProgress, readArguments } from '../../src/console/program.ts';

const help = `Runs queries of three tenants at once and checks that nothing of one reaches another.

Usage: npm run tenants -- [--rounds N] [--seed N]

  --rounds N  Default 400.
  --seed N    Repeats a run that failed.
`;

const { values } = readArguments('tenants', help, {
  options: { rounds: { type: 'string', default: '400' }, seed: { type: 'string' } },
});
const { rounds, seed } = values;
// The help needs no gateway.
const { runInterleavings } = await import('./interleavings.ts');
/** After this number of rounds the balance of the smallest account is nearly spent. */
const roundsOfMoney = 80;

let sent = 0;
for (let left = Number(rounds); left > 0; left -= roundsOfMoney) {
  printProgress(`${left} rounds left`);
  sent += await runInterleavings({
    rounds: Math.min(left, roundsOfMoney),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
}
printProgress('');
print(`${sent} queries of three tenants in ${rounds} rounds; no data crossed.`);
