import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { unknownTarget } from '../../samples/all.ts';
import { writesOf } from '../../samples/writes.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { documentOf, rowOf } from './mutate.ts';

const timeoutMs = 600;
const time = createGatewayClock();
const gateway = await startTestGateway({
  sandboxDomains: 60,
  env: { UPSTREAM_TIMEOUT_MS: String(timeoutMs) },
  clock: time.clock,
});
afterAll(() => gateway.close());
// Each test starts with the seeded domain, because a removed transfer lock cannot be restored.
beforeEach(() => gateway.admin('POST', '/reset', {}));

const domain = 'expiring-demo.com';
const target = unknownTarget(domain);
const sets = writesOf('verified').map(({ write, ...set }) => ({
  ...{ ...set, fields: write.select },
  ...{ expected: write.shows(target), row: write.stored(target) },
}));

/** The write that shows what all of them do. */
const hosts = {
  ...{ name: 'setNameServers', action: 'modifynameserver' },
  ...{ input: { domain, nameServers: ['a.hosts.net', 'b.hosts.net'] } },
  row: { nameServers: ['a.hosts.net', 'b.hosts.net'] },
};
const seeded = { nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'] };

const arm = (action: string, fault: string, more: object = {}) =>
  gateway.admin('POST', '/faults', { fault, action, ...more });
async function mutate(name: string, input: object | null, fields?: string) {
  const { data, errors, extensions } = await time.during(
    gateway.query(documentOf(name, fields), { input }),
  );
  expect(errors).toBeUndefined();
  expect(extensions.upstream.byAction).toEqual(await gateway.countCalls());
  return data.it;
}

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

const noReply = 'The registrar is not available now.';

describe.each(sets)('$name', ({ name, action, input: inputOf, fields, expected, row }) => {
  const input = inputOf(domain);
  const none = Object.fromEntries(Object.keys(expected).map((field) => [field, null]));
  const withDomain = `${fields} domain { name }`;

  // One read finds the change and also provides the payload domain.
  test('is a success after a lost reply', async () => {
    await arm(action, 'lost-answer');

    const done = { ...expected, domain: { name: domain }, errors: [] };
    expect(await mutate(name, input, withDomain)).toEqual(done);
    expect(await rowOf(gateway, domain)).toMatchObject(row);
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });

  test('is sent once more when one read does not find the change', async () => {
    await arm(action, 'reset');

    expect(await mutate(name, input, fields)).toEqual({ ...expected, errors: [] });
    expect(await rowOf(gateway, domain)).toMatchObject(row);
    expect(await gateway.countCalls()).toEqual({ [action]: 2, getdetails: 1 });
  });

  test('has an unknown outcome after two lost replies, and is not sent again', async () => {
    await arm(action, 'reset', { times: 9 });
    const before = await rowOf(gateway, domain);
    expect(before).not.toMatchObject(row);

    const unknown = { ...none, ...unclear(`${noReply} ${notShown}`) };
    expect(await mutate(name, input, withDomain)).toEqual(unknown);
    expect(await rowOf(gateway, domain)).toEqual(before);
    expect(await gateway.countCalls()).toEqual({ [action]: 2, getdetails: 2 });
  });

  test('that is refused returns the error at once', async () => {
    await arm(action, 'code', { code: 'API_2304_ERROR' });

    const errors = [{ code: 'LOCKED', executed: 'NO' }];
    expect(await mutate(name, input, withDomain)).toMatchObject({ ...none, errors });
    // The status that causes it is read, and nothing is sent again.
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });

  test('of a domain that is not in the account is NOT_FOUND after a lost reply', async () => {
    await arm(action, 'reset');

    expect(await mutate(name, inputOf('not-registered.com'), fields)).toMatchObject({
      ...none,
      errors: [{ __typename: 'PlainError', code: 'NOT_FOUND', executed: 'NO' }],
    });
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });
});

// All writes are sent by the same function, so the kinds of faults are shown for one of them.
describe('a write', () => {
  const { name, action, input, row } = hosts;
  const send = () => mutate(name, input, 'nameServers');

  test.each<[string, readonly string[], number, number]>([
    ['half a reply', ['cut'], 1, 1],
    ['an empty reply', ['empty'], 1, 1],
    ['a lost reply, shortly before the change', ['late'], 1, 1],
    ['a change without a reply', ['hold-after'], 1, 1],
    ['two lost replies, of which the second is found', ['reset', 'lost-answer'], 2, 2],
    ['the failure of a proxy', ['gateway'], 2, 1],
    ['a Retry-After of 0', ['busy'], 2, 1],
  ])('is a success after %s', async (_what, faults, writes, reads) => {
    for (const fault of faults) await arm(action, fault, { ms: fault === 'late' ? 50 : 0 });

    expect(await send()).toEqual({ ...row, errors: [] });
    expect(await rowOf(gateway, domain)).toMatchObject(row);
    expect(await gateway.countCalls()).toEqual({ [action]: writes, getdetails: reads });
    await gateway.admin('POST', '/release', {});
  });

  // How many of the three reads fit into the deadline depends on the machine.
  const some = expect.any(Number);
  const noResponse = 'The registrar did not respond in time.';
  test.each<[string, string, boolean, string, object, unknown]>([
    ['a lost reply and a failed read', 'lost-answer', false, `${noReply} ${notRead}`, row, some],
    ['no connection and a failed read', 'reset', false, `${noReply} ${notRead}`, seeded, some],
    ['the timeout of a write and one read', 'hang', true, `${noResponse} ${notShown}`, {}, 1],
  ])('has an unknown outcome after %s', async (_what, fault, isRead, message, stored, reads) => {
    await arm(action, fault);
    if (!isRead) await arm('getdetails', 'gateway', { times: 3 });
    const startedMs = time.clock.monotonicMs();

    expect(await send()).toMatchObject({ nameServers: null, errors: unclear(message).errors });
    expect(time.clock.monotonicMs() - startedMs).toBeLessThan(4 * timeoutMs);
    expect(await rowOf(gateway, domain)).toMatchObject(stored);
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: reads });
  });

  test('is not sent again before Retry-After has passed', async () => {
    await arm(action, 'busy', { ms: 1_000 });

    // With the pauses a second call would have less than a third of the time of a write.
    expect((await send()).errors).toMatchObject([{ code: 'OUTCOME_UNKNOWN' }]);
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  });

  test('that is refused after a lost reply has an unknown outcome with the code of the refusal', async () => {
    await arm(action, 'reset');
    await arm(action, 'code', { code: 'API_2304_ERROR' });

    expect((await mutate(name, input, 'errors { upstreamCode }')).errors).toMatchObject([
      { code: 'OUTCOME_UNKNOWN', executed: 'UNKNOWN', upstreamCode: 'API_2304_ERROR' },
    ]);
    expect(await gateway.countCalls()).toEqual({ [action]: 2, getdetails: 2 });
  });
});

test.each(sets.filter(({ name }) => name !== 'addChildNameServer'))(
  '$name has an unknown outcome when the read after a lost reply has an unreadable value',
  async ({ name, action, input }) => {
    await arm(action, 'lost-answer');
    await arm('getdetails', 'wrongtypes');

    expect((await mutate(name, input(domain))).errors).toMatchObject([
      { code: 'OUTCOME_UNKNOWN', message: `The registrar is not available now. ${notRead}` },
    ]);
    expect(await gateway.countCalls()).toEqual({ [action]: 1, getdetails: 1 });
  },
);

test('a write continues with its read and second call when its client disconnects', async () => {
  const { name, action, input, row } = hosts;
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
    mutate('updateHostingGroup', { id: 'hg_demo_1', name: 'New' }, 'hostingGroup { name }');

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
