import { Fault } from '../../kernel/faults.ts';
import type { PurchaseRecord } from '../../persistence/store.ts';

// Refusals of a purchase because of another one. For a purchase that the caller must not see they disclose only that it exists.

/** Whether the caller may see the purchase. */
export type IsVisible = (purchase: PurchaseRecord) => boolean;

const idOf = (purchase: PurchaseRecord, isVisible: IsVisible) =>
  isVisible(purchase) ? { purchaseId: purchase.id } : {};

const domainPath = ['input', 'domain'];

export const justBought = (purchase: PurchaseRecord, isVisible: IsVisible): Fault =>
  new Fault('ALREADY_OWNED', {
    message: `${purchase.domain} was bought within the last hour, and the registrar does not show it yet. Read that purchase.`,
    facts: idOf(purchase, isVisible),
    path: domainPath,
  });

export const keyConflict = (purchase: PurchaseRecord, isVisible: IsVisible): Fault =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: isVisible(purchase)
      ? `This idempotency key was used before with other input, for ${purchase.domain}. Use a new key for a new purchase.`
      : 'This idempotency key belongs to a purchase of another caller. Use a new key.',
    facts: idOf(purchase, isVisible),
    path: ['input', 'idempotencyKey'],
  });

export const domainBusy = (purchase: PurchaseRecord, isVisible: IsVisible): Fault =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: isVisible(purchase)
      ? `A purchase of ${purchase.domain} is still open. Read that purchase instead of buying again.`
      : `A purchase of ${purchase.domain} by another caller is still open. Do not buy it again.`,
    facts: idOf(purchase, isVisible),
    path: domainPath,
  });
