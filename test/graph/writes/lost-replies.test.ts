import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { documentOf, mutate as mutateNow, rowOf } from './mutate.ts';

const timeoutMs = 600;
const times = new Map<TestGateway, ReturnType<typeof createGatewayClock>>();

/** A gateway with a simulated clock. */
async function startGateway(): Promise<TestGateway> {
  const time = createGatewayClock();
  const env = { UPSTREAM_TIMEOUT_MS: String(timeoutMs) };
  const gateway = await startTestGateway({ sandboxDomains: 60, env, clock: time.clock });
  times.set(gateway, time);
  return gateway;
}

const timeOf = (gateway: TestGateway) => times.get(gateway) ?? createGatewayClock();
const mutate: typeof mutateNow = (gateway, ...of) =>
  timeOf(gateway).during(mutateNow(gateway, ...of));

const gateway = await startGateway();
afterAll(() => gateway.close());
// Each test starts with the seeded domain, because a removed transfer lock cannot be restored.
beforeEach(() => gateway.admin('POST', '/reset', {}));

const domain = 'expiring-demo.com';
const seeded = { nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'], glue: [] };
const before = { ...seeded, locked: true, privacy: false };
const nameServers = ['a.hosts.net', 'b.hosts.net'];
const child = { name: `ns1.${domain}`, addresses: ['8.8.8.8'] };
const sets = [
  {
    name: 'setNameServers',
    action: 'modifynameserver',
    input: { domain, nameServers },
    fields: 'nameServers',
    expected: { nameServers },
    row: { nameServers },
  },
  {
    name: 'addChildNameServer',
    action: 'addchildnameserver',
    input: { domain, nameServer: child.name, ipAddress: '8.8.8.8' },
    fields: 'childNameServer { name addresses }',
    expected: { childNameServer: child },
    row: { glue: [{ ns: child.name, ip: '8.8.8.8' }] },
  },
  {
    name: 'disableTransferLock',
    action: 'disabletheftlock',
    input: { domain },
    fields: 'transferLocked',
    expected: { transferLocked: false },
    row: { locked: false },
  },
  {
    name: 'setPrivacyProtection',
    action: 'modifyprivacystatus',
    input: { domain, privacyProtected: true },
    fields: 'privacyProtected',
    expected: { privacyProtected: true },
    row: { privacy: true },
  },
] as const;

const arm = (action: string, fault: string, more: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action, ...more });

const unclear = (message: unknown) => ({
  domain: null,
  errors: [
    {
      ...{ __typename: 'OutcomeUnknown', code: 'OUTCOME_UNKNOWN', message, path: null },
      ...{ executed: 'UNKNOWN', retryable: true },
    },
  ],
});
const next = 'Read the domain, then send the change again if needed: repeating it is safe.';
const notShown = `Whether the change was made is unknown: ${domain} does not show it yet. ${next}`;
const notRead = `Whether the change was made is unknown: ${domain} cannot be read. ${next}`;

function describeWrite({ name, action, input, fields, expected, row }: (typeof sets)[number]) {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.admin('POST', '/reset', {}));

  const arm = (fault: object) => gateway.admin('POST', '/faults', { action, ...fault });
  const send = () => mutate(gateway, name, input, `${fields} domain { name }`);
  const done = { ...expected, domain: { name: domain }, errors: [] };
  const none = Object.fromEntries(Object.keys(expected).map((field) => [field, null]));

  const [noReply, noResponse] = [
    'The registrar is not available now.',
    'The registrar did not respond in time.',
  ];
  const unread = { fault: 'gateway', action: 'getdetails', times: 3 };

  // One read finds the change and also provides the payload domain.
  test.each<[string, readonly object[], number, number]>([
    ['a lost reply', [{ fault: 'lost-answer' }], 1, 1],
    ['half a reply', [{ fault: 'cut' }], 1, 1],
    ['an empty reply', [{ fault: 'empty' }], 1, 1],
    ['a lost reply, shortly before the change', [{ fault: 'late', ms: 50 }], 1, 1],
    ['a change without a reply', [{ fault: 'hold-after' }], 1, 1],
    [
      'two lost replies, of which the second is found',
      [{ fault: 'reset' }, { fault: 'lost-answer' }],
      2,
      2,
    ],
  ])('is a success after %s', async (_what, faults, writes, reads) => {
    for (const fault of faults) await arm(fault);

    expect(await send()).toEqual(done);
    expect(await rowOf(gateway, domain)).toMatchObject(row);
    expect(await gateway.countCalls()).toEqual({ [action]: writes, getdetails: reads });
    await gateway.admin('POST', '/release', {});
  });

  test.each(['reset', 'gateway', 'busy'])(
    'is sent once more after %s, because one read does not find the change',
    async (fault) => {
      await arm({ fault, ms: 0 });

      expect(await mutate(gateway, name, input, fields)).toEqual({ ...expected, errors: [] });
      expect(await rowOf(gateway, domain)).toMatchObject(row);
      expect(await gateway.countCalls()).toEqual({ [action]: 2, getdetails: 1 });
    },
  );

  // How many of the three reads fit into the deadline depends on the machine.
  const some = expect.any(Number);
  test.each<[string, readonly object[], string, object, number, unknown]>([
    [
      'two lost replies, and is not sent again',
      [{ fault: 'reset', times: 9 }],
      `${noReply} ${notShown}`,
      before,
      2,
      2,
    ],
    [
      'a lost reply and a failed read',
      [{ fault: 'lost-answer' }, unread],
      `${noReply} ${notRead}`,
      row,
      1,
      some,
    ],
    [
      'no connection and a failed read',
      [{ fault: 'reset' }, unread],
      `${noReply} ${notRead}`,
      before,
      1,
      some,
    ],
    [
      'the timeout of a write and one read',
      [{ fault: 'hang' }],
      `${noResponse} ${notShown}`,
      {},
      1,
      1,
    ],
  ])('has an unknown outcome after %s', async (_what, faults, message, stored, writes, reads) => {
    for (const fault of faults) await arm(fault);
    const { clock } = timeOf(gateway);
    const startedMs = clock.monotonicMs();

    expect(await send()).toEqual({ ...none, ...unclear(message) });
    expect(clock.monotonicMs() - startedMs).toBeLessThan(4 * timeoutMs);
    expect(await rowOf(gateway, domain)).toMatchObject(stored);
    expect(await gateway.countCalls()).toEqual({ [action]: writes, getdetails: reads });
  });

  test('is not sent again before Retry-After has passed', async () => {
    await arm({ fault: 'busy', ms: 1_000 });

    // With the pauses a second call would have less than a third of the time of a write.
    expect((await send()).errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN' }]);
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });

  const refusal = { fault: 'code', code: 'API_2304_ERROR' };
  test('that is refused returns the error at once', async () => {
    await arm(refusal);

    expect(await send()).toMatchObject({ ...none, errors: [{ code: 'LOCKED', executed: 'NO' }] });
    // The status that causes it is read, and nothing is sent again.
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });

  test('that is refused after a lost reply has an unknown outcome with the code of the refusal', async () => {
    await arm({ fault: 'reset' });
    await arm(refusal);

    const code = 'errors { upstreamCode }';
    expect((await mutate(gateway, name, input, code)).errors).toMatchObject([
      { code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', upstreamCode: 'API_2304_ERROR' },
    ]);
    expect(await gateway.countCalls()).toEqual({ [action]: 2, getdetails: 2 });
  });

  test('of a domain that is not in the account is NOT_FOUND after a lost reply', async () => {
    await arm({ fault: 'reset' });
    const gone = JSON.parse(JSON.stringify(input).replaceAll(domain, 'not-registered.com'));

    expect(await mutate(gateway, name, gone, fields)).toMatchObject({
      ...none,
      errors: [{ __typename: 'PlainError', code: 'NOT_FOUND', executed: 'NO' }],
    });
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });
}

// Concurrently; each has a gateway of its own for its tests, one after another.
describe.concurrent.each(sets)('$name', (set) => {
  describe('after a lost reply', { concurrent: false }, () => describeWrite(set));
});

test.each(sets.filter(({ name }) => name !== 'addChildNameServer'))(
  '$name has an unknown outcome when the read after a lost reply has an unreadable value',
  async ({ name, action, input }) => {
    await arm(action, 'lost-answer');
    await arm('getdetails', 'wrongtypes');

    expect((await mutate(gateway, name, input)).errors).toMatchObject([
      { code: 'OUTCOME_UNKNOWN', message: `The registrar is not available now. ${notRead}` },
    ]);
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  },
);

test('a write continues with its read and second call when its client disconnects', async () => {
  const [{ name, action, input, row }] = sets;
  const patient = await startTestGateway({ sandboxDomains: 60 });
  await patient.admin('POST', '/faults', { fault: 'reset', action });
  await patient.admin('POST', '/faults', { fault: 'hold-before', action: 'getdetails' });
  const caller = new AbortController();
  const response = fetch(`${patient.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: documentOf(name), variables: { input } }),
    signal: caller.signal,
  });
  const held = () => patient.admin('GET', '/held');
  await expect.poll(held).toEqual({ held: 1 });

  caller.abort();
  await expect(response).rejects.toThrow();
  await patient.admin('POST', '/release', {});

  await expect.poll(() => rowOf(patient, domain)).toMatchObject(row);
  expect(await patient.countCalls()).toEqual({ [action]: 2, getdetails: 1 });
  await patient.close();
});

describe('an update of a hosting group, which no call reads,', () => {
  const action = 'PATCH /hosting/group/{id}';
  const rename = () =>
    mutate(
      gateway,
      'updateHostingGroup',
      { id: 'hg_demo_1', name: 'New' },
      'hostingGroup { name }',
    );

  test.each(['lost-answer', 'reset', 'gateway', 'cut'])(
    'is sent once more after %s',
    async (fault) => {
      await arm(action, fault);

      expect(await rename()).toEqual({ hostingGroup: { name: 'New' }, errors: [] });
      expect(await gateway.countCalls()).toEqual({ [action]: 2 });
    },
  );

  test('has an unknown outcome after two lost replies', async () => {
    await arm(action, 'lost-answer', { times: 9 });

    const { domain: _, ...expected } = unclear(
      'The registrar is not available now. Whether the hosting group was changed is unknown, and the Account API cannot read groups. Send it again: repeating this change is safe.',
    );
    expect(await rename()).toEqual({ hostingGroup: null, ...expected });
    expect(await gateway.countCalls()).toEqual({ [action]: 2 });
  });

  test('is not sent again without remaining time', async () => {
    await arm(action, 'hang');

    expect((await rename()).errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN' }]);
    expect(await gateway.countCalls()).toEqual({ [action]: 1 });
  });
});
