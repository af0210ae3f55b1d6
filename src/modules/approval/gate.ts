import type { ApprovalRule, ApprovalRules } from '../../kernel/approval-rules.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { fingerprint } from '../../kernel/fingerprint.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import type { NewApproval } from '../../persistence/approval-store.ts';
import type { Journal } from '../../persistence/journal.ts';
import type { ApprovalGate, JobRequest, OperationToApprove } from '../mutation/approval-gate.ts';

export interface GateDeps {
  /** The rules in force; null when no approval is needed for anything. */
  readonly approvalRules: () => ApprovalRules | null;
  readonly journal: Pick<Journal, 'approvals'>;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  readonly caller: Caller;
  /** Whether a model requests it with a tool. */
  readonly viaMcp?: boolean | undefined;
}

/** Decides which requests of a caller need the approval of another one, and requests it. */
export function createApprovalGate(deps: GateDeps): ApprovalGate {
  const { approvalRules, account, clock, randomness, caller, viaMcp = false } = deps;
  const { name, customer } = caller;
  const { approvals } = deps.journal;

  const ruleFor = (subject: OperationToApprove): ApprovalRule | null =>
    approvalRules()?.matching({ ...subject, caller, viaMcp }) ?? null;

  const withTimes = (wanted: JobRequest): NewApproval => {
    const requestedAt = clock.now();
    const expiresAt = new Date(requestedAt.getTime() + wanted.rule.expiresAfterMs);
    return { ...wanted, caller: name, requestedAt, expiresAt };
  };
  const request = (wanted: JobRequest): Promise<string> =>
    approvals.request(account, withTimes(wanted));

  const required = new Map<DomainName, Promise<void>>();
  const gate: ApprovalGate = {
    ruleFor,
    ruleForAny(operations, subject) {
      const all = operations.map((operation) => ({ ...subject, operation, caller, viaMcp }));
      const rule = approvalRules()?.matching(...all);
      const operation = operations.find((one) => rule?.operations.includes(one));
      return rule && operation ? { rule, operation } : null;
    },
    request,
    requestLines: (lines) => approvals.requestLines(account, lines.map(withTimes)),
    async require({ operation, domain, input = {}, check }) {
      const rule = ruleFor({ operation, cost: null, premium: null, count: 1 });
      if (!rule) return;
      const hash = fingerprint(operation, { ...input, domain });
      const repeated = { operation, domain, caller: name, customer, fingerprint: hash };
      const at = clock.now();
      if (await approvals.use(account, repeated, at)) return;
      let approvalId = (await approvals.requested(account, repeated, at))?.id;
      if (approvalId === undefined) {
        await check?.();
        // An equal request that has expired would be returned as the one that waits.
        await approvals.expire(account, clock.now());
        const unpriced = { jobKind: null, count: 1, cost: null, price: null };
        approvalId = await request({ ...repeated, ...unpriced, id: randomness.uuid(), rule });
      }
      throw new Fault('APPROVAL_REQUIRED', { facts: { approvalId } });
    },
    requireForAuthCodes(domain) {
      const known = required.get(domain);
      const result = known ?? gate.require({ operation: 'AUTH_CODE', domain });
      if (!known) required.set(domain, result);
      return result;
    },
  };
  return gate;
}
