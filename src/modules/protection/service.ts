import { Fault } from '../../kernel/faults.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { setOn, type WriteDeps, writeTo } from '../domain/write.ts';
import { domainOf } from '../input-text.ts';
import { attempt } from '../problems.ts';
import { sendOnce } from '../send.ts';

/** One thing that the account and the registry tell differently. */
export interface Drift {
  readonly field: string;
  readonly account: string | null;
  readonly registry: string | null;
}

/** Lock, privacy and what the registry knows of a domain. */
export const createProtectionService = (deps: WriteDeps) => ({
  disableTransferLock: (input: { domain: string }) =>
    attempt(async () => {
      const domain = domainOf(input);
      const transferLocked = await setOn<boolean>(deps, {
        domain,
        send: async (options) =>
          (await deps.api.disabletheftlock({ domain }, options)).locked ?? false,
        shown: (details) => asSet(details.transferLocked, false),
      });
      return { domain, transferLocked };
    }),

  setPrivacy: (input: { domain: string; enabled: boolean; reason?: string | null | undefined }) =>
    attempt(async () => {
      const { enabled, reason } = input;
      const domain = domainOf(input);
      const request = { domain, status: enabled, ...(reason && { reason }) };
      const privacyProtected = await setOn<boolean>(deps, {
        domain,
        send: async (options) =>
          (await deps.api.modifyprivacystatus(request, options)).enabled ?? enabled,
        shown: (details) => asSet(details.privacyProtected, enabled),
      });
      return { domain, privacyProtected };
    }),

  sync: (input: { domain: string }) =>
    attempt(async () => {
      const domain = domainOf(input);
      const registry = await writeTo(deps, domain, () =>
        sendOnce(unclearSync, () => deps.api.syncfromregistry({ domain }, deps.options)),
      );
      return {
        domain,
        registryStatus: leafOr(registry.status, null),
        drift: async () => {
          const account = await deps.domains.load(domain);
          return account ? drift(account, registry) : [];
        },
      };
    }),
});

const unclearSync = {
  told: 'Whether the domain was synchronised is not known. Send it again, which does no harm.',
  retryable: true,
};

/** Null for a flag that is not as it was to be set. */
const asSet = (flag: Leaf<boolean>, asked: boolean): Leaf<boolean | null> =>
  flag instanceof Fault || flag === asked ? flag : null;

type Told = Pick<
  DomainDetails,
  'status' | 'state' | 'transferLocked' | 'registeredAt' | 'expiresAt' | 'nameServers'
>;

/** What a sync can tell. The rest of its reply is 0, empty or `false` whatever the truth is. */
const comparable: Record<string, (told: Told) => Leaf<string | boolean | Date | null>> = {
  status: ({ status }) => status,
  transferLocked: ({ transferLocked }) => transferLocked,
  registeredAt: ({ registeredAt }) => registeredAt,
  expiresAt: ({ expiresAt }) => expiresAt,
  nameServers: ({ nameServers }) =>
    nameServers instanceof Error
      ? nameServers
      : nameServers
          .map((one) => one.toLowerCase())
          .sort()
          .join(' '),
};

function drift(account: Told, registry: Told): readonly Drift[] {
  return Object.entries(comparable).flatMap(([field, read]) => {
    const [here, there] = [text(read(account)), text(read(registry))];
    // `Active` and `active` are the same status; a value that cannot be read differs from nothing.
    const isSame =
      here?.toLowerCase() === there?.toLowerCase() ||
      isSameInstant(read(account), read(registry)) ||
      (field === 'status' && meansTheSame(account, registry));
    return isSame || here === undefined || there === undefined
      ? []
      : [{ field, account: here, registry: there }];
  });
}

/**
 * The registry has words of its own: an `Active` domain in good order is `ok` there, or `clientTransferProhibited`
 * while it is locked. That it forbids updates is told, since no word of the account says so.
 */
const meansTheSame = (account: Told, registry: Told): boolean =>
  account.state === registry.state &&
  !['OTHER', 'UNKNOWN'].includes(account.state) &&
  !/UpdateProhibited$/i.test(leafOr(registry.status, ''));

/** The two views note one event some seconds apart. */
const viewsApartMs = 60_000;

const isSameInstant = (one: unknown, other: unknown): boolean =>
  one instanceof Date &&
  other instanceof Date &&
  Math.abs(one.getTime() - other.getTime()) <= viewsApartMs;

const text = (leaf: Leaf<string | boolean | Date | null>): string | null | undefined => {
  const value = leafOr(leaf, undefined);
  if (value === undefined || value === null) return value;
  return value instanceof Date ? value.toISOString() : String(value);
};
