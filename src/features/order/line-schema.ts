import { unicodeName } from '../../kernel/domain-name.ts';
import { domainNow } from '../../modules/domain/schema.ts';
import { itemCursor } from '../../modules/job/schema.ts';
import { PurchaseKindRef, PurchaseRef } from '../../modules/purchase/schema.ts';
import { QuoteRef } from '../../modules/quote/schema.ts';
import { builder, enumRef } from '../../schema/builder.ts';
import { nullableFields, requiredFields } from '../../schema/fields.ts';
import { errorsField } from '../../schema/user-error.ts';
import type { OrderLineState, PlacedLine } from './order.ts';

export const OrderLineStateRef = enumRef<OrderLineState>('OrderLineState', 'State of a line.', {
  WAITING: 'Nothing was sent for it yet. It may wait for a decision.',
  SENDING: 'It is about to be sent, or its call is in flight.',
  PENDING: 'The reply of its call was lost, and its outcome is not known yet.',
  IN_PROGRESS: 'The registrar accepted the transfer, and it is not complete.',
  SUCCEEDED: 'The account has the domain.',
  FAILED: 'A check or the registrar refused it.',
  UNKNOWN: 'Reads could not determine the outcome. A person has to check the account.',
  CANCELLED: 'It was not sent, because the order was cancelled or stopped after a failure.',
});

export const OrderLineRef = builder.objectRef<PlacedLine>('OrderLine').implement({
  description: 'A line of an order, which is one purchase.',
  fields: (t) => ({
    cursor: itemCursor(t),
    ...requiredFields(t, 'Int', {
      position: 'Index in the lines of the order, from 0.',
      period: 'Number of years.',
    }),
    ...requiredFields(t, PurchaseKindRef, { kind: 'The kind of purchase.' }),
    domainName: t.expose('domain', {
      type: 'DomainName',
      nullable: true,
      description: 'The domain; null when the text that was sent is no domain name: see `errors`.',
    }),
    unicodeName: t.string({
      description: 'The domain in Unicode; null as `domainName`.',
      resolve: ({ domain }) => domain && unicodeName(domain),
    }),
    domain: domainNow(t, 'purchases'),
    customer: t.string({
      description: 'The customer for whom it is bought; null for the reseller.',
      resolve: ({ options }) => options?.customer ?? null,
    }),
    ...requiredFields(t, OrderLineStateRef, { state: 'State of the line.' }),
    ...nullableFields(t, QuoteRef, { quote: 'The quote when the order was placed.' }),
    ...nullableFields(t, PurchaseRef, {
      purchase:
        'The purchase, whose key is the key of the order, a colon and `position`. Null until it is recorded, and for a line that was never sent. A purchase that was never carried out, for example because the gateway ended before its call, is followed by another, up to three; this is the last one.',
    }),
    errors: errorsField(
      t,
      'Why the line is FAILED, PENDING or UNKNOWN; else empty. `path` is in the input of `placeOrder`.',
    ),
  }),
});
