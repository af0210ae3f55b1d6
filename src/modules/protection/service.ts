import type { DomainName } from '../../kernel/domain-name.ts';
import { type Leaf, leafOr } from '../../kernel/leaf.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import type { DomainReads } from '../domain/loader.ts';
import { type WriteDeps, writeTo } from '../name-server/service.ts';
import { attempt } from '../problems.ts';

export interface ProtectionDeps extends WriteDeps {
  readonly domains: DomainReads;
}

/** One thing that the account and the registry tell differently. */
export interface Drift {
  readonly field: string;
  readonly account: string | null;
  readonly registry: string | null;
}

/** Lock, privacy and what the registry knows of a domain. */
export const createProtectionService = (deps: ProtectionDeps) => ({
  disableTransferLock: ({ domain }: { domain: DomainName }) =>
    attempt(async () => {
      const { locked } = await writeTo(deps, domain, () =>
        deps.api.disabletheftlock({ domain }, deps.options),
      );
      return { domain, transferLocked: locked ?? false };
    }),

  setPrivacy: (input: {
    domain: DomainName;
    enabled: boolean;
    reason?: string | null | undefined;
  }) =>
    attempt(async () => {
      const { domain, enabled, reason } = input;
      const request = { domain, status: enabled, ...(reason && { reason }) };
      const answer = await writeTo(deps, domain, () =>
        deps.api.modifyprivacystatus(request, deps.options),
      );
      return { domain, privacyProtected: answer.enabled ?? enabled };
    }),

  sync: ({ domain }: { domain: DomainName }) =>
    attempt(async () => {
      const registry = await writeTo(deps, domain, () =>
        deps.api.syncfromregistry({ domain }, deps.options),
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

const text = (leaf: Leaf<string | boolean | Date | null>): string | null | undefined => {
  const value = leafOr(leaf, undefined);
  if (value === undefined || value === null) return value;
  return value instanceof Date ? value.toISOString() : String(value);
};
