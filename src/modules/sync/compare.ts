import { hostSetText } from '../../kernel/domain-name.ts';
import { type DomainState, isTransferOfAnyDirection } from '../../kernel/domain-state.ts';
import { type FieldResult, valueOr } from '../../kernel/field-result.ts';
import type { UnnamedDetails } from '../../upstream/domain-api/shapes.ts';

const accountFields = [
  'status',
  'registeredAt',
  'expiresAt',
  'transferLocked',
  'privacyProtected',
  'nameServers',
] as const;

/** The reply of a sync reports privacy as `"false"` whatever the registry has. */
const registryFields = accountFields.filter((field) => field !== 'privacyProtected');

type SyncedField = (typeof accountFields)[number];
type View = Pick<UnnamedDetails, SyncedField | 'state'>;

/** What a sync changed in the account. */
export type SyncedChange = ReturnType<typeof changesBetween>[number];

/** What the account and the registry report differently. */
export type Drift = ReturnType<typeof driftBetween>[number];

/** The two views note the same event some seconds apart. */
const viewsApartMs = 60_000;

/** Compares the account's view before and after a sync. A member that one of the two does not have, or not in a readable form, is left out. */
export const changesBetween = (before: View, after: View) =>
  accountFields.flatMap((field) => {
    const [was, is] = [text(before, field), text(after, field)];
    return was === undefined || is === undefined || was === is
      ? []
      : [{ field, before: was, after: is }];
  });

/** Compares the account's view with the registry's in the same way. A registry without a date says nothing about it. */
export const driftBetween = (account: View, registry: View) =>
  registryFields.flatMap((field) => {
    const [here, there] = [text(account, field), text(registry, field) ?? undefined];
    return here === undefined || there === undefined || agrees(field, account, registry)
      ? []
      : [{ field, account: here, registry: there }];
  });

function agrees(field: SyncedField, account: View, registry: View): boolean {
  const [here, there] = [account[field], registry[field]];
  if (field === 'status') return isSameStatus(account, registry);
  if (here instanceof Date && there instanceof Date) {
    return Math.abs(here.getTime() - there.getTime()) <= viewsApartMs;
  }
  return text(account, field) === text(registry, field);
}

const isTransfer = (state: DomainState): boolean =>
  state === 'PENDING_TRANSFER_IN' || state === 'PENDING_TRANSFER_OUT';

/**
 * The registry has words of its own: an `Active` domain is `ok` there, or `clientTransferProhibited` while it is locked.
 * That it prohibits updates counts as drift, since no status of the account says so.
 */
function isSameStatus(account: View, registry: View): boolean {
  const [here, there] = [account, registry].map(({ status }) =>
    (valueOr(status, null) ?? '').trim().toLowerCase(),
  );
  if (here === there || (here === 'pendinghold' && there === 'clienthold')) return true;
  // The registry's status has no direction.
  if (isTransferOfAnyDirection(there ?? '') && isTransfer(account.state)) return true;
  const isKnown = account.state !== 'OTHER' && account.state !== 'UNKNOWN';
  return isKnown && account.state === registry.state && !/updateprohibited\b/.test(there ?? '');
}

/** The value as text, name servers in alphabetical order; undefined when the view does not have it in a readable form. Null for no date. */
function text(view: View, field: SyncedField): string | null | undefined {
  const value: FieldResult<string | boolean | Date | readonly string[] | null> = view[field];
  const known = valueOr(value, undefined);
  if (known === null) return field === 'expiresAt' || field === 'registeredAt' ? null : undefined;
  if (known === undefined) return undefined;
  if (known instanceof Date) return known.toISOString();
  if (typeof known === 'string' || typeof known === 'boolean') return String(known);
  return hostSetText(known);
}
