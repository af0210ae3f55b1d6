import { type DomainName, hostSetText } from '../../kernel/domain-name.ts';
import { type DomainState, isTransferOfAnyDirection } from '../../kernel/domain-state.ts';
import { asFault, Fault, type FieldResult, valueOr } from '../../kernel/faults.ts';
import { perRequest } from '../../scope/scope.ts';
import { assertAbout } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails, UnnamedDetails } from '../../upstream/domain-api/shapes.ts';
import { type ChangedField, type ChangedValue, changedValue } from '../changed-value/value.ts';
import { domainWrites, recorded, type WriteDeps, writeTo } from '../domain/write.ts';
import { asPayload, domainOf } from '../mutation/checks.ts';
import { domainFields } from '../mutation/refused-fields.ts';
import { sendOnce } from '../mutation/send.ts';

export interface Synced {
  readonly domain: DomainName;
  readonly registry: UnnamedDetails;
  /** Null without a comparison. @throws Fault that a read of the domain met, before or after the sync. */
  readonly changes: () => Promise<readonly ChangedField[] | null>;
  /** @throws Fault that the read of the domain after the sync met. */
  readonly drift: () => Promise<readonly ChangedField[]>;
}

export const createSyncService = (deps: WriteDeps) => ({
  /** `compares`: whether the domain is read before the sync as well, for `changes`. */
  sync: (input: { domain: string }, compares: boolean) =>
    asPayload<Synced>(async () => {
      const domain = domainOf(input);
      const before = compares ? await deps.domains.verify(domain).catch(asFault) : undefined;
      if (before === null) throw new Fault('NOT_FOUND');
      const change = { field: 'sync', value: null, shown: () => null } as const;
      const registry = await recorded(deps, domain, change, () =>
        writeTo(deps, domain, () =>
          sendOnce(unknownSync, () => readRegistry(deps, domain), {
            retryable: true,
            endsRefused: true,
          }),
        ),
      );
      const after = async (): Promise<DomainDetails> => {
        const details = await deps.domains.load(domain);
        if (!details) throw new Fault('NOT_FOUND');
        return details;
      };
      return {
        domain,
        registry,
        changes: async () => {
          if (before instanceof Fault) throw before;
          return before ? changesBetween(before, await after()) : null;
        },
        drift: async () => driftBetween(await after(), registry),
      };
    }, domainFields),
});

/** @throws Fault `UPSTREAM_PROTOCOL` when the reply is not about this domain. */
async function readRegistry({ api, options }: WriteDeps, domain: DomainName) {
  const registry = await api.syncfromregistry({ domain }, options);
  assertAbout(registry, domain, 'UNKNOWN');
  return registry;
}

const unknownSync =
  'Whether the domain was synchronised is unknown. Send it again: repeating a sync is safe.';

export const synchronization = perRequest('synchronization', ({ use }) =>
  createSyncService(use(domainWrites)),
);

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

/** The two views note the same event some seconds apart. */
const viewsApartMs = 60_000;

/** Compares the account's view before and after a sync. A member that one of the two does not have, or not in a readable form, is left out. */
export const changesBetween = (before: View, after: View): readonly ChangedField[] =>
  accountFields.flatMap((field) => {
    const [was = null, is = null] = [known(before, field), known(after, field)];
    return was === null || is === null || text(was) === text(is)
      ? []
      : [{ field, before: shown(field, was), after: shown(field, is) }];
  });

/** Compares the account's view with the registry's in the same way. A registry without a date says nothing about it. */
export const driftBetween = (account: View, registry: View): readonly ChangedField[] =>
  registryFields.flatMap((field) => {
    const [here, there] = [known(account, field), known(registry, field) ?? undefined];
    return here === undefined || there === undefined || agrees(field, account, registry)
      ? []
      : [{ field, before: shown(field, here), after: shown(field, there) }];
  });

function agrees(field: SyncedField, account: View, registry: View): boolean {
  const [here, there] = [account[field], registry[field]];
  if (field === 'status') return isSameStatus(account, registry);
  if (here instanceof Date && there instanceof Date) {
    return Math.abs(here.getTime() - there.getTime()) <= viewsApartMs;
  }
  return text(known(account, field)) === text(known(registry, field));
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

type Value = string | boolean | Date | readonly string[];

/** Undefined when the view does not have the value in a readable form, and for an empty list. Null for no date. */
function known(view: View, field: SyncedField): Value | null | undefined {
  const value: FieldResult<Value | null> = view[field];
  const found = valueOr(value, undefined);
  if (Array.isArray(found) && found.length === 0) return undefined;
  const isDate = field === 'expiresAt' || field === 'registeredAt';
  return found === null && !isDate ? undefined : found;
}

const shown = (field: SyncedField, value: Value | null): ChangedValue | null =>
  value === null ? null : changedValue(field, value as never);

/** Equal for equal values: name servers in any order and spelling. */
function text(value: Value | null | undefined): string | null | undefined {
  if (value === null || value === undefined) return value;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? hostSetText(value) : String(value);
}
