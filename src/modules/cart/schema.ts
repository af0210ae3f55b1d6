import { builder } from '../../schema/builder.ts';
import { costsOneWrite } from '../../schema/cost.ts';
import { optionalInputs, requiredInputs } from '../../schema/input-fields.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
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
    ...requiredInputs(t, 'String', {
      description: 'Description of the item; not blank.',
      productType: 'Kind of product; not blank.',
    }),
    ...requiredInputs(t, 'Decimal', {
      quantity: 'Number of units.',
      unitPrice: 'Price per unit; negative for a discount.',
    }),
    ...optionalInputs(t, 'Decimal', {
      total: 'Quantity times unit price. Default: computed exactly. Any other value is refused.',
    }),
  }),
});

mutation('createCart', {
  needs: 'account:write',
  description:
    "Creates a cart with the caller's own Account API token. Sends one `POST /carts`, and never a second.",
  extensions: costsOneWrite,
  input: {
    argument: 'The line items of the cart.',
    description: 'The line items of a new cart.',
    fields: (t) => requiredInputs(t, [CartItemInputRef], { items: 'At least one line item.' }),
  },
  result: 'Result of creating a cart.',
  payload: (t: PayloadFieldBuilder<{ cart: Cart }>) =>
    nullableFields(t, CartRef, {
      cart: 'The cart; null when it was not created or the outcome is unknown.',
    }),
  resolve: (input, { services }) => services.carts.create(input),
});
