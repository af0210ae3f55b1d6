import { builder, type InputFieldBuilder } from '../../schema/builder.ts';
import { costs, costsOneWrite, noEntities } from '../../schema/cost.ts';
import { globalId, readGlobalId } from '../../schema/global-id.ts';
import { optionalInputs, requiredInputs } from '../../schema/input-fields.ts';
import { knownBy } from '../../schema/marks.ts';
import { nullableFields, requiredFields } from '../../schema/member-fields.ts';
import { NodeRef, nodeId, registerNode } from '../../schema/node.ts';
import { mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import type { QuoteOrderInput } from '../order/quote-order.ts';
import { countQuote, orderFields } from '../order/schema.ts';
import type { Cart, CartItem, HostingGroup } from './service.ts';

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
  resolve: (input, { services }) => services.accountApi.createCart(input),
});

mutation('createCartFromQuote', {
  needs: 'account:write',
  description:
    "Creates a cart with the exact prices of an order, one item per line, with the caller's own Account API token. Costs the calls of `quoteOrder` and one `POST /carts`, which is never sent a second time.",
  extensions: costs((count, { input }: { input: QuoteOrderInput }) => {
    countQuote(count, input);
    count.calls(1);
    return noEntities;
  }),
  input: {
    argument: 'The order.',
    description: 'The lines of the order and their limits.',
    fields: (t) =>
      orderFields(t, 'Values for registrations. A cart needs no contacts and no name servers.'),
  },
  result:
    'Result of creating a cart. It is refused when a line cannot be bought, when a price is an estimate, and for prices in several currencies.',
  payload: (t: PayloadFieldBuilder<{ cart: Cart }>) =>
    nullableFields(t, CartRef, {
      cart: 'The cart; null when it was not created or the outcome is unknown.',
    }),
  async resolve(input, { services }) {
    const { items, errors } = await services.orders.cartItems(input);
    return items ? services.accountApi.createCart({ items }) : { errors };
  },
});

const HostingGroupRef = builder.objectRef<HostingGroup>('HostingGroup').implement({
  description:
    'A group of hostings, as the reply to a change describes it. The registrar has no call that reads a group, so `node` returns null for its id.',
  extensions: knownBy('id'),
  interfaces: [NodeRef],
  fields: (t) => ({
    id: nodeId(t, 'HostingGroup', ({ key }: HostingGroup) => key),
    ...nullableFields(t, 'String', {
      name: 'Name of the group. Null with an error when the registrar did not return it.',
      description:
        'Description of the group. Null with an error when the registrar did not return it.',
    }),
    ...nullableFields(t, 'URL', {
      imageUrl:
        'Address of the image of the group; null without an image. Null with an error when the registrar did not return it.',
    }),
  }),
});

// No call reads a group, so the gateway can't know whether one exists.
registerNode('HostingGroup', {
  needed: ['account:write'],
  load: async () => null,
  cost: () => noEntities,
});

/** The group's own id behind an id of either kind; null for the id of something else. */
const keyOf = (id: string): string | null => {
  const global = readGlobalId(id);
  if (!global) return id;
  return global.typename === 'HostingGroup' ? global.key : null;
};

mutation('updateHostingGroup', {
  needs: 'account:write',
  description:
    "Changes a hosting group with the caller's own Account API token. Sends one `PATCH /hosting/group/{id}`, and one more when the reply is lost or the first was not sent.",
  extensions: costsOneWrite,
  input: {
    argument: 'The group and its new values.',
    description: 'The fields of a hosting group to change. Fields that are absent do not change.',
    fields: (t) => ({
      id: t.id({
        required: true,
        description: "The registrar's id of the group, or the `id` of a `HostingGroup`.",
      }),
      ...optionalInputs(t, 'String', {
        name: 'New name, not blank. Null changes nothing.',
        description: 'New description. `""` removes it; null changes nothing.',
      }),
      ...optionalInputs(t, 'URL', {
        imageUrl: 'New address of the image. Null removes the image; when absent, nothing changes.',
      }),
    }),
  },
  result: 'Result of a change of a hosting group.',
  payload: (t: PayloadFieldBuilder<{ hostingGroup: HostingGroup }>) =>
    nullableFields(t, HostingGroupRef, {
      hostingGroup: 'The group; null when the change failed or its outcome is unknown.',
    }),
  resolve: ({ id, ...changes }, { services }) =>
    services.accountApi.updateHostingGroup({ key: keyOf(id), ...changes }),
});

/** The input of a deletion. */
const confirmation = {
  description: 'Confirms that you want this deletion.',
  fields: (t: InputFieldBuilder) => requiredInputs(t, 'Boolean', { confirm: 'Must be true.' }),
};

mutation('deleteHostingGroup', {
  needs: 'account:danger',
  description:
    'Deletes a hosting group. The call names no group: the registrar decides which group is deleted, and `deletedId` reports it. The deletion cannot be undone. Sends one `DELETE /hosting/group`, and never a second.',
  extensions: costsOneWrite,
  input: confirmation,
  result: 'Result of a deletion.',
  payload: (t: PayloadFieldBuilder<{ deleted: boolean; deletedKey: string | null }>) => ({
    ...nullableFields(t, 'Boolean', {
      deleted: 'True when the registrar confirmed the deletion; null otherwise.',
    }),
    deletedId: t.id({
      description:
        'The `id` of the `HostingGroup` that was deleted; null when nothing was deleted or the reply does not name the group.',
      resolve: ({ deletedKey }) => (deletedKey ? globalId('HostingGroup', deletedKey) : null),
    }),
  }),
  resolve: (input, { services }) => services.accountApi.deleteHostingGroup(input),
});

mutation('deleteLogs', {
  needs: 'account:danger',
  description:
    'Deletes logs, possibly all logs that the token can read: the registrar does not document which. The deletion cannot be undone. Sends one `DELETE /logs`, and never a second.',
  extensions: costsOneWrite,
  input: confirmation,
  result: 'Result of a deletion.',
  payload: (t: PayloadFieldBuilder<{ deleted: boolean }>) =>
    nullableFields(t, 'Boolean', {
      deleted: 'True when the registrar confirmed the deletion; null otherwise.',
    }),
  resolve: (input, { services }) => services.accountApi.deleteLogs(input),
});

mutation('logout', {
  needs: 'account:danger',
  description:
    "Ends the session of the caller's Account API token. Sends one `POST /auth/logout`, and never a second.",
  extensions: costsOneWrite,
  result: 'Result of a logout.',
  payload: (t: PayloadFieldBuilder<{ loggedOut: boolean }>) =>
    nullableFields(t, 'Boolean', {
      loggedOut: 'True when the registrar confirmed the logout; null otherwise.',
    }),
  resolve: (_input, { services }) => services.accountApi.logout(),
});
