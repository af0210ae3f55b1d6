import { print, printProgress, readArguments } from '../../src/console/program.ts';
import { inWords } from './verdict.ts';

const help = `Runs a gateway under load and checks that memory, sockets and timers do not grow.

Usage: npm run soak -- [--minutes N]

  --minutes N  Default 60.
`;

const { values } = readArguments('soak', help, {
  options: { minutes: { type: 'string', default: '60' } },
});
// The help needs no gateway.
const { soak } = await import('./soak.ts');
const minutes = Number(values.minutes);
const startedMs = performance.now();

const { trends, tally, broken, exitCode } = await soak({
  seconds: minutes * 60,
  everySeconds: Math.max(5, minutes / 2),
  onSample(sample) {
    printProgress('');
    print(JSON.stringify(sample));
    printProgress(`${((performance.now() - startedMs) / 60_000).toFixed(1)} of ${minutes} minutes`);
  },
});
printProgress('');
print(`\n${tally.requests} requests in ${minutes} minutes; ${tally.bought.size} domains bought.`);
for (const [kind, count] of [...tally.responses].sort()) print(`  ${kind.padEnd(32)} ${count}`);
for (const trend of trends) print(inWords(trend));
for (const sentence of broken) print(`BROKEN: ${sentence}`);
print(`The gateway stopped with ${exitCode}.`);
if (broken.length > 0 || exitCode !== 0 || trends.some(({ isFlat }) => !isFlat))
  process.exitCode = 1;
