import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../../../test/support/folder.ts';
import { secondMs } from '../../../../test/support/simulated-clock.ts';
import { verifies } from '../../../../test/support/webhook-receiver.ts';
import { deliveries, startWithReceiver } from '../../../../test/support/with-receiver.ts';

test('a failed event is sent again in order, and a changed URL receives it at once', {
  tags: ['W2'],
}, async () => {
  const here = await startWithReceiver();
  const { id } = await here.create();
  here.receiver.onRequest(({ path }) => (path === '/hook' ? 500 : 204));
  await here.happen();
  expect(await here.read(id, 'state failures failingSince nextAttemptAt')).toEqual({
    ...{ state: 'ACTIVE', failures: expect.any(Number) },
    ...{ failingSince: expect.any(String), nextAttemptAt: expect.any(String) },
  });
  await here.happen();

  const url = `${here.receiver.url}/new`;
  const changed = await here.mutate('updateWebhook', { id, url }, 'webhook { url failures }');
  expect(changed).toEqual({ webhook: { url, failures: 0 }, errors: [] });
  await here.time.pass(2 * secondMs);

  const { data } = await here.gateway.query('{ events { nodes { id } } }');
  const ids = data.events.nodes.map((event: { id: string }) => event.id);
  const ofNew = here.receiver.received.filter(({ path }) => path === '/hook/new');
  expect(ofNew.map((one) => one.id)).toEqual(ids);
  const ofOld = here.receiver.received.filter(({ path }) => path === '/hook');
  expect(new Set(ofOld.map((one) => one.id))).toEqual(new Set(ids.slice(0, 1)));
});

test('410 suspends a webhook, which receives the events in between after it was resumed', {
  tags: ['W4'],
}, async () => {
  const here = await startWithReceiver();
  const { id } = await here.create({ types: ['PRIVACY_CHANGED'] });
  here.receiver.onRequest(() => 410);
  await here.happen();
  expect(await here.read(id, 'state suspendedAt suspendedReason')).toEqual({
    ...{ state: 'SUSPENDED', suspendedAt: expect.any(String) },
    suspendedReason: 'The endpoint responded 410 Gone.',
  });
  expect(here.lines).toContainEqual(
    expect.objectContaining({ level: 'error', msg: 'a webhook was suspended' }),
  );
  await here.happen();
  expect(here.receiver.received).toHaveLength(1);
  const events =
    '{ events { nodes { id type subject source domainName before { text } after { text } } } }';
  const { data } = await here.gateway.query(events);
  expect(data.events.nodes[1]).toMatchObject({
    ...{ type: 'WEBHOOK_SUSPENDED', subject: id, source: 'GATEWAY', domainName: null },
    ...{ before: null, after: { text: 'The endpoint responded 410 Gone.' } },
  });

  here.receiver.onRequest(() => 204);
  expect(
    await here.mutate('updateWebhook', { id, resume: true }, 'webhook { state suspendedAt }'),
  ).toEqual({ webhook: { state: 'ACTIVE', suspendedAt: null }, errors: [] });
  await here.time.pass(2 * secondMs);
  const [first, , third] = data.events.nodes.map((event: { id: string }) => event.id);
  expect(here.receiver.ids()).toEqual([first, first, third]);
});

test('a test is sent at once, also to a suspended webhook, and changes no state', async () => {
  const here = await startWithReceiver();
  const { id } = await here.create();
  here.receiver.onRequest(() => 410);
  await here.happen();
  const sent = await here.mutate(
    'testWebhook',
    { id },
    'delivery { kind eventId eventType number status failure nextAt }',
  );

  const last = here.receiver.received.at(-1);
  expect(sent).toEqual({
    delivery: {
      ...{ kind: 'TEST', eventId: last?.id, eventType: 'WEBHOOK_TEST', number: 1, status: 410 },
      ...{ failure: 'The endpoint responded 410 Gone.', nextAt: null },
    },
    errors: [],
  });
  expect(JSON.parse(last?.body ?? '')).toMatchObject({
    type: 'WEBHOOK_TEST',
    data: { id: last?.id },
  });
  here.receiver.onRequest(() => 200);
  expect(await here.mutate('testWebhook', { id }, 'delivery { status failure }')).toEqual({
    ...{ delivery: { status: 200, failure: null }, errors: [] },
  });
  expect(await here.read(id, `state ${deliveries}`)).toMatchObject({
    ...{ state: 'SUSPENDED', deliveries: { length: 3 } },
  });
});

test('one event can be sent again, with the same id', async () => {
  const here = await startWithReceiver();
  const { id } = await here.create();
  await here.happen();
  await here.happen();
  const [first, second] = here.receiver.received;
  const redeliver = (eventId: string, webhook = id) =>
    here.mutate(
      'redeliverWebhookEvent',
      { id: webhook, eventId },
      'delivery { kind status eventId }',
    );

  expect(await redeliver(first?.id ?? '')).toEqual({
    delivery: { kind: 'REDELIVERY', status: 204, eventId: first?.id },
    errors: [],
  });
  expect(here.receiver.ids()).toEqual([first?.id, second?.id, first?.id]);
  expect(here.receiver.received[2]?.body).toBe(first?.body);
  expect(await redeliver('no-such-event')).toMatchObject({
    ...{ delivery: null, errors: [{ code: 'NOT_FOUND', path: ['input', 'eventId'] }] },
  });
  const ofAcme = await here.create({ url: `${here.receiver.url}/acme`, customer: 'acme' });
  expect(await redeliver(first?.id ?? '', ofAcme.id)).toMatchObject({
    ...{ delivery: null, errors: [{ code: 'NOT_FOUND', path: ['input', 'eventId'] }] },
  });
  await here.happen();
  expect(here.receiver.received).toHaveLength(4);
});

test('a webhook of the settings receives events, and mutations can only resume, test and redeliver', async () => {
  const secrets = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
  const here = await startWithReceiver();
  const url = 'http://127.0.0.1:9/';
  const other = await startWithReceiver({
    env: { WEBHOOKS: JSON.stringify({ crm: { url: here.receiver.url, secrets } }) },
  });
  await other.happen();

  const [request] = here.receiver.received as [(typeof here.receiver.received)[number]];
  expect(here.receiver.received).toHaveLength(1);
  for (const secret of secrets) expect(verifies(secret, request)).toBe(true);
  const { data } = await other.gateway.query('{ webhooks { id source url } }');
  const [{ id, ...crm }] = data.webhooks;
  expect(crm).toEqual({ source: 'SETTINGS', url: here.receiver.url });
  const refused = { errors: [{ code: 'INVALID_INPUT', path: ['input', 'id'] }] };
  const inputs: (readonly [string, object])[] = [
    ['updateWebhook', { url }],
    ['updateWebhook', { types: [] }],
    ['rotateWebhookSecret', {}],
    ['deleteWebhook', { confirm: true }],
  ];
  for (const [name, input] of inputs) {
    expect(await other.mutate(name, { id, ...input }, '__typename'), name).toMatchObject(refused);
  }
  expect(await other.mutate('updateWebhook', { id, resume: true }, '__typename')).toMatchObject({
    errors: [],
  });
  expect(await other.mutate('testWebhook', { id }, 'delivery { status }')).toMatchObject({
    delivery: { status: 204 },
  });
});

test('the metrics have the webhooks, their attempts and the age of the oldest event', async () => {
  const here = await startWithReceiver({ env: { METRICS_PORT: '0' } });
  await here.create();
  await here.create({ url: `${here.receiver.url}/gone` });
  here.receiver.onRequest(({ path }) => (path === '/hook' ? 500 : 410));
  await here.happen();
  await here.time.pass(20 * secondMs);
  const text = await here.time.during(
    fetch(`${here.gateway.metricsUrl}/metrics`).then((response) => response.text()),
  );
  const sample = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`reseller_graph_${name}`))
        ?.split(' ')[1],
    );

  expect(sample('webhooks{tenant="default",state="ACTIVE"}')).toBe(1);
  expect(sample('webhooks{tenant="default",state="SUSPENDED"}')).toBe(1);
  expect(sample('webhook_attempts_total{tenant="default",outcome="refused"}')).toBeGreaterThan(2);
  expect(sample('webhook_oldest_event_seconds{tenant="default"}')).toBeGreaterThan(20);
});

test('webhooks and their progress survive a restart', async () => {
  const here = await startWithReceiver();
  const { id, secret } = await here.create();
  await here.happen();
  here.receiver.onRequest(() => 500);
  await here.happen();
  await here.gateway.restart();
  here.receiver.onRequest(() => 204);
  await here.time.pass(20 * secondMs);

  const ids = [...new Set(here.receiver.ids())];
  expect(ids).toHaveLength(2);
  expect(here.receiver.ids().filter((one) => one === ids[0])).toHaveLength(1);
  expect(here.receiver.received.every((request) => verifies(secret, request))).toBe(true);
  expect(await here.read(id, 'failures state')).toEqual({ failures: 0, state: 'ACTIVE' });
});

test('an endpoint that hangs, redirects or resets its connection fails with a sentence', async () => {
  const here = await startWithReceiver();
  const { id } = await here.create();
  const never = new Promise<number>(() => undefined);
  const failureOf = async (respond: () => number | Promise<number>) => {
    here.receiver.onRequest(respond);
    const { delivery } = await here.mutate('testWebhook', { id }, 'delivery { status failure }');
    return delivery;
  };

  expect(await failureOf(() => 302)).toEqual({
    ...{ status: 302, failure: expect.stringContaining('redirect (302), which is not followed') },
  });
  expect(await failureOf(() => 0)).toEqual({
    ...{
      status: null,
      failure: expect.stringMatching(/^The endpoint closed the connection .*\.$/),
    },
  });
  expect(await failureOf(() => never)).toEqual({
    ...{ status: null, failure: 'There was no response within 15 seconds.' },
  });
});

test('two gateways over one journal send each event once, and a webhook of either is delivered', {
  tags: ['W3'],
}, async () => {
  const folder = await newFolder('webhooks');
  onTestFinished(() => rm(folder, { recursive: true }));
  const here = await startWithReceiver({ env: { DATA_DIR: folder } });
  const there = await startWithReceiver({
    time: here.time,
    env: { DATA_DIR: folder, DOMAIN_API_URL: `${here.gateway.sandboxUrl()}/domain-api` },
  });
  await here.create();
  await there.create({ url: there.receiver.url });
  for (let count = 0; count < 4; count += 1) await here.happen();
  await here.time.pass(5 * secondMs);

  const { data } = await there.gateway.query('{ events { nodes { id } } }');
  const ids = data.events.nodes.map(({ id }: { id: string }) => id);
  expect(ids).toHaveLength(4);
  expect(here.receiver.ids()).toEqual(ids);
  expect(there.receiver.ids()).toEqual(ids);
});
