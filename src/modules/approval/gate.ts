import type {
  ApprovalOperation,
  ApprovalRule,
  ApprovalRules,
  ApprovalSubject,
} from '../../kernel/approval-rules.ts';
import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import type { NewApproval } from '../../persistence/approval-store.ts';
import type { Journal } from '../../persistence/journal.ts';
import { fingerprint } from '../purchase/idempotency.ts';

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

type Subject = Omit<ApprovalSubject, 'caller' | 'viaMcp'>;

interface NeededApproval {
  readonly rule: ApprovalRule;
  readonly operation: ApprovalOperation;
}

/** What a job that waits needs the approval for. */
type JobRequest = Omit<NewApproval, 'caller' | 'requestedAt' | 'expiresAt'>;

/** An operation that its caller sends again after the approval. */
interface RepeatedOperation {
  readonly operation: Exclude<ApprovalOperation, 'REGISTRATION' | 'TRANSFER' | 'BULK_CHANGE'>;
  readonly domain: DomainName;
  /** What the approval is about besides the domain. */
  readonly input?: object;
  /** Throws when the operation cannot succeed, before its approval is requested. */
  readonly check?: () => Promise<void>;
}

export type ApprovalGate = ReturnType<typeof createApprovalGate>;

/** Decides which requests of a caller need the approval of another one, and requests it. */
export function createApprovalGate(deps: GateDeps) {
  const { approvalRules, account, clock, randomness, caller, viaMcp = false } = deps;
  const { name, customer } = caller;
  const { approvals } = deps.journal;

  /** Null when no approval is needed. */
  const ruleFor = (subject: Subject): ApprovalRule | null =>
    approvalRules()?.matching({ ...subject, caller, viaMcp }) ?? null;

  const withTimes = (wanted: JobRequest): NewApproval => {
    const requestedAt = clock.now();
    const expiresAt = new Date(requestedAt.getTime() + wanted.rule.expiresAfterMs);
    return { ...wanted, caller: name, requestedAt, expiresAt };
  };
  const request = (wanted: JobRequest): Promise<string> =>
    approvals.request(account, withTimes(wanted));

  const required = new Map<DomainName, Promise<void>>();
  const gate = {
    ruleFor,
    /** The same for a request that is several operations: the first rule that matches one of them, and that operation. */
    ruleForAny(
      operations: readonly ApprovalOperation[],
      subject: Omit<Subject, 'operation'>,
    ): NeededApproval | null {
      const all = operations.map((operation) => ({ ...subject, operation, caller, viaMcp }));
      const rule = approvalRules()?.matching(...all);
      const operation = operations.find((one) => rule?.operations.includes(one));
      return rule && operation ? { rule, operation } : null;
    },
    /** Must be called before the job with this id is stored, whose items are held. */
    request,
    /** The same for the lines of one order that wait one by one. */
    requestLines: (lines: readonly JobRequest[]): Promise<void> =>
      approvals.requestLines(account, lines.map(withTimes)),
    /**
     * Uses the approval of this operation, if a rule needs one. Without it the approval is requested, once for all repetitions.
     *
     * @throws Fault `APPROVAL_REQUIRED` with the id of the approval that waits.
     */
    async require({ operation, domain, input = {}, check }: RepeatedOperation): Promise<void> {
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
    /** As `require`, for the auth codes of a domain and of its contacts: one approval is for all that the request selects. */
    requireForAuthCodes(domain: DomainName): Promise<void> {
      const known = required.get(domain);
      const result = known ?? gate.require({ operation: 'AUTH_CODE', domain });
      if (!known) required.set(domain, result);
      return result;
    },
  };
  return gate;
}
