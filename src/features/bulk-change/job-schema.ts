import { knownBy } from '../../kernel/schema-extensions.ts';
import { ChangedValueRef } from '../../modules/changed-value/schema.ts';
import { domainNow } from '../../modules/domain/schema.ts';
import {
  itemCursor,
  itemPageArgs,
  jobFields,
  placed,
  progressRef,
} from '../../modules/job/schema.ts';
import type { CountedJob } from '../../modules/job/service.ts';
import type { JobState } from '../../modules/job/view.ts';
import { builder, enumRef } from '../../schema/builder.ts';
import {
  costs,
  costsList,
  costsObject,
  costsSum,
  lengthOf,
  ownersBelow,
} from '../../schema/cost.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { errorsField } from '../../schema/user-error.ts';
import type { DomainChange } from './change.ts';
import type { ChangeItem, ChangeItemState } from './change-job.ts';
import { bulkChanges } from './parts.ts';

export const typename = 'BulkChange';

/** Domains of one page at most. */
const maxItems = 500;

export const costsJob = costsObject('job');

const costsCounts = costs((count, _args, above) => costsSum(count, above, 'counts'));

/** The caller's own jobs, or with `ops` all of the account; the service filters. */
export const ownOrAll = ['domains:write', 'ops'] as const;

registerNode(typename, {
  needed: ownOrAll,
  load: ({ use }, key) => use(bulkChanges).byId(key),
  cost: costsJob,
});

const JobStateRef = enumRef<JobState>(
  'BulkChangeState',
  'State of a bulk change, from its domains.',
  {
    HELD: 'The bulk change waits for a decision, and nothing is sent before it. Then it is RUNNING.',
    RUNNING: 'At least one domain is waiting or being changed.',
    SUCCEEDED: 'Every domain has the new value.',
    PARTIAL: 'Some domains have the new value, or the outcome of a domain is unknown.',
    FAILED: 'No domain was changed.',
    STOPPED: 'Some domains were not changed, because the bulk change was cancelled.',
  },
);

const ItemStateRef = enumRef<ChangeItemState>(
  'BulkChangeItemState',
  'State of a domain in a bulk change.',
  {
    WAITING: 'Nothing was sent for it yet.',
    RUNNING: 'It is being changed, or waits for the registrar.',
    SUCCEEDED: 'The registrar made the change.',
    UNCHANGED: 'The domain had the value already, so nothing was sent.',
    FAILED: 'It was not changed; `errors` has the reason.',
    UNKNOWN: 'Whether it was changed is unknown. `retryBulkChange` reads it again.',
    CANCELLED:
      'The bulk change was cancelled before the change was sent, or sent again by a retry.',
  },
);

/** One member is set. */
interface AnyChange {
  readonly setNameServers?: readonly string[];
  readonly replaceNameServer?: { readonly from: string; readonly to: string };
  readonly addNameServer?: string;
  readonly removeNameServer?: string;
  readonly privacyProtected?: boolean;
  readonly sync?: boolean;
  readonly unlock?: boolean;
  readonly items?: boolean;
}

const ReplacementRef = builder
  .objectRef<{ readonly from: string; readonly to: string }>('NameServerReplacement')
  .implement({
    description: 'A name server that another one replaces.',
    fields: (t) =>
      requiredFields(t, 'String', { from: 'The host that is replaced.', to: 'The new host.' }),
  });

const RequestedChangeRef = builder.objectRef<AnyChange>('RequestedChange').implement({
  description: 'The change that a bulk change makes. One field is set.',
  fields: (t) => ({
    ...nullableFields(t, ['String'], { setNameServers: 'The new name servers.' }),
    ...nullableFields(t, ReplacementRef, {
      replaceNameServer: 'The name server that is replaced, in the domains that have it.',
    }),
    ...nullableFields(t, 'String', {
      addNameServer: 'The name server that is added.',
      removeNameServer: 'The name server that is removed.',
    }),
    ...nullableFields(t, 'Boolean', {
      privacyProtected: 'Whether privacy protection is turned on.',
      sync: 'True: the domains are synchronised with their registries.',
      unlock: 'True: the transfer locks are removed.',
      items: 'True: each domain has name servers of its own; see `target` of `items`.',
    }),
  }),
});

export const ItemRef = builder.objectRef<ChangeItem>('BulkChangeItem').implement({
  description: 'One domain of a bulk change.',
  fields: (t) => ({
    cursor: itemCursor(t),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: false,
      description: 'The name of the domain.',
    }),
    domain: domainNow(t, 'domains'),
    ...requiredFields(t, ItemStateRef, { state: 'State of the domain in this bulk change.' }),
    ...nullableFields(t, ['String'], {
      target: 'The name servers that `items` of the change has for the domain; else null.',
    }),
    ...nullableFields(t, ChangedValueRef, {
      before:
        'The value before the change; null until it was read, and when the registrar did not send it. A bulk change with the `nameServers` of each domain as `items`, or with this `privacyProtected`, undoes the change. Of a synchronisation: the status of the account.',
      after:
        'The value after the change; null unless SUCCEEDED or UNCHANGED. Of a synchronisation: the status of the registry.',
    }),
    errors: errorsField(t, 'Why the domain is FAILED or UNKNOWN; else empty.'),
    ...nullableFields(t, 'DateTime', {
      endedAt: 'Time at which the work on the domain ended; null before.',
    }),
  }),
});

const ProgressRef = progressRef<ChangeItemState>(
  'BulkChangeProgress',
  'The number of domains in each state. The sum is the number of domains.',
  {
    WAITING: ['waiting', 'Domains for which nothing was sent yet.'],
    RUNNING: ['running', 'Domains that are being changed.'],
    SUCCEEDED: ['succeeded', 'Domains that were changed.'],
    UNCHANGED: ['unchanged', 'Domains that had the value already.'],
    FAILED: ['failed', 'Domains that could not be changed.'],
    UNKNOWN: ['unknown', 'Domains whose outcome is unknown.'],
    CANCELLED: ['cancelled', 'Domains that were cancelled.'],
  },
);

export const JobRef = builder.objectRef<CountedJob>(typename).implement({
  description:
    'A change of up to 2000 domains that the gateway makes in the background. It survives the request and a restart of the gateway.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, typename, ({ job }: CountedJob) => job.id),
    ...jobFields(t, 'bulk change', 'created'),
    state: t.field({
      type: JobStateRef,
      nullable: false,
      description: 'State of the bulk change.',
      extensions: costsCounts,
      resolve: (job, _args, { use }) => use(bulkChanges).stateOf(job),
    }),
    finishedAt: t.field({
      type: 'DateTime',
      description: 'Time at which the last domain ended; null until then.',
      extensions: costsCounts,
      resolve: (job, _args, { use }) => use(bulkChanges).finishedAtOf(job),
    }),
    change: t.field({
      type: RequestedChangeRef,
      nullable: false,
      description: 'The change that the bulk change makes on each of its domains.',
      resolve: (job, _args, { use }): DomainChange => use(bulkChanges).changeOf(job),
    }),
    progress: t.field({
      type: ProgressRef,
      nullable: false,
      description: 'The number of domains in each state.',
      extensions: costsCounts,
      resolve: (job, _args, { use }) => use(bulkChanges).progressOf(job),
    }),
    items: t.field({
      type: [ItemRef],
      nullable: false,
      description:
        'The domains in the order of `names` or `items`; those of a filter in that of their names.',
      args: {
        states: t.arg({
          type: [ItemStateRef],
          description: 'Only domains in these states. Default: all domains.',
        }),
        ...itemPageArgs(t, 'domains'),
      },
      extensions: costs((count, args, above) => {
        costsList(count, above, lengthOf(args.first, maxItems));
        if (args.states) costsSum(count, above, `items ${args.states}`);
        const { key, amount } = ownersBelow(
          above,
          `items ${JSON.stringify(args)}`,
          lengthOf(args.first, maxItems),
        );
        return { domains: count.page(key, amount) };
      }),
      resolve: (job, page, { use }) => use(bulkChanges).pageOf(job, placed(page)),
    }),
  }),
});
