import { expect, test } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { ada } from '../../../../test/support/ada.ts';
import { hourMs } from '../../../../test/support/simulated-clock.ts';
import {
  facts,
  five,
  startWatched,
  type WatchedGateway,
} from '../../../../test/support/watched-gateway.ts';

const keys = {
  API_KEYS: apiKeysOf({
    shop: ['domains:read', 'domains:write', 'domains:unlock', 'domains:spend', 'events:read'],
    rival: ['domains:read', 'events:read'],
    office: ['events:read', 'ops'],
  }),
};

const shop = by('shop');
/** Short, because a gateway with keys looks for new ones every two seconds, and each timer takes time here. */
const shortMs = 20_000;
const start = (env: Record<string, string> = {}) =>
  startWatched({ env: { ...keys, EVENTS_INTERVAL_SECONDS: String(shortMs / 1_000), ...env } });

/** Sends a mutation of the key `shop`. */
async function mutate({ gateway }: WatchedGateway, document: string, variables: object = {}) {
  const { data, errors } = await gateway.query(document, variables, shop);
  expect(errors).toBeUndefined();
  for (const payload of Object.values<{ errors: unknown }>(data))
    expect(payload.errors).toEqual([]);
  return data;
}

/** The five changes of `changeFive`, made through the gateway. */
const changeFiveHere = (here: WatchedGateway) =>
  mutate(
    here,
    `mutation {
      a: setNameServers(input: { domain: "unlocked-demo.com", nameServers: ["ns1.moved.net", "ns2.moved.net"] }) { errors { code } }
      b: disableTransferLock(input: { domain: "reseller-demo.com" }) { errors { code } }
      c: setPrivacyProtection(input: { domain: "lowercase-demo.org", privacyProtected: true }) { errors { code } }
      d: setPrivacyProtection(input: { domain: "private-demo.net", privacyProtected: false }) { errors { code } }
      e: setNameServers(input: { domain: "hostless-demo.com", nameServers: ["ns1.first.net", "ns2.first.net"] }) { errors { code } }
    }`,
  );

const register = (here: WatchedGateway, domain: string) =>
  mutate(
    here,
    `mutation ($input: RegisterDomainInput!) {
      registerDomain(input: $input) { purchase { id state } errors { code } }
    }`,
    {
      input: {
        ...{ domain, period: 1, registrant: { fields: ada }, idempotencyKey: domain },
        nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'],
      },
    },
  );

type EventNode = Readonly<Record<string, unknown>>;

test('changes that a caller makes through the gateway are GATEWAY with its name, and others are UPSTREAM', {
  tags: ['E8', 'E14'],
}, async () => {
  const here = await start();
  await changeFiveHere(here);
  await here.time.pass(2_000);
  // Before the next interval, without an upstream call more.
  expect((await here.events('', shop)).nodes.map(facts).toSorted()).toEqual(five.toSorted());
  expect(await here.gateway.countCalls()).toEqual({
    ...{ modifynameserver: 2, disabletheftlock: 1, modifyprivacystatus: 2 },
  });
  await here.write('modifyprivacystatus', { domain: 'reseller-demo.com', status: true });
  await here.time.pass(2 * shortMs);
  const causes = async (headers: Record<string, string>) => {
    const { nodes } = await here.events('', headers);
    return nodes
      .map(({ type, domainName, source, caller }: EventNode) => [type, domainName, source, caller])
      .toSorted();
  };
  const expected = (caller: string | null) =>
    [
      ...five.map(([type, domain]) => [type, domain, 'GATEWAY', caller]),
      ['PRIVACY_CHANGED', 'reseller-demo.com', 'UPSTREAM', null],
    ].toSorted();

  expect(await causes(shop)).toEqual(expected('shop'));
  expect(await causes(by('office'))).toEqual(expected('shop'));
  expect(await causes(by('rival'))).toEqual(expected(null));
});

test('a change whose reply was lost is of the caller', { tags: ['E8'] }, async () => {
  const here = await start();
  const fault = { fault: 'lost-answer', action: 'disabletheftlock', times: 1 };
  await here.gateway.admin('POST', '/faults', fault);
  await here.gateway.query(
    'mutation { disableTransferLock(input: { domain: "reseller-demo.com" }) { errors { code } } }',
    {},
    shop,
  );
  await here.time.pass(shortMs);

  expect((await here.events('', shop)).nodes).toMatchObject([
    { type: 'TRANSFER_UNLOCKED', source: 'GATEWAY', caller: 'shop' },
  ]);
});

test('a bulk change is of the caller of its job', { tags: ['E8', 'E14'] }, async () => {
  const here = await start();
  await mutate(
    here,
    `mutation { changeDomains(input: {
      idempotencyKey: "one", names: ["unlocked-demo.com", "lowercase-demo.org"], expectedCount: 2,
      change: { setNameServers: ["ns1.bulk.net", "ns2.bulk.net"] } }) { bulkChange { id } errors { code } } }`,
  );
  await here.time.pass(2_000);
  const { nodes } = await here.events('', shop);
  expect(await here.gateway.countCalls()).toEqual({ getdetails: 2, modifynameserver: 2 });
  await here.time.pass(2 * shortMs);

  expect((await here.events('', shop)).nodes).toEqual(nodes);
  expect(nodes.map(({ domainName }: EventNode) => domainName).toSorted()).toEqual([
    ...['lowercase-demo.org', 'unlocked-demo.com'],
  ]);
  for (const node of nodes) {
    expect(node).toMatchObject({ type: 'NAME_SERVERS_CHANGED', source: 'GATEWAY', caller: 'shop' });
  }
});

test('a purchase is settled and adds its domain: two events with its caller and its id, also after a replay and a restart', {
  tags: ['E10'],
}, async () => {
  const here = await start();
  const { registerDomain } = await register(here, 'bought-for-events.com');
  await here.time.pass(2_000);
  // Before the next interval, without an upstream call.
  expect((await here.events('', shop)).nodes).toMatchObject([
    { type: 'PURCHASE_SETTLED', before: null, after: { text: 'SUCCEEDED' } },
  ]);
  await register(here, 'bought-for-events.com');
  await here.gateway.restart();
  await here.time.pass(2 * shortMs);

  const bought = {
    ...{ domainName: 'bought-for-events.com', subject: 'bought-for-events.com' },
    ...{ source: 'GATEWAY', caller: 'shop', purchase: { id: registerDomain.purchase.id } },
  };
  expect((await here.events('', shop)).nodes).toMatchObject([
    { type: 'PURCHASE_SETTLED', ...bought },
    { type: 'DOMAIN_ADDED', after: { text: 'ACTIVE' }, ...bought },
  ]);
});

test('a balance that crosses its threshold twice is two events', { tags: ['E11'] }, async () => {
  const env = { EVENTS_INTERVAL_SECONDS: String(shortMs / 1_000), BALANCE_LOW: 'USD:100' };
  const here = await startWatched({ env });
  const set = async (balance: string) => {
    await here.gateway.admin('POST', '/balances', { currency: 'USD', balance });
    await here.time.pass(shortMs);
  };
  for (const balance of ['150.0000', '99.5000', '50.0000', '100.0000', '10.0000'])
    await set(balance);

  const { nodes } = await here.events('(filter: { types: [BALANCE_LOW] })');
  expect(nodes).toMatchObject([
    {
      ...{ subject: 'USD', domainName: null, purchase: null, source: 'UPSTREAM', caller: null },
      ...{ before: { text: '150.0000' }, after: { text: '99.5000' } },
    },
    { before: { text: '100.0000' }, after: { text: '10.0000' } },
  ]);
});

test('a domain that the account no longer has is removed with its event within a day', async () => {
  const here = await startWatched({
    env: { EVENTS_INTERVAL_SECONDS: '900', PORTFOLIO_READS_PER_MINUTE: '30' },
  });
  await here.gateway.admin('POST', '/clock', { advanceDays: 31 });
  await here.time.pass(1.5 * hourMs);

  const { nodes } = await here.events('(filter: { domain: "redemption-demo.com" })');
  expect(nodes).toMatchObject([
    { type: 'DOMAIN_REMOVED', before: { text: 'REDEMPTION' }, after: null },
  ]);
  const { data } = await here.gateway.query(
    '{ domain(name: "redemption-demo.com") { name } }',
    {},
    shop,
  );
  expect(data).toEqual({ domain: null });
});
