import { Fault } from '../../kernel/faults.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { Approval } from '../../persistence/approval-store.ts';
import type { JobItem, JobRecord } from '../../persistence/job-record.ts';
import type { Journal } from '../../persistence/journal.ts';

/** What the journal stores in the options of a job that needs an approval. */
export interface ApprovedJob {
  /** Hash of the input of the job, which needs an approval as a whole. */
  readonly approval?: string | undefined;
  /** Set when single lines of an order need approvals. */
  readonly linesNeedApproval?: true | undefined;
}

export const needsApproval = ({ options }: Pick<JobRecord, 'options'>): boolean =>
  fromStoredJson<ApprovedJob>(options).approval !== undefined;

/** Whether the job, or a line of it, needs or needed an approval. */
export const hasApprovals = ({ options }: Pick<JobRecord, 'options'>): boolean => {
  const { approval, linesNeedApproval } = fromStoredJson<ApprovedJob>(options);
  return approval !== undefined || linesNeedApproval === true;
};

interface VerdictDeps {
  readonly journal: Pick<Journal, 'approvals'>;
  readonly account: string;
}

/** Why nothing may be sent for a job; null when its input was approved, or needs no approval. */
export async function refusalOf(
  { journal, account }: VerdictDeps,
  { id, options }: Pick<JobRecord, 'id' | 'options'>,
): Promise<Fault | null> {
  const { approval: hash } = fromStoredJson<ApprovedJob>(options);
  if (hash === undefined) return null;
  const [approval] = await journal.approvals.byIds(account, [id]);
  return refusalIn(approval, hash);
}

/** The id of the approval of one line of an order. */
export const lineApprovalId = (orderId: string, position: number): string =>
  `${orderId}:${position}`;

/** The same for a line that waited for an approval of its own. */
export async function refusalOfLine(
  { journal, account }: VerdictDeps,
  { jobId, position, fingerprint }: JobItem,
): Promise<Fault | null> {
  const [approval] = await journal.approvals.byIds(account, [lineApprovalId(jobId, position)]);
  return refusalIn(approval, fingerprint);
}

/** The same for an approval, and the hash of the input that it must be about. */
export function refusalIn(approval: Approval | undefined, hash: string): Fault | null {
  if (approval?.fingerprint !== hash) return notApproved;
  const { state, reason } = approval;
  if (state === 'GRANTED') return null;
  if (state === 'EXPIRED') return new Fault('APPROVAL_EXPIRED');
  if (state === 'CANCELLED') return new Fault('APPROVAL_CANCELLED');
  if (state !== 'REJECTED') return notApproved;
  return reason === null
    ? new Fault('APPROVAL_REJECTED')
    : new Fault('APPROVAL_REJECTED', {
        message: `Another person refused the approval, so nothing was sent. The reason: ${reason}`,
      });
}

const notApproved = new Fault('APPROVAL_REQUIRED', {
  message: 'No other person has approved this, so nothing was sent.',
  retryable: false,
});
