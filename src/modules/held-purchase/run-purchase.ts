import { mayAny } from '../../kernel/caller.ts';
import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { givenUpAfterMs } from '../../kernel/instant.ts';
import type { ScopedLimits } from '../../kernel/spend-limits.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Reads } from '../../scope/reads.ts';
import type { ItemEnd, RunItem } from '../job/engine.ts';
import { verdictOf } from '../job/held-job.ts';
import type { Holds, Verdict } from '../job/holds.ts';
import { pauseAfter } from '../job/pause.ts';
import { createChecks, faultsOf } from '../mutation/checks.ts';
import { checkBalance } from '../purchase/checks.ts';
import {
  type CheckedPurchase,
  type CommitDeps,
  claimPurchase,
  commitPurchase,
  sendClaimed,
} from '../purchase/commit.ts';
import type { HeldPurchaseFacts, HeldPurchaseOptions } from '../purchase/hold-purchase.ts';
import { giveUp } from '../purchase/settle.ts';
import { type BuyingTenant, buyerOf, mayPass, paymentNow, withPeriod } from './buyer.ts';
import { preparePurchase, type WholePurchase } from './whole-purchase.ts';

interface HeldPurchase {
  readonly purchase: PurchaseRecord;
  readonly verdict: Verdict;
  readonly reads: Reads;
}

const factsOf = ({ facts }: TakenItem): HeldPurchaseFacts => fromStoredJson(facts);

/**
 * Returns the function that makes a single purchase that was held, as the caller who requested it. It makes the checks again, and
 * buys for the cost of the decision at most.
 */
export function createPurchaseRunner(tenant: BuyingTenant): RunItem {
  return async (item) => {
    const { job } = item;
    const { limits } = fromStoredJson<HeldPurchaseOptions>(job.options);
    const deps = {
      ...buyerOf(tenant, { typename: 'Purchase', job, limits }),
      holds: tenant.holds,
    };
    const { caller, clock } = deps;
    const purchase = await storedPurchase(deps, item);
    if (purchase?.state !== 'HELD' && purchase?.state !== 'CLAIMED') return ended;
    const verdict = await verdictOf(deps, job);
    const refusal = verdict.refusal ?? (mayAny(caller, ['domains:spend']) ? null : mayNotSpend);
    if (refusal) return endRefused(deps, purchase, refusal);
    try {
      const reads = tenant.openReads(job.customer);
      await buy(deps, item, { purchase, verdict, reads });
      return ended;
    } catch (error) {
      const faults = faultsOf(error);
      const [fault = noReason] = faults;
      const waitedMs = clock.now().getTime() - (verdict.decidedAt?.getTime() ?? 0);
      return faults.every(mayPass) && waitedMs < givenUpAfterMs
        ? { state: 'WAITING', ...pauseAfter(fault) }
        : endRefused(deps, purchase, fault);
    }
  };
}

/** The purchase settles as any other one. */
const ended: ItemEnd = { outcome: 'SENT', details: '{}' };

const noReason = new Fault('INTERNAL', { executed: 'NO' });

const mayNotSpend = new Fault('FORBIDDEN', {
  message:
    'The API key of this purchase was revoked, has expired, lost the scope "domains:spend" or has another customer, so it was not sent. Buy with another key.',
});

/** The journal must have the end of the purchase before that of the item. */
async function endRefused(
  deps: CommitDeps,
  purchase: PurchaseRecord,
  fault: Fault,
): Promise<ItemEnd> {
  const { state } = await giveUp(deps, purchase, fault);
  return state === 'HELD' ? { state: 'WAITING', ...pauseAfter() } : ended;
}

/** As it was requested. */
function checkedOf(item: TakenItem): CheckedPurchase {
  const { job, fingerprint } = item;
  // Only names that were parsed are in a job.
  const domain = item.domain as DomainName;
  const identity = { id: job.id, key: job.key, domain, fingerprint };
  return { ...factsOf(item), ...identity, balanceAfter: null, lease: null };
}

/** Its limits count when it is claimed. */
const unlimited: ScopedLimits = { GATEWAY: {}, KEY: {} };

/**
 * The process that requested the purchase may have ended before it stored it. Null when another purchase has its key since then, so
 * that no client received this one.
 */
async function storedPurchase(deps: CommitDeps, item: TakenItem): Promise<PurchaseRecord | null> {
  const { journal, account } = deps;
  const stored = await journal.byId(account, item.jobId);
  if (stored) return stored;
  try {
    const { purchase } = await claimPurchase(deps, checkedOf(item), (claim) =>
      journal.hold(claim, unlimited),
    );
    return purchase.id === item.jobId ? purchase : null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'IDEMPOTENCY_CONFLICT') return null;
    throw error;
  }
}

/** Sends the purchase, which may be claimed already. */
async function buy(
  deps: CommitDeps & { readonly holds: Holds },
  item: TakenItem,
  { purchase, verdict, reads }: HeldPurchase,
): Promise<PurchaseRecord> {
  const checks = createChecks();
  const checked = checkedOf(item);
  const { period, cost, retail } = checked;
  const stored = fromStoredJson<WholePurchase>(item.input ?? 'null');
  const { domain, send, check } = preparePurchase(checks, withPeriod(stored, period));
  if (!domain || !send) throw checks.problems();
  if (purchase.state === 'CLAIMED') return sendClaimed(deps, purchase, send);
  const quoted = { retail, cost: verdict.cost ?? cost };
  const { costRose } = deps.holds;
  const released = { quoted, period, costRoseAfterHold: costRose };
  const payment = await paymentNow(deps, checks, released, () => check(reads, domain));
  const balanceAfter = await checkBalance(checks, reads, payment.cost);
  checks.finish();
  const bought = await commitPurchase(
    deps,
    { ...checked, ...payment, balanceAfter, lease: item },
    send,
    (claim, limits) => deps.journal.claimHeld(claim, limits, item),
  );
  return bought.purchase;
}
