import type { DomainName } from '../../kernel/domain-name.ts';
import { domainField, inputArg } from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsDomains, namesIn } from '../../schema/cost.ts';
import { nullableFields } from '../../schema/member-fields.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import {
  type ChildNameServer,
  ChildNameServerRef,
  costsWrite,
  lostAnswer,
  writtenDomain,
} from '../domain/schema.ts';

interface SetNameServersAnswer extends Answer {
  readonly domain?: DomainName;
  readonly nameServers?: readonly string[];
}

const SetNameServersPayloadRef = payloadRef<SetNameServersAnswer>(
  'SetNameServersPayload',
  'Result of a change of name servers.',
  (t) => ({
    domain: writtenDomain(t),
    nameServers: t.stringList({
      description:
        'The name servers as the registrar reports them; null when the change failed or its outcome is unknown.',
      resolve: ({ nameServers }) => (nameServers ? [...nameServers] : null),
    }),
  }),
);

const SetNameServersInputRef = builder.inputType('SetNameServersInput', {
  description: 'All name servers of the domain; they replace the present ones.',
  fields: (t) => ({
    domain: domainField(t, 'A domain of the account'),
    nameServers: t.stringList({
      required: true,
      description:
        '1 to 13 host names, in any spelling of `DomainName`; many TLDs require 2. Duplicates are dropped.',
    }),
  }),
});

interface AddChildNameServerAnswer extends Answer {
  readonly domain?: DomainName;
  readonly childNameServer?: ChildNameServer;
}

const AddChildNameServerPayloadRef = payloadRef<AddChildNameServerAnswer>(
  'AddChildNameServerPayload',
  'Result of adding a child name server.',
  (t) => ({
    domain: writtenDomain(t),
    ...nullableFields(t, ChildNameServerRef, {
      childNameServer:
        'The host as the registrar reports it; null when it was not added or the outcome is unknown.',
    }),
  }),
);

const AddChildNameServerInputRef = builder.inputType('AddChildNameServerInput', {
  description: 'A host under a domain of the account, with its address.',
  fields: (t) => ({
    domain: domainField(t, 'A domain of the account'),
    nameServer: t.string({
      required: true,
      description: 'The host, such as `ns1.example.com` under `example.com`.',
    }),
    ipAddress: t.string({
      required: true,
      description: 'One public IPv4 or IPv6 address; the registrar accepts one per call.',
    }),
  }),
});

builder.mutationFields((t) => ({
  setNameServers: t.field({
    ...needs('domains:write'),
    type: SetNameServersPayloadRef,
    nullable: false,
    description: `Replaces the name servers of a domain. Sends one \`modifynameserver\`. ${lostAnswer}`,
    args: inputArg(t, SetNameServersInputRef, 'The domain and its name servers.'),
    extensions: costsWrite(1),
    resolve: (_root, { input }, { services }) => services.nameServers.set(input),
  }),
  addChildNameServer: t.field({
    ...needs('domains:write'),
    type: AddChildNameServerPayloadRef,
    nullable: false,
    description: `Adds a name server under a domain of the account (glue). A host that already exists with this address is a success. The registrar has no call that changes or removes one. Sends one \`addchildnameserver\`, and one \`getdetails\` when the host exists already. ${lostAnswer}`,
    args: inputArg(t, AddChildNameServerInputRef, 'The domain, the host and its address.'),
    // The host may exist already, and then the domain is read.
    extensions: costs((count, { input }) => {
      count.calls(1);
      return costsDomains(count, namesIn(input.domain));
    }),
    resolve: (_root, { input }, { services }) => services.nameServers.addChild(input),
  }),
}));
