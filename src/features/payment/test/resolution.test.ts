import { rm } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import { by } from '../../../../test/access/keys.ts';
import { ada } from '../../../../test/support/ada.ts';
import { openStream } from '../../../../test/support/event-stream.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { inJournal } from '../../../../test/support/stop-switch.ts';
import { globalId, keyOfId } from '../../../kernel/ids.ts';
import { createResolutionStore } from '../resolution-store.ts';
import { doubtful, made, openDoubtfulShop, type Payload } from './doubtful-shop.ts';

test('a purchase that a person found is SUCCEEDED, with who decided when and why, and no call is sent', async () => {
  const { doubt, resolve, purchase, calls, ask } = await openDoubtfulShop();
  const id = await doubt();
  expect((await purchase(id)).resolution).toBeNull();

  const { errors, purchase: resolved } = await resolve(id, 'BOUGHT', { note: ' Seen. ' });

  expect(errors).toEqual([]);
  expect(resolved).toMatchObject({
    ...{ state: 'SUCCEEDED', errors: [] },
    resolution: { outcome: 'BOUGHT', note: 'Seen.', by: 'boss', at: resolved.settledAt },
  });
  expect(await purchase(id)).toEqual(resolved);
  expect((await purchase(id, 'buyer')).resolution).toEqual({ ...resolved.resolution, by: null });
  expect(await calls()).toEqual({});
  const { auditLog } = await ask(
    'boss',
    '{ auditLog(first: 1) { nodes { operation domainName caller outcome upstreamCalls } } }',
  );
  expect(auditLog.nodes).toEqual([
    {
      ...{ operation: 'resolvePurchase', domainName: doubtful, caller: 'boss' },
      ...{ outcome: 'OK', upstreamCalls: 0 },
    },
  ]);
});

test('a purchase that a person did not find is FAILED, and no longer counts for spend limits', async () => {
  const limits = { SPEND_LIMITS: '{"perHour":1}' };
  const { doubt, resolve, calls, register } = await openDoubtfulShop(limits);
  const id = await doubt({ idempotencyKey: 'lost' });
  const limited = await register({ domain: 'next.com' });

  const { errors, purchase } = await resolve({ key: 'lost' }, 'NOT_BOUGHT');

  expect(limited.errors).toMatchObject([{ code: 'SPEND_LIMIT_EXCEEDED' }]);
  expect(errors).toEqual([]);
  expect(purchase).toMatchObject({
    ...{ id, state: 'FAILED', transfer: null, resolution: { outcome: 'NOT_BOUGHT' } },
    errors: [
      {
        ...{ code: 'NOT_BOUGHT', executed: 'NO', retryable: false },
        message: 'A person found that the registrar did not make this purchase.',
      },
    ],
  });
  expect((await calls()).registerdomain).toBeUndefined();
  expect((await register({ domain: 'next.com' })).purchase.state).toBe('SUCCEEDED');
});

test('a resolution is final: the same outcome returns it, and the other one is refused', async () => {
  const { doubt, resolve } = await openDoubtfulShop();
  const id = await doubt();
  const first = await resolve(id, 'NOT_BOUGHT');

  const again = await resolve(id, 'NOT_BOUGHT', { note: 'Other words.', name: 'second' });
  const other = await resolve(id, 'BOUGHT');

  expect(again).toEqual(first);
  expect(other).toMatchObject({
    purchase: null,
    errors: [
      {
        ...{ code: 'INVALID_INPUT', path: ['input', 'outcome'] },
        message:
          'This purchase is FAILED, because a person resolved it as NOT_BOUGHT. That is final; when the account has the domain, set its customer with `setDomainCustomer`.',
      },
    ],
  });
});

test('of many concurrent resolutions one outcome is decided, which is one event', async () => {
  const { doubt, resolve, purchase, ask } = await openDoubtfulShop({
    EVENTS_INTERVAL_SECONDS: '3600',
  });
  const id = await doubt();

  const all = await Promise.all(
    Array.from({ length: 12 }, async (_, at) => {
      const outcome = at % 2 === 0 ? 'BOUGHT' : 'NOT_BOUGHT';
      return [outcome, await resolve(id, outcome, { note: `Person ${at}.` })] as const;
    }),
  );

  const { state, resolution } = await purchase(id);
  expect(state).toBe(resolution.outcome === 'BOUGHT' ? 'SUCCEEDED' : 'FAILED');
  expect(Number(resolution.note.slice('Person '.length, -1)) % 2 === 0).toBe(state === 'SUCCEEDED');
  for (const [outcome, { errors, purchase: shown }] of all) {
    const isMade = outcome === resolution.outcome;
    expect([errors.length, shown?.state ?? null]).toEqual(isMade ? [0, state] : [1, null]);
  }
  const events = async () =>
    (
      await ask(
        'boss',
        '{ events(first: 9, filter: { types: [PURCHASE_SETTLED] }) { nodes { after { text } } } }',
      )
    ).events.nodes.map(({ after }: Payload) => after.text);
  await expect.poll(events).toEqual(['UNKNOWN', state]);
});

test('a resolution whose process ended before the purchase was moved does not count', async () => {
  const DATA_DIR = await newFolder('resolutions');
  onTestFinished(() => rm(DATA_DIR, { recursive: true, force: true }));
  const { doubt, resolve, purchase } = await openDoubtfulShop({ DATA_DIR });
  const id = await doubt();
  await inJournal({ DATA_DIR }, ({ database }, account) =>
    createResolutionStore(database).write(account, {
      ...{ purchaseId: keyOfId('Purchase', id) ?? '', outcome: 'NOT_BOUGHT', note: 'Lost.' },
      ...{ by: 'second', at: new Date() },
    }),
  );
  expect(await purchase(id)).toMatchObject({ state: 'UNKNOWN', resolution: null });

  const { errors, purchase: resolved } = await resolve(id, 'BOUGHT');
  const other = await resolve(id, 'NOT_BOUGHT');

  expect(errors).toEqual([]);
  expect(resolved.resolution).toMatchObject({ outcome: 'BOUGHT', by: 'boss' });
  expect(other.errors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'outcome'] }]);
});

test.each([
  ['SUCCEEDED', 'maple.com'],
  ['PENDING', doubtful],
])('a purchase that is %s is not resolved', async (state, domain) => {
  const { shop, register, resolve, purchase } = await openDoubtfulShop();
  if (state === 'PENDING') await shop.arm('reset', { action: 'registerdomain' });
  const { id } = (await register({ domain })).purchase;

  for (const outcome of ['BOUGHT', 'NOT_BOUGHT'] as const) {
    expect(await resolve(id, outcome)).toMatchObject({
      purchase: null,
      errors: [
        {
          ...{ code: 'INVALID_INPUT', path: ['input', 'purchase'], executed: 'NO' },
          message: `This purchase is ${state}, and only one that is UNKNOWN is resolved; read its \`nextStep\`.`,
        },
      ],
    });
  }
  expect(await purchase(id)).toMatchObject({ state, resolution: null });
});

test('an unknown purchase, a bad note and a key without the scope are refused', async () => {
  const { doubt, resolve, send, purchase } = await openDoubtfulShop();
  const id = await doubt();
  const refusal = async (by: string | object, note?: string) => {
    const { errors } = await resolve(by, 'BOUGHT', note === undefined ? {} : { note });
    return errors.map(({ code, path }: Payload) => `${code} ${path.join('.')}`);
  };
  const none = globalId('Purchase', '00000000-0000-4000-8000-000000000000');

  for (const by of ['none', none, { key: 'none' }]) {
    expect(await refusal(by)).toEqual(['NOT_FOUND input.purchase']);
  }
  for (const note of ['', ' \n ', 'a\u0007b', 'a\nb', 'x'.repeat(501)]) {
    expect(await refusal(id, note)).toEqual(['INVALID_INPUT input.note']);
  }
  const document = `mutation { resolvePurchase(input: {
    purchase: { id: "${id}" }, outcome: BOUGHT, note: "Mine." }) { errors { code } } }`;
  for (const name of ['buyer', 'acme'] as const) {
    expect((await send(name, document)).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
  }
  expect((await purchase(id)).state).toBe('UNKNOWN');
  expect((await resolve(id, 'BOUGHT', { note: 'x'.repeat(500) })).errors).toEqual([]);
});

test('a domain that was found is read again, belongs to its customer and is spent', async () => {
  const { shop, doubt, resolve, ask } = await openDoubtfulShop({ DOMAIN_MAX_AGE_SECONDS: '3600' });
  const read = async () => {
    await shop.gateway.resetCalls();
    const { domains, customers } = await ask(
      'boss',
      `{ domains(first: 100, filter: { customer: "bolt" }) { nodes { name } }
        customers { nodes { name spent { price { amount } } } } }`,
    );
    const [bolt = null] = customers.nodes;
    return { names: domains.nodes, bolt, calls: await shop.gateway.countCalls() };
  };
  const id = await doubt({ domain: made, customer: 'bolt' }, 'boss');
  await read();
  const cached = await read();

  await resolve(id, 'BOUGHT');

  expect(cached).toEqual({ names: [], bolt: null, calls: {} });
  expect(await read()).toEqual({
    names: [{ name: made }],
    bolt: { name: 'bolt', spent: [{ price: { amount: '22.5800' } }] },
    calls: { getdomainlist: 1, getdetails: 1 },
  });
});

test('a transfer that the registrar accepted and that ended without the domain is CANCELLED', async () => {
  const { shop, clock, transfer, purchase, resolve, ask } = await openDoubtfulShop({
    EVENTS_INTERVAL_SECONDS: '3600',
  });
  const { id, state } = await transfer('outside-lost.com');
  expect(state).toBe('IN_PROGRESS');
  await shop.arm('code', { action: 'getdetails', code: '101', times: 1_000 });
  clock.advance(15 * 24 * 3_600);
  const oneMinuteLater = async () => {
    clock.advance(61);
    return (await purchase(id)).state;
  };
  await expect.poll(oneMinuteLater, { timeout: 20_000, interval: 200 }).toBe('UNKNOWN');

  const { purchase: resolved } = await resolve(id, 'NOT_BOUGHT');

  expect(resolved).toMatchObject({
    ...{ state: 'FAILED', transfer: { stage: 'CANCELLED', refunded: null } },
    errors: [{ code: 'TRANSFER_CANCELLED', executed: 'YES', retryable: false }],
    resolution: { outcome: 'NOT_BOUGHT' },
  });
  const types = async () =>
    (await ask('boss', '{ events(first: 9) { nodes { type purchase { id } } } }')).events.nodes
      .filter(({ purchase: of }: Payload) => of?.id === id)
      .map(({ type }: Payload) => type);
  await expect.poll(types).toEqual(['PURCHASE_SETTLED', 'PURCHASE_SETTLED', 'TRANSFER_REJECTED']);
});

test('a client that follows the purchase afterwards gets the resolved one', async () => {
  const { shop, doubt, resolve } = await openDoubtfulShop();
  const id = await doubt();
  await resolve(id, 'BOUGHT');

  const query = 'subscription ($id: ID!) { purchaseSettled(id: $id) { state } }';
  const { url } = shop.gateway;
  const stream = await openStream(url, { query, variables: { id }, headers: by('buyer') });

  expect((await stream.next())?.data.data).toEqual({ purchaseSettled: { state: 'SUCCEEDED' } });
  stream.hangUp();
});

test('a line that was not bought is FAILED, is not bought again on its own, and is placed again by a retry', async () => {
  const { hideOutcomes, showOutcomes, clock, placeOrder, ask, resolve, calls } =
    await openDoubtfulShop();
  await hideOutcomes();
  const { order: placed } = await placeOrder({
    idempotencyKey: 'order',
    onFailure: 'STOP',
    lines: [{ registration: { domain: doubtful } }],
  });
  const readOrder = async (key: string) =>
    (
      await ask(
        'buyer',
        `{ order(by: { key: "${key}" }) { state finishedAt progress { waiting sending pending }
          lines { state purchase { id key } errors { code } } } }`,
      )
    ).order;
  await expect.poll(async () => (await readOrder('order')).lines[0].state).toBe('PENDING');
  clock.advance(16 * 60);
  const [{ purchase }] = (await readOrder('order')).lines;
  await ask('boss', `{ purchase(by: { id: "${purchase.id}" }) { state } }`);
  await showOutcomes();
  await expect
    .poll(() => readOrder('order'))
    .toMatchObject({ state: 'PARTIAL', lines: [{ state: 'UNKNOWN' }] });
  const retry = async (idempotencyKey: string) =>
    (
      await ask(
        'buyer',
        `mutation ($input: RetryOrderInput!) { retryOrder(input: $input) {
          order { id } errors { code message } } }`,
        { input: { by: { id: placed.id }, idempotencyKey, registrant: { fields: ada } } },
      )
    ).retryOrder;
  expect((await retry('early')).errors).toMatchObject([{ code: 'INVALID_INPUT' }]);

  const resolved = await resolve(purchase.id, 'NOT_BOUGHT');

  await expect
    .poll(() => readOrder('order'), { timeout: 20_000 })
    .toMatchObject({
      ...{ state: 'FAILED', finishedAt: resolved.purchase.settledAt },
      lines: [{ state: 'FAILED', purchase, errors: [{ code: 'NOT_BOUGHT' }] }],
    });
  expect((await calls()).registerdomain).toBe(1);
  expect((await retry('again')).errors).toEqual([]);
  await expect
    .poll(() => readOrder('again'))
    .toMatchObject({ state: 'SUCCEEDED', lines: [{ purchase: { key: 'again:0' } }] });
  expect((await calls()).registerdomain).toBe(2);
  expect((await readOrder('order')).lines[0].state).toBe('FAILED');
});
