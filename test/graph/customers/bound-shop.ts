import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { Environment } from '../../../src/config/read-values.ts';
import { createEventStore } from '../../../src/features/event/store.ts';
import { allAccessScopes } from '../../../src/kernel/caller.ts';
import type { DomainName } from '../../../src/kernel/domain-name.ts';
import { apiKeysOf, by } from '../../access/keys.ts';
import { createObject, objects } from '../../samples/all.ts';
import { cursorsOf, type Target } from '../../samples/target.ts';
import { ada } from '../../support/ada.ts';
import { newFolder } from '../../support/folder.ts';
import { inJournal } from '../../support/stop-switch.ts';
import { startWebhookReceiver } from '../../support/webhook-receiver.ts';
import { defaults } from '../orders/order-shop.ts';
import { errorFields, openShop, order, type Payload } from '../purchases/shop.ts';

/** In no request: a response that has one of them has data of the customer `bolt`. */
export const marks = [
  'Boltmark',
  'Of bolt-object',
  'bolt-text',
  'bolt-order.com',
  'private-demo.net',
];

const waiting = { timeout: 20_000, interval: 50 };

const boltmark = { ...ada, company: 'Boltmark' };

/** The keys `acme` and `bolt` are bound to customers of these names and have all scopes, as `reseller`, which is not bound. */
export async function openBoundShop(more: Environment = {}) {
  const folder = await newFolder('bound-callers');
  const scopes = { acme: allAccessScopes, bolt: allAccessScopes, reseller: allAccessScopes };
  const env = {
    DATA_DIR: join(folder, 'data'),
    API_KEYS: apiKeysOf(scopes, { acme: 'acme', bolt: 'bolt' }),
    EVENTS_INTERVAL_SECONDS: '300',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
    ...more,
  };
  const shop = await openShop({ env, jobLeaseMs: 1_000 });
  const { gateway } = shop;
  const receiver = await startWebhookReceiver();
  const send = async (who: string, document: string, variables = {}): Promise<Payload> => {
    const { data, errors } = await gateway.query(document, variables, by(who));
    expect(errors).toBeUndefined();
    return data;
  };
  const register = async (who: string, domain: string, more: object = {}): Promise<Payload> => {
    const document = `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
      purchase { id key state domain { name customer } } keyUsed replayed errors { ${errorFields} } } }`;
    return (await send(who, document, { input: order({ domain, ...more }) })).registerDomain;
  };
  const assign = (names: readonly string[], customer: string | null) =>
    inJournal(env, (journal, account) =>
      journal.customers.assign(account, names as readonly DomainName[], customer, new Date()),
    );
  // Writes before the first comparison have no events.
  const assertReady = () =>
    inJournal(env, async (journal, account) => {
      expect(await createEventStore(journal.database).hasBaseline(account)).toBe(true);
    });
  await vi.waitFor(assertReady, waiting);
  await assign(['reseller-demo.com', 'unlocked-demo.com'], 'acme');
  await assign(['private-demo.net'], 'bolt');
  return {
    ...{ shop, gateway, env, send, register, assign, receiver },
    async close() {
      await receiver.close();
      await shop.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type BoundShop = Awaited<ReturnType<typeof openBoundShop>>;

/** Lets `bolt` buy and change domains, and returns its names, ids, keys and cursors. */
export async function fillBolt({ send, register, env }: BoundShop): Promise<Target> {
  const { purchase } = await register('bolt', 'bolt-harbor.com', {
    idempotencyKey: 'bolt-key',
    registrant: { fields: boltmark },
  });
  expect(purchase).toMatchObject({ state: 'SUCCEEDED', key: 'bolt-key' });
  const ids: Record<string, string> = {};
  const asBolt = { env, send: (document: string) => send('bolt', document) };
  for (const [name, object] of objects) {
    ids[name] = await createObject(object, 'bolt-object', asBolt);
  }
  const { placeOrder, changeDomains } = await send(
    'bolt',
    /* GraphQL */ `mutation ($order: PlaceOrderInput!, $change: ChangeDomainsInput!) {
      setDefaults(input: { nameServers: ["ns1.bolt-text.net", "ns2.bolt-text.net"] }) { errors { message } }
      placeOrder(input: $order) { order { id } errors { message } }
      changeDomains(input: $change) { bulkChange { id } errors { message } }
    }`,
    {
      order: {
        ...{ idempotencyKey: 'bolt-order', defaults },
        lines: [{ registration: { domain: 'bolt-order.com' } }],
      },
      change: {
        ...{ idempotencyKey: 'bolt-change', names: ['private-demo.net'], expectedCount: 1 },
        change: { setNameServers: ['ns1.bolt-text.net', 'ns2.bolt-text.net'] },
      },
    },
  );
  const events = async () =>
    (
      await send(
        'bolt',
        '{ events(filter: { types: [NAME_SERVERS_CHANGED, PURCHASE_SETTLED] }) { nodes { id type domainName cursor } } }',
      )
    ).events.nodes;
  const assertEnded = async () => {
    const types = (await events()).map(({ type }: Payload) => type);
    expect(types.sort()).toEqual(['NAME_SERVERS_CHANGED', 'PURCHASE_SETTLED', 'PURCHASE_SETTLED']);
    expect(
      await send('bolt', '{ orders { nodes { state } } bulkChanges { nodes { state } } }'),
    ).toEqual({
      orders: { nodes: [{ state: 'SUCCEEDED' }] },
      bulkChanges: { nodes: [{ state: 'SUCCEEDED' }] },
    });
  };
  await vi.waitFor(assertEnded, waiting);
  const [event] = await events();
  return {
    ...{ customer: 'bolt', name: 'bolt-harbor.com', label: 'bolt-harbor' },
    ...{ purchase: purchase.id, purchaseKey: 'bolt-key' },
    ...{ order: placeOrder.order.id, orderKey: 'bolt-order' },
    ...{ change: changeDomains.bulkChange.id, changeKey: 'bolt-change' },
    event: event.id,
    ...{ ids, objectLabel: 'bolt-object' },
    cursors: cursorsOf('bolt-harbor.com', event.cursor),
  };
}
