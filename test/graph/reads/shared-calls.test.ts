import { connect } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
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

const availability = (name: string) =>
  gateway.query('query ($name: DomainName!) { availability(name: $name) { name state } }', {
    name,
  });

/** Holds calls of an action at the sandbox until it is told to let them go. */
const hold = (action: string) =>
  gateway.admin('POST', '/faults', { fault: 'hold-before', action, times: 1 });
const release = () => gateway.admin('POST', '/release', {});

/** Writes requests into one connection at once, so that they arrive in the same moment; their answers, in order. */
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
    .map((answer) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (;;) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
const isHeld = (count: number) => async () =>
  ((await gateway.admin('GET', '/held')) as { held: number }).held >= count;

describe('names of many callers', () => {
  test('50 requests for one name each that arrive together are one bulk call', async () => {
    const names = freeNames(50);

    const answers = await sendTogether(
      names.map((name) => `{ availability(name: "${name}") { name state } }`),
    );

    expect(answers).toMatchObject(
      names.map((name) => ({ data: { availability: { name, state: 'AVAILABLE' } } })),
    );
    const calls = await gateway.upstreamCalls();
    expect(calls).toMatchObject([{ action: 'bulkcheckavailability' }]);
    expect([...(calls[0]?.domains ?? [])].sort()).toEqual([...names].sort());
  });

  test('one request with nobody else about is one single check', async () => {
    await availability('nobody-alone.com');

    expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
  });

  test('a name that is being asked about is not asked about again', async () => {
    await hold('singlecheckavailability');
    const first = availability('nobody-twice.com');
    await until(isHeld(1));

    const second = availability('nobody-twice.com');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await release();

    const state = { data: { availability: { name: 'nobody-twice.com', state: 'AVAILABLE' } } };
    expect(await first).toMatchObject(state);
    expect(await second).toMatchObject(state);
    expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
  });

  test('nobody waits for a slow call of others longer than a moment', async () => {
    await hold('singlecheckavailability');
    const slow = availability('nobody-slow.com');
    await until(isHeld(1));

    const { data } = await availability('nobody-quick.com');

    expect(data.availability.state).toBe('AVAILABLE');
    await release();
    expect((await slow).data.availability.state).toBe('AVAILABLE');
  });

  test('each learns of a call that it shared, and only who caused it counts it', async () => {
    const answers = await Promise.all(freeNames(20).map(availability));

    const told = answers.map(({ extensions }) => extensions.upstream);
    const { length } = await gateway.upstreamCalls();
    expect(told.reduce((sum, { calls }) => sum + calls, 0)).toBe(length);
    for (const { list } of told) expect(list).toHaveLength(1);
  });

  test('a bad name of one user costs another nothing', async () => {
    const [free = ''] = freeNames(1);

    const [good, bad] = await Promise.all([availability(free), availability('a.b.com')]);

    expect(good?.data.availability.state).toBe('AVAILABLE');
    expect(bad?.data.availability.state).toBe('INVALID');
  });
});

test.each(['cut', 'reset'])(
  'a name whose check is %s costs others that arrived with it nothing',
  async (fault) => {
    const names = [...freeNames(3), `${fault}-nobody.com`];

    const answers = await sendTogether(
      names.map((name) => `{ availability(name: "${name}") { name state } }`),
    );

    expect(answers).toMatchObject(
      names.map((name, at) => ({
        data: { availability: { name, state: at < 3 ? 'AVAILABLE' : 'UNKNOWN' } },
      })),
    );
  },
);

describe('names of many callers that are asked about together', () => {
  test('wait for one that hangs no longer than two seconds', { timeout: 10_000 }, async () => {
    const patient = await startTestGateway({ env: { UPSTREAM_TIMEOUT_MS: '60000' } });
    const names = freeNames(4);
    const check = (name: string) => patient.query(`{ availability(name: "${name}") { state } }`);
    await patient.admin('POST', '/faults', { fault: 'hold-before', times: 1 });
    const first = check('first-of-all.com');
    const hanging = check('hang-nobody.com').catch(() => undefined);

    const answers = await Promise.all(names.map(check));

    for (const { data } of answers) expect(data.availability.state).toBe('AVAILABLE');
    await patient.admin('POST', '/release', {});
    await first;
    await patient.close();
    await hanging;
  });

  test('are not asked about one by one when the service refuses everybody', async () => {
    await gateway.admin('POST', '/faults', {
      fault: 'code',
      code: 'INVALID_CREDENTIALS',
      times: 100,
    });

    const answers = await sendTogether(
      freeNames(20).map((name) => `{ availability(name: "${name}") { state } }`),
    );

    for (const answer of answers) {
      expect(answer).toMatchObject({ data: { availability: { state: 'UNKNOWN' } } });
    }
    expect(await gateway.countCalls()).toEqual({ bulkcheckavailability: 1 });
  });
});

describe('the same read of many callers', () => {
  const reads = [
    ['getdetails', '{ domain(name: "reseller-demo.com") { state } }'],
    ['getdomainlist', '{ domains(first: 50) { nodes { name } } }'],
    ['tldlist', '{ tld(name: "com") { minLength } }'],
    ['resellerdetails', '{ reseller { name } }'],
  ] as const;

  test.each(reads)(
    '%s is one call for all who ask while it is under way',
    async (action, query) => {
      await hold(action);
      const first = gateway.query(query);
      await until(isHeld(1));

      const others = Array.from({ length: 9 }, () => gateway.query(query));
      await new Promise((resolve) => setTimeout(resolve, 30));
      await release();

      const answers = await Promise.all([first, ...others]);
      for (const { data, errors } of answers) {
        expect(errors).toBeUndefined();
        expect(data).toEqual(answers[0]?.data);
      }
      expect(await gateway.countCalls()).toEqual({ [action]: 1 });
    },
  );

  test('contacts of 50 domains for two at once are 1 + 50 calls', async () => {
    const query = '{ domains(first: 50) { nodes { contacts { registrant { email } } } } }';
    await hold('getdomainlist');
    const first = gateway.query(query);
    await until(isHeld(1));
    const second = gateway.query(query);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await release();

    expect((await first).data).toEqual((await second).data);
    expect(await gateway.countCalls()).toEqual({ getdomainlist: 1, getcontacts: 50 });
  });

  test('who goes away takes the call from nobody, and the last to go ends it', async () => {
    await hold('getdetails');
    const query = JSON.stringify({ query: '{ domain(name: "reseller-demo.com") { state } }' });
    const ask = (signal: AbortSignal) =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: query,
        signal,
      });
    const impatient = new AbortController();
    const first = ask(impatient.signal).catch((error: Error) => error.name);
    await until(isHeld(1));
    const second = ask(AbortSignal.timeout(5_000));
    await new Promise((resolve) => setTimeout(resolve, 20));

    impatient.abort();
    expect(await first).toBe('AbortError');
    await new Promise((resolve) => setTimeout(resolve, 20));
    await release();

    const answer = (await (await second).json()) as { data: unknown };
    expect(answer.data).toEqual({ domain: { state: 'ACTIVE' } });
    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  });
});

test('whoever asks for the people of a domain after a sync does not get those from before it', async () => {
  const people = '{ domain(name: "reseller-demo.com") { contacts { billing { email } } } }';
  await hold('getcontacts');
  const before = gateway.query(people);
  await until(isHeld(1));

  await read(
    gateway,
    'mutation { syncDomain(input: { domain: "reseller-demo.com" }) { errors { message } } }',
  );
  await read(gateway, people);
  await release();

  expect((await before).errors).toBeUndefined();
  expect((await gateway.countCalls()).getcontacts).toBe(2);
});

test('a domain, its people and its prices are asked for in one round trip', async () => {
  await hold('getdetails');
  await hold('getcontacts');
  await hold('tldlist');
  const asked = read(
    gateway,
    `{ domain(name: "reseller-demo.com") {
      name contacts { registrant { email } billing { id } } tld { price(operation: RENEWAL) { price { amount } } }
    } }`,
  );

  await until(isHeld(3));
  await release();

  expect((await asked).domain.contacts.registrant.email).toContain('@');
  expect(await gateway.countCalls()).toEqual({ getdetails: 1, getcontacts: 1, tldlist: 1 });
});

test.each([
  '{ domain(name: "reseller-demo.com") { contacts { registrant { id role upstreamId } } } }',
  'query ($no: Boolean = false) { domain(name: "reseller-demo.com") { name contacts @include(if: $no) { registrant { email } } tld @skip(if: true) { name } } }',
  'query ($no: Boolean = false) { domain(name: "reseller-demo.com") { ...F @include(if: $no) name } } fragment F on Domain { contacts { technical { email } } tld { name } }',
])('what is not asked for below a domain costs nothing: %s', async (document) => {
  await read(gateway, document);

  expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
});
