import { builder } from '../../schema/builder.ts';
import { costsOneWrite } from '../../schema/cost.ts';
import {
  nullableFields,
  optionalInputs,
  requiredFields,
  requiredInputs,
} from '../../schema/fields.ts';
import { DeletedPayloadRef, mutation, type PayloadFieldBuilder } from '../mutation/schema.ts';
import { accountApi, type Cart, type CartItem, type HostingGroup } from './service.ts';

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
      total: 'Total of the item: the one that was sent, else quantity times unit price.',
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
    ...requiredFields(t, 'Decimal', { total: 'Sum of the totals of the line items, exact.' }),
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
      total:
        'Total of the item, such as a rounded one or one with tax. Default: quantity times unit price, computed exactly.',
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
  resolve: (input, { use }) => use(accountApi).sendCart(input),
});

/** Whether the registrar confirmed the write. A refused one has the errors only. */
const confirmed = <Name extends string>(
  t: PayloadFieldBuilder<Readonly<Record<Name, boolean>>>,
  name: Name,
  what: string,
) =>
  t.boolean({
    nullable: false,
    description: `True only when the registrar accepted the ${what}, and its reply does not say that it failed. When false, \`errors\` says why, and whether the ${what} may have been made.`,
    resolve: (payload) => payload[name] ?? false,
  });

const HostingGroupRef = builder.objectRef<HostingGroup>('HostingGroup').implement({
  description:
    'A group of hostings after a change: the values of the reply, else the values that were sent. The registrar has no call that reads a group.',
  fields: (t) => ({
    id: t.exposeID('id', { nullable: false, description: 'Id of the group at the registrar.' }),
    ...nullableFields(t, 'String', {
      name: 'Name of the group; null when it was neither sent nor returned.',
      description: 'Description of the group; null when it was neither sent nor returned.',
    }),
    ...nullableFields(t, 'URL', {
      imageUrl:
        'Address of the image of the group; null without an image, and when it was neither sent nor returned.',
    }),
  }),
});

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
        description: "The registrar's id of the group.",
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
  payload: (t: PayloadFieldBuilder<{ updated: boolean; hostingGroup: HostingGroup }>) => ({
    updated: confirmed(t, 'updated', 'change'),
    ...nullableFields(t, HostingGroupRef, {
      hostingGroup: 'The group; null when the change failed or its outcome is unknown.',
    }),
  }),
  resolve: (input, { use }) => use(accountApi).updateHostingGroup(input),
});

const confirmation = {
  type: builder.inputType('ConfirmInput', {
    description: 'Confirms a deletion that cannot be undone.',
    fields: (t) => requiredInputs(t, 'Boolean', { confirm: 'Must be true.' }),
  }),
  argument: 'Confirms that you want this deletion.',
};

mutation('deleteHostingGroup', {
  needs: 'account:danger',
  description:
    'Deletes a hosting group. The call names no group: the registrar decides which group is deleted, and `deletedId` reports it. The deletion cannot be undone. Sends one `DELETE /hosting/group`, and never a second.',
  extensions: costsOneWrite,
  input: confirmation,
  result: DeletedPayloadRef,
  resolve: (input, { use }) => use(accountApi).deleteHostingGroup(input),
});

mutation('deleteLogs', {
  needs: 'account:danger',
  description:
    'Deletes logs, possibly all logs that the token can read: the registrar does not document which. The deletion cannot be undone. Sends one `DELETE /logs`, and never a second.',
  extensions: costsOneWrite,
  input: confirmation,
  result: DeletedPayloadRef,
  resolve: (input, { use }) => use(accountApi).deleteLogs(input),
});

mutation('logout', {
  needs: 'account:danger',
  description:
    "Ends the session of the caller's Account API token. Sends one `POST /auth/logout`, and never a second.",
  extensions: costsOneWrite,
  result: 'Result of a logout.',
  payload: (t: PayloadFieldBuilder<{ loggedOut: boolean }>) => ({
    loggedOut: confirmed(t, 'loggedOut', 'logout'),
  }),
  resolve: (_input, { use }) => use(accountApi).logout(),
});
