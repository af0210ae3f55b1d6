import { keyOfId } from '../../kernel/ids.ts';
import { maxBulkChangeDomains } from '../../kernel/job-sizes.ts';
import { jobFilterRef, jobIdArg, jobOrder } from '../../modules/job/schema.ts';
import type { JobListPage, JobUpdate } from '../../modules/job/service.ts';
import { mutation, payloadRef } from '../../modules/mutation/schema.ts';
import {
  type LookupInput,
  LookupInputRef,
  lookupArg,
  lookupName,
  lookupOf,
} from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costs, costsFilter, costsRead, costsSum, neverLimited } from '../../schema/cost.ts';
import {
  givenIn,
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { listArgs, storedList, storedListRef } from '../../schema/stored-list.ts';
import { DomainFilterRef } from '../portfolio/schema.ts';
import type { ChangeItem } from './change-job.ts';
import { costsJob, ItemRef, JobRef, ownOrAll, typename } from './job-schema.ts';
import { bulkChanges } from './parts.ts';
import { ChangeInputRef, filterText, namesText } from './preview-schema.ts';
import type { SelectionInput } from './select-domains.ts';
import type { CancelledChange, CreatedChange, RetriedChange } from './service.ts';

const JobConnectionRef = storedListRef(typename, JobRef);
/** Jobs of one page at most. */
const maxJobs = 20;

const jobList = storedList({
  name: 'bulkChanges',
  ...jobOrder,
  most: maxJobs,
  list: ({ use }, page: JobListPage) => use(bulkChanges).list(page),
});

builder.queryFields((t) => ({
  bulkChange: t.field({
    ...needs(...ownOrAll),
    type: JobRef,
    description:
      'A bulk change of the caller; null when it has no such bulk change. With the scope `ops` also a bulk change of another caller. Calls: none.',
    args: lookupArg(t, 'a bulk change'),
    extensions: { ...neverLimited, ...costs((count, { by }) => costsJob(count, lookupName(by))) },
    resolve: (_root, { by }, { use }) => use(bulkChanges).find(lookupOf(typename, by)),
  }),
  bulkChanges: t.field({
    ...needs(...ownOrAll),
    type: JobConnectionRef,
    description:
      'Bulk changes of the caller, newest first. With the scope `ops` bulk changes of all callers. Calls: none.',
    args: listArgs(t, jobFilterRef(), 'bulk changes', maxJobs),
    extensions: { ...neverLimited, ...jobList.extensions },
    resolve: (_root, { filter, ...page }, scope) => jobList.page(scope, page, givenIn(filter)),
  }),
}));

const BulkChangePayloadRef = payloadRef<CreatedChange & CancelledChange & RetriedChange>(
  'BulkChangePayload',
  'Result of a bulk change: stored, cancelled or started again, or refused (see `errors`).',
  (t) => ({
    ...nullableFields(t, JobRef, {
      bulkChange: 'The bulk change; null when the request is refused.',
    }),
    replayed: t.boolean({
      nullable: false,
      description: 'Whether an earlier request with this idempotency key created it.',
      resolve: ({ replayed = false }) => replayed,
    }),
    ...nullableFields(t, 'Int', {
      cancelled: 'Of `cancelBulkChange` the number of domains that were cancelled; else null.',
      retried: 'Of `retryBulkChange` the number of domains that were started again; else null.',
    }),
  }),
);

mutation('changeDomains', {
  needs: 'domains:write',
  description:
    'Makes one change on up to 2000 domains, or gives each its name servers. It stores a bulk change and returns; the gateway then changes the domains, a few at a time, each once. The same key with the same input returns the stored bulk change without an upstream call. Calls: one `getdomainlist` for a `filter`, unless the list is cached. Later, for each domain, one `getdetails`, and one call that makes the change unless the domain has the value already.',
  extensions: costs((count, { input }: { input: SelectionInput }) => {
    if (input.filter) costsRead(count, 'getdomainlist');
    costsFilter(count, input.filter);
    return costsJob(count, 'created');
  }),
  input: {
    argument: 'The domains, the change and the key.',
    description:
      'A change of many domains. Either `names` or `filter` is set, or `items` of the change.',
    fields: (t) => ({
      ...requiredInputs(t, 'String', {
        idempotencyKey:
          'Your key for this bulk change, 1 to 200 characters. The same key with the same input is always the same bulk change.',
      }),
      ...optionalInputs(t, ['String'], { names: namesText }),
      ...optionalInputs(t, DomainFilterRef, {
        filter: `${filterText} It is resolved once, when the bulk change is created.`,
      }),
      ...requiredInputs(t, 'Int', {
        expectedCount:
          'The number of domains, such as `count` of `previewBulkChange`. With another number the bulk change is refused.',
      }),
      ...requiredInputs(t, ChangeInputRef, { change: 'The change.' }),
    }),
  },
  result: BulkChangePayloadRef,
  resolve: (input, { use }) => use(bulkChanges).create(input),
});

const lookupInput = {
  type: LookupInputRef,
  argument: 'The id or the idempotency key of the bulk change.',
};

mutation('cancelBulkChange', {
  needs: 'domains:write',
  description:
    'Cancels the domains of a bulk change for which nothing was sent. A domain that is being changed goes on. Calls: none.',
  extensions: {
    ...neverLimited,
    ...costs((count, { input }: { input: LookupInput }) => costsJob(count, lookupName(input))),
  },
  input: lookupInput,
  result: BulkChangePayloadRef,
  resolve: (by, { use }) => use(bulkChanges).cancel(lookupOf(typename, by)),
});

mutation('retryBulkChange', {
  needs: 'domains:write',
  description:
    'Starts the domains of a bulk change again that are FAILED, UNKNOWN or CANCELLED. Calls: none; later those of `changeDomains` for each of these domains.',
  extensions: costs((count, { input }: { input: LookupInput }) =>
    costsJob(count, lookupName(input)),
  ),
  input: lookupInput,
  result: BulkChangePayloadRef,
  resolve: (by, { use }) => use(bulkChanges).retry(lookupOf(typename, by)),
});

const JobProgressUpdateRef = builder
  .objectRef<JobUpdate<ChangeItem>>('BulkChangeProgressUpdate')
  .implement({
    description: 'The progress of a bulk change since the update before.',
    fields: (t) => ({
      bulkChange: t.field({
        type: JobRef,
        nullable: false,
        description: 'The bulk change after these changes.',
        resolve: ({ job }) => job,
      }),
      ...requiredFields(t, [ItemRef], {
        changed:
          'The domains whose state changed since the update before, in the order of `items`. Empty in the first update only.',
      }),
    }),
  });

builder.subscriptionFields((t) => ({
  bulkChangeProgress: t.field({
    ...needs(...ownOrAll),
    type: JobProgressUpdateRef,
    nullable: false,
    description:
      'Sends an update now and after changes of the domains, at most four per second, and ends when the bulk change is no longer RUNNING. Read the domains with `bulkChange` after the first update; each later update has the domains that changed. A client that reads slowly gets several changes in one update. Another replica may change the domains. After a disconnect subscribe again. Calls: none.',
    args: jobIdArg(t, 'a bulk change'),
    extensions: {
      ...neverLimited,
      ...costs((count, { id }) => {
        const job = costsJob(count, id);
        costsSum(count, job, 'counts');
        return { ...job, domains: count.page(`domains of ${id}`, maxBulkChangeDomains) };
      }),
    },
    subscribe: (_root, { id }, { use }) => use(bulkChanges).progress(keyOfId(typename, id) ?? ''),
    resolve(update, _args, { beginUpdate }) {
      beginUpdate();
      return update;
    },
  }),
}));
