import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { arm, read } from './reads.ts';

let aheadMs = 0;
const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
const pass = (seconds: number) => {
  aheadMs += seconds * 1000;
};

const gateway = await startTestGateway({
  sandboxDomains: 60,
  clock,
  env: {
    TLD_MAX_AGE_SECONDS: '600',
    DOMAIN_MAX_AGE_SECONDS: '10',
    AVAILABILITY_MAX_AGE_SECONDS: '3',
  },
});
afterAll(() => gateway.close());
beforeEach(async () => {
  // Longer than anything is kept, so that each test begins with nothing.
  pass(48 * 3_600);
  await gateway.resetCalls();
});
afterEach(() => gateway.admin('DELETE', '/faults'));

const price = '{ tld(name: "com") { price(operation: RENEWAL) { price { amount } } } }';
const details = '{ domain(name: "reseller-demo.com") { nameServers state } }';
const check = '{ availability(name: "nobody-keeps.com") { state } }';

const order = (name: string) => `
  domain: "${name}", period: 1, nameServers: ["ns1.example.net", "ns2.example.net"]
  registrant: { firstName: "A", lastName: "B", company: "C", email: "a@b.example",
    phone: "+49301234567", address: { line1: "D 1", city: "E", state: "F", zipCode: "12345", country: "DE" } }`;

describe('an answer serves again for its time, and no longer', () => {
  test.each([
    ['tldlist', price, 600],
    ['getdetails', details, 10],
    ['singlecheckavailability', check, 3],
  ])('%s', async (action, document, seconds) => {
    const first = await read(gateway, document);
    pass(seconds - 1);
    const again = await gateway.query(document);
    const callsSoFar = await gateway.countCalls();
    pass(seconds * 20);
    await read(gateway, document);

    expect(again.data).toEqual(first);
    expect(callsSoFar).toEqual({ [action]: 1 });
    expect(await gateway.countCalls()).toEqual({ [action]: 2 });
  });
});

test('a lost availability check does not cost the cached names of its list', async () => {
  await read(gateway, '{ availabilities(names: ["maple-cache.com", "oak-cache.com"]) { state } }');

  const { found } = await read(
    gateway,
    '{ found: availabilities(names: ["maple-cache.com", "cut-cache.com", "oak-cache.com"]) { state } }',
  );

  expect(found).toEqual([{ state: 'AVAILABLE' }, { state: 'UNKNOWN' }, { state: 'AVAILABLE' }]);
});

test('what was kept is told in extensions.upstream, with its age', async () => {
  await read(gateway, details);
  pass(4);

  const { extensions } = await gateway.query(details);

  expect(extensions.upstream).toMatchObject({
    calls: 0,
    list: [],
    cached: [{ action: 'getdetails', answers: 1, stale: false }],
  });
  const [{ oldestMs }] = extensions.upstream.cached;
  expect(oldestMs).toBeGreaterThanOrEqual(4_000);
  expect(oldestMs).toBeLessThan(9_000);
});

describe('an old list of TLDs', () => {
  test('serves at once while a new one is asked for', async () => {
    await read(gateway, price);
    pass(700);

    const old = await gateway.query(price);
    await expect.poll(() => gateway.countCalls()).toEqual({ tldlist: 2 });
    const anew = await gateway.query(price);

    expect(old.extensions.upstream.cached).toMatchObject([{ action: 'tldlist', stale: true }]);
    expect(anew.extensions.upstream.cached).toMatchObject([{ action: 'tldlist', stale: false }]);
    expect(await gateway.countCalls()).toEqual({ tldlist: 2 });
  });

  test('is asked for anew once and not by every request while the service is down', async () => {
    await read(gateway, price);
    await arm(gateway, 'gateway', 'tldlist', { times: 100 });
    pass(700);

    for (let at = 0; at < 5; at += 1) await read(gateway, price);
    await expect.poll(() => gateway.countCalls(), { timeout: 5_000 }).toEqual({ tldlist: 4 });
    for (let at = 0; at < 5; at += 1) await read(gateway, price);

    expect(await gateway.countCalls()).toEqual({ tldlist: 4 });
  });

  test('serves, told as stale, when no new one can be had, for a day', async () => {
    const first = await read(gateway, price);
    await arm(gateway, 'gateway', 'tldlist', { times: 100 });
    pass(20 * 3_600);

    const stale = await gateway.query(price);
    pass(5 * 3_600);
    const tooOld = await gateway.query(price);

    expect(stale.data).toEqual(first);
    expect(stale.extensions.upstream.cached).toMatchObject([{ action: 'tldlist', stale: true }]);
    expect(tooOld.errors).toMatchObject([{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }]);
  });

  test('however old, is no reason to wait for a service that was down a moment ago', async () => {
    await read(gateway, price);
    await arm(gateway, 'gateway', 'tldlist', { times: 100 });
    pass(20 * 3_600);

    for (let at = 0; at < 5; at += 1) await read(gateway, price);
    const callsWhileDown = await gateway.countCalls();
    await gateway.admin('DELETE', '/faults');
    pass(6);
    const { extensions } = await gateway.query(price);

    expect(callsWhileDown).toEqual({ tldlist: 1 + 3 });
    expect(extensions.upstream).toMatchObject({ calls: 1 });
    expect(extensions.upstream).not.toHaveProperty('kept');
  });

  test('never prices a purchase', async () => {
    await read(gateway, price);

    const { data } = await gateway.query(
      `mutation { registerDomain(input: { ${order('nobody-buys.com')}, dryRun: true }) { errors { code } } }`,
    );
    expect(data.registerDomain.errors).toEqual([]);

    expect((await gateway.countCalls()).tldlist).toBe(2);
  });
});

/** As another program of the same account does it. */
const changeBehindItsBack = () =>
  fetch(`${gateway.sandboxUrl}/domain-api/?action=modifynameserver`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'demo',
      password: 'demo-password',
      domain: 'reseller-demo.com',
      nameservers: { ns1: 'ns8.example.net', ns2: 'ns9.example.net' },
    }),
  });

test('refresh asks anew, and what it hears serves the others', async () => {
  await read(gateway, details);
  await changeBehindItsBack();

  const kept = await read(gateway, details);
  const fresh = await read(gateway, details.replace('(', '(refresh: true, '));
  const after = await read(gateway, details);

  expect(kept.domain.nameServers).not.toEqual(['ns8.example.net', 'ns9.example.net']);
  expect(fresh.domain.nameServers).toEqual(['ns8.example.net', 'ns9.example.net']);
  expect(after).toEqual(fresh);
  expect(await gateway.countCalls()).toEqual({ getdetails: 2, modifynameserver: 1 });
});

test('a free name that was remembered is asked about again with refresh, and by a purchase', async () => {
  await read(gateway, check);
  await read(gateway, check.replace('(', '(refresh: true, '));

  expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 2 });
});

test('whether a domain can be transferred is asked anew, and not answered by what was kept', async () => {
  await read(gateway, details);

  const { data } = await gateway.query(`mutation { transferDomain(input: {
    domain: "reseller-demo.com", authCode: "Transfer-Code-01", period: 1, dryRun: true
  }) { errors { path } } }`);
  expect(data.transferDomain.errors).toEqual([{ path: ['input', 'domain'] }]);

  expect((await gateway.countCalls()).getdetails).toBe(2);
});

test('an auth code is never kept: it is asked for each time, and nothing else is', async () => {
  const code = '{ domain(name: "reseller-demo.com") { authCode } }';
  const first = await read(gateway, code);
  await read(gateway, details);
  const second = await read(gateway, code);

  expect(first.domain.authCode).toMatch(/^.{16}$/);
  expect(second).toEqual(first);
  expect(await gateway.countCalls()).toEqual({ getdetails: 2 });
});

test('people and balances are never kept', async () => {
  const document =
    '{ reseller { balance { money { amount } } } domain(name: "reseller-demo.com") { contacts { billing { email } } } }';
  await read(gateway, document);
  await read(gateway, document);

  expect(await gateway.countCalls()).toEqual({ resellerdetails: 2, getcontacts: 2, getdetails: 1 });
});

test('a domain that the account does not have is not remembered as such', async () => {
  const missing = '{ domain(name: "nobody-has-it.com") { name } }';
  expect(await read(gateway, missing)).toEqual({ domain: null });
  expect(await read(gateway, missing)).toEqual({ domain: null });

  expect(await gateway.countCalls()).toEqual({ getdetails: 2 });
});

test('a name that was remembered as free is taken once it was bought', async () => {
  const free = '{ availability(name: "nobody-yet.com") { state } }';
  expect(await read(gateway, free)).toEqual({ availability: { state: 'AVAILABLE' } });

  const { data } =
    await gateway.query(`mutation { registerDomain(input: { ${order('nobody-yet.com')} }) {
    purchase { state } domain { name }
  } }`);

  expect(data.registerDomain).toEqual({
    purchase: { state: 'SUCCEEDED' },
    domain: { name: 'nobody-yet.com' },
  });
  expect(await read(gateway, free)).toEqual({ availability: { state: 'TAKEN' } });
});

test('a name that was remembered is asked about again once it was transferred', async () => {
  const check = '{ availability(name: "outside-one.com") { state } }';
  await read(gateway, check);

  const { data } = await gateway.query(`mutation { transferDomain(input: {
    domain: "outside-one.com", authCode: "Transfer-Code-01", period: 1
  }) { purchase { state } } }`);
  expect(data.transferDomain).toEqual({ purchase: { state: 'IN_PROGRESS' } });
  await gateway.resetCalls();
  await read(gateway, check);

  expect(await gateway.countCalls()).toEqual({ singlecheckavailability: 1 });
});

describe('what a mutation may have changed is read anew afterwards, and nothing else is', () => {
  test.each([
    ['setNameServers', 'nameServers: ["ns1.example.net", "ns2.example.net"]'],
    ['addChildNameServer', 'nameServer: "ns7.reseller-demo.com", ipAddress: "8.8.4.4"'],
    ['disableTransferLock', ''],
    ['setPrivacyProtection', 'enabled: true'],
    ['syncDomain', ''],
  ])('%s', async (mutation, input) => {
    await read(gateway, details);
    await read(gateway, price);

    const { data } = await gateway.query(
      `mutation { ${mutation}(input: { domain: "reseller-demo.com", ${input} }) { errors { message } } }`,
    );
    expect(data[mutation].errors).toEqual([]);
    await gateway.resetCalls();
    await read(gateway, details);
    await read(gateway, price);

    expect(await gateway.countCalls()).toEqual({ getdetails: 1 });
  });
});
