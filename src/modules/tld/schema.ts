import {
  type DomainName,
  parseDomainName,
  parseTld,
  partOfName,
  refuseSeveralTlds,
  unicodeName,
} from '../../kernel/domain-name.ts';
import { valueOr } from '../../kernel/faults.ts';
import type { PriceOperation } from '../../kernel/money.ts';
import {
  knownBy,
  loadsBy,
  nullWithError,
  publicRead,
  publicType,
} from '../../kernel/schema-extensions.ts';
import { refreshArg } from '../../schema/arguments.ts';
import { builder, enumRef, needs, type ObjectFieldBuilder } from '../../schema/builder.ts';
import {
  type CountedPage,
  connectionRef,
  pageArgs,
  paginate,
  readPage,
} from '../../schema/connection.ts';
import { costsRead, costsTldList } from '../../schema/cost.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { tldReads } from './loader.ts';

export const PriceOperationRef = enumRef<PriceOperation>(
  'PriceOperation',
  'Operation that a price is for.',
  {
    REGISTRATION: 'Registration of a free name.',
    RENEWAL: 'Renewal. The registrar has no call for it.',
    TRANSFER: 'Transfer into the account.',
    RESTORE: 'Restore from redemption. The registrar has no call for it.',
    BACKORDER: 'Request for a taken name, for when it becomes free.',
    REFUND: 'Refund for a deleted registration.',
    OTHER: 'Any other price in the list; see `upstreamOperation`.',
  },
);

const unicodeTld = ({ name }: TldDetails) => unicodeName(parseDomainName(`a.${name}`)).slice(2);

export const TldRef = builder.objectRef<TldDetails>('Tld').implement({
  description:
    'A TLD that the registrar sells, with its bounds and prices. One `tldlist` reads all of them. While the registrar is not available, the last list is used for up to a day, and `extensions.stale` reports its age. Purchases always use a fresh list.',
  extensions: { ...knownBy('name', 'id'), ...publicType },
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'Tld', ({ name }: TldDetails) => name),
    ...requiredFields(t, 'String', {
      name: 'The TLD in ASCII, without a leading dot: `com`, `co.uk`, `xn--p1ai`.',
    }),
    unicodeName: t.string({
      nullable: false,
      description: 'The TLD in Unicode: `рф` for `xn--p1ai`.',
      resolve: unicodeTld,
    }),
    ...nullableFields(t, 'Int', {
      upstreamId: 'Number of the TLD at the registrar; null when the registrar sends none.',
      minLength: 'Minimum number of characters of the label before the TLD.',
      maxLength: 'Maximum number of characters of the label before the TLD.',
      minPeriod: 'Minimum number of years of a registration.',
      maxPeriod: 'Maximum number of years of a registration.',
    }),
    ...nullableFields(t, 'String', { status: 'Raw status, such as `Active`.' }),
  }),
});

/** The `tld` of an object that has a name, or may have one. */
export const tldAbove = <Shape>(
  t: ObjectFieldBuilder<Shape>,
  nameOf: (parent: Shape) => DomainName | null,
) =>
  t.field({
    ...needs('domains:check'),
    type: TldRef,
    description:
      'The TLD of the name, by the longest match; null when the registrar does not sell it. Calls: one `tldlist` per operation.',
    extensions: costsTldList,
    resolve: async (parent, _args, { use }) => {
      const name = nameOf(parent as Shape);
      return name && (await use(tldReads).above(name))?.tld;
    },
  });

registerNode('Tld', {
  needed: ['domains:check'],
  load: ({ use }, key) => use(tldReads).byName(key),
  cost: (count) => costsRead(count, 'tldlist'),
  natural: {
    field: 'name',
    load: ({ use }, name) => use(tldReads).byName(parseTld(name) ?? ''),
    cost: (count) => costsRead(count, 'tldlist'),
  },
});

/** The whole list is read in any case, and one page of it shows it whole. */
const maxTldsOfPage = 1_000;

interface TldPage extends CountedPage<TldDetails> {
  readonly complete: boolean;
}

const TldConnectionRef = connectionRef<TldDetails, TldPage>('Tld', TldRef, publicType);

builder.objectFields(TldConnectionRef, (t) => ({
  ...requiredFields(t, 'Boolean', {
    complete:
      'Whether the list has every TLD that the registrar sells. False when its single page of 1000 was full, or had an entry or a price that cannot be read. A negative price cannot be read.',
  }),
}));

const TldFilterRef = builder.inputType('TldFilter', {
  description: 'Conditions for TLDs. A TLD must meet all conditions that are set.',
  fields: (t) => ({
    names: t.stringList({ description: 'Only these TLDs, in any spelling: `com`, `.COM`, `рф`.' }),
    contains: t.string({ description: 'Only names that contain this text, in ASCII or Unicode.' }),
    active: t.boolean({
      description: 'True: only TLDs whose status is `Active`. False: only the others.',
    }),
    currency: t.field({
      type: 'CurrencyCode',
      description: 'Only TLDs with a registration price in this currency.',
    }),
    period: t.int({ description: 'Only TLDs that can be registered for this number of years.' }),
  }),
});

type TldFilter = typeof TldFilterRef.$inferInput;

/** Reads the filter once, for reading a name is dear and there are hundreds of TLDs. */
function createTldFilter(filter: TldFilter): (tld: TldDetails) => boolean {
  const { active, currency, period } = filter;
  refuseSeveralTlds(filter.names ?? []);
  const names = filter.names && new Set(filter.names.map(parseTld));
  const text = filter.contains && partOfName(filter.contains);
  return (tld) => {
    const isActive = valueOr(tld.status, '').trim().toLowerCase() === 'active';
    const isBetween = (years: number) =>
      valueOr(tld.minPeriod, 1) <= years && years <= valueOr(tld.maxPeriod, 10);
    return (
      (!names || names.has(tld.name)) &&
      (!text || tld.name.includes(text) || unicodeTld(tld).includes(text)) &&
      (typeof active !== 'boolean' || active === isActive) &&
      (typeof period !== 'number' || isBetween(period)) &&
      (!currency ||
        tld.prices.some(
          ({ operation, price }) =>
            operation === 'REGISTRATION' && valueOr(price, null)?.currency === currency,
        ))
    );
  };
}

const tagOf = (tld: string | null) => tld && `tld:${tld}`;

builder.queryFields((t) => ({
  tld: t.field({
    ...needs('domains:check'),
    type: TldRef,
    description:
      'One TLD, in any spelling; null when the registrar does not sell it. Calls: one `tldlist`.',
    extensions: {
      ...loadsBy('name', { keyArg: 'name' }),
      ...costsTldList,
      ...publicRead(({ name }: { name: string }) => tagOf(parseTld(name))),
    },
    args: {
      name: t.arg.string({
        required: true,
        description: 'The TLD in any spelling: `com`, `.COM`, `рф`.',
      }),
      ...refreshArg(t),
    },
    resolve: (_root, { name, refresh }, { reads, fresh }) =>
      (refresh ? fresh : reads).use(tldReads).byName(parseTld(name) ?? ''),
  }),
  tlds: t.field({
    ...needs('domains:check'),
    type: TldConnectionRef,
    description:
      'The TLDs that the registrar sells, by name; null when the list cannot be read. Calls: one `tldlist`. `extensions.stale` reports when the list is out of date.',
    extensions: { ...nullWithError, ...costsTldList, ...publicRead(() => 'tlds') },
    args: {
      ...pageArgs(t, maxTldsOfPage),
      filter: t.arg({ type: TldFilterRef, description: 'Conditions. Default: all TLDs.' }),
      ...refreshArg(t),
    },
    resolve: async (_root, { filter, refresh, ...args }, { reads, fresh }) => {
      const page = readPage(args, { parts: 1, most: maxTldsOfPage });
      const { tlds, complete } = await (refresh ? fresh : reads).use(tldReads).catalogue();
      const chosen = filter ? tlds.filter(createTldFilter(filter)) : tlds;
      return { ...paginate(chosen, page, ({ name }) => name), complete };
    },
  }),
}));
