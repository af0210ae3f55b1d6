import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { oddReplies } from '../../sandbox/account-api.ts';
import { adminCalls } from '../../sandbox/admin.ts';
import { faultNames, faultOfName } from '../../sandbox/service/faults.ts';
import { logins, memorable } from '../../sandbox/service/seed.ts';
import {
  demoDomains,
  namedFaults,
  oddReplyNotes,
  stateNotes,
} from '../../scripts/sandbox-notes.ts';
import { productPages } from '../../scripts/tables.ts';
import { registrationText } from '../samples/shared.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createGatewayClock } from '../support/gateway-clock.ts';
import { plain, readText, rowsOf } from './markdown.ts';

const file = 'docs/sandbox.md';
const tables = productPages.sandbox.text();

describe('the documents of the sandbox', () => {
  const time = createGatewayClock();
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = time.withTime(
      await startTestGateway({ clock: time.clock, env: { UPSTREAM_TIMEOUT_MS: '8000' } }),
    );
  });
  afterAll(() => gateway?.close());

  const stateOf = async (name: string) => {
    const { data } = await gateway.query(`{ availability(name: "${name}") { state premium } }`);
    return data.availability;
  };

  test('has every login, and each one works', async () => {
    const shown = rowsOf(tables, 'Logins').map((row) => row.map(plain));

    expect(shown.map(([username]) => username)).toEqual(logins.map(({ username }) => username));
    for (const [username, password] of shown) {
      const response = await fetch(`${gateway.sandboxUrl}/domain-api/?action=resellerdetails`, {
        method: 'POST',
        body: JSON.stringify({ username, password }),
      });
      expect(await response.json()).toMatchObject({ result: 'OK' });
    }
  });

  test('has domains of demo with their real states', async () => {
    const names = demoDomains.map(([name]) => name);
    expect(names.filter((name) => !Object.hasOwn(memorable, name))).toEqual([]);

    const { data } = await gateway.query(
      'query ($names: [String!]!) { domainsByName(names: $names) { name state } }',
      { names },
    );

    expect(data.domainsByName).toEqual(demoDomains.map(([name, state]) => ({ name, state })));
  });

  test('describes which names are free, taken, premium and reserved', async () => {
    expect(await stateOf('maple-harbor.com')).toEqual({ state: 'AVAILABLE', premium: false });
    expect(await stateOf('hotel.com')).toEqual({ state: 'TAKEN', premium: false });
    expect(await stateOf('gold.com')).toEqual({ state: 'AVAILABLE', premium: true });
    expect(await stateOf('exclusive.com')).toEqual({ state: 'AVAILABLE', premium: true });
    expect(await stateOf('example.com')).toMatchObject({ state: 'TAKEN' });
  });

  test.each(Object.entries(stateNotes))(
    'a name that begins with %s- is registered in its state: %j',
    async (name, [state]) => {
      const domain = `${name}-maple.com`;
      const selection = 'purchase { state } domain { state }';

      const { data } = await gateway.query(`mutation { ${registrationText(domain, selection)} }`);

      const succeeded = { purchase: { state: 'SUCCEEDED' }, domain: { state } };
      expect(data.registerDomain).toEqual(succeeded);
    },
  );

  test('an async registration is complete after a minute of the sandbox', async () => {
    await gateway.admin('POST', '/domains', { name: 'async-elm.com', state: 'async' });
    await gateway.admin('POST', '/clock', { advanceMs: 60_000 });

    const { data } = await gateway.query('{ domain(name: "async-elm.com") { state } }');

    expect(data.domain.state).toBe('ACTIVE');
  });

  test('has every reply of the Account API outside its envelope', () => {
    const shown = rowsOf(tables, 'Replies of the Account API').map(([suffix]) =>
      plain(suffix).slice(1),
    );

    expect(shown).toEqual(Object.keys(oddReplyNotes));
    expect(shown).toEqual(Object.keys(oddReplies));
  });

  test('has every fault', () => {
    const byName = faultNames.filter((fault) => faultOfName(`${fault}-maple.com`) === fault);
    const shown = rowsOf(tables, 'Faults by name').map(([prefix]) => plain(prefix).slice(0, -1));

    expect(shown.toSorted()).toEqual(byName.toSorted());
    for (const fault of faultNames) expect(`${tables}${readText(file)}`).toContain(`\`${fault}`);
  });

  // One after the other, because concurrent checks would share a call.
  test.each(namedFaults)('$fault: the sandbox $service', async ({ fault, availability }) => {
    const { data, extensions } = await gateway.query(
      `{ availability(name: "${fault}-maple.com") { state errorCode } }`,
    );

    const { state, errorCode } = data.availability;
    expect([state, errorCode, extensions.upstream.calls]).toEqual(availability);
  });

  test('a purchase with a lost reply is found by reading', async () => {
    const document = `mutation { ${registrationText('lost-answer-maple.com', 'purchase { state }')} }`;

    const { data } = await gateway.query(document);

    expect(data.registerDomain.purchase).toEqual({ state: 'SUCCEEDED' });
  });

  test('a purchase that is refused after it was done is found by reading', async () => {
    const document = `mutation { ${registrationText('refuse-after-maple.com', 'purchase { state }')} }`;

    const { data } = await gateway.query(document);

    expect(data.registerDomain.purchase).toEqual({ state: 'SUCCEEDED' });
  });

  test.each(['refuse-maple.com', 'refuse-200-maple.com'])(
    'a refused purchase of %s is not made',
    async (name) => {
      const { data } = await gateway.query(
        `mutation { ${registrationText(name, 'purchase { state }')} }`,
      );

      expect(data.registerDomain.purchase?.state).not.toBe('SUCCEEDED');
      expect(await gateway.admin('GET', `/domain?name=${name}`)).toEqual([]);
    },
  );

  test('a late purchase is pending, then found, and bought once', async () => {
    const document = `mutation { ${registrationText('late-maple.com', 'purchase { id state }')} }`;
    const { data } = await gateway.query(document);
    const { id, state } = data.registerDomain.purchase;
    const read = async () =>
      (await gateway.query('query ($id: ID!) { purchase(by: { id: $id }) { state } }', { id })).data
        .purchase.state;

    expect(state).toBe('PENDING');
    await time.pass(10_000);
    expect(await read()).toBe('SUCCEEDED');
    const { purchases } = (await gateway.admin('GET', '/state')) as { purchases: unknown[] };
    expect(purchases.filter((one) => JSON.stringify(one).includes('late-maple'))).toHaveLength(1);
  });

  test('the auth code of an outside name starts its transfer', async () => {
    const { data } = await gateway.query(
      'mutation { transferDomain(input: { domain: "outside-shop.com", authCode: "Transfer-Code-01" }) { purchase { state } } }',
    );

    expect(data.transferDomain.purchase).toEqual({ state: 'IN_PROGRESS' });
  });

  test('has every admin call', () => {
    const shown = rowsOf(tables, 'Admin calls').map(([call]) => plain(call));

    expect(shown.toSorted()).toEqual(Object.keys(adminCalls).toSorted());
  });

  test('the command for a fault arms it', async () => {
    const [, body = ''] = /-d '(\{ "fault".+?\})'/.exec(readText(file)) ?? [];

    await gateway.admin('POST', '/faults', JSON.parse(body));

    expect(await gateway.admin('GET', '/faults')).toEqual([
      { ...JSON.parse(body), after: 0, times: 1 },
    ]);
    await gateway.admin('DELETE', '/faults');
  });

  test('a logout ends the token, and an admin call creates another', async () => {
    const logout = 'mutation { logout { loggedOut } }';
    const as = (token: string) => ({ authorization: `Bearer ${token}` });
    const { token } = (await gateway.admin('POST', '/tokens', { user: 'other' })) as {
      token: string;
    };

    expect((await gateway.query(logout, {}, as(token))).data.logout.loggedOut).toBe(true);
    expect((await gateway.query(logout, {}, as(token))).data.logout.loggedOut).toBe(false);
  });

  // Last, because it deletes the purchases of the tests above.
  test('a reset restores the initial state', async () => {
    await gateway.admin('POST', '/reset', {});

    expect(await gateway.admin('GET', '/state')).toMatchObject({ domains: 320, purchases: [] });
  });
});
