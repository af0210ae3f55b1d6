import { connect } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { freeNames, read } from './reads.ts';

const gateway = await startTestGateway({
  sandboxDomains: 60,
  env: { MAX_UPSTREAM_CALLS: '51' },
});
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());
afterEach(async () => {
  await gateway.admin('DELETE', '/faults');
  await gateway.admin('POST', '/release', {});
});

const checkOf = (name: string) => `{ availability(name: "${name}") { name state } }`;
const availability = (name: string) => gateway.query(checkOf(name));

/** Holds the next call of an action in the sandbox until `release`. */
const hold = (action: string) =>
  gateway.admin('POST', '/faults', { fault: 'hold-before', action, times: 1 });
const release = () => gateway.admin('POST', '/release', {});

/** Writes requests to one connection at once, so that they arrive together. Returns their responses in order. */
async function sendTogether(queries: readonly string[]): Promise<unknown[]> {
  const { hostname, port, host } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  const requests = queries.map((query) => {
    const body = JSON.stringify({ query });
    return `POST /graphql HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  });
  socket.write(requests.join(''));
  let text = '';
  for await (const chunk of socket) {
    text += chunk;
    if (text.split('HTTP/1.1 200').length > queries.length && text.endsWith('}')) break;
  }
  return text
    .split('HTTP/1.1 200')
    .slice(1)
    .map((result) => JSON.parse(result.slice(result.indexOf('\r\n\r\n') + 4)));
}

const held = async () => ((await gateway.admin('GET', '/held')) as { held: number }).held;
const isHeld = (count = 1) => expect.poll(held).toBe(count);
/** The gateway accepts requests in their order, so those sent before this one have made their calls. */
const earlierRequests = () => gateway.query('{ __typename }');

describe('the availability checks of many clients', () => {
  test('for 50 names that arrive together are one bulk call', { tags: ['R6'] }, async () => {
    const names = freeNames(50);

    const responses = await sendTogether(names.map(checkOf));

    expect(responses).toMatchObject(
      names.map((name) => ({ data: { availability: { name, state: 'AVAILABLE' } } })),
    );
    const calls = await gateway.upstreamCalls();
    expect(calls).toMatchObject([{ action: 'bulkcheckavailability' }]);
    expect([...(calls[0]?.domains ?? [])].sort()).toEqual([...names].sort());
  });

  test('of 12 clients at once are at most two calls of a gateway that has just started', async () => {
    const started = await startTestGateway();

    const names = freeNames(12);
    const responses = await Promise.all(names.map((name) => started.query(checkOf(name))));

    expect(responses).toMatchObject(
      names.map((name) => ({ data: { availability: { name, state: 'AVAILABLE' } } })),
    );
    expect((await started.upstreamCalls()).length).toBeLessThanOrEqual(2);
    await started.close();
  });

  test('are a single check when one client sends one name', async () => {
    await availability('single-client.com');

    expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
  });

  test('share the call of a name that is in flight', async () => {
    await hold('singlecheckavailability');
    const first = availability('checked-twice.com');
    await isHeld();

    const second = availability('checked-twice.com');
    await earlierRequests();
    await release();

    const state = { data: { availability: { name: 'checked-twice.com', state: 'AVAILABLE' } } };
    expect(await first).toMatchObject(state);
    expect(await second).toMatchObject(state);
    expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
  });

  test('do not wait for a slow call of another client', async () => {
    await hold('singlecheckavailability');
    const slow = availability('checked-slowly.com');
    await isHeld();

    const { data } = await availability('checked-quickly.com');

    expect(data.availability.state).toBe('AVAILABLE');
    await release();
    expect((await slow).data.availability.state).toBe('AVAILABLE');
  });

  test('report a shared call to each client, and count it for one', async () => {
    const responses = await Promise.all(freeNames(20).map(availability));

    const reported = responses.map(({ extensions }) => extensions.upstream);
    const { length } = await gateway.upstreamCalls();
    expect(reported.reduce((sum, { calls }) => sum + calls, 0)).toBe(length);
    for (const { list } of reported) expect(list).toHaveLength(1);
  });
});

test.each(['cut', 'reset'])(
  'a name whose check is %s does not affect names of other clients in the same batch',
  async (fault) => {
    const names = [...freeNames(3), `${fault}-maple.com`];

    const responses = await sendTogether(names.map(checkOf));

    expect(responses).toMatchObject(
      names.map((name, at) => ({
        data: { availability: { name, state: at < 3 ? 'AVAILABLE' : 'UNKNOWN' } },
      })),
    );
  },
);

describe('a batch of names of many clients', () => {
  /** A gateway on a simulated clock. Its first check is held, so that later checks are sent in one batch. */
  async function startBatches() {
    const time = createGatewayClock();
    const env = { UPSTREAM_TIMEOUT_MS: '60000' };
    const batching = await startTestGateway({ env, clock: time.clock });
    const check = (name: string) => batching.query(`{ availability(name: "${name}") { state } }`);
    await batching.admin('POST', '/faults', { fault: 'hold-before', times: 1 });
    const first = check('first-of-all.com');
    await expect.poll(() => batching.admin('GET', '/held')).toEqual({ held: 1 });
    const end = async () => {
      await batching.admin('POST', '/release', {});
      await time.during(first);
      await time.during(batching.close());
    };
    return { time, batching, check, end };
  }

  test('waits for no time, also while another call is in flight', async () => {
    const { check, end } = await startBatches();

    const { data } = await check(freeNames(1)[0] ?? '');

    expect(data.availability.state).toBe('AVAILABLE');
    await end();
  });

  test('waits at most two seconds for a name that hangs', async () => {
    const { time, check, end } = await startBatches();
    const hanging = check('hang-maple.com').catch(() => undefined);
    const startedMs = time.clock.monotonicMs();

    const responses = await time.during(Promise.all(freeNames(4).map(check)));

    for (const { data } of responses) expect(data.availability.state).toBe('AVAILABLE');
    expect(time.clock.monotonicMs() - startedMs).toBeLessThanOrEqual(2_000);
    await end();
    await hanging;
  });
});

describe('an equal concurrent read of many clients', () => {
  const reads = [
    ['getdetails', '{ domain(name: "reseller-demo.com") { state } }'],
    ['getdomainlist', '{ domains(first: 50) { nodes { name } } }'],
    ['tldlist', '{ tld(name: "com") { minLength } }'],
    ['resellerdetails', '{ reseller { name } }'],
  ] as const;

  test.each(reads)('by %s is one upstream call', { tags: ['R6'] }, async (action, query) => {
    await hold(action);
    const first = gateway.query(query);
    await isHeld();

    const others = Array.from({ length: 9 }, () => gateway.query(query));
    await earlierRequests();
    await release();

    const responses = await Promise.all([first, ...others]);
    for (const { data, errors } of responses) {
      expect(errors).toBeUndefined();
      expect(data).toEqual(responses[0]?.data);
    }
    expect(await gateway.countCalls()).toEqual({ [action]: 1 });
  });

  test('for the contacts of 50 domains by two clients is 1 + 50 calls', async () => {
    const query = '{ domains(first: 50) { nodes { contacts { registrant { email } } } } }';
    await hold('getdomainlist');
    const first = gateway.query(query);
    await isHeld();
    const second = gateway.query(query);
    await earlierRequests();
    await release();

    expect((await first).data).toEqual((await second).data);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getcontacts: 50 });
  });
});

test('details, contacts and prices of a domain are requested concurrently', async () => {
  await hold('getdetails');
  await hold('getcontacts');
  await hold('tldlist');
  const response = read(
    gateway,
    `{ domain(name: "reseller-demo.com") {
      name contacts { registrant { email } billing { id } } tld { price(operation: RENEWAL) { price { amount } } }
    } }`,
  );

  await isHeld(3);
  await release();

  expect((await response).domain.contacts.registrant.email).toContain('@');
  expect(await gateway.countCalls()).toEqual({ getdetails: 1, getcontacts: 1, tldlist: 1 });
});

test.each([
  '{ domain(name: "reseller-demo.com") { contacts { registrant { id role upstreamId } } } }',
  'query ($no: Boolean = false) { domain(name: "reseller-demo.com") { name contacts @include(if: $no) { registrant { email } } tld @skip(if: true) { name } } }',
  'query ($no: Boolean = false) { domain(name: "reseller-demo.com") { ...F @include(if: $no) name } } fragment F on Domain { contacts { technical { email } } tld { name } }',
])('fields that are not selected cause no upstream call: %s', async (document) => {
  await read(gateway, document);

  expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
});
