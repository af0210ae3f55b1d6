import type { Fault } from '../../kernel/faults.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import { type Holds, noDecision, type Verdict } from './holds.ts';

/** What the journal stores in the options of a job that is held. */
export interface HeldJob {
  /** Hashes of the input that the decisions must be about, by the names of the features that hold it. */
  readonly heldInputs?: Readonly<Record<string, string>> | undefined;
}

const heldInputsOf = ({ options }: Pick<JobRecord, 'options'>) =>
  Object.entries(fromStoredJson<HeldJob>(options).heldInputs ?? {});

/** Whether the job is or was held. */
export const isHeldJob = (job: Pick<JobRecord, 'options'>): boolean => heldInputsOf(job).length > 0;

interface VerdictDeps {
  readonly holds: readonly Pick<Holds, 'by' | 'verdict'>[];
}

/** The decision about a job; of several the first refusal, and the latest time. The cost may rise only where each allows it. */
export async function verdictOf(
  { holds }: VerdictDeps,
  job: Pick<JobRecord, 'id' | 'options'>,
): Promise<Verdict> {
  const { id } = job;
  const verdicts = await Promise.all(
    heldInputsOf(job).map(
      ([name, fingerprint]) =>
        holds.find(({ by }) => by === name)?.verdict({ id, fingerprint }) ?? leftOut,
    ),
  );
  const first = <Part>(partOf: (verdict: Verdict) => Part | null): Part | null =>
    verdicts.map(partOf).find((part) => part !== null) ?? null;
  const decided = verdicts.flatMap(({ decidedAt }) => decidedAt?.getTime() ?? []);
  const rises = verdicts.map(({ highestRise }) => highestRise);
  return {
    refusal: first(({ refusal }) => refusal),
    cost: first(({ cost }) => cost),
    costRose: first(({ costRose }) => costRose),
    highestRise: rises.includes(null) ? null : (rises[0] ?? null),
    waitsForFunds: verdicts.some(({ waitsForFunds }) => waitsForFunds),
    decidedAt: decided.length > 0 ? new Date(Math.max(...decided)) : null,
  };
}

const leftOut: Verdict = {
  ...{ refusal: noDecision, cost: null, decidedAt: null, costRose: null },
  ...{ highestRise: null, waitsForFunds: false },
};

/** Why nothing may be sent for a job; null when its input was released, or is not held. */
export const refusalOf = async (
  deps: VerdictDeps,
  job: Pick<JobRecord, 'id' | 'options'>,
): Promise<Fault | null> => (await verdictOf(deps, job)).refusal;

/** Ends the wait of a job that is cancelled. Returns the fault of a purchase that ends with it; null when nothing waits. */
export async function cancelHold(
  holds: readonly Pick<Holds, 'cancel'>[],
  jobId: string,
): Promise<Fault | null> {
  const ends = await Promise.all(holds.map((one) => one.cancel(jobId)));
  return ends.find((end) => end !== null) ?? null;
}
