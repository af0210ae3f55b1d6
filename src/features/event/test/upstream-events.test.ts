import { expect, onTestFinished, test } from 'vitest';
import { startProxiedSandbox } from '../../../../test/graph/purchases/proxy.ts';
import { openShop, type Payload } from '../../../../test/graph/purchases/shop.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { createGatewayClock } from '../../../../test/support/gateway-clock.ts';
import { createMovedClock } from '../../../../test/support/moved-clock.ts';
import { dayMs, minuteMs } from '../../../../test/support/simulated-clock.ts';

/** A page of `tldlist` with another price of a registration in `.com`. */
function withPriceOfCom(body: unknown, price: string): unknown {
  const text = JSON.stringify(body);
  const at = text.indexOf('"registration"', text.indexOf('"com"'));
  return JSON.parse(text.slice(0, at) + text.slice(at).replace('11.2900', price));
}

test('a cost that the upstream changes is an event with the prices once, within a day', async () => {
  const time = createGatewayClock();
  let laterMs = 0;
  const now = () => new Date(time.clock.now().getTime() + laterMs);
  const proxy = await startProxiedSandbox();
  onTestFinished(() => proxy.close());
  let price = '11.2900';
  proxy.intercept('tldlist', async (_fields, forward) => {
    const { status, body } = await forward();
    return { status, body: withPriceOfCom(body, price) };
  });
  const gateway = await startTestGateway({
    clock: { ...time.clock, now },
    jobLeaseMs: 60 * minuteMs,
    env: { DOMAIN_API_URL: proxy.url, EVENTS_INTERVAL_SECONDS: '1200', RENEWALS_DAYS: '0' },
  });
  onTestFinished(() => gateway.close());
  const found = async () => {
    const { data, errors } = await time.during(
      gateway.query(
        '{ events(filter: { types: [PRICE_CHANGED] }) { nodes { subject before { text operation period money { amount currency } } after { text } source } } }',
      ),
    );
    expect(errors).toBeUndefined();
    return data.events.nodes;
  };

  await time.pass(1_000);
  price = '12.0000';
  await time.pass(20 * minuteMs);
  expect(await found()).toEqual([]);
  laterMs = dayMs;
  time.suspend(40 * minuteMs);
  await time.pass(20 * minuteMs);

  const event = { subject: 'com', source: 'UPSTREAM' };
  expect(await found()).toEqual([
    {
      ...event,
      before: {
        text: 'REGISTRATION 1 22.5800 USD',
        ...{ operation: 'REGISTRATION', period: 1, money: { amount: '22.5800', currency: 'USD' } },
      },
      after: { text: expect.stringContaining(' 24.0000 ') },
    },
  ]);
  expect(proxy.count('tldlist')).toBe(2);
});

test('a value that is unknown in one list is no event, and the next change has the value before it', async () => {
  const time = createGatewayClock();
  const proxy = await startProxiedSandbox();
  onTestFinished(() => proxy.close());
  let changed = {};
  proxy.intercept('getdomainlist', async (_fields, forward) => {
    const { status, body } = (await forward()) as { status: number; body: Payload };
    const Domains = body.data.Domains.map((row: Payload) =>
      row.DomainName === 'reseller-demo.com' ? { ...row, ...changed } : row,
    );
    return { status, body: { ...body, data: { ...body.data, Domains } } };
  });
  const gateway = await startTestGateway({
    clock: time.clock,
    jobLeaseMs: 60 * minuteMs,
    env: { DOMAIN_API_URL: proxy.url, EVENTS_INTERVAL_SECONDS: '300', RENEWALS_DAYS: '0' },
  });
  onTestFinished(() => gateway.close());
  const compare = async (row: object) => {
    changed = row;
    await time.pass(5 * minuteMs);
  };
  const found = async () => {
    const document = '{ events { nodes { type domainName before { text } after { text } } } }';
    return (await time.during(gateway.query(document))).data.events.nodes;
  };
  const unknown = {
    ...{ Status: null, NameServers: null, LockStatus: null, PrivacyProtectionStatus: null },
    Dates: { Start: '0001-01-01T00:00:00', Expiration: '0001-01-01T00:00:00', RemainingDays: 0 },
  };

  await time.pass(1_000);
  await compare(unknown);
  await compare({});
  expect(await found()).toEqual([]);
  await compare(unknown);
  await compare({ NameServers: ['ns1.moved.net'] });

  expect(await found()).toEqual([
    {
      ...{ type: 'NAME_SERVERS_CHANGED', domainName: 'reseller-demo.com' },
      before: { text: 'ns1.reseller-demo.com ns2.reseller-demo.com' },
      after: { text: 'ns1.moved.net' },
    },
  ]);
  expect(proxy.count('getdomainlist')).toBe(5);
});

test.each([
  ['outside-arrives.com', 'TRANSFER_COMPLETED', 'COMPLETED', 'SUCCEEDED'],
  ['reject-me.com', 'TRANSFER_REJECTED', 'REJECTED', 'FAILED'],
])(
  'the end of the transfer of %s is the event %s, beside PURCHASE_SETTLED',
  async (domain, type, stage, state) => {
    const clock = createMovedClock();
    const env = { EVENTS_INTERVAL_SECONDS: '1' };
    const shop = await openShop({ clock, reconcileEveryMs: 20, env });
    onTestFinished(() => shop.close());
    const { purchase } = await shop.transfer({ domain });
    expect(purchase.state).toBe('IN_PROGRESS');

    clock.advance((6 * dayMs) / 1000);
    await expect
      .poll(async () => {
        // A failure counts when two reads a minute apart show it.
        clock.advance(61);
        return (await shop.purchase(purchase.id)).state;
      })
      .toBe(state);
    const document = `{ events(filter: { types: [${type}, PURCHASE_SETTLED] }) {
    nodes { type domainName purchase { id } source after { text } } } }`;
    const found = async () => (await shop.gateway.query(document)).data.events.nodes;
    await expect.poll(async () => (await found()).length).toBe(2);

    const facts = { domainName: domain, purchase: { id: purchase.id }, source: 'GATEWAY' };
    expect(await found()).toEqual([
      { ...facts, type: 'PURCHASE_SETTLED', after: { text: state } },
      { ...facts, type, after: { text: stage } },
    ]);
  },
);
