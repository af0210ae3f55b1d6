import type { Fault } from '../../kernel/faults.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { JobRecord } from '../../persistence/job-record.ts';
import type { Holds, Verdict } from './holds.ts';

/** What the journal stores in the options of a job that is held. */
export interface HeldJob {
  /** Hash of the input. */
  readonly heldInput?: string | undefined;
}

/** Whether the job is or was held. */
export const isHeldJob = ({ options }: Pick<JobRecord, 'options'>): boolean =>
  fromStoredJson<HeldJob>(options).heldInput !== undefined;

interface VerdictDeps {
  readonly holds: Pick<Holds, 'verdict'>;
}

const notHeld: Verdict = { refusal: null, cost: null, decidedAt: null };

/** The decision about a job. */
export async function verdictOf(
  { holds }: VerdictDeps,
  { id, options }: Pick<JobRecord, 'id' | 'options'>,
): Promise<Verdict> {
  const { heldInput: fingerprint } = fromStoredJson<HeldJob>(options);
  return fingerprint === undefined ? notHeld : holds.verdict({ id, fingerprint });
}

/** Why nothing may be sent for a job; null when its input was released, or is not held. */
export const refusalOf = async (
  deps: VerdictDeps,
  job: Pick<JobRecord, 'id' | 'options'>,
): Promise<Fault | null> => (await verdictOf(deps, job)).refusal;
