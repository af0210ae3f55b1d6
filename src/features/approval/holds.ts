import { Fault } from '../../kernel/faults.ts';
import type { Holds } from '../../modules/job/holds.ts';
import type { ApprovalRules } from './rules.ts';
import type { Approval, ApprovalStore } from './store.ts';

interface HoldsDeps {
  readonly approvals: Pick<ApprovalStore, 'byIds' | 'cancel'>;
  readonly approvalRules: () => ApprovalRules | null;
  readonly account: string;
}

/** The requests that wait or waited for an approval. */
export const createApprovalHolds = ({ approvals, approvalRules, account }: HoldsDeps): Holds => ({
  by: 'approval',
  async verdict({ id, fingerprint }) {
    const [approval] = await approvals.byIds(account, [id]);
    return {
      refusal: refusalIn(approval, fingerprint),
      cost: approval?.cost ?? null,
      decidedAt: approval?.decidedAt ?? null,
      costRose: costRose(),
      ...{ highestRise: null, waitsForFunds: false },
    };
  },
  cancel: async (jobId) =>
    (await approvals.cancel(account, jobId)) ? new Fault('APPROVAL_CANCELLED') : null,
  nextStep:
    'Read `approval`. While it is REQUESTED, wait for the decision of another person, or cancel the purchase with `cancelPurchase`. When it is GRANTED, the gateway sends the purchase in a few seconds, or when purchases are no longer stopped.',
  holdsTools: () => approvalRules()?.isForTools ?? false,
});

/** Why nothing may be sent; null when the approval is granted and about this input. */
function refusalIn(approval: Approval | undefined, hash: string): Fault | null {
  if (approval?.fingerprint !== hash) return notApproved();
  const { state, reason } = approval;
  if (state === 'GRANTED') return null;
  if (state === 'EXPIRED') return new Fault('APPROVAL_EXPIRED');
  if (state === 'CANCELLED') return new Fault('APPROVAL_CANCELLED');
  if (state !== 'REJECTED') return notApproved();
  return reason === null
    ? new Fault('APPROVAL_REJECTED')
    : new Fault('APPROVAL_REJECTED', {
        message: `Another person refused the approval, so nothing was sent. The reason: ${reason}`,
      });
}

// Functions, because a test may import this file before the error codes of the feature are known.

const notApproved = () =>
  new Fault('APPROVAL_REQUIRED', {
    message: 'No other person has approved this, so nothing was sent.',
    retryable: false,
  });

const costRose = () =>
  new Fault('APPROVAL_REQUIRED', {
    message:
      'The cost rose after the approval was requested, so nothing was sent. A new purchase needs a new approval.',
    retryable: false,
  });
