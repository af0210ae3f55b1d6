import { mayAny } from '../../kernel/caller.ts';
import { DomainInputRef } from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs } from '../../schema/cost.ts';
import { nullableFields } from '../../schema/fields.ts';
import { fieldsBelow } from '../../schema/look-ahead.ts';
import type { UnnamedDetails } from '../../upstream/domain-api/shapes.ts';
import { ChangedFieldRef } from '../changed-value/schema.ts';
import { costsWrite, costsWrittenDomain, writtenDomain } from '../domain/schema.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import { type Synced, synchronization } from './service.ts';

const RegistryDomainRef = builder.objectRef<UnnamedDetails>('RegistryDomain').implement({
  description:
    'A domain as its registry reports it, from the reply of a synchronisation. `Domain` has the record of the account.',
  fields: (t) => ({
    ...nullableFields(t, 'String', {
      status: 'One status, often of EPP, such as `clientTransferProhibited` or `ok`.',
    }),
    ...nullableFields(t, 'DateTime', {
      registeredAt:
        'Start of the registration; may differ from `Domain.registeredAt` by some seconds.',
      expiresAt: 'End of the registration.',
    }),
    ...nullableFields(t, 'Boolean', {
      transferLocked: 'Whether the registry prohibits transfers.',
    }),
    ...nullableFields(t, ['String'], { nameServers: 'Host names of the name servers.' }),
  }),
});

mutation('syncDomain', {
  needs: 'domains:write',
  description:
    'Makes the registrar read a domain from its registry and correct the record of the account. Sends one `syncfromregistry`, and never a second.',
  extensions: costsWrite,
  input: { type: DomainInputRef, argument: 'The domain to synchronise.' },
  result:
    'Result of a synchronisation: the record of the registry, the changes in the account, and the remaining differences.',
  payload: (t: PayloadFieldBuilder<Synced>) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, RegistryDomainRef, {
      registry:
        "The registry's record, from the reply of the synchronisation; null when that failed. Calls: none.",
    }),
    changes: t.field({
      ...needs('domains:read'),
      type: [ChangedFieldRef],
      description:
        'Changes that the synchronisation made in the account. Empty when nothing changed. Null when the synchronisation failed, or the domain could not be read before or after it. Compares status, dates, lock, privacy protection and name servers. Calls: one `getdetails` before and one after the synchronisation; `domain` and `drift` share the second.',
      extensions: costs((count, _args, { domains }) => {
        for (const name of domains?.names ?? []) count.refreshed(`getdetails ${name} before`);
        if (domains) count.domains(domains);
        return undefined;
      }),
      resolve: ({ changes }) => changes?.(),
    }),
    drift: t.field({
      ...needs('domains:read'),
      type: [ChangedFieldRef],
      description:
        'Differences between account and registry after the synchronisation: `before` has the value of the account, `after` that of the registry. Empty without a difference. Null when the synchronisation failed or the domain could not be read. Compares status, dates, lock and name servers. Two statuses with the same meaning, such as `PendingHold` and `clientHold`, are no difference, and neither is a value that the registry does not report. Calls: one `getdetails`.',
      extensions: costsWrittenDomain,
      resolve: ({ drift }) => drift?.(),
    }),
  }),
  resolve: (input, { caller, use }, info) => {
    const isRequested = fieldsBelow(info.fieldNodes, info).has('changes');
    return use(synchronization).sync(input, isRequested && mayAny(caller, ['domains:read']));
  },
});
