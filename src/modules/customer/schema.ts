import type { DomainName } from '../../kernel/domain-name.ts';
import type { Label } from '../../kernel/label.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsOfDomains, named, namesIn, noEntities } from '../../schema/cost.ts';
import { optionalInputs, requiredFields, requiredInputs } from '../../schema/fields.ts';
import { domainLists } from '../domain/loader.ts';
import { DomainRef } from '../domain/schema.ts';
import { mutation, payloadRef } from '../mutation/schema.ts';
import { customers } from './service.ts';

const LabelRef = builder.objectRef<Label>('Label').implement({
  description: 'A name and a value that the reseller gave to a domain.',
  fields: (t) =>
    requiredFields(t, 'String', { name: 'The name.', value: 'The value, maybe empty.' }),
});

const costsStored = (what: string) =>
  costs((count, _args, above) => {
    costsOfDomains(count, what, above);
    return noEntities;
  });

builder.objectFields(DomainRef, (t) => ({
  customer: t.string({
    ...needs('domains:read'),
    description:
      "The customer to whom the domain belongs, in the reseller's own words; null for a domain of the reseller. Set by the purchase, by `setDomainCustomer` and by the operator. Calls: none.",
    extensions: costsStored('customer'),
    resolve: ({ name }, _args, { use }) => use(customers).customerOf(name),
  }),
  labels: t.field({
    ...needs('domains:read'),
    type: [LabelRef],
    nullable: false,
    description:
      'The labels of the domain by name, at most 20. A purchase of the domain removes them. Calls: none.',
    extensions: costsStored('labels'),
    resolve: async ({ name }, _args, { use }) => [...(await use(customers).labelsOf(name))],
  }),
}));

const namesField = {
  names:
    '1 to 500 domains of the account, in any spelling of `DomainName`. With one that the account does not have nothing is changed.',
};

interface ChangedDomains {
  readonly domains: readonly DomainName[];
}

const DomainsPayloadRef = payloadRef<ChangedDomains>(
  'DomainsPayload',
  'Result of a change of the customers or the labels of domains.',
  (t) => ({
    domains: t.field({
      ...needs('domains:read'),
      type: [DomainRef],
      nullable: { list: true, items: true },
      description:
        'The domains as the gateway last read them; null in place of one that it has not read, and after an error. Calls: one `getdomainlist`, or none while that is cached.',
      extensions: costs((count, _args, { domains = named([]) }) => {
        count.once('getdomainlist');
        return { domains };
      }),
      async resolve({ domains }, _args, { use }) {
        if (!domains) return null;
        const { lastRead } = await use(domainLists).list();
        return domains.map(lastRead);
      },
    }),
  }),
);

const costsKnown = costs((count, { input }: { input: { names: readonly string[] } }) => {
  count.once('getdomainlist');
  return { domains: named(namesIn(input.names)) };
});

const recorded = {
  recordedDomains: ({ names }: { readonly names: readonly string[] }) => names,
};

const noCall = 'Calls: none while the gateway knows the domains, or else one `getdomainlist`.';

mutation('setDomainCustomer', {
  needs: 'customers:write',
  ofAccount: true,
  description: `Sets the customer of domains. A purchase that succeeds sets the customer of its domain, unless this mutation set it after the purchase began. Nothing at the registrar changes. ${noCall}`,
  extensions: { ...costsKnown, ...recorded },
  input: {
    description: 'Domains and their customer.',
    fields: (t) => ({
      ...requiredInputs(t, ['String'], namesField),
      ...optionalInputs(t, 'String', {
        customer:
          "1 to 64 printable characters without blanks at the ends. Null: the domains are the reseller's own.",
      }),
    }),
  },
  result: DomainsPayloadRef,
  resolve: (input, { use }) => use(customers).setCustomer(input),
});

const LabelInputRef = builder.inputType('LabelInput', {
  description: 'A label of a domain.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      name: '1 to 64 printable characters without blanks at the ends. Case matters.',
    }),
    value: t.string({
      required: true,
      defaultValue: '',
      description: 'At most 128 printable characters without blanks at the ends.',
    }),
  }),
});

mutation('labelDomains', {
  needs: 'customers:write',
  description: `Sets and removes labels of domains. A label with the same name is replaced. After a failure of the journal send the same request again. Nothing at the registrar changes. ${noCall}`,
  extensions: { ...costsKnown, ...recorded },
  input: {
    description: 'Domains and their labels.',
    fields: (t) => ({
      ...requiredInputs(t, ['String'], namesField),
      ...optionalInputs(t, [LabelInputRef], { set: 'At most 20 labels to set.' }),
      ...optionalInputs(t, ['String'], { remove: 'Names of at most 20 labels to remove.' }),
    }),
  },
  result: DomainsPayloadRef,
  resolve: (input, { use }) => use(customers).label(input),
});
