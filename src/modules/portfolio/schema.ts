import { type Leaf, readLeaf } from '../../kernel/leaf.ts';
import { builder, needs } from '../../schema/builder.ts';
import {
  type Connection,
  connectionRef,
  pageArgs,
  readPage,
  toConnection,
} from '../../schema/connection.ts';
import { costs, pageSize } from '../../schema/cost.ts';
import { refreshArg } from '../../schema/refresh.ts';
import type { DomainDetails } from '../../upstream/domain-api/shapes.ts';
import { DomainRef, DomainStateRef } from '../domain/schema.ts';
import type { DomainFilter } from './filter.ts';

interface DomainPage extends Connection<DomainDetails> {
  readonly complete: boolean;
  readonly asOf: Date;
  readonly upstreamCount: Leaf<number>;
}

const DomainConnectionRef = connectionRef<DomainDetails, DomainPage>('Domain', DomainRef);

builder.objectFields(DomainConnectionRef, (t) => ({
  complete: t.exposeBoolean('complete', {
    nullable: false,
    description:
      "Whether the service handed over all domains that it counts. It can't page, so beyond its own page size the rest is out of reach here; ask for such a domain by name.",
  }),
  asOf: t.expose('asOf', {
    type: 'DateTime',
    nullable: false,
    description:
      'When the service was asked for the list that this page is cut from: nothing on it is older, and what this gateway changed since is newer.',
  }),
  upstreamCount: t.int({
    description:
      'How many domains the service counts in the account, whatever the filter; null when its count cannot be read.',
    resolve: ({ upstreamCount }) => readLeaf(upstreamCount),
  }),
}));

export const DomainFilterRef = builder.inputRef<DomainFilter>('DomainFilter').implement({
  description: 'Which domains to list; all that is given must hold.',
  fields: (t) => ({
    contains: t.string({ description: 'Only names that hold this text, in ASCII or Unicode.' }),
    tlds: t.stringList({ description: 'Only names under these TLDs, in any spelling.' }),
    states: t.field({ type: [DomainStateRef], description: 'Only domains in these states.' }),
    expiresAfter: t.field({
      type: 'DateTime',
      description: 'Only those that expire then or later.',
    }),
    expiresBefore: t.field({ type: 'DateTime', description: 'Only those that expire before.' }),
    transferLocked: t.boolean({ description: 'Only locked ones, or only the others.' }),
    privacyProtected: t.boolean({ description: 'Only protected ones, or only the others.' }),
    nameServer: t.field({ type: 'DomainName', description: 'Only those served by this host.' }),
  }),
});

const DomainOrderFieldRef = builder.enumType('DomainOrderField', {
  description: 'What domains can be ordered by.',
  values: {
    NAME: { description: 'The ASCII name.' },
    EXPIRES_AT: { description: 'When they expire; those without a date last.' },
    REGISTERED_AT: { description: 'When they were registered; those without a date last.' },
  },
});

const OrderDirectionRef = builder.enumType('OrderDirection', {
  description: 'Which end comes first.',
  values: {
    ASC: { description: 'Smallest or earliest.' },
    DESC: { description: 'Largest or latest.' },
  },
});

const DomainOrderRef = builder.inputType('DomainOrder', {
  description: 'The order of a list of domains; names break ties.',
  fields: (t) => ({
    field: t.field({
      type: DomainOrderFieldRef,
      required: true,
      defaultValue: 'NAME',
      description: 'What to order by.',
    }),
    direction: t.field({
      type: OrderDirectionRef,
      required: true,
      defaultValue: 'ASC',
      description: 'Which end comes first.',
    }),
  }),
});

builder.queryField('domains', (t) =>
  t.field({
    ...needs('domains:read'),
    type: DomainConnectionRef,
    nullable: true,
    description:
      'The domains of the account, a page at a time; null when their list cannot be read. Costs one `getdomainlist` for all pages and filters, or nothing while a list that was kept is young enough. What this gateway has changed since shows at once, for one `getdetails` a domain.',
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: DomainFilterRef, description: 'Which ones.' }),
      orderBy: t.arg({ type: DomainOrderRef, description: 'By name unless told otherwise.' }),
      ...refreshArg(t),
    },
    extensions: costs((count, args) => {
      count.once('getdomainlist', args.refresh);
      return { domains: count.page(`domains ${JSON.stringify(args)}`, pageSize(args)) };
    }),
    resolve: async (_root, { filter, orderBy, refresh, ...args }, { services: { portfolio } }) => {
      const place = portfolio.placeIn(orderBy ?? {});
      const wish = readPage(args, { parts: 3, order: place.order });
      const { domains, more, ...facts } = await portfolio.page(filter, place, wish, refresh);
      return { ...facts, ...toConnection(domains, place.positionOf, more) };
    },
  }),
);
