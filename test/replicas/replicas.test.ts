import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { order } from '../graph/purchases/shop.ts';
import { openStream } from '../support/event-stream.ts';
import type { TestGateway } from '../support/gateway.ts';
import { runOnPostgres, whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { type Neighbours, startNeighbours } from './neighbours.ts';

const details = '{ domain(name: "reseller-demo.com") { nameServers } }';
const list =
  '{ domains(filter: { contains: "reseller-demo.com" }) { nodes { name nameServers } totalCount } }';
const setNameServers = `mutation ($input: SetNameServersInput!) {
  setNameServers(input: $input) { nameServers errors { code } } }`;
const buy = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { purchase { id state } errors { code message } } }`;

describe.skipIf(whyNoPostgres).each([
  { how: 'over one PostgreSQL', isPooled: false },
  { how: 'behind a pooler that passes on no notifications', isPooled: true },
])(`replicas $how${because(whyNoPostgres)}`, ({ isPooled }) => {
  let replicas: Neighbours;
  beforeAll(async () => {
    replicas = await startNeighbours({ isPooled });
  });
  beforeEach(() => replicas.first.resetCalls());
  afterAll(async () => {
    await replicas?.close();
  });

  const queryAll = (document: string, of: readonly TestGateway[] = replicas.all) =>
    Promise.all(of.map((gateway) => gateway.query(document).then(({ data }) => data)));
  const setOn = async (gateway: TestGateway, nameServers: readonly string[]) => {
    const input = { domain: 'reseller-demo.com', nameServers };
    const { data } = await gateway.query(setNameServers, { input });
    expect(data.setNameServers.errors).toEqual([]);
  };

  test('a write of one replica is visible in the details and lists of the others', async () => {
    const [, second, third] = replicas.all as [TestGateway, TestGateway, TestGateway];
    await setOn(second, ['ns1.before.net', 'ns2.before.net']);
    await queryAll(details);
    await queryAll(list);
    const after = ['ns1.after.net', 'ns2.after.net'];

    await setOn(second, after);

    for (const gateway of [second, third, replicas.first]) {
      const shown = async () => (await gateway.query(details)).data.domain.nameServers;
      const listed = async () => (await gateway.query(list)).data.domains.nodes[0].nameServers;
      await expect.poll(shown).toEqual(after);
      await expect.poll(listed).toEqual(after);
    }
  });

  test('without a write the replicas use their caches', async () => {
    const calls = async () => {
      await replicas.first.resetCalls();
      await queryAll(details);
      await queryAll(list);
      return replicas.first.countCalls();
    };

    // The notice of the last write may arrive later.
    await expect.poll(calls).toEqual({});
  });

  test('a name that one replica bought is taken for all', async () => {
    const check = '{ availability(name: "bought-elsewhere.com") { state } }';
    expect(await queryAll(check)).toEqual(Array(3).fill({ availability: { state: 'AVAILABLE' } }));

    const input = order({ domain: 'bought-elsewhere.com' });
    const { data } = await replicas.first.query(buy, { input });

    expect(data.registerDomain.purchase.state).toBe('SUCCEEDED');
    for (const gateway of replicas.all) {
      const state = async () => (await gateway.query(check)).data.availability.state;
      await expect.poll(state).toBe('TAKEN');
    }
  });

  test('every replica reports a settled purchase as soon as one settles it, before its next poll', async () => {
    const facts = { fault: 'lost-answer', action: 'registerdomain' };
    await replicas.first.admin('POST', '/faults', facts);
    await replicas.first.admin('POST', '/faults', {
      fault: 'gateway',
      action: 'getdetails',
      after: 1,
      times: 3,
    });
    const input = order({ domain: 'settled-elsewhere.com' });
    const { data } = await replicas.first.query(buy, { input });
    const { id, state } = data.registerDomain.purchase;
    expect(state).toBe('PENDING');
    const query = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }';
    const streams = await Promise.all(
      replicas.all.map(({ url }) => openStream(url, { query, variables: { id } })),
    );

    const [, second] = replicas.all;
    await second?.query('query ($id: ID!) { purchase(by: { id: $id }) { state } }', { id });

    for (const stream of streams) {
      const next = await stream.next();
      expect(next?.data.data).toEqual({ purchaseSettled: { state: 'SUCCEEDED' } });
    }
  });

  test('an invalid notice changes nothing', async () => {
    await queryAll(details);
    await replicas.first.resetCalls();
    const message = { id: 'x', account: 'sandbox:demo' };
    const write = { kind: 'write', action: 'modifynameserver', domain: 'reseller-demo.com' };
    const garbage = [
      '',
      'null',
      '[]',
      '{"id":',
      JSON.stringify({ ...message, id: 7, notice: write }),
      JSON.stringify({ ...message, notice: { ...write, action: 'toString' } }),
      JSON.stringify({ ...message, notice: { ...write, domain: 'not a name' } }),
      JSON.stringify({ ...message, account: 'sandbox:other', notice: write }),
      JSON.stringify({ ...message, id: 'x'.repeat(3_000), notice: write }),
    ];

    for (const text of garbage) {
      await runOnPostgres(
        `insert into notices values (now(), '${text}'); select pg_notify('reseller_graph', '${text}')`,
        replicas.databaseUrl,
      );
    }
    // Notices arrive in order, so all invalid ones were received before this one.
    await setOn(replicas.first, ['ns1.last.net', 'ns2.last.net']);
    for (const gateway of replicas.all) {
      const shown = async () => (await gateway.query(details)).data.domain.nameServers;
      await expect.poll(shown).toEqual(['ns1.last.net', 'ns2.last.net']);
    }

    expect(replicas.all.flatMap(({ lines }) => lines)).toEqual([]);
  });
});
