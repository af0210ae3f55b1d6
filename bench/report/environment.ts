import { cpus } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** Where and how a run was made, as far as its figures depend on it. */
export interface Environment {
  readonly node: string;
  readonly cores: number;
  /** Whether the measured server had a core of its own. */
  readonly pinned: boolean;
  readonly rounds: number;
  readonly seconds: number;
  /** The part of the CPU time of all cores that other programs used before the run, 0 to 1. */
  readonly busy: number;
}

export const environmentOf = async (run: {
  pinned: boolean;
  rounds: number;
  seconds: number;
}): Promise<Environment> => ({
  ...{ node: process.version, cores: cpus().length, ...run },
  busy: await readBusy(),
});

/** Above it other programs disturb the figures. */
const mostBusy = 0.1;

async function readBusy(): Promise<number> {
  const sum = (read: (times: ReturnType<typeof cpus>[number]['times']) => number) =>
    cpus().reduce((all, { times }) => all + read(times), 0);
  const read = () => ({
    idleMs: sum(({ idle }) => idle),
    allMs: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  });
  const before = read();
  await wait(2_000);
  const after = read();
  return 1 - (after.idleMs - before.idleMs) / (after.allMs - before.allMs);
}

/** Null on a quiet machine. */
export const warningOf = ({ busy }: Environment): string | null =>
  busy > mostBusy
    ? `**The machine is busy**: other programs used ${Math.round(busy * 100)} % of its CPU time before the run and disturb all figures.`
    : null;

export const sentenceOf = (environment: Environment): string => {
  const { node, cores, pinned, rounds, seconds } = environment;
  const sentences = [
    `Node ${node}, ${cores} cores, ${rounds === 1 ? 'one round' : `${rounds} rounds by turns`} of ${seconds} s for each server.`,
    pinned
      ? 'The measured server has one core; the mock upstream and the load share another.'
      : '**Not pinned**: server, mock upstream and load take each other’s cores, so only CPU time can be compared.',
    warningOf(environment),
  ];
  return sentences.filter((one) => one !== null).join(' ');
};
