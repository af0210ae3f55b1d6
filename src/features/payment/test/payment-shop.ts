import { expect, onTestFinished } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { errorFields, openShop, type Payload } from '../../../../test/graph/purchases/shop.ts';
import { ada } from '../../../../test/support/ada.ts';
import { createGatewayClock, type GatewayClock } from '../../../../test/support/gateway-clock.ts';
import { secondMs } from '../../../../test/support/simulated-clock.ts';
import type { AccessScope } from '../../../kernel/caller.ts';

export type Name = 'shop' | 'ada' | 'cashier' | 'decider' | 'overseer';

const spends: readonly AccessScope[] = [
  ...(['domains:spend', 'domains:read', 'events:read', 'account:read', 'prices:cost'] as const),
];
const scopes: Record<Name, readonly AccessScope[]> = {
  shop: spends,
  ada: spends,
  cashier: ['payments:confirm'],
  decider: ['approvals:decide'],
  overseer: [...spends, 'payments:confirm', 'ops'],
};

const paymentFields = /* GraphQL */ `
  orderId state amountDue { amount currency } paid { amount } refunded { amount } refundDue { amount }
  overRefunded { amount } otherRefundsDue { amount currency } expiresAt
  amounts { kind reference accepted amount { amount currency } }
`;
const orderFields = /* GraphQL */ `
  id state stopReason payment { ${paymentFields} }
  lines { domainName state refundDue { amount } errors { code message } }
`;

interface PaymentShopOptions {
  readonly env?: Record<string, string>;
  readonly time?: GatewayClock;
}

export const usd = (amount: string) => ({ amount, currency: 'USD' });

/** A gateway whose clients place paid orders, and report payments with another key. */
export async function openPaymentShop({
  env = {},
  time = createGatewayClock(),
}: PaymentShopOptions = {}) {
  const shop = await openShop({
    time,
    env: { API_KEYS: apiKeysOf(scopes, { ada: 'ada-ltd' }), ...env },
  });
  onTestFinished(() => shop.close());
  const ask = async (name: Name, document: string, variables: object = {}): Promise<Payload> => {
    const { data, errors } = await shop.gateway.query(document, variables, by(name));
    expect(errors).toBeUndefined();
    return data;
  };
  const edit = async (name: Name, field: string, input: object): Promise<Payload> => {
    const type = `${field[0]?.toUpperCase()}${field.slice(1)}Input`;
    const result = /Order$/.test(field)
      ? `order { ${orderFields} }`
      : `payment { ${paymentFields} }`;
    const document = `mutation ($input: ${type}!) { ${field}(input: $input) {
      ${result} errors { ${errorFields} } } }`;
    return (await ask(name, document, { input }))[field];
  };
  const read = async (id: string, name: Name = 'overseer'): Promise<Payload> =>
    (await ask(name, `query ($id: ID!) { order(by: { id: $id }) { ${orderFields} } }`, { id }))
      .order;
  return {
    ...shop,
    time,
    ask,
    edit,
    read,
    /** By default one registration of a year for each name, which must be paid in an hour. */
    place: (key: string, names: readonly string[], members: object = {}, name: Name = 'shop') =>
      edit(name, 'placeOrder', {
        idempotencyKey: key,
        payment: { expiresAfter: 'PT1H' },
        defaults: { registrant: { fields: ada }, nameServers: ['ns1.example-dns.net'] },
        lines: names.map((domain) => ({ registration: { domain } })),
        ...members,
      }),
    confirm: (id: string, reference: string, amount: object, name: Name = 'cashier') =>
      edit(name, 'confirmPayment', { order: { id }, reference, amount }),
    refund: (id: string, reference: string, amount: object, name: Name = 'cashier') =>
      edit(name, 'recordRefund', { order: { id }, reference, amount }),
    /** The order once it has ended. */
    async ended(id: string): Promise<Payload> {
      for (;;) {
        const order = await read(id);
        if (!['RUNNING', 'AWAITING_PAYMENT'].includes(order.state)) return order;
        await time.pass(secondMs);
      }
    },
    eventTypes: async (): Promise<readonly string[]> => {
      const { events } = await ask('overseer', '{ events(first: 100) { nodes { type } } }');
      return events.nodes.map(({ type }: Payload) => type);
    },
  };
}

export type PaymentShop = Awaited<ReturnType<typeof openPaymentShop>>;
