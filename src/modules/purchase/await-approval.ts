import type { ApprovalRule } from '../../kernel/approval-rules.ts';
import { storedKey } from '../../kernel/idempotency-key.ts';
import type { SpendLimits } from '../../kernel/spend-limits.ts';
import { fromStoredJson, toStoredJson } from '../../kernel/stored-json.ts';
import type { Randomness } from '../../lib/clock.ts';
import type { ApprovalGate } from '../mutation/approval-gate.ts';
import { type CheckedPurchase, type CommitDeps, claimPurchase } from './commit.ts';
import { differentInput, keyConflict } from './idempotency.ts';

/** The options of a job that makes one purchase after its approval. */
export interface ApprovedPurchaseOptions {
  /** The limits of the caller's key when it was requested. */
  readonly limits: SpendLimits;
  /** Hash of the input. */
  readonly approval: string;
}

/** What the journal stores for the item of such a job. */
export type ApprovedPurchaseFacts = Pick<
  CheckedPurchase,
  'kind' | 'period' | 'customer' | 'cost' | 'retail'
>;

interface AwaitDeps extends CommitDeps {
  readonly approvals: ApprovalGate;
  readonly randomness: Pick<Randomness, 'uuid'>;
}

interface Waiting {
  readonly rule: ApprovalRule;
  /** The whole input of the purchase, with its stored values. */
  readonly input: object;
}

/**
 * Stores a purchase that waits for an approval, with the job that sends it afterwards. All three have one id. The purchase is stored
 * last: until then its key is not used, and a repetition of the request continues here.
 */
export async function awaitApproval(
  deps: AwaitDeps,
  checked: CheckedPurchase,
  { rule, input }: Waiting,
) {
  const { journal, account, caller, clock, randomness, approvals } = deps;
  const { kind, domain, fingerprint, cost, retail, period, customer } = checked;
  const [id, createdAt] = [randomness.uuid(), clock.now()];
  const key = checked.key ?? storedKey(caller, randomness.uuid());
  await approvals.request({
    ...{ id, rule, jobKind: 'PURCHASE', operation: kind, domain, customer, fingerprint },
    ...{ count: 1, cost, price: retail?.price ?? cost },
  });
  const options: ApprovedPurchaseOptions = { limits: caller.limits, approval: fingerprint };
  const facts: ApprovedPurchaseFacts = { kind, period, customer, cost, retail };
  const { job, isNew } = await journal.jobs.create(
    {
      ...{ id, account, kind: 'PURCHASE', key, options: toStoredJson(options), createdAt },
      ...{ caller: caller.name, customer: caller.customer },
    },
    [
      {
        ...{ position: 0, domain, fingerprint, facts: toStoredJson(facts), result: null },
        input: toStoredJson({ kind, input }),
      },
    ],
    true,
  );
  const { approval } = fromStoredJson<ApprovedPurchaseOptions>(job.options);
  if (!isNew && (job.caller !== caller.name || approval !== fingerprint)) {
    const purchase = await journal.byKey(account, key);
    throw purchase ? keyConflict(purchase, caller) : differentInput;
  }
  const waiting = { ...checked, key, id: job.id };
  const { outcome, purchase } = await claimPurchase(deps, waiting, (claim, limits) =>
    journal.request(claim, limits),
  );
  return { purchase, replayed: outcome === 'replayed' };
}
