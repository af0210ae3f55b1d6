import type { Fault } from '../../kernel/faults.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { JobItem, JobRecord } from '../../persistence/job-record.ts';
import type { Holds, Verdict } from './holds.ts';

/** What the journal stores in the options of a job that is held. */
export interface HeldJob {
  /** Hash of the input of a job that is held as a whole. */
  readonly heldInput?: string | undefined;
  /** Set when single lines of an order are held. */
  readonly holdsLines?: true | undefined;
}

type Options = Pick<JobRecord, 'options'>;

/** Whether the job is or was held as a whole. */
export const isHeldJob = ({ options }: Options): boolean =>
  fromStoredJson<HeldJob>(options).heldInput !== undefined;

/** Whether the job, or a line of it, is or was held. */
export const hasHolds = ({ options }: Options): boolean => {
  const { heldInput, holdsLines } = fromStoredJson<HeldJob>(options);
  return heldInput !== undefined || holdsLines === true;
};

interface VerdictDeps {
  readonly holds: Pick<Holds, 'verdict'>;
}

const notHeld: Verdict = { refusal: null, cost: null, decidedAt: null };

/** The decision about a job as a whole. */
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

/** The id of one line of an order that is held. */
export const heldLineId = (orderId: string, position: number): string => `${orderId}:${position}`;

/** The same for a line that was held alone. */
export const refusalOfLine = async (
  { holds }: VerdictDeps,
  { jobId, position, fingerprint }: JobItem,
): Promise<Fault | null> =>
  (await holds.verdict({ id: heldLineId(jobId, position), fingerprint })).refusal;
