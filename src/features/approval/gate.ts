import type { Caller } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { globalId } from '../../kernel/ids.ts';
import { fingerprint } from '../../kernel/stored-json.ts';
import type { Clock, Randomness } from '../../lib/clock.ts';
import type {
  Gate,
  GatedOperation,
  GatedSubject,
  NeededHold,
  RepeatedOperation,
} from '../../modules/mutation/gate.ts';
import type { ApprovalOperation, ApprovalRule, ApprovalRules } from './rules.ts';
import type { ApprovalStore, NewApproval } from './store.ts';

export interface GateDeps {
  /** The rules in force; null when no approval is needed for anything. */
  readonly approvalRules: () => ApprovalRules | null;
  readonly approvals: ApprovalStore;
  readonly account: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'uuid'>;
  readonly caller: Caller;
  /** Whether a model requests it with a tool. */
  readonly viaTool?: boolean | undefined;
}

/** The rule that a request matches, and which of its operations. */
interface NeededApproval extends NeededHold {
  readonly rule: ApprovalRule;
  readonly operation: ApprovalOperation;
}

type Wanted = Omit<NewApproval, 'caller' | 'requestedAt' | 'expiresAt'>;

/** Decides which requests of a caller need the approval of another one, and requests it. */
export function createApprovalGate(deps: GateDeps): Gate {
  const { approvalRules, approvals, account, clock, randomness, caller, viaTool = false } = deps;
  const { name, customer } = caller;

  /** Domains that the changes of this request are about. */
  let changes = 0;
  /** Domains whose single changes are allowed. */
  const changedAlone = new Set<DomainName>();

  function decide(
    operations: readonly GatedOperation[],
    subject: GatedSubject,
  ): NeededApproval | null {
    if (operations.includes('BULK_CHANGE')) changes += subject.count;
    const subjects = operations.map((operation) => ({
      ...{ ...subject, operation, caller, viaTool },
      count: operation === 'BULK_CHANGE' ? changes : subject.count,
    }));
    const rule = approvalRules()?.matching(...subjects);
    const operation = operations.find((one) => rule?.operations.includes(one));
    return rule && operation
      ? { by: 'approval', refusal: retryNotApproved(), rule, operation }
      : null;
  }
  const withTimes = (wanted: Wanted): NewApproval => {
    const requestedAt = clock.now();
    const expiresAt = new Date(requestedAt.getTime() + wanted.rule.expiresAfterMs);
    return { ...wanted, caller: name, requestedAt, expiresAt };
  };

  async function require({ operation, domain, check }: RepeatedOperation): Promise<void> {
    const rule = decide([operation], oneDomain)?.rule;
    if (!rule) return;
    const hash = fingerprint(operation, { domain });
    const repeated = { operation, domain, caller: name, customer, fingerprint: hash };
    const at = clock.now();
    if (await approvals.use(account, repeated, at)) {
      // Another person has approved it, so it is no part of a bulk change.
      if (operation === 'UNLOCK') changedAlone.add(domain);
      return;
    }
    let approvalId = (await approvals.requested(account, repeated, at))?.id;
    if (approvalId === undefined) {
      await check?.();
      // An equal request that has expired would be returned as the one that waits.
      let hasExpired = true;
      while (hasExpired) hasExpired = await approvals.expire(account, clock.now());
      const unpriced = { jobKind: null, count: 1, cost: null, price: null };
      const wanted = { ...repeated, ...unpriced, id: randomness.uuid(), rule };
      approvalId = await approvals.request(account, withTimes(wanted));
    }
    const extensions = { approvalId: globalId('Approval', approvalId) };
    throw new Fault('APPROVAL_REQUIRED', { facts: { extensions } });
  }

  const required = new Map<DomainName, Promise<void>>();
  return {
    decide,
    async hold({ hold, ...wanted }) {
      // It is one that `decide` returned.
      const { rule, operation } = hold as NeededApproval;
      await approvals.request(account, withTimes({ ...wanted, rule, operation }));
    },
    require,
    requireForChange(domain) {
      if (changedAlone.has(domain)) return;
      const needed = decide(['BULK_CHANGE'], oneDomain);
      if (needed && changes > 1) throw changesNotApproved();
      changedAlone.add(domain);
    },
    requireForAuthCodes(domain) {
      const known = required.get(domain);
      const result = known ?? require({ operation: 'AUTH_CODE', domain });
      if (!known) required.set(domain, result);
      return result;
    },
  };
}

const oneDomain: GatedSubject = { cost: null, premium: null, count: 1 };

// A function, because a test may import this file before the error codes of the feature are known.
const retryNotApproved = () =>
  new Fault('APPROVAL_REQUIRED', {
    message:
      'A rule now needs an approval for this, which a retry cannot request; send the domains as a new bulk change.',
    retryable: false,
  });

const changesNotApproved = () =>
  new Fault('APPROVAL_REQUIRED', {
    message:
      'A rule requires an approval for the changes of this request together; send the domains as one bulk change.',
    retryable: false,
  });
