import { globalId } from '../../kernel/ids.ts';
import { dayMs, orphanAfterMs } from '../../kernel/instant.ts';
import { WorkLoop, type WorkLoopOptions } from '../../kernel/work-loop.ts';
import type { EventLog, EventType, NewEvent } from '../../scope/hooks.ts';
import type { Approval, ApprovalStore } from './store.ts';

interface ApprovalLoopOptions extends WorkLoopOptions {
  readonly approvals: ApprovalStore;
  readonly events: EventLog;
  readonly account: string;
  /** Whether requests can need an approval. */
  readonly hasRules: boolean;
  /** Ends the jobs whose approval has expired. */
  readonly startJobs: () => void;
  /** Default: one second. */
  readonly everyMs?: number;
}

const perRead = 100;

/**
 * Ends the approvals that have expired, and stores the events of all. Each replica does it: an approval expires once, and the id of an
 * event is derived from the approval. Without rules it ends with the approvals that wait from before.
 */
export function startApprovalLoop(options: ApprovalLoopOptions): WorkLoop {
  const { approvals, events, account, clock, hasRules, startJobs, everyMs = 1_000 } = options;
  const loop = new WorkLoop(options);
  let hasBegun = false;
  const begin = async () => {
    const before = new Date(clock.now().getTime() - orphanAfterMs);
    let after = await approvals.deleteOrphans(account, before);
    while (after !== null) {
      await clock.wait(0, loop.signal);
      after = await approvals.deleteOrphans(account, before, after);
    }
    hasBegun = true;
  };
  const poll = async (): Promise<number> => {
    if (!hasRules && !(await approvals.hasRequested(account))) return dayMs;
    if (!hasBegun) await begin();
    if (!(await approvals.hasDue(account, clock.now()))) return everyMs;
    const hasExpired = await approvals.expire(account, clock.now());
    if (hasExpired) startJobs();
    for (const approval of await approvals.unreported(account, perRead)) {
      for (const event of eventsOf(approval)) await events.append(event);
      await approvals.reported(account, approval);
    }
    return hasExpired ? 0 : everyMs;
  };
  loop.start(poll, () => everyMs);
  return loop;
}

/** All events of an approval until now. One that is stored already is not stored again. */
function eventsOf(approval: Approval): readonly NewEvent[] {
  const { id, jobKind, domain, caller, customer, state, decidedAt, decidedBy } = approval;
  const event = (type: EventType, at: Date, by: Pick<NewEvent, 'caller' | 'source'>): NewEvent => ({
    ...{ id: `${id}:${type}`, type, at, subject: globalId('Approval', id), domain, customer },
    ...{ purchaseId: jobKind === 'PURCHASE' ? id : null, before: null, after: null, ...by },
  });
  const requested = event('APPROVAL_REQUESTED', approval.requestedAt, {
    caller,
    source: 'GATEWAY',
  });
  const decision = state === 'REJECTED' ? 'APPROVAL_REJECTED' : 'APPROVAL_GRANTED';
  return [
    requested,
    ...(decidedAt ? [event(decision, decidedAt, { caller: decidedBy, source: 'GATEWAY' })] : []),
    ...(state === 'EXPIRED'
      ? [event('APPROVAL_EXPIRED', approval.expiresAt, { caller: null, source: 'UPSTREAM' })]
      : []),
  ];
}
