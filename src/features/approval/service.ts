import { type Caller, mayAny } from '../../kernel/caller.ts';
import { Fault, invalidInput } from '../../kernel/faults.ts';
import { isVisibleTo, ofCustomer } from '../../kernel/visibility.ts';
import type { Clock } from '../../lib/clock.ts';
import { memoize } from '../../lib/lazy.ts';
import { readStoredPage } from '../../lib/pages.ts';
import { asPayload, checkWords } from '../../modules/mutation/checks.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { StoredReads } from '../../scope/reads.ts';
import { readRegistrations } from './requested.ts';
import type { ApprovalRules } from './rules.ts';
import type {
  Approval,
  ApprovalDecision,
  ApprovalFilter,
  ApprovalPage,
  ApprovalStore,
} from './store.ts';

export type { RequestedRegistration } from './requested.ts';
export type { Approval, ApprovalFilter, ApprovalPage, ApprovalState } from './store.ts';

interface ApprovalDeps {
  readonly approvalRules: () => ApprovalRules | null;
  readonly approvals: ApprovalStore;
  readonly journal: Pick<Journal, 'jobs'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly caller: Caller;
  readonly stored: Pick<StoredReads, 'batched' | 'inTurn'>;
  /** Starts the work on a decided job. */
  readonly startJobs: () => void;
}

interface RejectInput {
  /** Null for text that is no id of an approval. */
  readonly id: string | null;
  readonly reason?: string | null | undefined;
}

/** The approvals of an account. A caller that may not decide sees its own requests; one of a customer those for this customer. */
export function createApprovalService(deps: ApprovalDeps) {
  const { approvals, account, clock, caller, startJobs } = deps;
  const seesAll = mayAny(caller, ['approvals:decide', 'ops']);
  const isVisible = (approval: Approval) => seesAll || isVisibleTo(caller, approval);
  const visible = (approval: Approval | null) =>
    approval && isVisible(approval) ? approval : null;
  const stored = deps.stored.batched((ids) => approvals.byIds(account, ids));
  const byId = async (id: string) => visible(await stored(id));

  /** @throws Fault when the caller must not decide about it. */
  const checkDecider = (approval: Approval): string => {
    const { name } = caller;
    if (name === null) throw noOtherPerson;
    const isSame = deps.approvalRules()?.isSamePerson(name, approval.caller);
    if (isSame ?? (approval.caller === null || approval.caller === name)) throw ownRequest;
    return name;
  };

  const decide = (id: string | null, to: ApprovalDecision['to'], given: RejectInput['reason']) =>
    asPayload(async () => {
      const reason = checkWords('reason', given);
      const approval = id === null ? null : await byId(id);
      if (!approval) throw noApproval;
      const by = checkDecider(approval);
      const decided = await approvals.decide(account, approval.id, {
        to,
        at: clock.now(),
        by,
        reason,
      });
      if (!decided) throw alreadyDecided(stateAt((await stored(approval.id)) ?? approval));
      if (decided.jobKind !== null) startJobs();
      return { approval: decided };
    });

  /** An approval has expired at its time, also before a process has stored that. */
  const stateAt = memoize(({ state, jobKind, expiresAt }: Approval) => {
    const isOpen = state === 'REQUESTED' || (state === 'GRANTED' && jobKind === null);
    return isOpen && expiresAt <= clock.now() ? 'EXPIRED' : state;
  });

  return {
    seesAll,
    byId,
    /** For the audit log, also of an approval that the caller does not see. */
    domainOf: async (id: string | null) =>
      id === null ? null : ((await stored(id))?.domain ?? null),
    stateOf: stateAt,
    registrationsOf: (approval: Approval) => readRegistrations(deps, approval),
    /** Whether the caller may know who requested it. */
    seesNames: ({ caller: name }: Approval): boolean => seesAll || name === caller.name,
    list: ({ filter = {}, ...page }: ApprovalPage) =>
      readStoredPage(approvals, account, {
        ...page,
        filter: seesAll ? filter : ownFilter(caller, filter),
      }),
    approve: (id: string | null) => decide(id, 'GRANTED', null),
    reject: ({ id, reason }: RejectInput) => decide(id, 'REJECTED', reason),
  };
}

/** No caller has an empty name. */
function ownFilter(caller: Caller, filter: ApprovalFilter): ApprovalFilter {
  const { name, customer } = caller;
  if (customer !== null) return ofCustomer(caller, filter);
  return { ...filter, caller: (filter.caller ?? name) === name ? (name ?? '') : '' };
}

const idPath = { path: ['input', 'id'] };
const noApproval = new Fault('NOT_FOUND', { message: 'There is no such approval.', ...idPath });
const noOtherPerson = new Fault('FORBIDDEN', {
  message:
    'This gateway requires no credential, so it cannot know that another person decides; set API keys.',
});
const ownRequest = new Fault('FORBIDDEN', {
  message: 'This request was made by the same person; another one has to decide.',
  ...idPath,
});
const alreadyDecided = (state: Approval['state']) =>
  invalidInput(`This approval is ${state}, so it cannot be decided any more.`, idPath);
