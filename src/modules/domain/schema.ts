import { mayAny } from '../../kernel/caller.ts';
import { type DomainName, tryParseDomainName } from '../../kernel/domain-name.ts';
import { type DomainState, isExpired } from '../../kernel/domain-state.ts';
import { unwrap, valueOr } from '../../kernel/faults.ts';
import { domainOfKey } from '../../kernel/ids.ts';
import { knownBy, loadsBy, secret } from '../../kernel/schema-extensions.ts';
import { refreshArg, withinLimit } from '../../schema/arguments.ts';
import { builder, enumRef, needs, type ObjectFieldBuilder } from '../../schema/builder.ts';
import {
  costs,
  costsDomains,
  costsTldList,
  named,
  namesIn,
  noEntities,
} from '../../schema/cost.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { fieldsBelow } from '../../schema/look-ahead.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { domainNameFields, KeyValueRef } from '../../schema/values.ts';
import type { ChildNameServer, DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { contactReads } from '../contact/loader.ts';
import { asksForPeople, DomainContactsRef, readContactKey } from '../contact/schema.ts';
import { gate } from '../mutation/gate.ts';
import { periodArg, QuoteRef } from '../quote/schema.ts';
import { quotes } from '../quote/service.ts';
import { tldReads } from '../tld/loader.ts';
import { tldAbove } from '../tld/schema.ts';
import { domainReads } from './loader.ts';

export const DomainStateRef = enumRef<DomainState>(
  'DomainState',
  'State of a domain, derived from its raw `status` and its expiry.',
  {
    ACTIVE: 'Registered and in use. EPP statuses that only prohibit changes are included.',
    EXPIRED:
      '`expiresAt` has passed, whatever `status` is. The domain is not deleted or in redemption yet.',
    PENDING_REGISTRATION: 'Requested; the registry has not completed the registration.',
    PENDING_TRANSFER_IN:
      'A transfer into the account is in progress. The status `pendingTransfer` has no direction: it has this state while a transfer by this gateway is open.',
    PENDING_TRANSFER_OUT:
      'A transfer to another registrar is in progress; the account still has the domain. Also for the status `pendingTransfer` without an open transfer by this gateway.',
    TRANSFERRED_OUT: 'Transferred to another registrar.',
    TRANSFER_FAILED: 'A transfer was rejected or cancelled.',
    REDEMPTION: 'Expired and deleted. Only a restore can recover the domain.',
    DELETED: 'Deleted.',
    OTHER: 'A documented status that has no value here; see `status`.',
    UNKNOWN: 'A status that is not documented; see `status`.',
  },
);

export const ChildNameServerRef = builder.objectRef<ChildNameServer>('ChildNameServer').implement({
  description:
    'A name server under the domain itself, with its glue addresses. The registrar can add one, but cannot change or remove it.',
  fields: (t) => ({
    name: t.string({ nullable: false, description: 'Host name.', resolve: ({ host }) => host }),
    ...requiredFields(t, ['String'], {
      addresses: 'IPv4 and IPv6 addresses; empty when the registrar reports none.',
    }),
  }),
});

export const DomainRef = builder.objectRef<DomainDetails>('Domain').implement({
  description:
    'A domain in the account, identified by its name; `upstreamId` may change. The registrar has no call that renews or restores a domain, or edits its contacts, DNS records or DNSSEC, so the graph has no such mutation. A value that cannot be read is null, with an error at its field.',
  extensions: knownBy('name', 'id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'Domain', ({ name }: DomainDetails) => name),
    ...domainNameFields(t),
    ...nullableFields(t, 'Int', {
      upstreamId:
        'Number of the domain at the registrar; null when the registrar sends none, or one above 2147483647.',
      remainingDays:
        'Days until `expiresAt`, as the registrar counts them; 0 after that date, null when there is none.',
    }),
    ...nullableFields(t, 'String', {
      status: 'Raw status, such as `Active` or `clientTransferProhibited`.',
    }),
    ...nullableFields(t, 'DateTime', {
      registeredAt: 'Start of the registration; null without one, or with a year before 1985.',
      expiresAt: 'End of the registration; null without one, or with a year before 1985.',
    }),
    ...nullableFields(t, 'Boolean', {
      transferLocked:
        'Whether the transfer lock is on; null when the registrar does not report it.',
      privacyProtected:
        'Whether privacy protection hides the contacts of the domain from the public.',
      isChildNameServer: 'Whether the domain has child name servers.',
    }),
    state: t.field({
      type: DomainStateRef,
      nullable: false,
      description: 'State of the domain now, derived from `status` and `expiresAt`.',
      resolve: ({ state, expiresAt }, _args, scope) =>
        isExpired(state, valueOr(expiresAt, null), scope.clock.now()) ? 'EXPIRED' : state,
    }),
    asOf: t.field({
      type: 'DateTime',
      description: 'Time at which the gateway read these values from the registrar.',
      resolve: (domain, _args, { use }) => use(domainReads).asOf(domain),
    }),
    ...nullableFields(t, ['String'], {
      nameServers:
        "Host names of the domain's name servers in canonical form, in the registrar's order; null when the registrar does not report them.",
    }),
    ...nullableFields(t, [ChildNameServerRef], {
      childNameServers:
        'Name servers under the domain itself, with their addresses (glue). A change may appear with a delay.',
    }),
    ...nullableFields(t, [KeyValueRef], { additional: 'Additional data of the registrar.' }),
    authCode: t.string({
      ...needs('authcode:read'),
      description:
        'The secret that authorizes a transfer to another registrar; null without an error when the domain has none. Without the scope, and when it cannot be read, this field has an error. It is never cached, so it needs one `getdetails` for a cached domain. Where the operator requires another step first, the error names that step; after it one request reads the secret.',
      extensions: {
        ...secret,
        ...costs((count, _args, { domains }) => {
          if (domains) count.authCodes(domains);
          return noEntities;
        }),
      },
      resolve: (domain, _args, scope) =>
        scope.recorder.read('authcode.read', domain.name, async () => {
          await scope.use(gate).requireForAuthCodes(domain.name);
          return unwrap(await scope.use(domainReads).authCode(domain));
        }),
    }),
    contacts: t.field({
      ...needs('contacts:read'),
      type: DomainContactsRef,
      description:
        'The contacts of the domain. `id`, `role` and `upstreamId` of a contact cause no call. Any other field needs one `getcontacts`.',
      extensions: costs((_count, _args, { domains }) =>
        domains ? { contacts: domains } : noEntities,
      ),
      resolve: (domain) => domain,
    }),
    renewalQuote: t.field({
      ...needs('domains:check'),
      type: QuoteRef,
      description:
        'What a renewal costs for a period, from the price list. `certainty` is NOT_SOLD for a domain that is deleted, in redemption or transferred out. A premium domain may have another price, which the registrar does not report. Null when the price list cannot be read. Calls: one `tldlist` per operation.',
      extensions: costsTldList,
      args: periodArg(t, 'listed period'),
      resolve: (domain, { period = null }, { use }) => use(quotes).ofRenewal(domain, period),
    }),
    tld: tldAbove(t, ({ name }) => name),
  }),
});

registerNode('Domain', {
  needed: ['domains:read'],
  async load({ use }, key) {
    const name = domainOfKey(key);
    return name && use(domainReads).load(name);
  },
  cost(count, key) {
    const name = domainOfKey(key);
    return name ? costsDomains(count, [name]) : noEntities;
  },
  natural: {
    field: 'name',
    load: async ({ use }, text) => {
      const name = tryParseDomainName(text);
      return name && use(domainReads).load(name);
    },
    cost: (count, name) => costsDomains(count, namesIn([name])),
  },
});

/** The `domain` of an object that is about one. `counted` has the domains in the cost context of the object. */
export const domainNow = (
  t: ObjectFieldBuilder<{ readonly domain: DomainName | null }>,
  counted: 'domains' | 'purchases',
) =>
  t.field({
    ...needs('domains:read'),
    type: DomainRef,
    description:
      'The domain as it is now; null while the account does not have it. Calls: one `getdetails`; from five domains on as `domainsByName`.',
    extensions: costs((count, _args, { [counted]: domains }) => {
      if (!domains) return noEntities;
      count.domains(domains);
      return { domains };
    }),
    resolve: ({ domain }, _args, { use }) => domain && use(domainReads).load(domain),
  });

const later = () => undefined;

builder.queryFields((t) => ({
  domain: t.field({
    ...needs('domains:read'),
    type: DomainRef,
    description:
      'A domain of the account; null when the account has no such domain, and for text that is not a domain name. Calls: one `getdetails` per operation; the calls for `contacts` and `tld` run at the same time.',
    args: {
      name: t.arg.string({ required: true, description: 'In any spelling of `DomainName`.' }),
      ...refreshArg(t),
    },
    extensions: costs((count, args: { name: string; refresh: boolean }) => {
      const names = namesIn([args.name]);
      if (!args.refresh) return costsDomains(count, names);
      for (const name of names) count.refreshed(`getdetails ${name}`);
      return { domains: named(names) };
    }),
    resolve: async (_root, { name: text, refresh }, { caller, use }, info) => {
      const name = tryParseDomainName(text);
      if (!name) return null;
      // The fields below need the name only, so their reads start at the same time, and errors appear at their own path.
      const below = fieldsBelow(info.fieldNodes, info);
      const people = below.get('contacts') ?? [];
      if (mayAny(caller, ['contacts:read']) && asksForPeople(people, info))
        use(contactReads).load(name).catch(later);
      if (mayAny(caller, ['domains:check']) && (below.has('tld') || below.has('renewalQuote')))
        use(tldReads).catalogue().catch(later);
      return refresh ? use(domainReads).uncached(name) : use(domainReads).load(name);
    },
  }),
  domainsByName: t.field({
    ...needs('domains:read'),
    type: [DomainRef],
    nullable: { list: false, items: true },
    description:
      'Domains of the account in the order of `names`; null in place of a name that the account does not have, and of text that is not a domain name. Calls: one `getdetails` per name. From five names on it needs one `getdomainlist`, and one `getdetails` for each name that the list leaves out. `extensions.cost` counts every name as left out.',
    extensions: {
      ...loadsBy('name'),
      ...costs((count, { names }) => costsDomains(count, namesIn(names))),
    },
    args: {
      names: t.arg.stringList({
        required: true,
        description: 'At most 100, in any spelling of `DomainName`; duplicates are allowed.',
      }),
    },
    resolve: (_root, { names }, { use }) =>
      use(domainReads).loadMany(withinLimit('names', names).map(tryParseDomainName)),
  }),
}));

/** The further calls of a write that can be verified and repeated. */
export const lostAnswer =
  'When the reply is lost, one `getdetails` verifies the change. A change that is not visible is sent once more. When that reply is lost too, one more `getdetails` verifies it.';

/** The `extensions` of a field for which a domain is read again after a write on it. */
export const costsWrittenDomain = costs((count, _args, { domains }) => {
  if (domains) count.domains(domains);
  return undefined;
});

/** The `extensions` of a write on a domain. */
export const costsWrite = costs((count, { input }: { input: { domain: string } }) => {
  count.calls(1);
  return { domains: named(namesIn([input.domain])) };
});

/** The `domain` of a payload: read again after the write, and only when the document selects it. */
export const writtenDomain = (t: ObjectFieldBuilder<{ readonly domain?: DomainName }>) =>
  t.field({
    ...needs('domains:read'),
    type: DomainRef,
    description:
      'The domain, read again after the change; null when the change failed or its outcome is unknown. Calls: one `getdetails`, or none when a lost reply was verified by reading the domain.',
    extensions: costsWrittenDomain,
    resolve: ({ domain }, _args, { use }) => (domain ? use(domainReads).load(domain) : null),
  });

// A contact has no call of its own: its domain has its number.
registerNode('Contact', {
  needed: ['contacts:read'],
  async load({ use }, key) {
    const named = readContactKey(key);
    const domain = named && (await use(domainReads).load(named.domain));
    return named && domain && { ...named, upstreamId: domain.contactIds[named.role] };
  },
  cost(count, key) {
    const named = readContactKey(key);
    const { domains } = named ? costsDomains(count, [named.domain]) : noEntities;
    return domains ? { contacts: domains } : noEntities;
  },
});
