import { type DomainName, parseDomainName } from '../../src/kernel/domain-name.ts';
import { type Money, money } from '../../src/kernel/money.ts';
import { purchaseStates } from '../../src/kernel/purchase-states.ts';
import type { ScopedLimits } from '../../src/kernel/spend-limits.ts';
import type { Journal } from '../../src/persistence/journal.ts';
import type {
  Claim,
  PurchaseFault,
  PurchaseRecord,
  PurchaseState,
} from '../../src/persistence/purchase-record.ts';
import type { ClaimOutcome } from '../../src/persistence/purchase-store.ts';

/** The account that pays in these tests. */
export const account = 'reseller-1';

/** `count` minutes after a fixed moment; nothing here knows the real time. */
export const minute = (count: number): Date => new Date(Date.UTC(2026, 0, 31, 12, count, 0, 7));

export const name = parseDomainName;

export const [a, b, c] = ['a.com', 'b.com', 'c.com'].map(name) as [
  DomainName,
  DomainName,
  DomainName,
];
export const otherAccount = 'reseller-2';

/** No limits. */
export const unlimited: ScopedLimits = { GATEWAY: {}, KEY: {} };

/** The claimed or conflicting purchase. @throws Error when a limit or a stop refuses the claim. */
export function operationIn(claim: ClaimOutcome): PurchaseRecord {
  if ('purchase' in claim) return claim.purchase;
  throw new Error(`The claim is refused as ${claim.outcome}.`);
}

/** A claim that differs from every other one by `at`: its id, key, domain and time. */
export const claimNumber = (at: number, changes: Partial<Claim> = {}): Claim => ({
  id: `operation-${String(at).padStart(3, '0')}`,
  account,
  caller: null,
  customer: null,
  kind: 'REGISTRATION',
  domain: name(`name-${at}.com`),
  key: `key-${at}`,
  fingerprint: `fingerprint-${at}`,
  period: 2,
  cost: money('22.5800', 'USD'),
  retail: null,
  balanceAfter: money('977.4200', 'USD'),
  claimedAt: minute(at),
  orderId: null,
  orderLine: null,
  ...changes,
});

/** The states that a claimed purchase can have. */
export const claimedStates = purchaseStates.filter((state) => state !== 'HELD');

/** Moves a claimed purchase to `state` with the fewest moves. Its call ends at minute 51 at the latest. */
export async function moveTo(journal: Journal, id: string, state: PurchaseState): Promise<void> {
  if (state === 'CLAIMED') return;
  const mark = { to: 'SENDING', at: minute(50), callUntil: minute(51) } as const;
  await journal.move(id, ['CLAIMED'], mark);
  if (state === 'SENDING') return;
  await journal.move(id, ['SENDING'], { to: state, at: minute(55) });
}

export const lostAnswer: PurchaseFault = {
  code: 'OUTCOME_UNKNOWN',
  message: 'The service may or may not have acted.',
  executed: 'UNKNOWN',
  upstream: null,
};

export const refused: PurchaseFault = {
  code: 'INSUFFICIENT_FUNDS',
  message: 'The account balance is lower than the price; top up the account.',
  executed: 'NO',
  upstream: { code: 'API_350_ERROR', message: 'Not enough balance.' },
};

/** A record as plain data with prices as text, so that records can be compared. */
export const plain = (record: PurchaseRecord | null) =>
  record && {
    ...record,
    price: textOf(record.cost),
    balanceAfter: textOf(record.balanceAfter),
  };

const textOf = (money: Money | null) => money && `${money.amount} ${money.currency}`;

export const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id);
