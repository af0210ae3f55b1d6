import type { DomainName } from '../../kernel/domain-name.ts';
import { domainField } from '../../schema/arguments.ts';
import { costs, costsDomains, namesIn } from '../../schema/cost.ts';
import { nullableFields, requiredInputs } from '../../schema/fields.ts';
import type { ChildNameServer } from '../../upstream/domain-api/shapes.ts';
import { ChildNameServerRef, costsWrite, lostAnswer, writtenDomain } from '../domain/schema.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import { nameServers } from './service.ts';

mutation('setNameServers', {
  needs: 'domains:write',
  description: `Replaces the name servers of a domain. Sends one \`modifynameserver\`. ${lostAnswer}`,
  extensions: costsWrite,
  input: {
    argument: 'The domain and its name servers.',
    description: 'All name servers of the domain; they replace the present ones.',
    fields: (t) => ({
      domain: domainField(t, 'A domain of the account'),
      ...requiredInputs(t, ['String'], {
        nameServers:
          '1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped.',
      }),
    }),
  },
  result: 'Result of a change of name servers.',
  payload: (t: PayloadFieldBuilder<{ domain: DomainName; nameServers: readonly string[] }>) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, ['String'], {
      nameServers:
        'The name servers as the registrar reports them; null when the change failed or its outcome is unknown.',
    }),
  }),
  resolve: (input, { use }) => use(nameServers).set(input),
});

mutation('addChildNameServer', {
  needs: 'domains:write',
  description: `Adds a name server under a domain of the account (glue). A host that already exists with this address is a success. The registrar has no call that changes or removes one. Sends one \`addchildnameserver\`, and one \`getdetails\` when the host exists already. ${lostAnswer}`,
  // The host may exist already, and then the domain is read.
  extensions: costs((count, { input }) => {
    count.calls(1);
    return costsDomains(count, namesIn([input.domain]));
  }),
  input: {
    argument: 'The domain, the host and its address.',
    description: 'A host under a domain of the account, with its address.',
    fields: (t) => ({
      domain: domainField(t, 'A domain of the account'),
      ...requiredInputs(t, 'String', {
        nameServer: 'The host, such as `ns1.example.com` under `example.com`.',
        ipAddress: 'One public IPv4 or IPv6 address; the registrar accepts one per call.',
      }),
    }),
  },
  result: 'Result of adding a child name server.',
  payload: (t: PayloadFieldBuilder<{ domain: DomainName; childNameServer: ChildNameServer }>) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, ChildNameServerRef, {
      childNameServer:
        'The host as the registrar reports it; null when it was not added or the outcome is unknown.',
    }),
  }),
  resolve: (input, { use }) => use(nameServers).addChild(input),
});
