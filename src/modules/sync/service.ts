import type { DomainName } from '../../kernel/domain-name.ts';
import { asFault, Fault } from '../../kernel/faults.ts';
import { perRequest } from '../../scope/scope.ts';
import { assertAbout } from '../../upstream/domain-api/domain-api.ts';
import type { DomainDetails, UnnamedDetails } from '../../upstream/domain-api/shapes.ts';
import type { ChangedField } from '../changed-value/value.ts';
import { domainWrites, recorded, type WriteDeps, writeTo } from '../domain/write.ts';
import { asPayload, domainOf } from '../mutation/checks.ts';
import { domainFields } from '../mutation/refused-fields.ts';
import { sendOnce } from '../mutation/send.ts';
import { changesBetween, driftBetween } from './compare.ts';

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
