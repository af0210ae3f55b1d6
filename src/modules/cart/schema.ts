import { inputArg } from '../../schema/arguments.ts';
import { builder, needs } from '../../schema/builder.ts';
import { costsOneWrite } from '../../schema/cost.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import type { Cart, CartItem } from './service.ts';

const CartItemRef = builder.objectRef<CartItem>('CartItem').implement({
  description: 'A line item of a cart.',
  fields: (t) => ({
    ...requiredFields(t, 'String', {
      description: 'Description of the item.',
      productType: 'Kind of product.',
    }),
    ...requiredFields(t, 'Decimal', {
      quantity: 'Number of units.',
      unitPrice:
        'Price per unit; negative for a discount. The registrar does not state a currency.',
      total: 'Quantity times unit price, exact.',
    }),
  }),
});

const CartRef = builder.objectRef<Cart>('Cart').implement({
  description: 'A cart as it was sent. The registrar has no call that reads a cart.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Id of the cart at the registrar; null when the reply has none.',
    }),
    ...requiredFields(t, [CartItemRef], { items: 'The line items.' }),
    ...requiredFields(t, 'Decimal', { total: 'Sum of the line items, exact.' }),
  }),
});

const CartItemInputRef = builder.inputType('CartItemInput', {
  description: 'A line item.',
  fields: (t) => ({
    description: t.string({ required: true, description: 'Description of the item; not blank.' }),
    quantity: t.field({ type: 'Decimal', required: true, description: 'Number of units.' }),
    unitPrice: t.field({
      type: 'Decimal',
      required: true,
      description: 'Price per unit; negative for a discount.',
    }),
    total: t.field({
      type: 'Decimal',
      description:
        'Quantity times unit price. Default: computed exactly. Any other value is refused.',
    }),
    productType: t.string({ required: true, description: 'Kind of product; not blank.' }),
  }),
});

const CreateCartInputRef = builder.inputType('CreateCartInput', {
  description: 'The line items of a new cart.',
  fields: (t) => ({
    items: t.field({
      type: [CartItemInputRef],
      required: true,
      description: 'At least one line item.',
    }),
  }),
});

const CreateCartPayloadRef = payloadRef<Answer & { cart?: Cart }>(
  'CreateCartPayload',
  'Result of creating a cart.',
  (t) => ({
    ...nullableFields(t, CartRef, {
      cart: 'The cart; null when it was not created or the outcome is unknown.',
    }),
  }),
);

builder.mutationField('createCart', (t) =>
  t.field({
    ...needs('account:write'),
    type: CreateCartPayloadRef,
    nullable: false,
    description:
      "Creates a cart with the caller's own Account API token. Sends one `POST /carts`, and never a second.",
    extensions: costsOneWrite,
    args: inputArg(t, CreateCartInputRef, 'The line items of the cart.'),
    resolve: (_root, { input }, { services }) => services.carts.create(input),
  }),
);
