import { isSameHosts } from '../../kernel/domain-name.ts';
import { isExpired } from '../../kernel/domain-state.ts';
import { type FieldResult, valueOr } from '../../kernel/faults.ts';
import { dayMs } from '../../kernel/instant.ts';
import { clockToleranceMs } from '../../lib/clock.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { EventType, NewEvent } from './log.ts';

type WatchedField = 'state' | 'expiresAt' | 'nameServers' | 'transferLocked' | 'privacyProtected';
/** The fields whose changes are events, as text; undefined before the first read. */
export type WatchedState = { readonly [Name in WatchedField]?: string | null | undefined } & {
  /** The limit of `EXPIRING` that the domain has passed, in days; null for none. */
  readonly expiringDays: string | null;
  /** When the expiry date was found; absent without one. */
  readonly expirySince?: string;
  /** When this gateway last wrote a field. */
  readonly writtenAt?: { readonly [Name in WatchedField]?: string };
};

/** Null for the field whose value decides the type. */
const typeOf = {
  state: 'STATE_CHANGED',
  expiresAt: 'EXPIRY_CHANGED',
  nameServers: 'NAME_SERVERS_CHANGED',
  transferLocked: null,
  privacyProtected: 'PRIVACY_CHANGED',
} as const satisfies Record<WatchedField, EventType | null>;

/** A change of a domain without the facts that all events have. */
export type Difference = Pick<NewEvent, 'type' | 'before' | 'after'>;

interface Comparing {
  readonly now: Date;
  /** The row shows the writes of this gateway until this time; it may lack later ones. */
  readonly showsUntil: Date;
  /** Days before the expiry at which `EXPIRING` is an event. */
  readonly expiryDays: readonly number[];
}

/**
 * The state of a row. A field that cannot be read, that the upstream does not send, or whose last write the row may lack, has the
 * value that it had before.
 */
export function stateOf(
  row: DomainDetails,
  before: WatchedState | null,
  { now, showsUntil, expiryDays }: Comparing,
): WatchedState {
  // This clock may be behind that of the last comparison.
  const latest = new Date(now.getTime() + clockToleranceMs);
  const mayLackWrite = (field: WatchedField): boolean => {
    const writtenMs = Date.parse(before?.writtenAt?.[field] ?? '');
    // A later time was stored by a wrong clock.
    return showsUntil.getTime() < writtenMs && writtenMs <= latest.getTime();
  };
  const read = <T>(
    field: WatchedField,
    result: FieldResult<T | null>,
    text: (value: T) => string,
  ) => {
    const value = mayLackWrite(field) ? null : valueOr(result, null);
    return value === null ? before?.[field] : text(value);
  };
  const expiresAt = read('expiresAt', row.expiresAt, (date) => date.toISOString());
  const expiry = expiresAt ? new Date(expiresAt) : null;
  // Of the same date the last comparison decides.
  const last = before?.expiresAt === expiresAt ? before : null;
  return {
    state: read('state', row.status, () =>
      isExpired(row.state, expiry, last?.state === 'EXPIRED' ? latest : now)
        ? 'EXPIRED'
        : row.state,
    ),
    expiresAt,
    nameServers: read('nameServers', row.nameServers, (hosts) => hostsText(hosts, before)),
    transferLocked: read('transferLocked', row.transferLocked, String),
    privacyProtected: read('privacyProtected', row.privacyProtected, String),
    expiringDays: lower(
      expiringDays(expiry, now, expiryDays),
      stillPassed(expiry, latest, last?.expiringDays ?? null),
    ),
    ...(expiry && { expirySince: last?.expirySince ?? now.toISOString() }),
    ...(before?.writtenAt && { writtenAt: before.writtenAt }),
  };
}

/**
 * The same text for the same hosts, so that another order is no change. An empty list is none either: it is also sent for name
 * servers that the upstream does not have.
 */
function hostsText(hosts: readonly string[], before: WatchedState | null): string {
  const known = before?.nameServers;
  if (known && hosts.length === 0) return known;
  return typeof known === 'string' && isSameHosts(known.split(' '), hosts)
    ? known
    : hosts.join(' ');
}

/** The state after this gateway has written a field. */
export const stateAfterWrite = (
  before: WatchedState,
  { field, value, at }: { readonly field: WatchedField; readonly value: string; readonly at: Date },
): WatchedState => ({
  ...before,
  [field]: field === 'nameServers' ? hostsText(value.split(' '), before) : value,
  writtenAt: { ...before.writtenAt, [field]: at.toISOString() },
});

/** The lowest limit that is not below the time left; null when there is none, and from the expiry on. */
function expiringDays(expiry: Date | null, now: Date, limits: readonly number[]): string | null {
  const leftMs = expiry ? expiry.getTime() - now.getTime() : 0;
  if (leftMs <= 0) return null;
  const passed = limits.filter((days) => leftMs <= days * dayMs);
  return passed.length > 0 ? String(Math.min(...passed)) : null;
}

/** The limit that was passed, unless the time left exceeds it by more than clocks differ. */
const stillPassed = (expiry: Date | null, latest: Date, limit: string | null): string | null =>
  expiry && limit !== null && expiry.getTime() - latest.getTime() <= Number(limit) * dayMs
    ? limit
    : null;

const lower = (one: string | null, other: string | null): string | null =>
  one !== null && (other === null || Number(one) < Number(other)) ? one : other;

/** The events of a change. `before` is null for a domain that was not known, `after` for one that is gone. */
export function differencesBetween(
  before: WatchedState | null,
  after: WatchedState | null,
): readonly Difference[] {
  const textOf = (state: WatchedState | null, field: WatchedField) => state?.[field] ?? null;
  const difference = (type: EventType, field: WatchedField) => ({
    type,
    before: textOf(before, field),
    after: textOf(after, field),
  });
  if (!after) return before ? [difference('DOMAIN_REMOVED', 'state')] : [];
  if (!before) return [difference('DOMAIN_ADDED', 'state')];
  const changed = (Object.keys(typeOf) as WatchedField[])
    .filter((field) => typeof before[field] === 'string' && before[field] !== after[field])
    .map((field) => difference(typeOf[field] ?? lockType(after), field));
  return passesLimit(before, after)
    ? [...changed, { type: 'EXPIRING', before: null, after: after.expiringDays }]
    : changed;
}

const lockType = ({ transferLocked }: WatchedState): EventType =>
  transferLocked === 'true' ? 'TRANSFER_LOCKED' : 'TRANSFER_UNLOCKED';

/** Each limit is passed once, unless the expiry date changes. */
const passesLimit = (before: WatchedState, after: WatchedState): boolean =>
  after.expiringDays !== null &&
  typeof before.expiresAt === 'string' &&
  before.expiringDays !== after.expiringDays;
