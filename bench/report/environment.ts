import { cpus } from 'node:os';

/** Where and how a run was made, as far as its figures depend on it. */
export interface Environment {
  readonly node: string;
  readonly cores: number;
  /** Whether the measured server had a core of its own. */
  readonly pinned: boolean;
  readonly rounds: number;
  readonly seconds: number;
}

export const environmentOf = (run: {
  pinned: boolean;
  rounds: number;
  seconds: number;
}): Environment => ({ node: process.version, cores: cpus().length, ...run });

export const sentenceOf = ({ node, cores, pinned, rounds, seconds }: Environment): string =>
  [
    `Node ${node}, ${cores} cores, ${rounds === 1 ? 'one round' : `${rounds} rounds by turns`} of ${seconds} s for each server.`,
    pinned
      ? 'The measured server has one core; the mock upstream and the load share another.'
      : '**Not pinned**: server, mock upstream and load take each other’s cores, so only CPU time can be compared.',
  ].join(' ');
