import { isLookalike, unicodeName } from '../../kernel/domain-name.ts';
import { unwrap } from '../../kernel/faults.ts';
import { nullWithError } from '../../kernel/schema-extensions.ts';
import { withoutAmounts } from '../../kernel/visibility.ts';
import { refreshArg, withinLimit } from '../../schema/arguments.ts';
import { builder, enumRef, needs } from '../../schema/builder.ts';
import { costs, costsShopPrice, costsTldList, namesIn, noEntities } from '../../schema/cost.ts';
import { requiredFields } from '../../schema/fields.ts';
import { ErrorCodeRef } from '../../schema/user-error.ts';
import { MoneyRef } from '../../schema/values.ts';
import type { Scope } from '../../scope/scope.ts';
import { costField, periodArg, QuoteRef } from '../quote/schema.ts';
import { quotes } from '../quote/service.ts';
import { tldAbove } from '../tld/schema.ts';
import type { AvailabilityState } from './check.ts';
import { availabilityReads, type CheckedName } from './loader.ts';

const AvailabilityStateRef = enumRef<AvailabilityState>(
  'AvailabilityState',
  'Whether a name can be registered.',
  {
    AVAILABLE: 'The registrar reported that the name can be registered.',
    TAKEN: 'Registered, reserved, or otherwise not available.',
    INVALID:
      'A name that cannot be registered here: see `reason`. A label that is too short or too long for its TLD is INVALID while the price list is cached or read by the same operation.',
    UNKNOWN:
      'The registrar returned no result, or one that cannot be read. Do not treat the name as available.',
  },
);

const nameOf = (checked: CheckedName): string =>
  checked.name === null ? checked.text : checked.name;

function reasonOf(
  { state, offer, fault }: CheckedName,
  { hidesCosts }: Pick<Scope, 'hidesCosts'>,
): string | null {
  const ofOffer = unwrap(offer?.reason ?? null);
  const ofFault = (state === 'INVALID' && fault?.upstream?.message) || null;
  const reason = ofOffer ?? ofFault;
  if (reason === null) return fault?.message ?? null;
  return hidesCosts ? withoutAmounts(reason) : reason;
}

export const DomainAvailabilityRef = builder
  .objectRef<CheckedName>('DomainAvailability')
  .implement({
    description: 'Availability and price of one name.',
    fields: (t) => ({
      name: t.string({
        nullable: false,
        description:
          'The name in lower-case ASCII. For text that is not a domain name: the text, shortened.',
        resolve: nameOf,
      }),
      ...requiredFields(t, AvailabilityStateRef, {
        state:
          'AVAILABLE only when the registrar reported it. UNKNOWN after an error of the registrar.',
      }),
      unicodeName: t.string({
        nullable: false,
        description:
          'The name in Unicode; a deceptive label remains in its `xn--` form. For text that is not a domain name: the same as `name`.',
        resolve: (checked) => (checked.name ? unicodeName(checked.name) : nameOf(checked)),
      }),
      lookalike: t.boolean({
        nullable: false,
        description:
          'Whether the name mixes scripts, or has letters or marks that look like others or cannot be seen.',
        resolve: ({ name }) => name !== null && isLookalike(name),
      }),
      premium: t.boolean({
        description:
          'Whether it is a premium name. Such a name has a price of its own, and `registerDomain` requires `acceptPremium`. Null when the registrar did not report it.',
        resolve: ({ offer }) => unwrap(offer?.premium ?? null),
      }),
      price: t.field({
        type: MoneyRef,
        nullable: true,
        description:
          'The price of `period` years, from the offer that the check of the registrar reported. Null unless the name is available and has a price. Use `quote` for what a registration costs. Where prices differ from costs, it needs one `tldlist` per operation.',
        extensions: costsShopPrice,
        resolve: (checked, _args, { use }) => use(quotes).offered(checked),
      }),
      cost: costField(
        t,
        MoneyRef,
        'The offer of the registrar for `period` years.',
        ({ state, offer }) => (state === 'AVAILABLE' ? unwrap(offer?.price ?? null) : null),
      ),
      period: t.int({
        description:
          'Number of years that `price` covers, by the price list: the registrar reports 1 also where a TLD sells nothing shorter than two years. Null without `price`, and when the number is not known; `quote` then has the reason. Calls: one `tldlist` per operation.',
        extensions: costsTldList,
        resolve: async (checked, _args, { use }) =>
          unwrap(await use(quotes).offeredPeriod(checked)),
      }),
      command: t.string({
        description: 'Raw name of the operation that `price` is for: `create`.',
        resolve: ({ offer }) => unwrap(offer?.command ?? null),
      }),
      status: t.string({
        description: 'Raw status, such as `available`; null when the registrar returned none.',
        resolve: ({ offer }) => offer?.status ?? null,
      }),
      reason: t.string({
        description:
          'Why the name cannot be registered, or why `state` is UNKNOWN: the reason of the registrar, if it sent one, otherwise a sentence of the gateway. Without the scope `prices:cost` each number in the words of the registrar is `…`.',
        resolve: (checked, _args, scope) => reasonOf(checked, scope),
      }),
      errorCode: t.field({
        type: ErrorCodeRef,
        nullable: true,
        description: 'Why `state` is INVALID or UNKNOWN; null otherwise.',
        resolve: ({ fault }) => fault?.code ?? null,
      }),
      retryable: t.boolean({
        nullable: false,
        description: 'Whether a later request may return a definite result.',
        resolve: ({ fault }) => fault?.retryable ?? false,
      }),
      quote: t.field({
        ...needs('domains:check'),
        type: QuoteRef,
        nullable: false,
        description:
          'What a registration costs for a period, from the check and the price list, as for a purchase. `certainty` is NOT_SOLD for a name that is TAKEN or INVALID, and for a period that the TLD does not sell. It is UNKNOWN for every period of a premium name except the one in `DomainAvailability.period`. Calls: one `tldlist` per operation.',
        extensions: costsTldList,
        args: periodArg(t, 'period that can be bought'),
        resolve: (availability, { period = null }, { use }) =>
          use(quotes).ofRegistration(availability, period),
      }),
      tld: tldAbove(t, ({ name }) => name),
    }),
  });

/** The most names of `availabilities`. */
const maxNames = 500;

builder.queryFields((t) => ({
  availability: t.field({
    ...needs('domains:check'),
    type: DomainAvailabilityRef,
    description:
      'Whether a name can be registered. Text that is not a domain name is INVALID, with the reason, and causes no call. One name per operation needs one `singlecheckavailability`. Several names need one `bulkcheckavailability` together.',
    args: {
      name: t.arg.string({ required: true, description: 'In any spelling of `DomainName`.' }),
      ...refreshArg(t),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, { name, refresh }) => {
        count.names(namesIn([name]), refresh);
        return noEntities;
      }),
    },
    resolve: (_root, { name, refresh }, { reads, fresh }) =>
      (refresh ? fresh : reads).use(availabilityReads).check(name),
  }),
  availabilities: t.field({
    ...needs('domains:check'),
    type: [DomainAvailabilityRef],
    description:
      'Whether names can be registered: one result for each text of `names`, in the same order. Text that is not a domain name is INVALID, with the reason. Calls: one `bulkcheckavailability` per 100 names; duplicates and text that is not a name cause none. Its reply may omit names with non-ASCII letters: they need one `tldlist`, and at most 3 `singlecheckavailability` per 100 names. The others of them are UNKNOWN and `retryable`.',
    args: {
      names: t.arg.stringList({
        required: true,
        description: 'At most 500, in any spelling of `DomainName`; duplicates are allowed.',
      }),
      ...refreshArg(t),
    },
    extensions: {
      ...nullWithError,
      ...costs((count, { names, refresh }) => {
        count.names(namesIn(names), refresh);
        return noEntities;
      }),
    },
    resolve: (_root, { names, refresh }, { reads, fresh }) =>
      (refresh ? fresh : reads)
        .use(availabilityReads)
        .checkAll(withinLimit('names', names, maxNames)),
  }),
}));
