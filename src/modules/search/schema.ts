import { mostNames } from '../../kernel/search-size.ts';
import { builder, needs, type QueryArgBuilder } from '../../schema/builder.ts';
import { costs, noEntities } from '../../schema/cost.ts';
import { domainNameFields } from '../../schema/domain-name.ts';
import { MoneyInputRef, MoneyRef } from '../../schema/money.ts';
import { isStreamed } from '../../schema/streamed.ts';
import { DomainAvailabilityRef } from '../availability/schema.ts';
import { QuoteRef } from '../quote/schema.ts';
import { TldRef } from '../tld/schema.ts';
import type { SearchResult } from './result.ts';

const DomainSearchResultRef = builder.objectRef<SearchResult>('DomainSearchResult').implement({
  description: 'One name that a search has checked.',
  fields: (t) => ({
    ...domainNameFields(t),
    availability: t.expose('availability', {
      type: DomainAvailabilityRef,
      nullable: false,
      description:
        'Whether it is free. INVALID without a call when a chosen TLD is not sold or the label breaks its rules; UNKNOWN when its check failed.',
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
        "Price of the first period (usually `tld.minPeriod` years), from the registrar's offer. Null unless the name is free and has a price.",
    }),
    renewalPrice: t.expose('renewalPrice', {
      type: MoneyRef,
      nullable: true,
      description:
        'Price of renewing for one year, from the price list. Null for a premium name, which the list does not cover, and when it is not known whether the name is premium.',
    }),
    totals: t.expose('totals', {
      type: [QuoteRef],
      nullable: false,
      description:
        'The price of registering it for 1, 3, 5 and 10 years; the same quotes as `availability.quote`.',
    }),
    suggested: t.exposeBoolean('suggested', {
      nullable: false,
      description: 'Whether the gateway suggested it, rather than the requested label.',
    }),
    position: t.exposeInt('position', {
      nullable: false,
      description:
        'Position in the order of the search, from 0, with gaps for names that are left out. Sort streamed results by it.',
    }),
  }),
});

const DomainSearchFilterRef = builder.inputType('DomainSearchFilter', {
  description: 'Which results a search returns; every condition that is given must be met.',
  fields: (t) => ({
    available: t.boolean({
      description: 'Only AVAILABLE names, or only the others.',
    }),
    premium: t.boolean({
      description:
        'Only premium names, or only others. A name for which it is not known is included.',
    }),
    maxPrice: t.field({
      type: MoneyInputRef,
      description:
        'Only names whose `price` is at most this, in this currency. TLDs that cost more by the price list are not checked; a free name without a price is left out.',
    }),
    maxRenewalPrice: t.field({
      type: MoneyInputRef,
      description:
        'Only names whose `renewalPrice` is at most this, in this currency. A free name without a known renewal price is left out.',
    }),
    first: t.int({
      description:
        'Maximum number of results (1 to 1000), without suggestions. The search stops when it has found them. Default: all for chosen TLDs, 100 otherwise.',
    }),
    suggestions: t.int({
      description:
        'Number of alternative names (0 to 20) to check in the same calls, under the first TLDs, such as `get-maple` or `maple-hq`. Default: 0.',
    }),
  }),
});

const searchArgs = (arg: QueryArgBuilder) => ({
  label: arg.string({
    required: true,
    description:
      'One label in any spelling, such as `maple` or `bücher`. For a whole name, such as `maple.com`, its label is searched and its TLD comes first.',
  }),
  tlds: arg.stringList({
    description:
      'At most 1000, in any spelling (`com`, `.COM`, `рф`), checked in this order. Default: all that are sold and whose rules the label meets, popular ones first, then by registration price.',
  }),
  filter: arg({ type: DomainSearchFilterRef, description: 'Which results.' }),
});

const costsSearch = costs((count, search) => {
  count.once('tldlist');
  count.search(mostNames(search));
  return noEntities;
});

const searchCosts =
  '1 `tldlist`, and bulk checks (`bulkcheckavailability`; for a single name `singlecheckavailability`) of as many names as the registry does in half a second, 1 to 100, at most 8 of them at a time in the whole gateway.';

builder.queryField('searchDomains', (t) =>
  t.field({
    ...needs('domains:check'),
    type: [DomainSearchResultRef],
    nullable: true,
    description: `Whether a label is free under many TLDs; null when the price list cannot be read. With \`@stream\` results come as they are known; without it in the order of the TLDs, suggestions last. A TLD that was not chosen is left out when it does not accept the letters of the label. A name that cannot be checked is UNKNOWN, and never an error of the list. Closing the connection ends the search. Costs ${searchCosts}`,
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
    description: `The results of \`searchDomains\`, one event for each as it is known; ends after the last one. Unsubscribing ends the search. Costs ${searchCosts}`,
    extensions: costsSearch,
    args: searchArgs(t.arg),
    subscribe: (_root, search, { services }) => services.search.stream(search),
    resolve: (result) => result,
  }),
);
