import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { mutate, rowOf } from '../../../../test/graph/writes/mutate.ts';
import {
  type CannedReply,
  startRecordedGateway,
} from '../../../../test/graph/writes/recorded-gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
const recorded = await startRecordedGateway();
afterAll(() => Promise.all([gateway.close(), recorded.close()]));
beforeEach(() => {
  recorded.seen.length = 0;
  return gateway.resetCalls();
});

const set = (domain: string, nameServers: readonly string[], fields = 'nameServers') =>
  mutate(gateway, 'setNameServers', { domain, nameServers }, fields);

const hosts = (count: number) => Array.from({ length: count }, (_, at) => `ns${at + 1}.hosts.net`);

test('a refusal with an unlisted code has the words of the registrar, and is not sent again', async () => {
  await gateway.admin('POST', '/faults', {
    ...{ fault: 'code', action: 'modifynameserver', code: 'API_7777_ERROR' },
  });

  const fields = 'errors { upstreamCode }';
  const { errors } = await set('unlocked-demo.com', hosts(2), fields);

  expect(errors).toMatchObject([
    {
      ...{ code: 'UPSTREAM_REJECTED', executed: 'UNKNOWN', retryable: false },
      ...{ message: 'The registrar refused the request.', upstreamCode: 'API_7777_ERROR' },
    },
  ]);
  expect(await gateway.countCalls()).toEqual({ modifynameserver: 1, getdetails: 1 });
});

test('a later request reads the new name servers', async () => {
  await set('expiring-demo.com', hosts(3));

  const { data } = await gateway.query('{ domain(name: "expiring-demo.com") { nameServers } }');

  expect(data.domain.nameServers).toEqual(hosts(3));
});

test('duplicates in any spelling are removed, and Unicode is sent as ASCII', async () => {
  const [host, other] = ['ns1.xn--bcher-demo-9db.de', 'ns2.hosts.net'];
  const it = await set('unlocked-demo.com', [
    ...['ns1.bücher-demo.de', 'NS1.BÜCHER-DEMO.DE.', ` ${other} `, host],
  ]);

  expect(it.nameServers).toEqual([host, other]);
  expect((await rowOf(gateway, 'unlocked-demo.com')).nameServers).toEqual(it.nameServers);
});

test('13 name servers are accepted, also as 14 with a duplicate', async () => {
  expect(await set('unlocked-demo.com', [...hosts(13), 'NS13.hosts.net'])).toEqual({
    ...{ nameServers: hosts(13), errors: [] },
  });
});

test('the upstream receives the name servers as ns1, ns2, … in their order, and no other field', async () => {
  const input = { domain: 'Unlocked-Demo.com.', nameServers: hosts(12) };
  await mutate(recorded.gateway, 'setNameServers', input);

  const [{ path = '', body = '' } = {}, ...more] = recorded.seen;
  expect(more).toEqual([]);
  expect(path).toBe('/domain-api/?action=modifynameserver');
  expect(Object.entries(JSON.parse(body).nameservers)).toEqual(
    hosts(12).map((host, at) => [`ns${at + 1}`, host]),
  );
  expect(Object.keys(JSON.parse(body)).sort()).toEqual([
    ...['domain', 'nameservers', 'password', 'username'],
  ]);
});

test.each([0, 14])('%i name servers are refused before an upstream call', async (count) => {
  expect(await set('unlocked-demo.com', hosts(count), 'nameServers domain { name }')).toEqual({
    ...{ nameServers: null, domain: null },
    errors: [
      {
        ...{ __typename: 'PlainError', code: 'INVALID_INPUT', path: ['input', 'nameServers'] },
        message: `A domain has 1 to 13 name servers (many TLDs require 2); ${count} were given.`,
        ...{ executed: 'NO', retryable: false },
      },
    ],
  });
  expect(await gateway.countCalls()).toEqual({});
});

describe('a refusal by the upstream changes nothing and names the field:', () => {
  test.each([
    [
      'unlocked-demo.com',
      ['ns1.unlocked-demo.com', 'ns1.hosts.net'],
      ...['PlainError', 'NOT_FOUND', 'nameServers'],
    ],
    ['redemption-demo.com', hosts(2), 'DomainLocked', 'LOCKED', 'domain'],
    ['held-demo.com', hosts(2), 'DomainLocked', 'LOCKED', 'domain'],
    ['arriving-demo.com', hosts(2), 'DomainLocked', 'LOCKED', 'domain'],
    ['xn--bcher-demo-9db.de', hosts(1), 'PlainError', 'INVALID_INPUT', 'nameServers'],
  ] as const)('%s with %j is %s', async (domain, nameServers, __typename, code, field) => {
    const before = await rowOf(gateway, domain);

    const it = await set(domain, nameServers, 'nameServers domain { name }');

    expect(it).toMatchObject({ nameServers: null, domain: null });
    expect(it.errors).toMatchObject([
      { __typename, code, path: ['input', field], executed: 'NO', retryable: false },
    ]);
    expect(it.errors[0].message).toMatch(/^[^:]{20,}\.$/);
    expect(await rowOf(gateway, domain)).toEqual(before);
    const read = code === 'LOCKED' ? { getdetails: 1 } : {};
    expect(await gateway.countCalls()).toEqual({ modifynameserver: 1, ...read });
  });
});

test('a host under the domain itself is accepted once it is a child name server', async () => {
  const domain = 'expiring-soon-demo.net';
  const host = `ns1.${domain}`;
  await mutate(gateway, 'addChildNameServer', { domain, nameServer: host, ipAddress: '8.8.8.8' });

  expect((await set(domain, [host, 'ns1.hosts.net'])).errors).toEqual([]);
  expect((await rowOf(gateway, domain)).nameServers).toEqual([host, 'ns1.hosts.net']);
});

describe('after a lost reply', () => {
  const domain = 'unlocked-demo.com';
  const requested = ['ns2.hosts.net', 'ns1.hosts.net'];
  const shown = (data: object) =>
    JSON.stringify({ result: 'OK', data: { DomainName: domain, ...data } });
  const setWith = async (...replies: readonly CannedReply[]) => {
    replies.map(recorded.replyNext);
    const input = { domain, nameServers: requested };
    const it = await mutate(recorded.gateway, 'setNameServers', input, 'nameServers');
    return { it, actions: recorded.seen.map(({ path }) => path.split('=')[1]) };
  };
  const lost: CannedReply = { status: 502, body: '<html>Bad Gateway</html>' };
  const [write, read] = ['modifynameserver', 'getdetails'];

  test('the read finds the change that a proxy error hid', async () => {
    const { it, actions } = await setWith({ ...lost, isDone: true });

    expect(it).toEqual({ nameServers: requested, errors: [] });
    expect(actions).toEqual([write, read]);
  });

  test.each([
    ['in another order are equal', ['ns1.hosts.net', 'ns2.hosts.net'], true],
    ['in another case, with trailing dots, are equal', ['NS1.Hosts.NET.', 'ns2.hosts.net.'], true],
    ['twice are equal', ['ns1.hosts.net', 'ns2.hosts.net', 'NS1.hosts.net'], true],
    ['of fewer are different', ['ns1.hosts.net'], false],
    ['of more are different', [...requested, 'ns3.hosts.net'], false],
    ['of none are different', [], false],
  ])(
    'the name servers %s, and only for different ones the write is sent once more',
    async (_how, NameServers, isDone) => {
      const { it, actions } = await setWith(lost, { status: 200, body: shown({ NameServers }) });

      expect(it).toEqual({ nameServers: isDone ? requested.toSorted() : requested, errors: [] });
      expect(actions).toEqual(isDone ? [write, read] : [write, read, write]);
    },
  );

  test('name servers that cannot be read are no proof, and the write is not sent again', async () => {
    const { it, actions } = await setWith(lost, {
      status: 200,
      body: shown({ NameServers: null }),
    });

    expect(it).toMatchObject({ nameServers: null, errors: [{ code: 'OUTCOME_UNKNOWN' }] });
    expect(actions).toEqual([write, read]);
  });

  test('the details of another domain are no proof of the change', async () => {
    const DomainName = 'private-demo.net';
    const { it, actions } = await setWith(lost, {
      status: 200,
      body: shown({ DomainName, NameServers: requested }),
    });

    expect(it).toMatchObject({ nameServers: null, errors: [{ code: 'OUTCOME_UNKNOWN' }] });
    expect(actions).toEqual([write, read]);
  });
});
