import { mostNames } from '../../kernel/search-size.ts';
import { builder, needs, type QueryArgBuilder } from '../../schema/builder.ts';
import { costs, nothing } from '../../schema/cost.ts';
import { domainNameFields } from '../../schema/domain-name.ts';
import { MoneyInputRef, MoneyRef } from '../../schema/money.ts';
import { isStreamed } from '../../schema/streamed.ts';
import { DomainAvailabilityRef } from '../availability/schema.ts';
import { QuoteRef } from '../quote/schema.ts';
import { TldRef } from '../tld/schema.ts';
import type { SearchResult } from './result.ts';

const DomainSearchResultRef = builder.objectRef<SearchResult>('DomainSearchResult').implement({
  description: 'One name that a search has found out about.',
  fields: (t) => ({
    ...domainNameFields(t),
    availability: t.expose('availability', {
      type: DomainAvailabilityRef,
      nullable: false,
      description:
        'Whether it is free. INVALID without a call for a chosen TLD that is not sold or whose rules the label breaks; UNKNOWN when its check failed.',
    }),
    tld: t.expose('tld', {
      type: TldRef,
      nullable: true,
      description: 'Its TLD; null when it is not sold. Costs no call beyond that of the search.',
    }),
    price: t.expose('price', {
      type: MoneyRef,
      nullable: true,
      description:
        'Of the first period (`tld.minPeriod` years as a rule), as the service offers it, for a premium name its own. Null unless the name is free, and when no price is named.',
    }),
    renewalPrice: t.expose('renewalPrice', {
      type: MoneyRef,
      nullable: true,
      description:
        'Of one more year, from the price list. Null for a premium name, for which the list does not hold, and where it is not known whether it is one.',
    }),
    totals: t.expose('totals', {
      type: [QuoteRef],
      nullable: false,
      description:
        'What registering it for 1, 3, 5 and 10 years costs; the same quotes as `availability.quote`.',
    }),
    suggested: t.exposeBoolean('suggested', {
      nullable: false,
      description:
        'Whether it is a suggestion of the gateway and not the label that was asked for.',
    }),
    position: t.exposeInt('position', {
      nullable: false,
      description:
        'Its place in the order in which names are asked about, from 0, with gaps for those that are left out. Results that come as they are known are sorted by it.',
    }),
  }),
});

const DomainSearchFilterRef = builder.inputType('DomainSearchFilter', {
  description: 'Which results a search is to find; all that is given must hold.',
  fields: (t) => ({
    available: t.boolean({
      description: 'Only names that are free for certain (AVAILABLE), or only the others.',
    }),
    premium: t.boolean({
      description: 'Only premium names, or only others. A name of which it is not known stays in.',
    }),
    maxPrice: t.field({
      type: MoneyInputRef,
      description:
        'Only names whose `price` is at most this, in this currency. A TLD that the price list rules out is not asked about; a free name without a price is left out.',
    }),
    maxRenewalPrice: t.field({
      type: MoneyInputRef,
      description:
        'Only names whose `renewalPrice` is at most this, in this currency; where it is not known for a free name, that is left out.',
    }),
    first: t.int({
      description:
        'So many results at most, 1 to 1000, suggestions not counted; nothing is asked about once there are enough. Default: all for TLDs that were chosen, 100 otherwise.',
    }),
    suggestions: t.int({
      description:
        'So many other names, 0 to 20, are tried in the same calls, under the first TLDs: `get-maple`, `maple-hq`. Default: 0.',
    }),
  }),
});

const searchArgs = (arg: QueryArgBuilder) => ({
  label: arg.string({
    required: true,
    description:
      'One label in any spelling, such as `maple` or `bücher`. Of a whole name, such as `maple.com`, it is the label, and its TLD comes first.',
  }),
  tlds: arg.stringList({
    description:
      'At most 1000, in any spelling (`com`, `.COM`, `рф`), asked about in this order. Default: all that are sold and that the label fits, popular ones first, then by price of registration.',
  }),
  filter: arg({ type: DomainSearchFilterRef, description: 'Which results.' }),
});

const costsSearch = costs((count, search) => {
  count.once('tldlist');
  count.search(mostNames(search));
  return nothing;
});

const told =
  '1 `tldlist`, and bulk checks (`bulkcheckavailability`; for a single name `singlecheckavailability`) of as many names as the registry does in half a second, 1 to 100, at most 8 of them at a time in the whole gateway.';

builder.queryField('searchDomains', (t) =>
  t.field({
    ...needs('domains:check'),
    type: [DomainSearchResultRef],
    nullable: true,
    description: `Whether a label is free under many TLDs; null when the price list cannot be read. With \`@stream\` results come as they are known; without it in the order of the TLDs, suggestions last. A name that cannot be told is UNKNOWN and never an error of the list. Hanging up ends the search. Costs ${told}`,
    extensions: costsSearch,
    args: searchArgs(t.arg),
    resolve(_root, search, { services }, info) {
      if (!isStreamed(info)) return services.search.list(search);
      // Yoga's executor takes an async iterable for a list, of which the types of the builder do not know.
      return services.search.stream(search) as Promise<never>;
    },
  }),
);

builder.subscriptionField('searchDomains', (t) =>
  t.field({
    ...needs('domains:check'),
    type: DomainSearchResultRef,
    nullable: false,
    description: `What \`searchDomains\` finds, one event for each result as it is known; ends when all are told. Leaving it ends the search. Costs ${told}`,
    extensions: costsSearch,
    args: searchArgs(t.arg),
    subscribe: (_root, search, { services }) => services.search.stream(search),
    resolve: (result) => result,
  }),
);
