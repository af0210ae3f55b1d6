import { dayMs } from '../../src/kernel/instant.ts';
import { tldAbove } from './catalogue.ts';
import { withoutFaultPrefix } from './faults.ts';
import type { DomainRecord, NewDomain, Store } from './store.ts';
import { outsideKind } from './world.ts';

/** Days after expiry. After the second the domain is in redemption, then pending deletion. */
const holdAfterDays = 30;
const redemptionAfterDays = 45;
export const transferDays = 5;
/** A registration that becomes pending is complete after this long. */
const registrationMs = 60_000;
/** A domain cannot be transferred away for this long after its registration or transfer. */
export const transferLockDays = 60;

/** The same calendar day `years` later, in UTC, in epoch milliseconds; 29 February becomes 28 February. */
export function addYears(fromMs: number, years: number): number {
  const date = new Date(fromMs);
  const day = date.getUTCDate();
  date.setUTCFullYear(date.getUTCFullYear() + years);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime();
}

const isActive = (status: string) => status === 'Active' || status === 'active';

/** When time alone changes the state next, in epoch milliseconds; null for never. */
export function nextChange(name: string, status: string, expiresAt: number): number | null {
  if (isActive(status)) return expiresAt + holdAfterDays * dayMs;
  if (status === 'PendingHold') return expiresAt + redemptionAfterDays * dayMs;
  if (status === 'PendingDelete') return expiresAt + (tldAbove(name)?.purgeAfterDays ?? 80) * dayMs;
  return null;
}

/** The record in a new state, with the time of its next change. */
const withStatus = (
  domain: DomainRecord,
  status: string,
  changes: Partial<DomainRecord> = {},
): DomainRecord => {
  const changed = { ...domain, ...changes, status };
  return { ...changed, nextAt: nextChange(changed.name, status, changed.expiresAt) };
};

/**
 * Applies all state changes that are due: Active, PendingHold 30 days after expiry, PendingDelete 45 days after it,
 * then deleted; pending registrations end after a minute, incoming transfers after five days.
 */
export function settle(store: Store, nowMs: number): void {
  while (store.domains.due(nowMs).length > 0) {
    store.transaction(() => {
      for (const domain of store.domains.due(nowMs)) changeState(store, domain);
    });
  }
}

function changeState(store: Store, domain: DomainRecord): void {
  const { domains } = store;
  if (domain.status === 'WaitingForIncomingTransfer') endTransfer(store, domain);
  else if (domain.status === 'WaitingForRegistration') domains.save(withStatus(domain, 'Active'));
  else if (isActive(domain.status)) domains.save(withStatus(domain, 'PendingHold'));
  else if (domain.status === 'PendingHold') domains.save(withStatus(domain, 'PendingDelete'));
  else if (domain.status !== 'PendingDelete') domains.save({ ...domain, nextAt: null });
  else for (const record of domains.everywhere(domain.name)) domains.remove(record);
}

/** A name whose transfer is rejected or cancelled is always registered elsewhere, so no account here loses it. */
function endTransfer(store: Store, domain: DomainRecord): void {
  const { domains } = store;
  const kind = outsideKind(domain.name.slice(0, domain.name.indexOf('.')));
  if (kind === 'reject' || kind === 'cancel') {
    const isRejected = kind === 'reject';
    const status = isRejected ? 'TransferRejectedFromOpposed' : 'TransferCancelledFromClient';
    domains.save(withStatus(domain, status));
    if (isRejected) refund(store, domain);
    return;
  }
  const losing = domains
    .everywhere(domain.name)
    .find(({ status }) => status === 'WaitingForOutgoingTransfer');
  const expiresAt = addYears(domain.expiresAt, 1);
  const heldSince = domain.nextAt ?? domain.heldSince;
  domains.save(withStatus(domain, 'Active', { expiresAt, heldSince }));
  if (losing) domains.save(withStatus(losing, 'TransferredOut'));
}

/** Refunds the price of a rejected transfer, with an entry in the ledger. */
function refund({ money }: Store, { reseller, name, nextAt, heldSince }: DomainRecord): void {
  const paid = money.purchases(reseller).findLast(({ domain }) => domain === name);
  if (!paid) return;
  const { period, price, currency } = paid;
  const at = new Date(nextAt ?? heldSince).toISOString();
  money.book({ reseller, kind: 'refund', domain: name, period, price, currency, at });
}

interface NewState {
  readonly status: string;
  /** Negative once expired. Absent: as the period says. */
  readonly expiresInDays?: number;
}

/** The states in which a domain can be created. The label of a registration selects one by its beginning: `expiring-…`. */
export const newStates = {
  active: { status: 'Active' },
  expiring: { status: 'Active', expiresInDays: 3 },
  grace: { status: 'Active', expiresInDays: -10 },
  hold: { status: 'PendingHold', expiresInDays: -35 },
  redemption: { status: 'PendingDelete', expiresInDays: -50 },
  async: { status: 'WaitingForRegistration' },
} as const satisfies Record<string, NewState>;

const prefix = new RegExp(`^(${Object.keys(newStates).join('|')})-.`);

const stateOfLabel = (label: string): NewState =>
  newStates[(prefix.exec(withoutFaultPrefix(label))?.[1] ?? 'active') as keyof typeof newStates];

/** A quarter of a day less, so that "3 days left" stays true for the length of a demo. */
export const expiryIn = (days: number, nowMs: number): number => nowMs + (days - 0.25) * dayMs;

/** When the state of a domain that is created now ends; null for never. */
export const endOfNew = (name: string, status: string, expiresAt: number, nowMs: number) =>
  status === 'WaitingForRegistration'
    ? nowMs + registrationMs
    : nextChange(name, status, expiresAt);

/** Status and dates of a domain that is registered now. */
export function registeredAs(
  { name, label }: { readonly name: string; readonly label: string },
  nowMs: number,
  years: number,
): Pick<NewDomain, 'status' | 'startAt' | 'expiresAt' | 'nextAt'> {
  const { status, expiresInDays } = stateOfLabel(label);
  const isOld = expiresInDays !== undefined;
  const expiresAt = isOld ? expiryIn(expiresInDays, nowMs) : addYears(nowMs, years);
  const startAt = isOld ? addYears(expiresAt, -1) : nowMs;
  return { status, startAt, expiresAt, nextAt: endOfNew(name, status, expiresAt, nowMs) };
}
