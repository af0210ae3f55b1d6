import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { replyText } from '../../support/upstream/fixtures.ts';
import { mutate, type Problem, rowOf } from './mutate.ts';
import { startRecordedGateway } from './recorded-gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const child = 'childNameServer { name addresses }';
const add = (domain: string, nameServer: string, ipAddress: string, fields = child) =>
  mutate(gateway, 'addChildNameServer', { domain, nameServer, ipAddress }, fields);

test.each([
  ['ns1.unlocked-demo.com', '8.8.8.8'],
  ['ns6.unlocked-demo.com', '2606:4700:4700::1111'],
  ['deep.down.unlocked-demo.com', ' 9.9.9.9 '],
])('%s with the address %j is in the sandbox after one call', async (name, ipAddress) => {
  const it = await add('unlocked-demo.com', name.toUpperCase(), ipAddress);

  const address = ipAddress.trim();
  expect(it).toEqual({ childNameServer: { name, addresses: [address] }, errors: [] });
  expect((await rowOf(gateway, 'unlocked-demo.com')).glue).toContainEqual({
    ns: name,
    ip: address,
  });
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1 });
});

test('the payload domain lists the new host', async () => {
  const it = await add(
    'private-demo.net',
    'ns1.private-demo.net',
    '1.1.1.1',
    'domain { isChildNameServer childNameServers { name addresses } }',
  );

  expect(it.domain).toEqual({
    isChildNameServer: true,
    childNameServers: [{ name: 'ns1.private-demo.net', addresses: ['1.1.1.1'] }],
  });
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
});

test('a host under an internationalised domain is accepted in either spelling', async () => {
  const it = await add('bücher-demo.de', 'ns1.xn--bcher-demo-9db.de', '1.0.0.1');

  expect(it).toMatchObject({ childNameServer: { name: 'ns1.xn--bcher-demo-9db.de' }, errors: [] });
});

test('a host whose reply was lost and that the registrar does not show yet has an unknown outcome', async () => {
  const host = ['delayed-glue-demo.com', 'ns1.delayed-glue-demo.com', '9.9.9.9'] as const;
  await gateway.admin('POST', '/faults', { fault: 'lost-answer', action: 'addchildnameserver' });

  const unknown = await add(...host);
  await gateway.admin('POST', '/clock', { advanceMs: 5_000 });
  const again = await add(...host);

  expect(unknown).toMatchObject({
    childNameServer: null,
    errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', retryable: true }],
  });
  expect(again).toEqual({
    childNameServer: { name: host[1], addresses: ['9.9.9.9'] },
    errors: [],
  });
});

describe('a host that exists', () => {
  test.each([
    ['8.8.4.4', '8.8.4.4'],
    ['2606:4700:4700::1001', '2606:4700:4700:0:0:0:0:1001'],
    ['2606:4700:4700::64', '2606:4700:4700::0064'],
  ])('with the address %s is a success for the address %s', async (there, requested) => {
    const host = `ns${there.length}.young-demo.com`;
    await add('young-demo.com', host, there);
    await gateway.resetCalls();

    const it = await add('young-demo.com', host, requested, `${child} domain { name }`);

    expect(it).toEqual({
      childNameServer: { name: host, addresses: [there] },
      domain: { name: 'young-demo.com' },
      errors: [],
    });
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });

  test('because the call was duplicated is a success', async () => {
    await gateway.admin('POST', '/faults', { fault: 'twice', action: 'addchildnameserver' });

    expect((await add('young-demo.com', 'ns1.young-demo.com', '8.8.8.8')).errors).toEqual([]);
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });

  describe('with another address', () => {
    const host = 'ns1.lowercase-demo.org';
    const addOther = () =>
      add(
        'lowercase-demo.org',
        host,
        '1.0.0.1',
        'errors { ... on AlreadyExists { upstreamCode } }',
      );
    const alreadyExists = {
      __typename: 'AlreadyExists',
      code: 'ALREADY_EXISTS',
      executed: 'NO',
      retryable: false,
    };
    const named = {
      ...alreadyExists,
      message: `${host} exists already, with the address 1.1.1.1; the registrar cannot change it.`,
      path: ['input', 'ipAddress'],
    };
    beforeEach(async () => {
      await add('lowercase-demo.org', host, '1.1.1.1');
      await gateway.resetCalls();
    });
    afterEach(async () => {
      await gateway.admin('DELETE', '/faults');
      const { glue } = await rowOf(gateway, 'lowercase-demo.org');
      expect(glue).toEqual([{ ns: host, ip: '1.1.1.1' }]);
    });

    test('is ALREADY_EXISTS and names the address', async () => {
      expect((await addOther()).errors).toEqual([{ ...named, upstreamCode: 'API_2302_ERROR' }]);
      expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
    });

    test('is ALREADY_EXISTS after a lost reply too, and is not sent again', async () => {
      await gateway.admin('POST', '/faults', { fault: 'reset', action: 'addchildnameserver' });

      expect((await addOther()).errors).toEqual([{ ...named, upstreamCode: null }]);
      expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
    });

    test('is the refusal of the upstream when the domain cannot be read', async () => {
      await gateway.admin('POST', '/faults', { fault: 'gateway', action: 'getdetails', times: 3 });

      expect((await addOther()).errors).toEqual([
        {
          ...alreadyExists,
          message: 'This name server already exists.',
          path: ['input', 'nameServer'],
          upstreamCode: 'API_2302_ERROR',
        },
      ]);
      expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 3 });
    });
  });

  test('and that the domain does not list is the refusal of the upstream', async () => {
    const code = 'API_2302_ERROR';
    await gateway.admin('POST', '/faults', { fault: 'code', action: 'addchildnameserver', code });

    const it = await add('young-demo.com', 'ns4.young-demo.com', '8.8.8.8');

    expect(it).toMatchObject({
      childNameServer: null,
      errors: [
        { code: 'ALREADY_EXISTS', message: 'This name server already exists.', executed: 'NO' },
      ],
    });
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });
});

describe('after a lost reply and a read with unusable child name servers', () => {
  const details = JSON.parse(replyText('getdetails'));
  const input = {
    domain: details.data.DomainName,
    nameServer: `ns1.${details.data.DomainName}`,
    ipAddress: '8.8.8.8',
  };

  test.each([
    ['no list', 'none'],
    ['a host without addresses', [{ ns: input.nameServer.toUpperCase(), ip: [] }]],
    ['an invalid address', [{ ns: input.nameServer, ip: 'SECRET-PART' }]],
    ['an address that is no text', [{ ns: input.nameServer, ip: 8 }]],
  ])('the outcome is unknown: %s', async (_what, ChildNameServers) => {
    const recorded = await startRecordedGateway();
    recorded.replyNext({ status: 502, body: '' });
    const body = JSON.stringify({ ...details, data: { ...details.data, ChildNameServers } });
    recorded.replyNext({ status: 200, body });

    const it = await mutate(recorded.gateway, 'addChildNameServer', input, child);
    await recorded.close();

    expect(it).toMatchObject({
      childNameServer: null,
      errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', retryable: true }],
    });
    expect(recorded.seen).toHaveLength(2);
  });

  test('the host is found in another spelling', async () => {
    const recorded = await startRecordedGateway();
    recorded.replyNext({ status: 502, body: '' });
    const glue = [
      { ns: `ns2.${input.domain}`, ip: '1.1.1.1' },
      { ns: `${input.nameServer.toUpperCase()}.`, ip: ['1.0.0.1', '8.8.8.8'] },
    ];
    const data = { ...details.data, ChildNameServers: glue };
    recorded.replyNext({ status: 200, body: JSON.stringify({ ...details, data }) });

    const it = await mutate(recorded.gateway, 'addChildNameServer', input, child);
    await recorded.close();

    expect(it).toEqual({
      childNameServer: { name: input.nameServer, addresses: ['1.0.0.1', '8.8.8.8'] },
      errors: [],
    });
  });
});

describe('a child name server is refused before an upstream call:', () => {
  test.each([
    ['private', '10.0.0.1'],
    ['private', '192.168.1.1'],
    ['private', '172.31.255.254'],
    ['shared', '100.64.0.1'],
    ['loopback', '127.11.0.4'],
    ['unspecified', '0.0.0.0'],
    ['link-local', '169.254.169.254'],
    ['multicast', '224.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['documentation', '192.0.2.1'],
    ['documentation', '203.0.113.9'],
    ['benchmark', '198.18.0.1'],
    ['loopback', '::1'],
    ['unspecified', '::'],
    ['unique local', 'fd00::1'],
    ['link-local', 'fe80::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['relay', '192.88.99.1'],
    ['Teredo', '2001::1'],
    ['6to4', '2002:808:808::1'],
    ['mapped', '::ffff:8.8.8.8'],
    ['with a zone', '2606:4700::1111%eth0'],
    ['malformed', '8.8.8'],
    ['malformed', '8.8.8.8/32'],
    ['malformed', '08.8.8.8'],
    ['malformed', '256.1.1.1'],
    ['malformed', '2606::4700::1'],
    ['malformed', 'ns1.example.com'],
    ['malformed', ''],
  ])('a %s address: %j', async (_what, ipAddress) => {
    const it = await add('unlocked-demo.com', 'ns2.unlocked-demo.com', ipAddress);

    expect(it.childNameServer).toBeNull();
    expect(it.errors).toMatchObject([
      { __typename: 'InvalidInput', path: ['input', 'ipAddress'], executed: 'NO' },
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });

  test.each(['unlocked-demo.com', 'ns1.other-demo.com', 'ns1.notunlocked-demo.com', 'com.tr'])(
    'for a host that is not under its domain: %s',
    async (nameServer) => {
      const it = await add('unlocked-demo.com', nameServer, '8.8.8.8');

      expect(it.errors).toMatchObject([
        { __typename: 'InvalidInput', path: ['input', 'nameServer'], executed: 'NO' },
      ]);
      expect(await gateway.countCalls()).toEqual({});
    },
  );

  test('with all errors of the input together', async () => {
    const { errors } = await add('unlocked-demo.com', 'unlocked-demo.com', '127.0.0.1');

    expect(errors.map(({ path }: Problem) => path)).toEqual([
      ['input', 'nameServer'],
      ['input', 'ipAddress'],
    ]);
    expect(await gateway.countCalls()).toEqual({});
  });
});

test.each([
  ['others-demo.com', 'NOT_FOUND'],
  ['not-registered.com', 'NOT_FOUND'],
  ['redemption-demo.com', 'LOCKED'],
])('a host under %s is %s', async (domain, code) => {
  const it = await add(domain, `ns1.${domain}`, '8.8.8.8');

  expect(it).toMatchObject({
    childNameServer: null,
    errors: [{ code, path: ['input', 'domain'], executed: 'NO' }],
  });
  const read = code === 'LOCKED' ? { getdetails: 1 } : {};
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, ...read });
});
