import { rm } from 'node:fs/promises';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ada } from '../../support/ada.ts';
import { newFolder } from '../../support/folder.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { leapingClock } from '../../support/leaping-clock.ts';
import { requestPaths } from '../../support/request-paths.ts';
import { read } from './reads.ts';

// Outside development a response that is made of cached values only is cached itself, for at most a second.
// Any change of a value must invalidate it.

const { clock, pass } = leapingClock();
const folder = await newFolder('reseller-graph');
const gateway = await startTestGateway({
  sandboxDomains: 30,
  clock,
  env: {
    DATA_DIR: folder,
    DEVELOPMENT: 'false',
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '10',
    AVAILABILITY_MAX_AGE_SECONDS: '3',
  },
});
afterAll(async () => {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  pass(48 * 3_600);
  await gateway.resetCalls();
});

const page = '{ domains(first: 30) { nodes { name nameServers transferLocked } } }';
const details = '{ domain(name: "reseller-demo.com") { nameServers } }';
const hostsOf = (answer: { domains: { nodes: { name: string; nameServers: string[] }[] } }) =>
  answer.domains.nodes.find(({ name }) => name === 'reseller-demo.com')?.nameServers;
const setNameServers = (...hosts: string[]) =>
  read(
    gateway,
    'mutation ($hosts: [String!]!) { setNameServers(input: { domain: "reseller-demo.com", nameServers: $hosts }) { errors { message } } }',
    { hosts },
  );
const change = (...hosts: string[]) =>
  gateway.callUpstream('modifynameserver', {
    domain: 'reseller-demo.com',
    nameservers: Object.fromEntries(hosts.map((host, at) => [`ns${at + 1}`, host])),
  });

test('three equal queries are one upstream call with equal responses', async () => {
  const first = await read(gateway, page);

  expect(await read(gateway, page)).toEqual(first);
  expect(await read(gateway, page)).toEqual(first);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

describe('a cached response is not returned', () => {
  test('after a write of this gateway', async () => {
    for (let at = 0; at < 3; at += 1) await read(gateway, page);

    await setNameServers('ns1.after.example', 'ns2.after.example');

    expect(hostsOf(await read(gateway, page))).toEqual(['ns1.after.example', 'ns2.after.example']);
  });

  test('after a refresh by another client', async () => {
    for (let at = 0; at < 3; at += 1) await read(gateway, details);
    await change('ns1.refreshed.example', 'ns2.refreshed.example');
    await read(gateway, details.replace('(', '(refresh: true, '));

    expect((await read(gateway, details)).domain.nameServers).toEqual([
      'ns1.refreshed.example',
      'ns2.refreshed.example',
    ]);
  });

  test('once one of its values is too old', async () => {
    for (let at = 0; at < 3; at += 1) await read(gateway, details);
    await change('ns1.later.example', 'ns2.later.example');
    pass(9.5);
    await read(gateway, details);
    pass(0.6);

    expect((await read(gateway, details)).domain.nameServers).toEqual([
      'ns1.later.example',
      'ns2.later.example',
    ]);
  });

  const sendText = async (body: string) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${gateway.url}/graphql`, { method: 'POST', headers, body });
    return (await response.json()) as { data: { domains: { nodes: object[] } } };
  };

  test('for other variables, another operation of the document, or another selection', async () => {
    const query = `query A($first: Int) { domains(first: $first) { totalCount nodes { name } } }
      query B { domains(first: 2) { nodes { transferLocked } } }`;
    const send = async (operationName: string, variables: object) =>
      (await sendText(JSON.stringify({ query, operationName, variables }))).data.domains.nodes;
    const row = { transferLocked: expect.any(Boolean) };

    for (let at = 0; at < 2; at += 1) {
      expect(await send('A', { first: 3 })).toHaveLength(3);
      expect(await send('A', { first: 5 })).toHaveLength(5);
      expect(await send('B', {})).toEqual([row, row]);
    }
  });

  test('for a variable that is Infinity instead of null', async () => {
    const query = 'query ($first: Int) { domains(first: $first) { totalCount } }';
    const send = (first: string) => sendText(`{"query":"${query}","variables":{"first":${first}}}`);
    for (let at = 0; at < 3; at += 1) expect(await send('null')).not.toHaveProperty('errors');

    expect(await send('1e400')).toHaveProperty('errors');
  });
});

describe('a response with uncached values is not cached:', () => {
  test.each([
    ['{ reseller { name } }', { resellerdetails: 2 }],
    [
      '{ domain(name: "reseller-demo.com") { contacts { billing { email } } } }',
      { getdetails: 1, getcontacts: 2 },
    ],
    ['{ domain(name: "reseller-demo.com") { authCode } }', { getdetails: 2 }],
    ['{ domain(name: "not-registered.com") { name } }', { getdetails: 2 }],
  ])('%s', async (document, calls) => {
    const first = await read(gateway, document);
    const second = await read(gateway, document);

    expect(second).toEqual(first);
    expect(await gateway.countCalls()).toEqual(calls);
  });

  test('a response from the journal is not cached, because another gateway can write to it', async () => {
    const purchases = '{ purchases { totalCount } }';
    const other = await startTestGateway({
      env: { DATA_DIR: folder, DOMAIN_API_URL: `${gateway.sandboxUrl}/domain-api` },
    });
    const before = await read(gateway, purchases);
    const input = { domain: 'counted-once.com', registrant: { fields: ada } };
    await read(
      other,
      'mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) { purchase { state } } }',
      { input: { ...input, nameServers: ['ns1.example.net', 'ns2.example.net'] } },
    );
    await other.close();

    const after = await read(gateway, purchases);

    expect(after.purchases.totalCount).toBe(before.purchases.totalCount + 1);
  });
});

test('an error is not cached', async () => {
  const requestId = async () => {
    const { errors } = await gateway.query('{ domains(first: 101) { totalCount } }');
    return errors[0].extensions.requestId;
  };

  expect(await requestId()).not.toBe(await requestId());
});

test.each(requestPaths)(
  'extensions.stale lists a price list that is served stale, and is absent otherwise, on %s',
  async (_name, way) => {
    const price = '{ tld(name: "com") { price(operation: RENEWAL) { price { amount } } } }';
    const env = { DEVELOPMENT: 'false', TLD_MAX_AGE_SECONDS: '600' };
    const own = await startTestGateway({ ...way, clock, env });
    onTestFinished(() => own.close());
    const fresh = await own.query(price);
    await own.admin('POST', '/faults', { fault: 'gateway', action: 'tldlist', times: 100 });
    pass(20 * 3_600);

    const stale = await own.query(price);

    expect(fresh.extensions).not.toHaveProperty('stale');
    expect(stale.data).toEqual(fresh.data);
    expect(stale.extensions.stale).toEqual([{ action: 'tldlist', ageSeconds: expect.any(Number) }]);
    expect(stale.extensions.stale[0].ageSeconds).toBeGreaterThanOrEqual(72_000);
  },
);
