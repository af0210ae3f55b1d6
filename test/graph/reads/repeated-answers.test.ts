import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { read } from './reads.ts';

// Outside development an answer that rests on nothing but what is kept is told again as it was, for a second at most.
// Nobody may be able to tell: whatever changes, the next answer is another.

let aheadMs = 0;
const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
const folder = await mkdtemp(join(tmpdir(), 'reseller-graph-'));
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
  aheadMs += 48 * 3_600_000;
  await gateway.resetCalls();
});

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

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
  fetch(`${gateway.sandboxUrl}/domain-api/?action=modifynameserver`, {
    method: 'POST',
    body: JSON.stringify({
      ...{ username: 'demo', password: 'demo-password', domain: 'reseller-demo.com' },
      nameservers: Object.fromEntries(hosts.map((host, at) => [`ns${at + 1}`, host])),
    }),
  });

test('the same question three times is one call and one answer', async () => {
  const answers = [await read(gateway, page), await read(gateway, page), await read(gateway, page)];

  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  expect(await gateway.countCalls()).toEqual({ getdomainlist: 1 });
});

describe('the next answer is another', () => {
  test('after a write of this gateway', async () => {
    for (let at = 0; at < 3; at += 1) await read(gateway, page);

    await setNameServers('ns1.after.example', 'ns2.after.example');

    expect(hostsOf(await read(gateway, page))).toEqual(['ns1.after.example', 'ns2.after.example']);
  });

  test('after a refresh by anybody', async () => {
    for (let at = 0; at < 3; at += 1) await read(gateway, details);
    await change('ns1.refreshed.example', 'ns2.refreshed.example');
    await read(gateway, details.replace('(', '(refresh: true, '));

    expect((await read(gateway, details)).domain.nameServers).toEqual([
      'ns1.refreshed.example',
      'ns2.refreshed.example',
    ]);
  });

  test('once what it rests on is too old', async () => {
    for (let at = 0; at < 3; at += 1) await read(gateway, details);
    await change('ns1.later.example', 'ns2.later.example');
    aheadMs += 9_500;
    await read(gateway, details);
    aheadMs += 600;

    expect((await read(gateway, details)).domain.nameServers).toEqual([
      'ns1.later.example',
      'ns2.later.example',
    ]);
  });

  test('to other variables, another operation of the document, and another selection', async () => {
    const document = `query A($first: Int) { domains(first: $first) { totalCount nodes { name } } }
      query B { domains(first: 2) { nodes { transferLocked } } }`;
    const ask = async (operationName: string, variables: object) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: document, operationName, variables }),
      });
      return ((await response.json()) as { data: { domains: { nodes: object[] } } }).data.domains
        .nodes;
    };
    for (let at = 0; at < 2; at += 1) {
      expect(await ask('A', { first: 3 })).toHaveLength(3);
      expect(await ask('A', { first: 5 })).toHaveLength(5);
      expect(await ask('B', {})).toEqual([
        { transferLocked: expect.any(Boolean) },
        { transferLocked: expect.any(Boolean) },
      ]);
    }
  });

  test('to a number where there was none', async () => {
    const ask = async (first: string) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: `{"query":"query ($first: Int) { domains(first: $first) { totalCount } }","variables":{"first":${first}}}`,
      });
      return response.json();
    };
    for (let at = 0; at < 3; at += 1) expect(await ask('null')).not.toHaveProperty('errors');

    expect(await ask('1e400')).toHaveProperty('errors');
  });
});

test('long questions are not remembered: many of them leave the memory as it was', async () => {
  const query = '{ domains(first: 1) { totalCount } }';
  await read(gateway, query);
  gc();
  const before = process.memoryUsage().heapUsed;

  for (let at = 0; at < 200; at += 1) {
    await read(gateway, query, { unused: `${at}${'x'.repeat(200_000)}` });
  }
  gc();

  expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000);
});

describe('what is not kept is asked for each time', () => {
  test.each([
    ['{ reseller { name } }', { resellerdetails: 2 }],
    [
      '{ domain(name: "reseller-demo.com") { contacts { billing { email } } } }',
      { getdetails: 1, getcontacts: 2 },
    ],
    ['{ domain(name: "reseller-demo.com") { authCode } }', { getdetails: 2 }],
    ['{ domain(name: "nobody-has-it.com") { name } }', { getdetails: 2 }],
  ])('%s', async (document, calls) => {
    const first = await read(gateway, document);
    const second = await read(gateway, document);

    expect(second).toEqual(first);
    expect(await gateway.countCalls()).toEqual(calls);
  });

  test('the journal, into which another gateway may write', async () => {
    const purchases = '{ purchases { totalCount } }';
    const other = await startTestGateway({
      env: { DATA_DIR: folder, DOMAIN_API_URL: `${gateway.sandboxUrl}/domain-api` },
    });
    const before = await read(gateway, purchases);
    await read(
      other,
      `mutation { registerDomain(input: { domain: "nobody-counts.com", period: 1, nameServers: ["ns1.example.net", "ns2.example.net"]
        registrant: { firstName: "A", lastName: "B", company: "C", email: "a@b.example", phone: "+49301234567"
          address: { line1: "D 1", city: "E", state: "F", zipCode: "12345", country: "DE" } } }) { purchase { state } } }`,
    );
    await other.close();

    const after = await read(gateway, purchases);

    expect(after.purchases.totalCount).toBe(before.purchases.totalCount + 1);
  });
});

test('an error is never told again', async () => {
  const answers = [];
  for (let at = 0; at < 2; at += 1)
    answers.push(await gateway.query('{ domains(first: 101) { totalCount } }'));

  const ids = answers.map(({ errors }) => errors[0].extensions.requestId);
  expect(new Set(ids).size).toBe(2);
});
