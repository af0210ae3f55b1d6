import type {
  ApprovalOperation,
  ApprovalRule,
  ApprovalSubject,
} from '../../kernel/approval-rules.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import type { NewApproval } from '../../persistence/approval-store.ts';
import { requestHook } from '../../scope/scope.ts';

export type OperationToApprove = Omit<ApprovalSubject, 'caller' | 'viaMcp'>;

interface NeededApproval {
  readonly rule: ApprovalRule;
  readonly operation: ApprovalOperation;
}

/** What a job that waits needs the approval for. */
export type JobRequest = Omit<NewApproval, 'caller' | 'requestedAt' | 'expiresAt'>;

/** An operation that its caller sends again after the approval. */
interface RepeatedOperation {
  readonly operation: Exclude<ApprovalOperation, 'REGISTRATION' | 'TRANSFER' | 'BULK_CHANGE'>;
  readonly domain: DomainName;
  /** What the approval is about besides the domain. */
  readonly input?: object;
  /** Throws when the operation cannot succeed, before its approval is requested. */
  readonly check?: () => Promise<void>;
}

/** Decides which requests of a caller need the approval of another one, and requests it. */
export interface ApprovalGate {
  /** Null when no approval is needed. */
  ruleFor(subject: OperationToApprove): ApprovalRule | null;
  /** The same for a request that is several operations: the first rule that matches one of them, and that operation. */
  ruleForAny(
    operations: readonly ApprovalOperation[],
    subject: Omit<OperationToApprove, 'operation'>,
  ): NeededApproval | null;
  /** Must be called before the job with this id is stored, whose items are held. Returns the id of the approval. */
  request(wanted: JobRequest): Promise<string>;
  /** The same for the lines of one order that wait one by one. */
  requestLines(lines: readonly JobRequest[]): Promise<void>;
  /**
   * Uses the approval of this operation, if a rule needs one. Without it the approval is requested, once for all repetitions.
   *
   * @throws Fault `APPROVAL_REQUIRED` with the id of the approval that waits.
   */
  require(operation: RepeatedOperation): Promise<void>;
  /** As `require`, for the auth codes of a domain and of its contacts: one approval is for all that the request selects. */
  requireForAuthCodes(domain: DomainName): Promise<void>;
}

/** Each update of a subscription needs its own approval for an auth code. */
export const approvalGate = requestHook<ApprovalGate>('approvalGate', { isOfUpdate: true });
