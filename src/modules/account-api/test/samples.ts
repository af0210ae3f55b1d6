import type { Samples } from '../../../../test/samples/sample.ts';

const item = { description: 'Hosting', quantity: '2', unitPrice: '30', productType: 'hosting' };

export const samples: Samples = {
  'Mutation.createCart': {
    calls: '1 `POST /carts`',
    counts: { 'POST /carts': 1 },
    costs: { 'createCart(input: { items: [] }) { cart { id } }': 1 },
    args: () => ({ input: { items: [item] } }),
    select: 'cart { total }',
    customers: 'refused',
    write: {
      action: 'POST /carts',
      lost: 'unknown',
      retryable: false,
      nextStep:
        'Look for it in your account before you send it again: a second call may create a second cart.',
    },
    inputs: {
      CreateCartInput: { base: { items: [item] }, fields: { items: [item, item] } },
      CartItemInput: {
        base: { items: [item] },
        at: ['items', '0'],
        fields: {
          ...{ description: 'Two', productType: 'DOMAIN', quantity: '3', unitPrice: '4' },
          total: '7',
        },
      },
    },
  },
  'Mutation.updateHostingGroup': {
    calls: '1 `PATCH /hosting/group/{id}`',
    counts: { 'PATCH /hosting/group/{id}': 1 },
    exceptions: '1 more when the reply was lost or the request was not sent',
    args: () => ({ input: { id: 'hg_demo_1', name: 'New' } }),
    customers: 'refused',
    write: { action: 'PATCH /hosting/group/{id}', lost: 'repeated' },
    inputs: {
      UpdateHostingGroupInput: {
        base: { id: 'hg_demo_1', name: 'One' },
        fields: {
          ...{ id: 'hg_demo_2', name: 'Two', description: 'Text' },
          imageUrl: 'https://example.com/a.png',
        },
      },
    },
  },
  'Mutation.deleteHostingGroup': {
    calls: '1 `DELETE /hosting/group`',
    counts: { 'DELETE /hosting/group': 1 },
    costs: {
      'deleteHostingGroup(input: { confirm: false }) { errors { code } }': {
        counts: {},
        estimate: 1,
      },
    },
    args: () => ({ input: { confirm: true } }),
    customers: 'refused',
    write: {
      action: 'DELETE /hosting/group',
      lost: 'unknown',
      retryable: false,
      nextStep:
        'Check the groups in your account before you send it again: a second call may delete another group.',
    },
  },
  'Mutation.deleteLogs': {
    calls: '1 `DELETE /logs`',
    counts: { 'DELETE /logs': 1 },
    args: () => ({ input: { confirm: true } }),
    customers: 'refused',
    write: {
      action: 'DELETE /logs',
      lost: 'unknown',
      retryable: false,
      nextStep:
        'Check the logs in your account before you send it again: a second call deletes the lines written since.',
    },
    inputs: { ConfirmInput: { base: { confirm: true }, fields: { confirm: false } } },
  },
  'Mutation.logout': {
    calls: '1 `POST /auth/logout`',
    counts: { 'POST /auth/logout': 1 },
    args: () => ({}),
    customers: 'refused',
    write: {
      action: 'POST /auth/logout',
      lost: 'unknown',
      retryable: true,
      nextStep:
        'Send it again: the session has ended when the token is refused as UNAUTHENTICATED.',
    },
  },
};
