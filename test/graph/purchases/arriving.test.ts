import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Clock } from '../../../src/lib/clock.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { createMovedClock } from '../../support/moved-clock.ts';
import { secondMs } from '../../support/simulated-clock.ts';
import { startProxiedSandbox } from './proxy.ts';
import { transferCode } from './shop.ts';

let upstream: Awaited<ReturnType<typeof startProxiedSandbox>>;
const clock = createMovedClock();
const opened: TestGateway[] = [];

beforeAll(async () => {
  upstream = await startProxiedSandbox();
});
afterEach(async () => {
  for (const gateway of opened.splice(0)) await gateway.close();
  upstream.reset();
});
afterAll(() => upstream?.close());

const open = async (env = {}, time: Clock = clock): Promise<TestGateway> => {
  const gateway = await startTestGateway({
    clock: time,
    env: { DOMAIN_API_URL: upstream.url, DOMAIN_MAX_AGE_SECONDS: '60', ...env },
  });
  opened.push(gateway);
  return gateway;
};

const reads = ['getdetails', 'getdomainlist', 'syncfromregistry'];

/** Replaces the status of a transfer into the account in replies. */
const report = (status: string, actions = reads) => {
  for (const action of actions) {
    upstream.intercept(action, async (_fields, forward) => {
      const reply = await forward();
      const text = JSON.stringify(reply.body).replaceAll('WaitingForIncomingTransfer', status);
      return { ...reply, body: JSON.parse(text) };
    });
  }
};

const read = async ({ query }: TestGateway, document: string, variables = {}) => {
  const { data, errors } = await query(document, variables);
  expect(errors).toBeUndefined();
  return data;
};

const refresh = (gateway: TestGateway) =>
  read(gateway, '{ domains(refresh: true) { totalCount } }');

const transfer = async (gateway: TestGateway, domain: string): Promise<string> => {
  const { transferDomain } = await read(
    gateway,
    `mutation ($input: TransferDomainInput!) {
      transferDomain(input: $input) { purchase { id state } errors { code } } }`,
    { input: { domain, authCode: transferCode } },
  );
  expect(transferDomain).toMatchObject({ purchase: { state: 'IN_PROGRESS' }, errors: [] });
  return transferDomain.purchase.id;
};

/** The state of a domain as each field shows it. */
const statesOf = async (gateway: TestGateway, name: string) => {
  const { domain, domains, domainStats, ...filtered } = await read(
    gateway,
    `{ domain(name: "${name}") { state }
      domains(filter: { contains: "${name}" }) { nodes { state } }
      domainStats(filter: { contains: "${name}" }) { byState { state count } }
      IN: domains(filter: { contains: "${name}", states: [PENDING_TRANSFER_IN] }) { totalCount }
      OUT: domains(filter: { contains: "${name}", states: [PENDING_TRANSFER_OUT] }) { totalCount } }`,
  );
  const found = Object.keys(filtered).filter((side) => filtered[side].totalCount === 1);
  return {
    domain: domain.state,
    list: domains.nodes[0].state,
    counts: domainStats.byState.map(({ state }: { state: string }) => state),
    found,
  };
};
const everywhere = (side: 'IN' | 'OUT') => {
  const state = `PENDING_TRANSFER_${side}`;
  return { domain: state, list: state, counts: [state], found: [side] };
};

const domain = 'outside-arriving.com';

test('pendingTransfer is incoming while a transfer by the gateway is open, in every field and without further calls, and outgoing before and after', async () => {
  const gateway = await open();
  report('pendingTransfer');
  await read(gateway, '{ domains { totalCount } }');
  const id = await transfer(gateway, domain);
  expect(await statesOf(gateway, domain)).toEqual(everywhere('IN'));
  // It follows the background refresh after the write.
  await refresh(gateway);
  // The second list has the same bytes as the first.
  for (const _list of ['first', 'second']) {
    const [lists, details] = ['getdomainlist', 'getdetails'].map(upstream.count);
    await refresh(gateway);
    expect(await statesOf(gateway, domain)).toEqual(everywhere('IN'));
    expect(['getdomainlist', 'getdetails'].map(upstream.count)).toEqual([
      Number(lists) + 1,
      details,
    ]);
  }
  // A domain that the gateway does not transfer.
  expect(await statesOf(gateway, 'arriving-demo.com')).toEqual(everywhere('OUT'));
  const { syncDomain } = await read(
    gateway,
    `mutation { syncDomain(input: { domain: "${domain}" }) { domain { state } drift { field } errors { code } } }`,
  );
  expect(syncDomain).toMatchObject({ domain: { state: 'PENDING_TRANSFER_IN' }, errors: [] });

  report('Active', ['getdetails']);
  clock.advance(61);
  const { purchase } = await read(gateway, `{ purchase(by: { id: "${id}" }) { state } }`);
  expect(purchase.state).toBe('SUCCEEDED');
  expect((await statesOf(gateway, domain)).list).toBe('ACTIVE');

  report('pendingTransfer');
  clock.advance(3_600);
  await refresh(gateway);
  expect(await statesOf(gateway, domain)).toEqual(everywhere('OUT'));
});

test('an event of a domain that the gateway transfers has the state PENDING_TRANSFER_IN', async () => {
  const time = createGatewayClock();
  const gateway = time.withTime(await open({ EVENTS_INTERVAL_SECONDS: '10' }, time.clock));
  report('pendingTransfer');
  const added = 'outside-watched-arriving.com';
  // The first comparison only stores the states.
  await time.pass(10 * secondMs);
  await transfer(gateway, added);
  await time.pass(20 * secondMs);

  const { events } = await read(
    gateway,
    `{ events(filter: { domain: "${added}" }) { nodes { type after { text } } } }`,
  );
  expect(events.nodes).toEqual([{ type: 'DOMAIN_ADDED', after: { text: 'PENDING_TRANSFER_IN' } }]);
});
