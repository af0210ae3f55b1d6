import { rm } from 'node:fs/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { dayMs, minuteMs, secondMs } from '../../support/simulated-clock.ts';
import { verifies } from '../../support/webhook-receiver.ts';
import { startWithReceiver } from './start.ts';

const deliveries =
  'deliveries { totalCount nodes { kind eventId eventType number status failure nextAt } }';

test('an event of another program reaches the endpoint, signed by Standard Webhooks', {
  tags: ['W1'],
}, async () => {
  const here = await startWithReceiver();
  const { secret, ...webhook } = await here.create({ description: 'CRM' });
  expect(webhook).toMatchObject({
    ...{ url: here.receiver.url, state: 'ACTIVE', types: [], description: 'CRM', source: 'API' },
  });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

  await here.happen();

  const [request] = here.receiver.received as [(typeof here.receiver.received)[number]];
  const { data } = await here.gateway.query(
    '{ events { nodes { id cursor type foundAt subject domainName source before after } } }',
  );
  const { id, type, foundAt, ...facts } = data.events.nodes[0];
  expect(here.receiver.received).toHaveLength(1);
  expect(JSON.parse(request.body)).toEqual({
    ...{ type, timestamp: foundAt },
    data: { id, purchaseId: null, ...facts },
  });
  expect(type).toBe('PRIVACY_CHANGED');
  expect(request.headers).toMatchObject({
    ...{ 'webhook-id': id, 'content-type': 'application/json' },
    'user-agent': expect.stringMatching(/^reseller-graph\/\d/),
  });
  expect(verifies(secret, request)).toBe(true);
  expect(await here.read(webhook.id, `failures deliveredUntil ${deliveries}`)).toEqual({
    ...{ failures: 0, deliveredUntil: facts.cursor },
    deliveries: {
      totalCount: 1,
      nodes: [
        {
          ...{ kind: 'DELIVERY', eventId: id, eventType: type, number: 1 },
          ...{ status: 204, failure: null, nextAt: null },
        },
      ],
    },
  });
});

test('a forged signature, an altered body, an altered id and an old timestamp do not verify', {
  tags: ['W1'],
}, async () => {
  const here = await startWithReceiver();
  const { id, secret } = await here.create();
  await here.mutate('testWebhook', { id }, 'delivery { status }');
  const [{ body, headers }] = here.receiver.received as [(typeof here.receiver.received)[number]];
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const old = String(Number(headers['webhook-timestamp']) - 600);

  expect(verifies(secret, { body, headers })).toBe(true);
  expect(verifies(other, { body, headers })).toBe(false);
  expect(verifies(secret, { body: body.replace('TEST', 'FAKE'), headers })).toBe(false);
  expect(verifies(secret, { body, headers: { ...headers, 'webhook-id': 'other' } })).toBe(false);
  expect(verifies(secret, { body, headers: { ...headers, 'webhook-timestamp': old } })).toBe(false);
  // An old request with its own signature.
  here.skip(-10 * minuteMs);
  await here.mutate('testWebhook', { id }, 'delivery { status }');
  const last = here.receiver.received.at(-1);
  expect(last && verifies(secret, last)).toBe(false);
});

test('the secret is in the responses of its creation and its rotation, and nowhere else', {
  tags: ['W6'],
}, async () => {
  const here = await startWithReceiver({ env: { METRICS_PORT: '0' } });
  const { id, secret } = await here.create();
  const rotated = await here.mutate('rotateWebhookSecret', { id }, 'secret webhook { id }');
  await here.happen();
  here.receiver.onRequest(() => 410);
  await here.happen();
  const outputs = [
    await here.gateway.query(`{ webhooks { nodes { id url ${deliveries} } } }`),
    await here.mutate('createWebhook', { url: here.receiver.url }, 'secret webhook { id }'),
    await here.mutate('updateWebhook', { id, resume: true }, 'webhook { id url }'),
    await here.mutate('testWebhook', { id }, 'delivery { failure }'),
    await here.mutate('deleteWebhook', { id, confirm: true }, 'deletedId'),
    await (await fetch(`${here.gateway.metricsUrl}/metrics`)).text(),
    here.texts,
    here.receiver.received,
  ];
  const text = JSON.stringify(outputs);

  expect(rotated.secret).not.toBe(secret);
  for (const one of [secret, rotated.secret]) {
    const key = Buffer.from(one.slice(6), 'base64');
    for (const form of [one.slice(6), key.toString('hex'), key.toString('base64url')]) {
      expect(text).not.toContain(form);
    }
  }
  expect(text).not.toContain('whsec_');
});

test('after a rotation both secrets sign for 24 hours', { tags: ['W1'] }, async () => {
  const here = await startWithReceiver();
  const { id, secret } = await here.create();
  const { secret: newSecret } = await here.mutate('rotateWebhookSecret', { id }, 'secret');
  const verified = async () => {
    await here.mutate('testWebhook', { id }, 'delivery { status }');
    const last = here.receiver.received.at(-1);
    const signatures = String(last?.headers['webhook-signature']).split(' ').length;
    return [signatures, last && verifies(secret, last), last && verifies(newSecret, last)];
  };

  expect(await verified()).toEqual([2, true, true]);
  here.skip(dayMs - minuteMs);
  await here.mutate('testWebhook', { id }, 'delivery { status }');
  expect(here.receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
  here.skip(-dayMs + minuteMs);
  expect(await verified()).toEqual([2, true, true]);
  here.skip(dayMs);
  await here.mutate('testWebhook', { id }, 'delivery { status }');
  expect(here.receiver.received.at(-1)?.headers['webhook-signature']).toMatch(/^v1,\S+$/);
});

test('a repeated creation makes no second webhook', async () => {
  const here = await startWithReceiver();
  await here.create();
  const again = [
    here.receiver.url,
    here.receiver.url.replace('http', 'HTTP').replace('/hook', '/./hook'),
  ];

  for (const url of again) {
    expect(await here.mutate('createWebhook', { url }, 'secret webhook { id }')).toEqual({
      ...{ secret: null, webhook: null },
      errors: [
        {
          ...{ __typename: 'AlreadyExists', code: 'ALREADY_EXISTS', path: ['input', 'url'] },
          message: 'A webhook with this URL exists; rotate its secret if you do not have it.',
        },
      ],
    });
  }
  const { data } = await here.gateway.query('{ webhooks { totalCount } }');
  expect(data.webhooks.totalCount).toBe(1);
});

test('an account has at most 50 webhooks', async () => {
  const here = await startWithReceiver();
  for (let count = 0; count < 50; count += 1) {
    await here.create({ url: `${here.receiver.url}/${count}` });
  }

  const { errors } = await here.mutate('createWebhook', { url: here.receiver.url }, 'secret');
  expect(errors).toMatchObject([{ code: 'INVALID_INPUT', message: expect.stringMatching(/50/) }]);
});

describe('a URL', () => {
  const publicHosts = new Map([
    ['public.example', '203.0.114.7'],
    ['private.example', '10.0.0.7'],
    ['rebound.example', '203.0.114.7'],
  ]);
  const startStrict = () =>
    startWithReceiver({
      env: { WEBHOOKS_ALLOW_PRIVATE: 'false' },
      async resolveHost(host) {
        const address = publicHosts.get(host);
        if (address) return [{ address, family: 4 }];
        throw Object.assign(new Error('unknown host'), { code: 'ENOTFOUND' });
      },
    });
  const notPublic = 'The host has an address that is not public.';

  test('that cannot be a target is refused when the webhook is created or changed', {
    tags: ['W5'],
  }, async () => {
    const here = await startStrict();
    const { id } = await here.create({ url: 'https://public.example/' });
    const rows = [
      ['http://public.example/', 'The URL must begin with https://.'],
      ['ftp://public.example/', 'The URL must begin with https://.'],
      ['https://user:secret@public.example/', 'The URL must not contain a user name or password.'],
      ['https://public.example/#part', 'The URL must not contain a fragment (#).'],
      ['public.example', 'The URL is not a URL of up to 2000 characters.'],
      [
        `https://public.example/${'a'.repeat(2_000)}`,
        'The URL is not a URL of up to 2000 characters.',
      ],
      ['https://127.0.0.1/', notPublic],
      ['https://2130706433/', notPublic],
      ['https://0x7f000001/', notPublic],
      ['https://[::ffff:127.0.0.1]/', notPublic],
      ['https://[::1]:8443/', notPublic],
      ['https://private.example/', notPublic],
      ['https://localhost.example/', 'The host cannot be resolved (ENOTFOUND).'],
    ];

    for (const [url, message] of rows) {
      const errors = [
        { __typename: 'InvalidInput', code: 'INVALID_INPUT', message, path: ['input', 'url'] },
      ];
      expect(await here.mutate('createWebhook', { url }, 'secret'), url).toMatchObject({ errors });
      expect(await here.mutate('updateWebhook', { id, url }, 'webhook { id }')).toMatchObject({
        errors,
      });
    }
    expect(await here.read(id, 'url')).toEqual({ url: 'https://public.example/' });
  });

  test('whose host resolves to a private address later is refused at the delivery', {
    tags: ['W5'],
  }, async () => {
    const here = await startStrict();
    const url = here.receiver.url
      .replace('http:', 'https:')
      .replace('127.0.0.1', 'rebound.example');
    const { id } = await here.create({ url });
    publicHosts.set('rebound.example', '127.0.0.1');
    await here.happen();

    expect(await here.read(id, `failures ${deliveries}`)).toMatchObject({
      failures: 1,
      deliveries: { nodes: [{ status: null, failure: notPublic }] },
    });
    expect(here.receiver.received).toEqual([]);
  });
});

test('a filter with an unknown type of event is refused', async () => {
  const here = await startWithReceiver();
  const { errors } = await here.gateway.query(
    `mutation { createWebhook(input: { url: "${here.receiver.url}", types: [NO_SUCH] }) { secret } }`,
  );

  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

test('a description of more than 200 characters is refused', async () => {
  const here = await startWithReceiver();
  const input = { url: here.receiver.url, description: 'x'.repeat(201) };

  expect(await here.mutate('createWebhook', input, 'secret')).toMatchObject({
    errors: [{ code: 'INVALID_INPUT', path: ['input', 'description'] }],
  });
  await here.create({ description: 'x'.repeat(200) });
});

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
  const events = '{ events { nodes { id type subject source domainName before after } } }';
  const { data } = await here.gateway.query(events);
  expect(data.events.nodes[1]).toMatchObject({
    ...{ type: 'WEBHOOK_SUSPENDED', subject: id, source: 'GATEWAY', domainName: null },
    ...{ before: null, after: 'The endpoint responded 410 Gone.' },
  });

  here.receiver.onRequest(() => 204);
  expect(
    await here.mutate('updateWebhook', { id, resume: true }, 'webhook { state suspendedAt }'),
  ).toEqual({ webhook: { state: 'ACTIVE', suspendedAt: null }, errors: [] });
  await here.time.pass(2 * secondMs);
  const [first, , third] = data.events.nodes.map((event: { id: string }) => event.id);
  expect(here.receiver.ids()).toEqual([first, first, third]);
});

test('changes of the filter and the description are independent, and null removes them', async () => {
  const here = await startWithReceiver();
  const { id } = await here.create({ types: ['EXPIRING'], description: 'old' });
  const update = async (changes: object) =>
    (await here.mutate('updateWebhook', { id, ...changes }, 'webhook { types description }'))
      .webhook;

  expect(await update({})).toEqual({ types: ['EXPIRING'], description: 'old' });
  expect(await update({ url: null, resume: null })).toEqual({
    ...{ types: ['EXPIRING'], description: 'old' },
  });
  expect(await update({ description: null })).toEqual({ types: ['EXPIRING'], description: null });
  expect(await update({ types: ['BALANCE_LOW', 'BALANCE_LOW'] })).toEqual({
    ...{ types: ['BALANCE_LOW'], description: null },
  });
  expect(await update({ types: null })).toEqual({ types: [], description: null });
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
      ...{ failure: 'The endpoint responded 410.', nextAt: null },
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
    ...{ state: 'SUSPENDED', deliveries: { totalCount: 3 } },
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
  await here.happen();
  expect(here.receiver.received).toHaveLength(4);
});

test('a deletion needs confirm, and ends the deliveries', async () => {
  const here = await startWithReceiver();
  const { id } = await here.create();
  expect(await here.mutate('deleteWebhook', { id, confirm: false }, 'deletedId')).toMatchObject({
    ...{ deletedId: null, errors: [{ code: 'CONFIRMATION_REQUIRED', path: ['input', 'confirm'] }] },
  });
  expect(await here.mutate('deleteWebhook', { id, confirm: true }, 'deletedId')).toEqual({
    ...{ deletedId: id, errors: [] },
  });
  await here.happen();

  expect(here.receiver.received).toEqual([]);
  expect(await here.read(id, 'id')).toBeNull();
});

test('an unknown webhook is null, and every mutation of it is refused', async () => {
  const here = await startWithReceiver();
  const { id } = await here.create();
  await here.mutate('deleteWebhook', { id, confirm: true }, 'deletedId');
  const inputs: Record<string, object> = {
    ...{ updateWebhook: {}, rotateWebhookSecret: {}, testWebhook: {} },
    ...{ deleteWebhook: { confirm: true }, redeliverWebhookEvent: { eventId: 'x' } },
  };

  for (const [name, input] of Object.entries(inputs)) {
    for (const unknown of [id, 'nonsense']) {
      expect(await here.mutate(name, { id: unknown, ...input }, '__typename'), name).toMatchObject({
        errors: [{ __typename: 'NotFound', code: 'NOT_FOUND', path: ['input', 'id'] }],
      });
    }
  }
  expect(await here.read('nonsense', 'id')).toBeNull();
});

test('webhooks and their deliveries are listed in pages, and are nodes', async () => {
  const here = await startWithReceiver();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    ids.push((await here.create({ url: `${here.receiver.url}/${name}` })).id);
    await here.time.pass(secondMs);
  }
  const list = async (args: string) => {
    const query = `{ webhooks${args} { nodes { id } pageInfo { endCursor hasNextPage } } }`;
    return (await here.gateway.query(query)).data.webhooks;
  };
  const first = await list('(first: 2)');
  const rest = await list(`(first: 2, after: "${first.pageInfo.endCursor}")`);

  expect([...first.nodes, ...rest.nodes].map(({ id }) => id)).toEqual(ids);
  expect([first.pageInfo.hasNextPage, rest.pageInfo.hasNextPage]).toEqual([true, false]);
  const { data } = await here.gateway.query(
    `{ node(id: "${ids[1]}") { id ... on Webhook { url } } }`,
  );
  expect(data.node).toEqual({ id: ids[1], url: `${here.receiver.url}/b` });

  for (let count = 0; count < 3; count += 1) {
    await here.mutate('testWebhook', { id: ids[0] }, 'delivery { sentAt }');
    await here.time.pass(secondMs);
  }
  const page = (args: string) =>
    here.read(
      ids[0] ?? '',
      `deliveries${args} { totalCount nodes { eventId } pageInfo { endCursor startCursor hasNextPage hasPreviousPage } }`,
    );
  const newest = await page('(first: 2)');
  const oldest = await page(`(first: 2, after: "${newest.deliveries.pageInfo.endCursor}")`);
  const before = await page(`(last: 5, before: "${oldest.deliveries.pageInfo.startCursor}")`);
  const eventIds = ({ deliveries: { nodes } }: { deliveries: { nodes: { eventId: string }[] } }) =>
    nodes.map(({ eventId }) => eventId);
  expect([...eventIds(newest), ...eventIds(oldest)]).toEqual(here.receiver.ids().toReversed());
  expect(eventIds(before)).toEqual(eventIds(newest));
  expect(newest.deliveries).toMatchObject({
    totalCount: 3,
    pageInfo: { hasNextPage: true, hasPreviousPage: false },
  });
  const root = async (args: string) => {
    const query = `{ webhookDeliveries(${args}) { totalCount nodes { eventId } } }`;
    return (await here.gateway.query(query)).data.webhookDeliveries;
  };
  expect(await root(`webhook: "${ids[0]}", first: 2`)).toEqual({
    totalCount: 3,
    nodes: newest.deliveries.nodes,
  });
  expect(await root(`webhook: "${ids[1]}"`)).toEqual({ totalCount: 0, nodes: [] });
  expect(await root('webhook: "nonsense"')).toBeNull();
  const bad = Buffer.from(JSON.stringify(['no time', 'x'])).toString('base64url');
  const { errors } = await here.gateway.query(
    `{ webhooks(first: 1) { nodes { deliveries(after: "${bad}") { totalCount } } } }`,
  );
  expect(errors).toMatchObject([{ message: '"after" is not a cursor of deliveries.' }]);
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
  const { data } = await other.gateway.query('{ webhooks { nodes { id source url } } }');
  const [{ id, ...crm }] = data.webhooks.nodes;
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

test('the scope webhooks:write is necessary, and each mutation has an audit line', async () => {
  const env = {
    API_KEYS: JSON.stringify({
      hooks: { sha256: 'a'.repeat(64), scopes: ['webhooks:write'] },
    }),
    API_KEY: 'a-key-with-every-scope',
  };
  const here = await startWithReceiver({ env });
  const headers = { 'x-api-key': 'a-key-with-every-scope' };
  const { data } = await here.gateway.query(
    `mutation { createWebhook(input: { url: "${here.receiver.url}" }) { webhook { id } } }`,
    {},
    headers,
  );

  expect(data.createWebhook.webhook.id).toEqual(expect.any(String));
  expect(here.lines).toContainEqual(
    expect.objectContaining({
      ...{ msg: 'audit', audit: 'createWebhook', caller: 'default', outcome: 'OK' },
    }),
  );
  const { errors } = await here.gateway.query('{ webhooks { totalCount } }');
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
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
