import { dayMs, orphanAfterMs } from '../../kernel/instant.ts';
import { WorkLoop, type WorkLoopOptions } from '../../kernel/work-loop.ts';
import type { ApprovalStore } from './store.ts';

interface ApprovalLoopOptions extends WorkLoopOptions {
  readonly approvals: ApprovalStore;
  readonly account: string;
  /** Whether requests can need an approval. */
  readonly hasRules: boolean;
  /** Ends the jobs whose approval has expired. */
  readonly startJobs: () => void;
  /** Default: one second. */
  readonly everyMs?: number;
}

/**
 * Ends the approvals that have expired. Each replica does it: an approval expires once. Without rules it ends with the approvals that
 * wait from before.
 */
export function startApprovalLoop(options: ApprovalLoopOptions): WorkLoop {
  const { approvals, account, clock, hasRules, startJobs, everyMs = 1_000 } = options;
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
    return hasExpired ? 0 : everyMs;
  };
  loop.start(poll, () => everyMs);
  return loop;
}
