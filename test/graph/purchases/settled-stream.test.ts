import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway } from '../../../src/app/compose.ts';
import { readConfig } from '../../../src/app/read-config.ts';
import { createLog } from '../../../src/observability/log.ts';
import { type EventStream, openStream } from '../../support/event-stream.ts';
import { newFolder } from '../../support/folder.ts';
import { openShop, operationFields, type Payload, type Shop } from './shop.ts';

let folder: string;
let shop: Shop;
const clean: (() => unknown)[] = [];
beforeAll(async () => {
  folder = await newFolder('settled-stream');
  shop = await openShop({ env: { DATA_DIR: folder } });
});
beforeEach(() => shop.gateway.resetCalls());
afterEach(async () => {
  for (const one of clean.splice(0).toReversed()) await one();
});
afterAll(async () => {
  await shop?.close();
  await rm(folder, { recursive: true, force: true });
});

const subscription = `subscription ($id: ID!) { purchaseSettled(id: $id) { ${operationFields} domain { name } } }`;

async function follow(id: string, method?: 'GET' | 'POST', url = shop.gateway.url) {
  const stream = await openStream(url, {
    query: subscription,
    variables: { id },
    ...(method && { method }),
  });
  clean.push(stream.hangUp);
  return stream;
}

/** A purchase whose reply is lost and that a read cannot find yet. */
async function buyInTheDark(domain: string, at = shop): Promise<Payload> {
  await at.arm('lost-answer', { action: 'registerdomain' });
  await at.arm('gateway', { action: 'getdetails', after: 1, times: 3 });
  const { purchase } = await at.register({ domain });
  expect(purchase.state).toBe('PENDING');
  await at.gateway.resetCalls();
  return purchase;
}

const isOver = { event: 'complete', data: null };
const rest = async (stream: EventStream) => (await stream.rest()).map(({ event }) => event);

describe('a subscription to a settled purchase sends it at once and completes,', () => {
  test.each(['GET', 'POST'] as const)('by %s', async (method) => {
    const { purchase } = await shop.register({ domain: `settled-${method.toLowerCase()}.com` });
    await shop.gateway.resetCalls();

    const stream = await follow(purchase.id, method);
    const events = await stream.rest();

    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(events).toEqual([
      {
        event: 'next',
        data: {
          data: { purchaseSettled: { ...purchase, domain: { name: purchase.domainName } } },
          extensions: {
            cost: { upstreamCalls: 1, limit: 200, storedRows: 2, storedRowsLimit: 5000 },
            upstream: expect.objectContaining({ byAction: { getdetails: 1 } }),
          },
        },
      },
      isOver,
    ]);
  });

  test('with the reason of a failed purchase', async () => {
    await shop.arm('code', { action: 'registerdomain', code: '2306' });
    const { purchase } = await shop.register({ domain: 'settled-refused.com' });

    const [next] = await (await follow(purchase.id)).rest();

    expect(next?.data.data.purchaseSettled).toEqual({ ...purchase, domain: null });
  });
});

test('a subscription to an open purchase sends it once when it settles, with the current domain', async () => {
  const purchase = await buyInTheDark('settled-later.com');
  const streams = [await follow(purchase.id), await follow(purchase.id)];
  const events = Promise.all(streams.map((stream) => stream.rest()));

  expect((await shop.purchase(purchase.id)).state).toBe('SUCCEEDED');

  for (const [next, ...more] of await events) {
    expect(next?.data.data.purchaseSettled).toMatchObject({
      id: purchase.id,
      state: 'SUCCEEDED',
      settledAt: expect.any(String),
      domain: { name: 'settled-later.com' },
    });
    expect(more).toEqual([isOver]);
  }
  // One to settle it, and one for `domain`, which both streams share.
  expect(await shop.gateway.countCalls()).toEqual({ getdetails: 2 });
});

test('a subscription receives a settlement by the reconciler of another gateway', async () => {
  const purchase = await buyInTheDark('settled-elsewhere.com');
  const stream = await follow(purchase.id);
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    DOMAIN_API_URL: `${shop.gateway.sandboxUrl}/domain-api`,
  });

  const other = await startGateway(config, { log: createLog({ level: 'warn' }) });
  clean.push(() => other.close());

  const [next, ...more] = await stream.rest();
  expect(next?.data.data.purchaseSettled).toMatchObject({ id: purchase.id, state: 'SUCCEEDED' });
  expect(more).toEqual([isOver]);
});

test.each([
  ['an unknown purchase', Buffer.from('Purchase:unknown').toString('base64url')],
  ['an id of another type', Buffer.from('Domain:a.com').toString('base64url')],
  ['no id at all', 'x'],
])('%s is an error that completes the subscription', async (_what, id) => {
  const stream = await follow(id);

  expect(stream.status).toBe(200);
  expect(await stream.rest()).toMatchObject([
    {
      event: 'next',
      data: {
        data: null,
        errors: [
          {
            message: 'This gateway has no such purchase.',
            path: ['purchaseSettled'],
            extensions: { code: 'NOT_FOUND', executed: 'NO' },
          },
        ],
      },
    },
    isOver,
  ]);
  expect(await shop.gateway.countCalls()).toEqual({});
});

test('a gateway that stops completes its subscriptions and does not wait for them', {
  tags: ['S7'],
}, async () => {
  const other = await openShop({ closeMs: 11_000 });
  clean.push(() => other.close());
  const { id } = await buyInTheDark('settled-never.com', other);
  const streams = [
    await follow(id, 'GET', other.gateway.url),
    await follow(id, 'POST', other.gateway.url),
  ];
  const ends = Promise.all(streams.map(rest));

  const startedMs = performance.now();
  await other.gateway.restart();

  expect(await ends).toEqual([['complete'], ['complete']]);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  expect(other.gateway.lines).toEqual([]);
});
