import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../../../client/index.ts';
import { dayMs, minuteMs, secondMs } from '../../../../test/support/simulated-clock.ts';
import { verifies } from '../../../../test/support/webhook-receiver.ts';
import { deliveries, startWithReceiver } from '../../../../test/support/with-receiver.ts';
import { fill } from '../../../scope/parts.ts';
import { hostResolver } from '../parts.ts';

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
    '{ events { nodes { id cursor type foundAt subject domainName source before { text privacyProtected } after { text privacyProtected } } } }',
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
  expect(await verifyWebhook(request.headers, request.body, secret)).toMatchObject({ type });
  expect(await here.read(webhook.id, `failures deliveredUntil ${deliveries}`)).toEqual({
    ...{ failures: 0, deliveredUntil: facts.cursor },
    deliveries: [
      {
        ...{ kind: 'DELIVERY', eventId: id, eventType: type, number: 1 },
        ...{ status: 204, failure: null, nextAt: null },
      },
    ],
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
    await here.gateway.query(`{ webhooks { id url ${deliveries} } }`),
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
          ...{ __typename: 'PlainError', code: 'ALREADY_EXISTS', path: ['input', 'url'] },
          message: 'A webhook with this URL exists; rotate its secret if you do not have it.',
        },
      ],
    });
  }
  const { data } = await here.gateway.query('{ webhooks { id } }');
  expect(data.webhooks).toHaveLength(1);
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
      fills: [
        fill(hostResolver, () => async (host) => {
          const address = publicHosts.get(host);
          if (address) return [{ address, family: 4 }];
          throw Object.assign(new Error('unknown host'), { code: 'ENOTFOUND' });
        }),
      ],
    });
  const notPublic =
    'The host has an address that is not public; WEBHOOKS_ALLOW_PRIVATE=true allows it.';

  test('that cannot be a target is refused when the webhook is created or changed', {
    tags: ['W5'],
  }, async () => {
    const here = await startStrict();
    const { id } = await here.create({ url: 'https://public.example/' });
    const rows = [
      [
        'http://public.example/',
        'The URL must begin with https://; WEBHOOKS_ALLOW_PRIVATE=true allows http://.',
      ],
      [
        'ftp://public.example/',
        'The URL must begin with https://; WEBHOOKS_ALLOW_PRIVATE=true allows http://.',
      ],
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
        { __typename: 'PlainError', code: 'INVALID_INPUT', message, path: ['input', 'url'] },
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
      deliveries: [{ status: null, failure: notPublic }],
    });
    expect(here.receiver.received).toEqual([]);
  });
});

test('an unknown type in the filter and a description of more than 200 characters are refused', async () => {
  const here = await startWithReceiver();
  const { url } = here.receiver;
  const create = (description: string) =>
    here.mutate('createWebhook', { url, description }, 'secret');
  const { errors } = await here.gateway.query(
    `mutation { createWebhook(input: { url: "${url}", types: [NO_SUCH] }) { secret } }`,
  );

  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
  expect(await create('x'.repeat(201))).toMatchObject({
    errors: [{ code: 'INVALID_INPUT', path: ['input', 'description'] }],
  });
  expect((await create('x'.repeat(200))).errors).toEqual([]);
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
        errors: [{ __typename: 'PlainError', code: 'NOT_FOUND', path: ['input', 'id'] }],
      });
    }
  }
  expect(await here.read('nonsense', 'id')).toBeNull();
});

test('webhooks are listed from the oldest, their deliveries from the newest, and webhooks are nodes', async () => {
  const here = await startWithReceiver();
  const ids: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    ids.push((await here.create({ url: `${here.receiver.url}/${name}` })).id);
    await here.time.pass(secondMs);
  }
  const listed = await here.gateway.query('{ webhooks { id } }');

  expect(listed.data.webhooks).toEqual(ids.map((id) => ({ id })));
  const { data } = await here.gateway.query(
    `{ node(id: "${ids[1]}") { id ... on Webhook { url } } }`,
  );
  expect(data.node).toEqual({ id: ids[1], url: `${here.receiver.url}/b` });

  for (let count = 0; count < 3; count += 1) {
    await here.mutate('testWebhook', { id: ids[0] }, 'delivery { sentAt }');
    await here.time.pass(secondMs);
  }
  const newest = await here.read(ids[0] ?? '', 'deliveries(first: 2) { eventId }');
  const sent = here.receiver.ids().toReversed();
  expect(newest.deliveries).toEqual(sent.slice(0, 2).map((eventId) => ({ eventId })));
  for (const first of [-1, 0, 201]) {
    const { errors } = await here.gateway.query(
      `{ webhook(id: "${ids[0]}") { deliveries(first: ${first}) { eventId } } }`,
    );
    expect(errors?.[0]?.message).toBe(`"first" must be from 1 to 200; it is ${first}.`);
  }
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
  const { errors } = await here.gateway.query('{ webhooks { id } }');
  expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
});
