import { maxOrderLines } from '../../kernel/job-sizes.ts';
import { type CallCount, maxChecksAlone, maxNamesPerCall } from '../../kernel/upstream-calls.ts';
import { mutation, payloadRef } from '../../modules/mutation/schema.ts';
import { ContactChoiceInputRef } from '../../modules/registration/schema.ts';
import { type LookupInput, LookupInputRef, lookupName, lookupOf } from '../../schema/arguments.ts';
import { builder, enumRef } from '../../schema/builder.ts';
import { costs, neverLimited } from '../../schema/cost.ts';
import { nullableFields, optionalInputs, requiredInputs } from '../../schema/fields.ts';
import { orders } from './parts.ts';
import type { PlaceOrderInput } from './place-order.ts';
import {
  countOwned,
  countQuote,
  maxTotalField,
  OrderQuoteRef,
  orderFields,
} from './quote-schema.ts';
import type { RetryOrderInput } from './retry-order.ts';
import { costsOrder, OrderRef } from './schema.ts';
import type { CancelledOrder, OrderPayload } from './service.ts';

const OnFailureRef = enumRef('OrderOnFailure', 'The effect of a line that fails on the others.', {
  CONTINUE: 'The other lines are sent.',
  STOP: 'No other line is sent. Lines that are being sent go on.',
});

const keyText =
  'Your key for this order, 1 to 194 characters. The same key with the same input is always the same order. An order that is refused does not use its key; see `keyUsed`.';

const OrderPayloadRef = payloadRef<OrderPayload & CancelledOrder>(
  'OrderPayload',
  'Result of an order: stored or cancelled, or refused (see `errors`).',
  (t) => ({
    ...nullableFields(t, OrderRef, { order: 'The order; null when the request is refused.' }),
    ...nullableFields(t, OrderQuoteRef, {
      quote:
        'The quote of the order, also when it is refused: then `errors` of this payload has all errors, and the quote has none. Null when `replayed` is true, and when the key is refused.',
    }),
    replayed: t.boolean({
      nullable: false,
      description: 'Whether an earlier request with this idempotency key placed the order.',
      resolve: ({ replayed = false }) => replayed,
    }),
    keyUsed: t.boolean({
      nullable: false,
      description:
        'Whether an order with this idempotency key is stored. When it is false, the same key may be sent with other input.',
      resolve: ({ keyUsed, order }) => keyUsed ?? Boolean(order),
    }),
    ...nullableFields(t, 'Int', {
      cancelled: 'Of `cancelOrder` the number of lines that were cancelled; else null.',
    }),
  }),
);

export const PlaceOrderInputRef = builder.inputType('PlaceOrderInput', {
  description: 'The lines of an order, their limits, and its key.',
  fields: (t) => ({
    ...requiredInputs(t, 'String', {
      idempotencyKey: keyText,
    }),
    ...orderFields(t, 'Values for registrations that have none of their own.'),
    onFailure: t.field({
      type: OnFailureRef,
      required: true,
      defaultValue: 'CONTINUE',
      description:
        'With STOP a line that fails a check also refuses the whole order. With CONTINUE that line is stored as FAILED, and so is each line that the balance does not cover, counted from the first line on.',
    }),
  }),
});

mutation('placeOrder', {
  needs: 'domains:spend',
  description:
    'Places an order of up to 500 purchases. It makes the checks of `quoteOrder`, stores the order and returns; the gateway then sends the lines, a few at a time, each once. The same key with the same order returns the stored order without an upstream call. Calls: those of `quoteOrder`; later one `getdetails` and one purchase per line. A line that waits for more than five minutes is checked again before it is sent, and is never sent for more than its quote.',
  extensions: {
    purchase: true,
    ...costs((count, { input }: { input: PlaceOrderInput }) => {
      const quoted = countQuote(count, input);
      return { ...costsOrder(count, `key ${input.idempotencyKey}`), ...quoted };
    }),
  },
  input: { type: PlaceOrderInputRef, argument: 'The order.' },
  result: OrderPayloadRef,
  resolve: (input, { use }) => use(orders).place(input),
});

const RetryLineInputRef = builder.inputType('RetryLineInput', {
  description: 'Values of one line of the order, which the gateway deleted when the line ended.',
  fields: (t) => ({
    ...requiredInputs(t, 'Int', { position: 'The `position` of the line in the order.' }),
    ...optionalInputs(t, ContactChoiceInputRef, {
      registrant:
        'The holder of the domain. Required when the line had fields of its own. Default: the profile that the line had.',
      contact:
        'Administrative, billing and technical contact. Required when the line had fields of its own. Default: the profile that the line had.',
    }),
    ...optionalInputs(t, 'String', {
      authCode:
        'Auth code (EPP code) from the current registrar. Required for a transfer. A secret.',
    }),
  }),
});

export const RetryOrderInputRef = builder.inputType('RetryOrderInput', {
  description: 'An order whose lines are placed again.',
  fields: (t) => ({
    by: t.field({
      type: LookupInputRef,
      required: true,
      description: 'The id or the idempotency key of the order.',
    }),
    ...requiredInputs(t, 'String', { idempotencyKey: keyText }),
    ...optionalInputs(t, ContactChoiceInputRef, {
      registrant:
        'The holder of the domains. Required for lines that had the fields of `defaults`.',
      contact:
        'Administrative, billing and technical contact of the same lines. Required when `defaults` had its fields.',
    }),
    ...optionalInputs(t, [RetryLineInputRef], {
      lines: 'Values of single lines: their own contacts, and the auth codes of transfers.',
    }),
    ...maxTotalField(t),
  }),
});

/** The calls of `quoteOrder` for as many registrations as an order has, and for the transfers, which all need a code. */
function countRetry(count: CallCount, { lines }: RetryOrderInput): void {
  count.calls(2 + (maxOrderLines / maxNamesPerCall) * (1 + maxChecksAlone));
  const transfers = lines?.filter(({ authCode }) => authCode).length ?? 0;
  countOwned(count, { names: [], others: transfers });
}

mutation('retryOrder', {
  needs: 'domains:spend',
  description:
    'Places the lines of an order that has ended again, as a new order: those that were not sent, and those that FAILED. It makes the checks of `placeOrder`. A line that was bought or whose outcome is not known is never placed again, also when another order or purchase bought its domain since. Each line has the period, the name servers, the flags and the `maxPrice` of the order, but the fields of contacts and auth codes must be sent again. A profile is read again. The same key with the same input returns the same order without an upstream call. A RUNNING order is refused. Calls: those of `quoteOrder` for these lines; later those of `placeOrder`.',
  extensions: {
    purchase: true,
    ...costs((count, { input }: { input: RetryOrderInput }) => {
      countRetry(count, input);
      return costsOrder(count, `key ${input.idempotencyKey}`);
    }),
  },
  input: { type: RetryOrderInputRef, argument: 'The order and the key of the new one.' },
  result: OrderPayloadRef,
  resolve: ({ by, ...input }, { use }) => use(orders).retry(lookupOf('Order', by), input),
});

mutation('cancelOrder', {
  needs: 'domains:spend',
  description:
    'Cancels the lines of an order that were not sent. A line that is being sent goes on, and a purchase cannot be undone. Calls: none.',
  extensions: {
    ...neverLimited,
    ...costs((count, { input }: { input: LookupInput }) => costsOrder(count, lookupName(input))),
  },
  input: { type: LookupInputRef, argument: 'The id or the idempotency key of the order.' },
  result: OrderPayloadRef,
  resolve: (by, { use }) => use(orders).cancel(lookupOf('Order', by)),
});
