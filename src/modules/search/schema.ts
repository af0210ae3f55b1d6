import { nullWithError } from '../../kernel/schema-extensions.ts';
import { builder, needs, type QueryArgBuilder } from '../../schema/builder.ts';
import { costs, noEntities } from '../../schema/cost.ts';
import { optionalInputs, requiredFields } from '../../schema/fields.ts';
import { isStreamed } from '../../schema/incremental-delivery.ts';
import { MoneyInputRef } from '../../schema/values.ts';
import { DomainAvailabilityRef } from '../availability/schema.ts';
import { QuoteRef } from '../quote/schema.ts';
import { maxNames } from './arguments.ts';
import type { SearchResult } from './result.ts';
import { searches } from './service.ts';

const DomainSearchResultRef = builder.objectRef<SearchResult>('DomainSearchResult').implement({
  description: 'One name that a search has checked.',
  fields: (t) => ({
    ...requiredFields(t, DomainAvailabilityRef, {
      availability:
        'Whether the name can be registered. INVALID, without a call, when a TLD of `tlds` is not sold or does not accept the label. UNKNOWN when the check failed.',
    }),
    ...requiredFields(t, [QuoteRef], {
      totals:
        'What a registration costs for the shortest period that can be bought, which is also `availability.quote`, and for 1, 3, 5 and 10 years: the prices to choose a period by.',
    }),
    ...requiredFields(t, 'Boolean', {
      suggested: 'Whether the gateway suggested this name. False for the requested labels.',
    }),
    ...requiredFields(t, 'Int', {
      position:
        'Position in the order of the search, from 0. Names that are left out leave gaps. Sort streamed results by it.',
    }),
  }),
});

const DomainSearchFilterRef = builder.inputType('DomainSearchFilter', {
  description:
    'Conditions for the results of a search. A result must meet all conditions that are set.',
  fields: (t) => ({
    ...optionalInputs(t, 'Boolean', {
      available: 'True: only AVAILABLE names. False: only the others.',
      premium:
        'True: only premium names. False: only the others. A name whose premium status is unknown is included in both.',
    }),
    ...optionalInputs(t, MoneyInputRef, {
      maxPrice:
        'Only names whose `quote.highest` is at most this amount, in this currency. TLDs with a higher price in the price list are not checked. An available name without a price is left out.',
      maxRenewalPrice:
        'Only names whose `quote.renewalPrice` is at most this amount, in this currency. An available name without a known renewal price is left out.',
    }),
  }),
});

const searchArgs = (arg: QueryArgBuilder) => ({
  labels: arg.stringList({
    required: true,
    description:
      'Labels in any spelling, such as `maple` or `bücher`. For a whole name, such as `maple.com`, the label `maple` is searched and the TLD `com` is first. The address of a website is read as its name: `https://www.maple.com/shop` as `maple.com`, and `www.maple` as `maple`. Labels times TLDs are at most 1000.',
  }),
  tlds: arg.stringList({
    description:
      'TLDs to check, in this order: at most 1000, in any spelling (`com`, `.COM`, `рф`). Default: all TLDs that are sold and accept the label, popular ones first, then by registration price; of several labels the first 1000 names in all.',
  }),
  filter: arg({ type: DomainSearchFilterRef, description: 'Conditions. Default: all results.' }),
  first: arg.int({
    description:
      'Maximum number of results (1 to 1000) of all labels together, without suggestions. The search stops when it has found them. Default: all when `tlds` is set, otherwise 100.',
  }),
  suggestions: arg.int({
    description:
      'Number of alternative names (0 to 20) to check in the same calls, under the first TLDs, such as `get-maple` or `maple-hq`. Default: 0.',
  }),
});

const costsSearch = costs((count, search) => {
  count.once('tldlist');
  count.search(maxNames(search));
  return noEntities;
});

const searchCalls =
  'one `tldlist`, and bulk checks (`bulkcheckavailability`, or `singlecheckavailability` for one name). A bulk check has as many names as the registry checks in half a second, 1 to 100. All searches of a tenant make at most 8 bulk checks at a time, and the first one of each search.';

builder.queryField('searchDomains', (t) =>
  t.field({
    ...needs('domains:check'),
    type: [DomainSearchResultRef],
    description: `Whether labels are available under many TLDs; null when the price list cannot be read. The results of a label are in the order of the TLDs. Those of several labels alternate: the first TLD of each label, then the second of each. Suggestions are last. With \`@stream\` the same results arrive in any order. A result waits only while names with an earlier \`position\` may still take its place among the \`first\` ones. Without \`tlds\`, TLDs that do not accept the letters of a label are left out, and internationalised TLDs whose names the registrar cannot check. A name that cannot be checked is UNKNOWN; it causes no error of the list. Closing the connection ends the search. Calls: ${searchCalls}`,
    extensions: { ...nullWithError, ...costsSearch },
    args: searchArgs(t.arg),
    resolve(_root, search, { use }, info) {
      if (!isStreamed(info)) return use(searches).list(search);
      // Yoga's executor takes an async iterable for a list, of which the types of the builder do not know.
      return use(searches).stream(search) as Promise<never>;
    },
  }),
);

builder.subscriptionField('searchDomains', (t) =>
  t.field({
    ...needs('domains:check'),
    type: DomainSearchResultRef,
    nullable: false,
    description: `The results of the query \`searchDomains\`, one message per result, in any order. A result waits only while names with an earlier \`position\` may still take its place among the \`first\` ones. The stream ends after the last result. Unsubscribing ends the search. Calls: ${searchCalls}`,
    extensions: costsSearch,
    args: searchArgs(t.arg),
    subscribe: (_root, search, { use }) => use(searches).stream(search),
    resolve: (result) => result,
  }),
);
