import { nullWithError } from '../../kernel/schema-extensions.ts';
import {
  type CallCount,
  type CostContext,
  type Entities,
  listPaysFrom,
} from '../../kernel/upstream-calls.ts';
import { domainNow } from '../../modules/domain/schema.ts';
import { customerField, flag, periodField } from '../../modules/purchase/input-schema.ts';
import { PurchaseKindRef } from '../../modules/purchase/schema.ts';
import { QuoteRef, TotalRef, totalsFor } from '../../modules/quote/schema.ts';
import { valueFields } from '../../modules/registration/schema.ts';
import { notChecked, notCheckedText, transferPeriodField } from '../../modules/transfer/schema.ts';
import { domainField } from '../../schema/arguments.ts';
import { builder, type InputFieldBuilder, needs } from '../../schema/builder.ts';
import { costs, named, namesIn } from '../../schema/cost.ts';
import {
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { errorsField } from '../../schema/user-error.ts';
import { MoneyInputRef } from '../../schema/values.ts';
import { orders } from './parts.ts';
import type { OrderLineQuote, OrderQuote, QuoteOrderInput } from './quote-order.ts';
import type { OrderLineInput } from './quoted-lines.ts';

const lineFields = (t: InputFieldBuilder) => ({
  ...customerField(t, 'that of `defaults`'),
  ...optionalInputs(t, MoneyInputRef, {
    maxPrice: 'Highest accepted price of this line, in the currency of the price.',
    maxCost:
      'Highest accepted cost of this line, in the currency of the cost. Needs the scope `prices:cost`.',
  }),
});

const RegistrationLineInputRef = builder.inputType('RegistrationLineInput', {
  description: 'A registration in an order.',
  fields: (t) => ({
    domain: domainField(t, 'The domain to register'),
    ...periodField(t),
    acceptPremium: flag(t, false, 'Whether a premium name may be bought at its premium price.'),
    ...valueFields(t, 'that of `defaults`, otherwise '),
    ...lineFields(t),
  }),
});

const TransferLineInputRef = builder.inputType('TransferLineInput', {
  description: 'A transfer into the account, in an order.',
  fields: (t) => ({
    domain: domainField(t, 'The domain to transfer'),
    ...requiredInputs(t, 'String', {
      authCode: 'Auth code (EPP code) from the current registrar. A secret.',
    }),
    ...transferPeriodField(t),
    ...lineFields(t),
  }),
});

const OrderLineInputRef = builder.inputType('OrderLineInput', {
  description: 'One purchase of an order: a registration or a transfer.',
  isOneOf: true,
  fields: (t) => ({
    registration: t.field({ type: RegistrationLineInputRef, description: 'A registration.' }),
    transfer: t.field({ type: TransferLineInputRef, description: 'A transfer.' }),
  }),
});

const OrderDefaultsInputRef = builder.inputType('OrderDefaultsInput', {
  description:
    'Values for the registrations of an order that have none of their own, and the customer of all lines without one.',
  fields: (t) => ({ ...valueFields(t, ''), ...customerField(t) }),
});

export const maxTotalField = (t: InputFieldBuilder) =>
  optionalInputs(t, [MoneyInputRef], {
    maxTotal:
      'Highest accepted total, one amount per currency. The order is refused when a total may be higher, or is in another currency.',
    maxTotalCost: 'The same for what the registrar charges. Needs the scope `prices:cost`.',
  });

/** The lines of an order and their limits. */
export const orderFields = (t: InputFieldBuilder, defaults: string) => ({
  ...requiredInputs(t, [OrderLineInputRef], {
    lines: '1 to 500 purchases, with a name in one line at most.',
  }),
  ...optionalInputs(t, OrderDefaultsInputRef, { defaults }),
  ...maxTotalField(t),
});

const QuoteOrderInputRef = builder.inputType('QuoteOrderInput', {
  description: 'The lines of an order and their limits.',
  fields: (t) =>
    orderFields(t, 'Values for registrations. A quote needs no contacts and no name servers.'),
});

const errorsOf = 'every reason that can be checked together';

const OrderLineQuoteRef = builder.objectRef<OrderLineQuote>('OrderLineQuote').implement({
  description: 'A line of an order, with its price or the reasons not to buy it.',
  fields: (t) => ({
    ...requiredFields(t, 'Int', { position: 'Index in the lines of the input, from 0.' }),
    ...requiredFields(t, PurchaseKindRef, { kind: 'The kind of purchase.' }),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: true,
      description: 'The domain; null when the text that was sent is no domain name: see `errors`.',
    }),
    domain: domainNow(t, 'domains'),
    ...nullableFields(t, QuoteRef, {
      quote:
        'The quote of this line. Null when the name is not valid or in an earlier line, and when the TLD is not sold or cannot be read.',
    }),
    notChecked: t.string({
      description: `${notCheckedText}; null for a registration.`,
      resolve: ({ kind }) => (kind === 'TRANSFER' ? notChecked : null),
    }),
    errors: errorsField(t, `Why this line cannot be bought: ${errorsOf}. Empty when it can.`),
  }),
});

export const OrderQuoteRef = builder.objectRef<OrderQuote>('OrderQuote').implement({
  description: 'The price of an order, and everything that its checks found.',
  fields: (t) => ({
    ...requiredFields(t, [OrderLineQuoteRef], {
      lines: 'The lines in the order of the input. Empty for too many lines.',
    }),
    totals: t.field({
      type: [TotalRef],
      nullable: false,
      description:
        'The sums of the lines without errors, one per currency. `maxTotal` compares with the prices; `maxTotalCost` and the balance check compare with the costs.',
      resolve: (quote, _args, { caller }) =>
        totalsFor(caller, { prices: quote.totals, costs: quote.costs }),
    }),
    affordable: t.exposeBoolean('affordable', {
      description:
        'Whether the balance covers the highest costs; for a caller without the scope `prices:cost` the highest prices, in the currency of the costs. Null when no line can be bought, and when the registrar did not report a balance.',
    }),
    errors: errorsField(
      t,
      `Why the order as a whole cannot be bought: ${errorsOf}. Errors of a line are in that line.`,
    ),
  }),
});

const namesOf = (lines: readonly OrderLineInput[], member: 'registration' | 'transfer') =>
  namesIn(lines.flatMap((line) => line[member]?.domain ?? []));

/** Whether the account owns the names to transfer is read together where there are many. */
export function countOwned(count: CallCount, transferred: Entities): void {
  const amount = new Set(transferred.names).size + transferred.others;
  if (amount < listPaysFrom) count.domains(transferred);
  else count.once('getdomainlist');
}

/** Counts the upstream calls of the checks of an order. */
export function countQuote(count: CallCount, { lines }: QuoteOrderInput): CostContext {
  const [registered, transferred] = [namesOf(lines, 'registration'), namesOf(lines, 'transfer')];
  count.calls(2);
  count.names([...registered, ...transferred], true);
  countOwned(count, named(transferred));
  return { domains: named([...registered, ...transferred]) };
}

builder.queryField('quoteOrder', (t) =>
  t.field({
    ...needs('domains:spend'),
    type: OrderQuoteRef,
    description:
      'The price of up to 500 purchases, and whether they can be bought, without buying them. It makes the checks of `registerDomain` and `transferDomain`. Calls: one `tldlist`, one `resellerdetails`, one `bulkcheckavailability` per 100 names, and one `getdetails` per name to transfer, or one `getdomainlist` from five of them on. For each name to register that is taken, and each name to transfer that the list leaves out, one more `getdetails` reads whether the account owns it, while the request has calls left.',
    extensions: {
      ...nullWithError,
      ...costs((count, { input }: { input: QuoteOrderInput }) => countQuote(count, input)),
    },
    args: {
      input: t.arg({
        type: QuoteOrderInputRef,
        required: true,
        description: 'The order.',
      }),
    },
    resolve: (_root, { input }, { use }) => use(orders).quote(input),
  }),
);
