import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { replyText } from '../../../../test/support/upstream/fixtures.ts';
import { mutate, type Problem, rowOf } from '../../../../test/graph/writes/mutate.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 60 });
const recorded = await startRecordedGateway();
afterAll(() => Promise.all([gateway.close(), recorded.close()]));
beforeEach(() => gateway.resetCalls());
afterEach(() => gateway.admin('DELETE', '/faults'));

const child = 'childNameServer { name addresses }';
const add = (domain: string, nameServer: string, ipAddress: string, fields = child) =>
  mutate(gateway, 'addChildNameServer', { domain, nameServer, ipAddress }, fields);
const arm = (fault: string, more: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action: 'addchildnameserver', ...more });

const unknownOutcome = {
  childNameServer: null,
  errors: [{ code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', retryable: true }],
};

describe('a new host', () => {
  test.each([
    ['ns1.unlocked-demo.com', '8.8.8.8'],
    ['ns6.unlocked-demo.com', '2606:4700:4700::1111'],
    ['deep.down.unlocked-demo.com', ' 9.9.9.9 '],
  ])('%s with the address %j is in the sandbox after one call', async (name, ipAddress) => {
    const it = await add('unlocked-demo.com', name.toUpperCase(), ipAddress);

    const ip = ipAddress.trim();
    expect(it).toEqual({ childNameServer: { name, addresses: [ip] }, errors: [] });
    expect((await rowOf(gateway, 'unlocked-demo.com')).glue).toContainEqual({ ns: name, ip });
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1 });
  });

  test('is in the payload domain', async () => {
    const fields = 'domain { isChildNameServer childNameServers { name addresses } }';
    const it = await add('private-demo.net', 'ns1.private-demo.net', '1.1.1.1', fields);

    expect(it.domain).toEqual({
      isChildNameServer: true,
      childNameServers: [{ name: 'ns1.private-demo.net', addresses: ['1.1.1.1'] }],
    });
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });

  test('under an internationalised domain is accepted in either spelling', async () => {
    const name = 'ns1.xn--bcher-demo-9db.de';

    expect(await add('bücher-demo.de', name, '1.0.0.1')).toMatchObject({
      ...{ childNameServer: { name }, errors: [] },
    });
  });

  test('whose reply was lost and that the registrar does not show yet has an unknown outcome', async () => {
    const host = ['delayed-glue-demo.com', 'ns1.delayed-glue-demo.com', '9.9.9.9'] as const;
    await arm('lost-answer');

    expect(await add(...host)).toMatchObject(unknownOutcome);
    await gateway.admin('POST', '/clock', { advanceMs: 5_000 });
    expect(await add(...host)).toEqual({
      ...{ childNameServer: { name: host[1], addresses: ['9.9.9.9'] }, errors: [] },
    });
  });
});

describe('a host that exists', () => {
  test.each([
    ['8.8.4.4', '8.8.4.4'],
    ['2606:4700:4700::1001', '2606:4700:4700:0:0:0:0:1001'],
    ['2606:4700:4700::64', '2606:4700:4700::0064'],
  ])('with the address %s is a success for the address %s', async (there, requested) => {
    const name = `ns${there.length}.young-demo.com`;
    await add('young-demo.com', name, there);
    await gateway.resetCalls();

    expect(await add('young-demo.com', name, requested, `${child} domain { name }`)).toEqual({
      childNameServer: { name, addresses: [there] },
      ...{ domain: { name: 'young-demo.com' }, errors: [] },
    });
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });

  test('because the call was duplicated is a success', async () => {
    await arm('twice');

    expect((await add('young-demo.com', 'ns1.young-demo.com', '8.8.8.8')).errors).toEqual([]);
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });

  test('and that the domain does not list is the refusal of the upstream', async () => {
    await arm('code', { code: 'API_2302_ERROR' });

    expect(await add('young-demo.com', 'ns4.young-demo.com', '8.8.8.8')).toMatchObject({
      childNameServer: null,
      errors: [
        { code: 'ALREADY_EXISTS', message: 'This name server already exists.', executed: 'NO' },
      ],
    });
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
  });

  const [domain, host] = ['lowercase-demo.org', 'ns1.lowercase-demo.org'];
  const named = {
    message: `${host} exists already, with the address 1.1.1.1; the registrar cannot change it.`,
    path: ['input', 'ipAddress'],
  };
  const plain = { message: 'This name server already exists.', path: ['input', 'nameServer'] };

  test.each([
    ['and names the address', {}, { ...named, upstreamCode: 'API_2302_ERROR' }, 1],
    [
      'after a lost reply too, and is not sent again',
      { fault: 'reset', action: 'addchildnameserver' },
      { ...named, upstreamCode: null },
      1,
    ],
    [
      'without the address when the domain cannot be read',
      { fault: 'gateway', action: 'getdetails', times: 3 },
      { ...plain, upstreamCode: 'API_2302_ERROR' },
      3,
    ],
  ])('with another address is ALREADY_EXISTS %s', async (_what, fault, expected, getdetails) => {
    await add(domain, host, '1.1.1.1');
    await gateway.resetCalls();
    if ('fault' in fault) await gateway.admin('POST', '/faults', fault);

    const fields = 'errors { upstreamCode }';
    const { errors } = await add(domain, host, '1.0.0.1', fields);

    expect(errors).toEqual([
      {
        ...{ __typename: 'PlainError', code: 'ALREADY_EXISTS', executed: 'NO' },
        ...{ retryable: false, ...expected },
      },
    ]);
    expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails });
    expect((await rowOf(gateway, domain)).glue).toEqual([{ ns: host, ip: '1.1.1.1' }]);
  });
});

describe('after a lost reply', () => {
  const details = JSON.parse(replyText('getdetails'));
  const domain: string = details.data.DomainName;
  const nameServer = `ns1.${domain}`;
  /** The payload when the read after the lost reply has these child name servers. */
  const addWith = (ChildNameServers: unknown) => {
    recorded.seen.length = 0;
    recorded.replyNext({ status: 502, body: '' });
    const body = JSON.stringify({ ...details, data: { ...details.data, ChildNameServers } });
    recorded.replyNext({ status: 200, body });
    const input = { domain, nameServer, ipAddress: '8.8.8.8' };
    return mutate(recorded.gateway, 'addChildNameServer', input, child);
  };

  test.each([
    ['no list', 'none'],
    ['a host without addresses', [{ ns: nameServer.toUpperCase(), ip: [] }]],
    ['an invalid address', [{ ns: nameServer, ip: 'SECRET-PART' }]],
    ['an address that is no text', [{ ns: nameServer, ip: 8 }]],
  ])('the outcome is unknown when the read has %s', async (_what, shown) => {
    expect(await addWith(shown)).toMatchObject(unknownOutcome);
    expect(recorded.seen).toHaveLength(2);
  });

  test('the host is found in another spelling', async () => {
    const glue = [
      { ns: `ns2.${domain}`, ip: '1.1.1.1' },
      { ns: `${nameServer.toUpperCase()}.`, ip: ['1.0.0.1', '8.8.8.8'] },
    ];

    expect(await addWith(glue)).toEqual({
      childNameServer: { name: nameServer, addresses: ['1.0.0.1', '8.8.8.8'] },
      errors: [],
    });
  });
});

// All addresses that are not public are in `src/modules/name-server/rules.test.ts`.
test.each<[string, string, string, readonly string[]]>([
  ['a private address', 'ns2.unlocked-demo.com', '10.0.0.1', ['ipAddress']],
  ['a mapped address', 'ns2.unlocked-demo.com', '::ffff:8.8.8.8', ['ipAddress']],
  ['text that is no address', 'ns2.unlocked-demo.com', '8.8.8.8/32', ['ipAddress']],
  ['the domain itself', 'unlocked-demo.com', '8.8.8.8', ['nameServer']],
  ['a host under another domain', 'ns1.notunlocked-demo.com', '8.8.8.8', ['nameServer']],
  ['a TLD', 'com.tr', '8.8.8.8', ['nameServer']],
  ['two of them', 'unlocked-demo.com', '127.0.0.1', ['nameServer', 'ipAddress']],
])('%s is refused before an upstream call: %s with %j', async (_what, host, ipAddress, fields) => {
  const it = await add('unlocked-demo.com', host, ipAddress);

  expect(it.childNameServer).toBeNull();
  expect(it.errors.map(({ path }: Problem) => path)).toEqual(fields.map((one) => ['input', one]));
  for (const problem of it.errors) {
    expect(problem).toMatchObject({ __typename: 'PlainError', executed: 'NO' });
  }
  expect(await gateway.countCalls()).toEqual({});
});

test('a host under a domain in redemption is LOCKED', async () => {
  const domain = 'redemption-demo.com';

  expect(await add(domain, `ns1.${domain}`, '8.8.8.8')).toMatchObject({
    childNameServer: null,
    errors: [{ code: 'LOCKED', path: ['input', 'domain'], executed: 'NO' }],
  });
  expect(await gateway.countCalls()).toEqual({ addchildnameserver: 1, getdetails: 1 });
});
