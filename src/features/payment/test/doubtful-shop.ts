import { expect, onTestFinished } from 'vitest';
import { sendOrder } from '../../../../test/graph/orders/order-shop.ts';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import {
  errorFields,
  openShop,
  order,
  type Payload,
  transferCode,
} from '../../../../test/graph/purchases/shop.ts';
import { createMovedClock } from '../../../../test/support/moved-clock.ts';
import { allAccessScopes } from '../../../kernel/caller.ts';

export type { Payload };

type Name = 'boss' | 'second' | 'buyer' | 'acme';

/** A registration without a reply: the registrar does not carry out the first one, and carries out the second one. */
export const [doubtful, made] = ['doubtful.com', 'lost-answer-maple.com'] as const;

const purchaseFields = /* GraphQL */ `
  id state settledAt errors { code message executed retryable } transfer { stage refunded }
  resolution { outcome note by at }
`;

const minutes = 60;

/** A gateway whose purchases can become UNKNOWN, with a key of an operator. */
export async function openDoubtfulShop(env: Record<string, string> = {}) {
  const clock = createMovedClock();
  const shop = await openShop({
    clock,
    env: {
      API_KEYS: apiKeysOf(
        {
          boss: [...allAccessScopes],
          second: ['ops', 'domains:read'],
          buyer: ['domains:spend', 'domains:read', 'events:read'],
          acme: ['domains:spend', 'domains:read', 'ops'],
        },
        { acme: 'acme' },
      ),
      ...env,
    },
  });
  onTestFinished(() => shop.close());
  const { gateway } = shop;
  const send = (name: Name, document: string, variables: object = {}) =>
    gateway.query(document, variables, by(name));
  const ask = async (name: Name, document: string, variables: object = {}): Promise<Payload> => {
    const { data, errors } = await send(name, document, variables);
    expect(errors).toBeUndefined();
    return data;
  };
  const purchase = async (id: string, name: Name = 'boss'): Promise<Payload> =>
    (
      await ask(name, `query ($id: ID!) { purchase(by: { id: $id }) { ${purchaseFields} } }`, {
        id,
      })
    ).purchase;
  const register = async (input: object, name: Name = 'buyer'): Promise<Payload> =>
    (
      await ask(
        name,
        `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
          purchase { id state key } errors { ${errorFields} } } }`,
        { input: order(input) },
      )
    ).registerDomain;
  /** Reads of a domain fail after the one before its registration. */
  const hideOutcomes = async (domain: string = doubtful) => {
    if (domain !== made) await shop.arm('reset', { action: 'registerdomain' });
    await shop.arm('code', { action: 'getdetails', code: '7777', after: 1, times: 1_000 });
  };
  const showOutcomes = () => gateway.admin('DELETE', '/faults');
  return {
    ...{ hideOutcomes, showOutcomes },
    ...{ shop, clock, ask, send, purchase, register },
    placeOrder: (input: object) =>
      sendOrder({ ...shop, gateway: { ...gateway, query: send.bind(null, 'buyer') } }, input),
    transfer: async (domain: string): Promise<Payload> =>
      (
        await ask(
          'buyer',
          `mutation ($input: TransferDomainInput!) { transferDomain(input: $input) {
            purchase { id state } errors { ${errorFields} } } }`,
          { input: { domain, authCode: transferCode } },
        )
      ).transferDomain.purchase,
    /** A registration without a reply that no read settles. Returns its id. */
    async doubt(input: { domain?: string; [member: string]: unknown } = {}, name: Name = 'buyer') {
      await hideOutcomes(input.domain);
      const { id, state } = (await register({ domain: doubtful, ...input }, name)).purchase;
      expect(state).toBe('PENDING');
      clock.advance(16 * minutes);
      expect((await purchase(id)).state).toBe('UNKNOWN');
      await showOutcomes();
      await gateway.resetCalls();
      return id as string;
    },
    resolve: async (
      by: string | object,
      outcome: 'BOUGHT' | 'NOT_BOUGHT',
      { note = 'Seen in the panel.', name = 'boss' as Name } = {},
    ): Promise<Payload> =>
      (
        await ask(
          name,
          `mutation ($input: ResolvePurchaseInput!) { resolvePurchase(input: $input) {
            purchase { ${purchaseFields} } errors { ${errorFields} } } }`,
          { input: { purchase: typeof by === 'string' ? { id: by } : by, outcome, note } },
        )
      ).resolvePurchase,
    calls: () => gateway.countCalls(),
  };
}
