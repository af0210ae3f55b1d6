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
      "Whether the registrar's list holds every domain that it counts. The list has one page; read a domain beyond it by its name.",
  }),
  asOf: t.expose('asOf', {
    type: 'DateTime',
    nullable: false,
    description:
      'Time of the snapshot behind this page. Changes made through this gateway since then are included.',
  }),
  upstreamCount: t.int({
    description:
      'Number of domains that the registrar counts in the account, whatever the filter; null when the count cannot be read.',
    resolve: ({ upstreamCount }) => readLeaf(upstreamCount),
  }),
}));

export const DomainFilterRef = builder.inputRef<DomainFilter>('DomainFilter').implement({
  description: 'Which domains to list; every condition that is given must be met.',
  fields: (t) => ({
    contains: t.string({ description: 'Only names that contain this text, in ASCII or Unicode.' }),
    tlds: t.stringList({ description: 'Only names under these TLDs, in any spelling.' }),
    states: t.field({ type: [DomainStateRef], description: 'Only domains in these states.' }),
    expiresAfter: t.field({
      type: 'DateTime',
      description: 'Only those that expire at this time or later.',
    }),
    expiresBefore: t.field({
      type: 'DateTime',
      description: 'Only those that expire before this time.',
    }),
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
  description: 'Ascending or descending.',
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
      description: 'Ascending or descending.',
    }),
  }),
});

builder.queryField('domains', (t) =>
  t.field({
    ...needs('domains:read'),
    type: DomainConnectionRef,
    nullable: true,
    description:
      'The domains of the account, a page at a time; null when the list cannot be read. Costs one `getdomainlist` for all pages and filters, or nothing while the list is cached. A domain that this gateway has changed since costs one `getdetails`, and shows the change at once.',
    args: {
      ...pageArgs(t),
      filter: t.arg({ type: DomainFilterRef, description: 'Conditions; all items without it.' }),
      orderBy: t.arg({ type: DomainOrderRef, description: 'Default: by name, ascending.' }),
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
