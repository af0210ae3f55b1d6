import { parseArgs } from 'node:util';
import { soak } from './soak.ts';
import { inWords } from './verdict.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } });
const minutes = Number(values.minutes);
const say = (text: string) => process.stdout.write(`${text}\n`);

const { trends, tally, broken, exitCode } = await soak({
  seconds: minutes * 60,
  everySeconds: Math.max(5, minutes / 2),
  onSample: (sample) => say(JSON.stringify(sample)),
});
say(`\n${tally.requests} requests in ${minutes} minutes; ${tally.bought.size} domains bought.`);
for (const [kind, count] of [...tally.responses].sort()) say(`  ${kind.padEnd(32)} ${count}`);
for (const trend of trends) say(inWords(trend));
for (const sentence of broken) say(`BROKEN: ${sentence}`);
say(`The gateway stopped with ${exitCode}.`);
if (broken.length > 0 || exitCode !== 0 || trends.some(({ isFlat }) => !isFlat))
  process.exitCode = 1;
