import { dayMs } from '../../src/kernel/instant.ts';
import type { DomainRecord, Glue, NewDomain } from '../service/store.ts';

const textFlag = (value: boolean) => (value ? 'true' : 'false');

/** UTC without saying so, seven fractional digits: `2026-01-31T12:00:00.1230000`. */
const zoneless = (ms: number): string => `${new Date(ms).toISOString().slice(0, -1)}0000`;

const zoned = (ms: number): string => new Date(ms).toISOString();

/** Maps of nothing arrive as `[]`. */
const additional = (pairs: Readonly<Record<string, string>>) =>
  Object.keys(pairs).length === 0 ? [] : pairs;

const childNameServers = (glue: readonly Glue[]) =>
  glue.map(({ ns, ip }) => ({ ns, ip: ip === '' ? [] : ip }));

const visibleGlue = ({ glue }: NewDomain, nowMs: number) =>
  glue.filter(({ visibleAt = 0 }) => visibleAt <= nowMs);

/** The registry has not registered it yet. The demo domain that waits for ever has dates. */
const isUnregistered = ({ status, nextAt }: NewDomain): boolean =>
  status === 'WaitingForRegistration' && nextAt !== null;

const noDate = '0001-01-01T00:00:00';

const expiration = (domain: NewDomain, zone: '' | 'Z'): string =>
  isUnregistered(domain) ? `${noDate}${zone}` : (zone === 'Z' ? zoned : zoneless)(domain.expiresAt);

/** A started day counts as one. */
const remainingDays = (domain: NewDomain, nowMs: number): number =>
  isUnregistered(domain) ? 0 : Math.max(0, Math.ceil((domain.expiresAt - nowMs) / dayMs));

/** As `getdetails` and `getdomainlist` show a domain: the account's view. */
export const accountView = (domain: DomainRecord, nowMs: number) => ({
  ID: domain.id,
  Status: domain.status,
  DomainName: domain.name,
  AuthCode: domain.authCode,
  LockStatus: textFlag(domain.locked),
  PrivacyProtectionStatus: textFlag(domain.privacy),
  IsChildNameServer: textFlag(visibleGlue(domain, nowMs).length > 0),
  Contacts: {
    Billing: { ID: domain.billing },
    Technical: { ID: domain.technical },
    Administrative: { ID: domain.administrative },
    Registrant: { ID: domain.registrant },
  },
  Dates: {
    Start: zoneless(domain.startAt),
    Expiration: expiration(domain, ''),
    RemainingDays: remainingDays(domain, nowMs),
  },
  NameServers: domain.nameServers,
  Additional: additional(domain.additional),
  ChildNameServers: childNameServers(visibleGlue(domain, nowMs)),
});

/** The reply of `registerdomain` and `transferdomain`: no id, no remaining days, and flags that are always `"false"`. */
export const orderView = (domain: NewDomain, status: string) => ({
  ...accountView({ ...domain, id: 0, locked: false, privacy: false }, 0),
  Status: status,
  Dates: { Start: zoned(domain.startAt), Expiration: expiration(domain, 'Z'), RemainingDays: 0 },
});

/** The registration starts this much earlier at the registry than in the account. */
const registryAheadMs = 3_000;

/** The reply of `syncfromregistry`: ids 0, no auth code, privacy `"false"` for a protected domain too. */
export const registryView = (domain: DomainRecord, nowMs: number) => {
  const noContacts = { billing: 0, technical: 0, administrative: 0, registrant: 0 };
  const locked = registryLock(domain);
  return {
    ...accountView(
      { ...domain, ...noContacts, id: 0, authCode: '', locked, privacy: false },
      nowMs,
    ),
    Status: registryStatus(domain, nowMs),
    Dates: {
      Start: zoned(domain.startAt - registryAheadMs),
      Expiration: expiration(domain, 'Z'),
      RemainingDays: 0,
    },
  };
};

/** Whether the registry forbids transfers; the account's flag can differ. */
export const registryLock = ({ registryStatus: status, locked }: DomainRecord): boolean =>
  status === null ? locked : /TransferProhibited$/.test(status) || (status !== 'ok' && locked);

const byState: Readonly<Record<string, string>> = {
  PendingHold: 'clientHold',
  PendingDelete: 'redemptionPeriod',
  PendingRestore: 'pendingRestore',
  WaitingForIncomingTransfer: 'pendingTransfer',
  WaitingForOutgoingTransfer: 'pendingTransfer',
  WaitingForRegistration: 'pendingCreate',
};

/** The last days before the deletion, when the domain cannot be restored any more. */
const pendingDeleteMs = 5 * dayMs;

/** One EPP status: the one that matters most. */
function registryStatus(domain: DomainRecord, nowMs: number): string {
  const { nextAt } = domain;
  if (domain.status === 'PendingDelete' && nextAt !== null && nextAt - nowMs <= pendingDeleteMs) {
    return 'pendingDelete';
  }
  const known = domain.registryStatus ?? byState[domain.status];
  if (known !== undefined) return known;
  if (domain.expiresAt <= nowMs) return 'autoRenewPeriod';
  if (domain.locked) return 'clientTransferProhibited';
  return domain.nameServers.length === 0 ? 'inactive' : 'ok';
}
