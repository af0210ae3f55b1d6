import type { Caller } from '../../kernel/caller.ts';
import { asFault, Fault, invalidInput } from '../../kernel/faults.ts';
import { storedKey } from '../../kernel/ids.ts';
import { fingerprint } from '../../kernel/stored-json.ts';
import { isVisibleTo } from '../../kernel/visibility.ts';
import type { PurchaseKind, PurchaseRecord } from '../../persistence/purchase-record.ts';
import type { Checks } from '../mutation/checks.ts';
import type { PurchaseGuards } from './checks.ts';

const maxKeyLength = 200;

/** The sender and the header of a request. */
interface KeySource {
  readonly caller: Caller;
  /** The `Idempotency-Key` header; null without one. */
  readonly idempotencyKey: string | null;
}

/** The key of the input or of the header for the journal; null without one. The gateway appends `reserved` characters to it. */
export function checkKey(
  checks: Checks,
  { idempotencyKey }: PurchaseGuards,
  { caller, idempotencyKey: ofHeader }: KeySource,
  reserved = 0,
): string | null {
  const given = idempotencyKey ?? ofHeader;
  if (given === null) return null;
  return checks.check(['input', 'idempotencyKey'], () => {
    const key = given.trim();
    const longest = maxKeyLength - reserved;
    if (key === '' || key.length > longest || /\p{Cc}/u.test(key)) {
      throw invalid(`is text of 1 to ${longest} characters, such as a UUID.`);
    }
    // Stores replace an unpaired surrogate, so different keys would become one.
    if (!key.isWellFormed()) {
      throw invalid('is not valid Unicode: it contains an unpaired surrogate.');
    }
    if (ofHeader !== null && ofHeader.trim() !== key) {
      throw invalid('and the header Idempotency-Key differ; send one of them.');
    }
    return storedKey(caller, key);
  });
}

/** Whether the key of a refused request has a purchase or an order. True when the journal fails, which may have stored it. */
export async function isKeyUsed(read: () => Promise<object | null>): Promise<boolean> {
  try {
    return (await read()) !== null;
  } catch (error) {
    asFault(error);
    return true;
  }
}

const invalid = (rest: string) => invalidInput(`"idempotencyKey" ${rest}`);

// Refusals of a purchase because of another one. For a purchase that the caller must not see they disclose only that it exists,
// and to a caller that is bound to a customer not even that.

const idOf = (purchase: PurchaseRecord, caller: Caller) =>
  isVisibleTo(caller, purchase) ? { purchaseId: purchase.id } : {};

const domainPath = ['input', 'domain'];

/** Whether the caller must not learn that the account has something. */
export const isHiddenFrom = (
  caller: Caller,
  made: Pick<PurchaseRecord, 'caller' | 'customer'>,
): boolean => caller.customer !== null && !isVisibleTo(caller, made);

/** As for a domain that another account has. */
export const notForSale = ({ kind, domain }: Pick<PurchaseRecord, 'kind' | 'domain'>): Fault =>
  kind === 'REGISTRATION'
    ? new Fault('NOT_AVAILABLE', {
        message: `${domain} is not available for registration.`,
        path: domainPath,
      })
    : new Fault('AUTH_CODE_INVALID', { path: ['input', 'authCode'] });

export const justBought = (purchase: PurchaseRecord, caller: Caller): Fault =>
  isHiddenFrom(caller, purchase)
    ? notForSale(purchase)
    : new Fault('ALREADY_OWNED', {
        message: `${purchase.domain} was bought within the last hour, and the registrar does not show it yet. Read that purchase.`,
        facts: idOf(purchase, caller),
        path: domainPath,
      });

export const differentInput = new Fault('IDEMPOTENCY_CONFLICT', {
  message:
    'This idempotency key was used before with other input. Use a new key for a new purchase.',
  path: ['input', 'idempotencyKey'],
});

export const keyConflict = (purchase: PurchaseRecord, caller: Caller): Fault =>
  new Fault('IDEMPOTENCY_CONFLICT', {
    message: isVisibleTo(caller, purchase)
      ? `This idempotency key was used before with other input, for ${purchase.domain}. Use a new key for a new purchase.`
      : 'This idempotency key belongs to a purchase of another caller. Use a new key.',
    facts: idOf(purchase, caller),
    path: ['input', 'idempotencyKey'],
  });

export const domainBusy = (purchase: PurchaseRecord, caller: Caller): Fault =>
  isHiddenFrom(caller, purchase)
    ? notForSale(purchase)
    : new Fault('IDEMPOTENCY_CONFLICT', {
        message: isVisibleTo(caller, purchase)
          ? `A purchase of ${purchase.domain} is still open. Read that purchase instead of buying again.`
          : `A purchase of ${purchase.domain} by another caller is still open. Do not buy it again.`,
        facts: idOf(purchase, caller),
        path: domainPath,
      });

/** The fingerprint of a purchase, which its key and a dry run do not change. */
export function purchaseFingerprint(kind: PurchaseKind, input: PurchaseGuards): string {
  const { idempotencyKey: _key, dryRun: _dryRun, ...hashed } = input;
  return fingerprint(kind, hashed);
}
