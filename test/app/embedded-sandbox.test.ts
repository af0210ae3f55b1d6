import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFollowingClock } from '../../src/app/embedded-sandbox.ts';
import { registrationText } from '../samples/shared.ts';
import { startTestSandbox } from '../sandbox/client.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createSimulatedClock } from '../support/simulated-clock.ts';

describe('the clock of a gateway with an embedded sandbox', () => {
  test('has the time of the sandbox; each move ages cached replies, and lengthens no other duration', () => {
    const base = createSimulatedClock(new Date('2026-03-01T00:00:00Z'));
    const { clock, cacheClock, follow } = createFollowingClock(base.clock);
    let offsetMs = 1_000;
    follow(() => offsetMs);
    const starts = [clock.monotonicMs(), cacheClock.monotonicMs()] as const;
    const seen = [5_000, 2_000, 3_000].map((ms) => {
      offsetMs = ms;
      const durations = [clock.monotonicMs() - starts[0], cacheClock.monotonicMs() - starts[1]];
      return [clock.now().toISOString(), ...durations];
    });

    expect(seen).toEqual([
      ['2026-03-01T00:00:05.000Z', 0, 4_000],
      ['2026-03-01T00:00:02.000Z', 0, 7_000],
      ['2026-03-01T00:00:03.000Z', 0, 8_000],
    ]);
  });
});

describe('a gateway with an embedded sandbox', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({
      env: { DOMAIN_MAX_AGE_SECONDS: '300', EVENTS_INTERVAL_SECONDS: '1' },
    });
  });
  afterAll(() => gateway?.close());

  const domainOf = async (name: string) => {
    const document = 'query ($name: String!) { domain(name: $name) { state remainingDays } }';
    return (await gateway.query(document, { name })).data.domain;
  };
  const typesOfEvents = async () => {
    const { data } = await gateway.query('{ events(first: 100) { nodes { type subject } } }');
    return data.events.nodes.map((one: Record<string, string>) => `${one.type} ${one.subject}`);
  };

  test('shows the expiry of domains, and its events, when the time of the sandbox moves', async () => {
    expect(await domainOf('expiring-demo.com')).toEqual({ state: 'ACTIVE', remainingDays: 3 });
    expect(await domainOf('grace-demo.com')).toMatchObject({ state: 'EXPIRED' });
    // The first comparison stores the states only.
    await expect.poll(() => gateway.countCalls()).toHaveProperty('resellerdetails');

    expect(await gateway.admin('POST', '/clock', { advanceDays: 6 })).toMatchObject({
      gateway: 'The gateway in this process has the same time.',
    });

    expect(await domainOf('expiring-demo.com')).toEqual({ state: 'EXPIRED', remainingDays: 0 });
    await expect
      .poll(typesOfEvents, { timeout: 10_000 })
      .toContain('STATE_CHANGED expiring-demo.com');
    await gateway.admin('POST', '/clock', { advanceDays: 24 });
    // 36 days after its expiry the registrar has it on hold.
    expect(await domainOf('grace-demo.com')).toEqual({ state: 'EXPIRED', remainingDays: 0 });
    const rows = (await gateway.admin('GET', '/domain?name=grace-demo.com')) as object[];
    expect(rows).toMatchObject([{ status: 'PendingHold' }]);
  });

  test('loses its purchases, events and caches with a reset of the sandbox', async () => {
    const document = `mutation { ${registrationText('bought-before.com', 'purchase { state }')} }`;
    const facts = '{ purchases { totalCount } domain(name: "bought-before.com") { state } }';
    const bought = await gateway.query(document);
    expect(bought.data.registerDomain.purchase).toEqual({ state: 'SUCCEEDED' });
    expect((await gateway.query(facts)).data.purchases.totalCount).toBe(1);

    await gateway.resetCalls();
    const hanging = gateway.query('{ availability(name: "hang-maple.com") { state } }');
    await gateway.admin('POST', '/faults', { fault: 'hang', action: 'getdomainlist', times: 9 });
    const listing = gateway.query('{ domains(refresh: true) { totalCount } }');
    const sent = { singlecheckavailability: 1, getdomainlist: expect.any(Number) };
    await expect.poll(() => gateway.countCalls()).toMatchObject(sent);
    const resets = [1, 2].map(() => gateway.admin('POST', '/reset', {}));
    expect(await Promise.all(resets)).toMatchObject([{ gateway: /were deleted/ }, {}]);

    await hanging;
    expect((await listing).errors[0].extensions.code).toBe('UPSTREAM_UNAVAILABLE');
    expect((await gateway.query(facts)).data).toEqual({
      purchases: { totalCount: 0 },
      domain: null,
    });
    expect(await domainOf('expiring-demo.com')).toEqual({ state: 'ACTIVE', remainingDays: 3 });
    expect(await typesOfEvents()).toEqual([]);
    const again = await gateway.query(document);
    expect(again.data.registerDomain.purchase).toEqual({ state: 'SUCCEEDED' });
    expect(gateway.lines).toEqual([]);
  });

  test('reports no failure of a purchase that is being sent when the time moves', async () => {
    await gateway.admin('POST', '/faults', { fault: 'hold-before', action: 'registerdomain' });
    const input = registrationText(
      'held-maple.com',
      'purchase { state }',
      ', idempotencyKey: "held"',
    );
    const buying = gateway.query(`mutation { ${input} }`);
    await expect.poll(() => gateway.admin('GET', '/held')).toEqual({ held: 1 });
    const states = [];
    for (let moves = 0; moves < 3; moves += 1) {
      const { data } = await gateway.query('{ purchase(by: { key: "held" }) { state } }');
      states.push(data.purchase.state);
      await gateway.admin('POST', '/clock', { advanceDays: 1 });
    }
    await gateway.admin('POST', '/release', {});

    // The deadline of the call ends with the first day.
    expect(states).toEqual(['SENDING', 'PENDING', 'PENDING']);
    expect((await buying).data.registerDomain.purchase).toEqual({ state: 'SUCCEEDED' });
  });
});

test('a sandbox of its own says that a gateway elsewhere does not follow', async () => {
  const sandbox = await startTestSandbox();

  expect((await sandbox.admin('POST', '/clock', { advanceDays: 1 })).gateway).toMatch(/runs alone/);
  expect((await sandbox.admin('POST', '/reset')).gateway).toMatch(/runs alone/);
  await sandbox.close();
});
