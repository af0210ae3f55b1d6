import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { openStream } from '../support/event-stream.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';
import { type Neighbours, startNeighbours } from './neighbours.ts';

const details = '{ domain(name: "reseller-demo.com") { nameServers } }';
const list =
  '{ domains(filter: { contains: "reseller-demo.com" }) { nodes { name nameServers } totalCount } }';
const setNameServers = `mutation ($input: SetNameServersInput!) {
  setNameServers(input: $input) { nameServers errors { code } } }`;
const buy = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { purchase { id state } errors { code message } } }`;

describe.skipIf(whyNoRedis)(`replicas that share their state ${whyNoRedis ?? ''}`, () => {
  let redis: TestRedis;
  let street: Neighbours;
  beforeAll(async () => {
    redis = await startRedis();
    street = await startNeighbours(redis.url);
  });
  beforeEach(() => street.first.resetCalls());
  afterAll(async () => {
    await street?.close();
    await redis?.close();
  });

  const askAll = (document: string, of: readonly TestGateway[] = street.all) =>
    Promise.all(of.map((gateway) => gateway.query(document).then(({ data }) => data)));
  const setOn = async (gateway: TestGateway, nameServers: readonly string[]) => {
    const input = { domain: 'reseller-demo.com', nameServers };
    const { data } = await gateway.query(setNameServers, { input });
    expect(data.setNameServers.errors).toEqual([]);
  };

  test('what one changes the others see, in details and in the list', async () => {
    const [, second, third] = street.all as [TestGateway, TestGateway, TestGateway];
    await setOn(second, ['ns1.before.net', 'ns2.before.net']);
    await askAll(details);
    await askAll(list);
    const after = ['ns1.after.net', 'ns2.after.net'];

    await setOn(second, after);

    for (const gateway of [second, third, street.first]) {
      const shown = async () => (await gateway.query(details)).data.domain.nameServers;
      const listed = async () => (await gateway.query(list)).data.domains.nodes[0].nameServers;
      await expect.poll(shown).toEqual(after);
      await expect.poll(listed).toEqual(after);
    }
  });

  test('without a change they go by what they keep', async () => {
    await askAll(details);
    await askAll(list);
    await street.first.resetCalls();

    await askAll(details);
    await askAll(list);

    expect(await street.first.countCalls()).toEqual({});
  });

  test('a name that one has bought is free for none of them', async () => {
    const check = '{ availability(name: "bought-next-door.com") { state } }';
    expect(await askAll(check)).toEqual(Array(3).fill({ availability: { state: 'AVAILABLE' } }));

    const input = order({ domain: 'bought-next-door.com' });
    const { data } = await street.first.query(buy, { input });

    expect(data.registerDomain.purchase.state).toBe('SUCCEEDED');
    for (const gateway of street.all) {
      const state = async () => (await gateway.query(check)).data.availability.state;
      await expect.poll(state).toBe('TAKEN');
    }
  });

  test('the end of a purchase is told by every replica when one finds it, without waiting for the next look', async () => {
    const facts = { fault: 'lost-answer', action: 'registerdomain' };
    await street.first.admin('POST', '/faults', facts);
    await street.first.admin('POST', '/faults', {
      fault: 'gateway',
      action: 'getdetails',
      after: 1,
      times: 3,
    });
    const input = order({ domain: 'settled-next-door.com' });
    const { data } = await street.first.query(buy, { input });
    const { id, state } = data.registerDomain.purchase;
    expect(state).toBe('PENDING');
    const query = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }';
    const streams = await Promise.all(
      street.all.map(({ url }) => openStream(url, { query, variables: { id } })),
    );

    const [, second] = street.all;
    await second?.query('query ($id: ID!) { purchase(id: $id) { state } }', { id });

    for (const stream of streams) {
      const next = await stream.next();
      expect(next?.data.data).toEqual({ purchaseSettled: { state: 'SUCCEEDED' } });
    }
  });

  test('what is none of their messages changes nothing', async () => {
    await askAll(details);
    await street.first.resetCalls();
    const [channel = ''] = (await redis.client.pubsub('CHANNELS', '*')) as string[];
    const wrote = { action: 'modifynameserver', domain: 'reseller-demo.com' };
    const garbage = [
      '',
      'null',
      '[]',
      '{"from":',
      JSON.stringify({ wrote }),
      JSON.stringify({ from: 'x', wrote: { ...wrote, action: 'toString' } }),
      JSON.stringify({ from: 'x', wrote: { ...wrote, domain: 'not a name' } }),
      JSON.stringify({ from: 'x', settled: { id: 7, domain: 'reseller-demo.com' } }),
      JSON.stringify({ from: 'x'.repeat(3_000), wrote }),
    ];

    for (const text of garbage) expect(await redis.client.publish(channel, text)).toBe(3);
    // Heard after all of them, so that they have been heard too.
    await setOn(street.first, ['ns1.last.net', 'ns2.last.net']);
    for (const gateway of street.all) {
      const shown = async () => (await gateway.query(details)).data.domain.nameServers;
      await expect.poll(shown).toEqual(['ns1.last.net', 'ns2.last.net']);
    }

    expect(street.all.flatMap(({ lines }) => lines)).toEqual([]);
  });

  test('nothing but the catalogue is put there, and no login with it', async () => {
    await askAll('{ tld(name: "com") { name } }');
    await askAll(
      '{ domain(name: "reseller-demo.com") { authCode contacts { registrant { email } } } }',
    );

    const keys = await redis.client.keys('*');
    await expect.poll(() => redis.client.keys('*')).toHaveLength(1);
    const [key = ''] = keys;
    const [, packed = ''] = ((await redis.client.get(key)) ?? '').split(' ');
    const text = gunzipSync(Buffer.from(packed, 'base64')).toString();

    expect(key).toMatch(/^reseller-graph:\{[\w-]{32}\}:answer:[\w-]{32}$/);
    expect(JSON.parse(text).result).toBe('OK');
    expect(text).not.toContain('demo-password');
  });
});
