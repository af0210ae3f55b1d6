import { builder, needs } from '../../schema/builder.ts';
import { costsOneWrite } from '../../schema/cost.ts';
import { type Answer, payloadRef } from '../../schema/payload.ts';
import type { Cart, CartItem } from './service.ts';

const CartItemRef = builder.objectRef<CartItem>('CartItem').implement({
  description: 'One priced line of a cart.',
  fields: (t) => ({
    description: t.exposeString('description', { nullable: false, description: 'What it is.' }),
    quantity: t.expose('quantity', { type: 'Decimal', nullable: false, description: 'How many.' }),
    unitPrice: t.expose('unitPrice', {
      type: 'Decimal',
      nullable: false,
      description: 'For one; the service names no currency.',
    }),
    total: t.expose('total', {
      type: 'Decimal',
      nullable: false,
      description: 'Quantity times unit price, exact.',
    }),
    productType: t.exposeString('productType', {
      nullable: false,
      description: 'What kind of product.',
    }),
  }),
});

const CartRef = builder.objectRef<Cart>('Cart').implement({
  description: "A cart as it was sent; the service can't show one again.",
  fields: (t) => ({
    id: t.exposeID('id', { description: "The service's own id; null when it tells none." }),
    items: t.field({
      type: [CartItemRef],
      nullable: false,
      description: 'Its lines.',
      resolve: ({ items }) => [...items],
    }),
    total: t.expose('total', {
      type: 'Decimal',
      nullable: false,
      description: 'Sum of its lines, exact.',
    }),
  }),
});

const CartItemInputRef = builder.inputType('CartItemInput', {
  description: 'One priced line.',
  fields: (t) => ({
    description: t.string({ required: true, description: 'What it is, 1 to 500 characters.' }),
    quantity: t.field({ type: 'Decimal', required: true, description: 'How many; above 0.' }),
    unitPrice: t.field({ type: 'Decimal', required: true, description: 'For one; not negative.' }),
    total: t.field({
      type: 'Decimal',
      description: 'Absent: computed exactly. Given and not quantity times unit price: refused.',
    }),
    productType: t.string({ required: true, description: 'What kind of product.' }),
  }),
});

const CreateCartInputRef = builder.inputType('CreateCartInput', {
  description: 'The lines of a new cart.',
  fields: (t) => ({
    items: t.field({ type: [CartItemInputRef], required: true, description: '1 to 100 lines.' }),
  }),
});

const CreateCartPayloadRef = payloadRef<Answer & { cart?: Cart }>(
  'CreateCartPayload',
  'What became of a new cart.',
  (t) => ({
    cart: t.field({
      type: CartRef,
      nullable: true,
      description: 'The cart; null when it is not known to have been made.',
      resolve: ({ cart }) => cart ?? null,
    }),
  }),
);

builder.mutationField('createCart', (t) =>
  t.field({
    ...needs('account:write'),
    type: CreateCartPayloadRef,
    nullable: false,
    description:
      "Makes a cart with the caller's own Account API token. Sends one `POST /carts`, and never a second.",
    extensions: costsOneWrite,
    args: { input: t.arg({ type: CreateCartInputRef, required: true, description: 'Its lines.' }) },
    resolve: (_root, { input }, { services }) => services.carts.create(input),
  }),
);
