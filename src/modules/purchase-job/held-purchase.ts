import type { DomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import { fromStoredJson } from '../../kernel/stored-json.ts';
import type { TakenItem } from '../../persistence/job-record.ts';
import type { PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { ItemEnd } from '../job/engine.ts';
import { pauseAfter } from '../job/pause.ts';
import { claimPurchase } from '../purchase/commit.ts';
import type { HeldPurchaseFacts } from '../purchase/hold-purchase.ts';
import { isUnsent } from '../purchase/settle.ts';
import type { BuyerDeps } from './buyer.ts';
import type { PurchaseJobs } from './run-item.ts';

/** The purchase settles as any other one. */
const ended: ItemEnd = { outcome: 'SENT', details: '{}' };

/** Single purchases that were held. They buy for the cost of the decision at most. */
export const heldPurchases: PurchaseJobs = {
  typename: 'Purchase',
  mayNotSpend: new Fault('FORBIDDEN', {
    message:
      'The API key of this purchase was revoked, has expired, lost the scope "domains:spend" or has another customer, so it was not sent. Buy with another key.',
  }),
  async next(deps, item) {
    const unsent = await storedPurchase(deps, item);
    // When another purchase has its key since then, no client received this one.
    if (unsent.id !== item.jobId || !isUnsent(unsent)) return ended;
    const { identity, payment } = heldIn(item);
    return { ...identity, unsent, quoted: payment, quotedAt: null, endOf: () => ended };
  },
  newest: storedPurchase,
  endRefused: (_deps, _item, { givenUp }) =>
    givenUp?.state === 'HELD' ? { state: 'WAITING', ...pauseAfter() } : ended,
};

function heldIn({ facts, jobId: id, job }: TakenItem) {
  const { cost, retail, ...held } = fromStoredJson<HeldPurchaseFacts>(facts);
  return { identity: { ...held, id, key: job.key }, payment: { cost, retail } };
}

/** The process that requested the purchase may have ended before it stored it. Its limits count when it is claimed. */
async function storedPurchase(deps: BuyerDeps, item: TakenItem): Promise<PurchaseRecord> {
  const { job, fingerprint } = item;
  const stored = await deps.journal.byKey(deps.account, job.key);
  if (stored) return stored;
  // Only names that were parsed are in a job.
  const domain = item.domain as DomainName;
  const { identity, payment } = heldIn(item);
  const held = { ...identity, ...payment, domain, fingerprint, balanceAfter: null, lease: null };
  const { purchase } = await claimPurchase({ ...deps, limits: { GATEWAY: {}, KEY: {} } }, held);
  return purchase;
}
