import { nullWithError } from '../../kernel/schema-extensions.ts';
import { ChangedValueRef } from '../../modules/changed-value/schema.ts';
import { DomainStateRef, domainNow } from '../../modules/domain/schema.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsFilter, costsRead } from '../../schema/cost.ts';
import {
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { errorsField } from '../../schema/user-error.ts';
import { DomainFilterRef, PortfolioCoverageRef } from '../portfolio/schema.ts';
import type { ChangeInput } from './check-change.ts';
import { bulkChanges } from './parts.ts';
import type { ChangePreview, PreviewedDomain, PreviewedRefusals } from './preview.ts';

const hostsText = '1 to 13 host names. Many TLDs require 2.';

const ReplacementInputRef = builder.inputType('NameServerReplacementInput', {
  description: 'A name server that another one replaces.',
  fields: (t) =>
    requiredInputs(t, 'String', {
      from: 'The host to replace.',
      to: 'The new host. A domain that has it already loses `from` only.',
    }),
});

const ChangeItemInputRef = builder.inputType('BulkChangeItemInput', {
  description: 'A domain with name servers of its own.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', { domain: 'A domain, in any spelling of `DomainName`.' }),
    ...requiredInputs(t, ['String'], { nameServers: `The name servers: ${hostsText}` }),
  }),
});

export const ChangeInputRef = builder.inputRef<ChangeInput>('BulkChangeInput').implement({
  description:
    'One change of all domains of a bulk change. A domain that has the value already causes no write. Host names are in any spelling of `DomainName`. A domain that would have no name server, or more than 13, is FAILED with `NOT_ELIGIBLE`, and so is a replacement that would leave one of two.',
  isOneOf: true,
  fields: (t) => ({
    ...optionalInputs(t, ['String'], {
      setNameServers: `Replaces all name servers: ${hostsText}`,
    }),
    ...optionalInputs(t, ReplacementInputRef, {
      replaceNameServer:
        'Replaces one name server, in the domains that have it. The others stay in their order.',
    }),
    ...optionalInputs(t, 'String', {
      addNameServer: 'Adds one name server.',
      removeNameServer: 'Removes one name server.',
    }),
    ...optionalInputs(t, 'Boolean', {
      privacyProtected: 'Turns privacy protection on or off.',
      sync: 'True: synchronises the domains with their registries.',
      unlock:
        'True: removes the transfer locks. This cannot be undone here. Needs the scope `domains:unlock` as well.',
    }),
    ...optionalInputs(t, [ChangeItemInputRef], {
      items:
        '1 to 2000 domains, each with its name servers. Without `names` and `filter`. A domain twice is an error.',
    }),
  }),
});

export const namesText =
  '1 to 2000 domains, in any spelling of `DomainName`. A domain twice is an error.';
export const filterText =
  'The domains that match this filter in the list of domains. Needs the scope `domains:read` as well. It leaves out domains without a row: see `coverage` of `domains`.';

/** Domains of the sample. */
const sampleSize = 10;

const PreviewedDomainRef = builder.objectRef<PreviewedDomain>('PreviewedChange').implement({
  description: 'One domain of a preview.',
  fields: (t) => ({
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: false,
      description: 'The name of the domain.',
    }),
    domain: domainNow(t, 'domains'),
    before: t.field({
      ...needs('domains:read'),
      type: ChangedValueRef,
      description:
        'The value now, by the list of domains; null when the list has no such domain, or not the value.',
      resolve: ({ before }) => before,
    }),
    after: t.field({
      ...needs('domains:read'),
      type: ChangedValueRef,
      description:
        'The value after the change; null for a synchronisation, and for a domain whose name servers do not allow it or are not in the list.',
      resolve: ({ after }) => after,
    }),
  }),
});

const RefusalsRef = builder.objectRef<PreviewedRefusals>('PreviewedRefusals').implement({
  description: 'Domains that a change would leave as they are, for one reason.',
  fields: (t) => ({
    ...requiredFields(t, 'Int', { count: 'Number of domains.' }),
    state: t.field({
      type: DomainStateRef,
      description:
        'Their state in the list, in which the registrar does not allow the change; null when their number of name servers does not.',
      resolve: ({ state }) => state,
    }),
  }),
});

const PreviewRef = builder.objectRef<ChangePreview>('BulkChangePreview').implement({
  description: 'The domains that a change would concern, by the list of domains.',
  fields: (t) => ({
    ...nullableFields(t, 'Int', {
      count:
        'Number of domains: the `expectedCount` of `changeDomains`. Null when the input is not valid or the list cannot be read.',
      unchanged: 'How many of the first 2000 have the value already, so that nothing is sent.',
      refused:
        'How many of the first 2000 would be FAILED by what the list shows; see `refusals`. Other domains may fail too, such as those in the state OTHER.',
    }),
    ...requiredFields(t, [RefusalsRef], {
      refusals:
        'The domains of `refused` by reason: their state, or a change that would leave no name server, more than 13, or by a replacement one of two.',
    }),
    ...requiredFields(t, [PreviewedDomainRef], { sample: 'The first 10 domains.' }),
    coverage: t.field({
      ...needs('domains:read'),
      type: PortfolioCoverageRef,
      description:
        'How much of the account the list covers; null when it was not read. A filter leaves out domains without a row.',
      resolve: ({ coverage }) => coverage,
    }),
    errors: errorsField(
      t,
      'Why the bulk change would be refused; empty when it would be accepted.',
    ),
  }),
});

builder.queryField('previewBulkChange', (t) =>
  t.field({
    ...needs('domains:write'),
    type: PreviewRef,
    description:
      'What `changeDomains` would change, without changing it. An error without `names`, `filter` and `items`. Calls: one `getdomainlist`, or none while the list is cached.',
    args: {
      names: t.arg.stringList({ description: namesText }),
      filter: t.arg({ type: DomainFilterRef, description: filterText }),
      change: t.arg({ type: ChangeInputRef, required: true, description: 'The change.' }),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, args) => {
        costsRead(count, 'getdomainlist');
        costsFilter(count, args.filter);
        return { domains: count.page(`preview ${JSON.stringify(args)}`, sampleSize) };
      }),
    },
    resolve: (_root, input, { use }) => use(bulkChanges).preview(input),
  }),
);
