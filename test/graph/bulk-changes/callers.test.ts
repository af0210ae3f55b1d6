import { afterAll, beforeAll, expect, test } from 'vitest';
import { apiKeysOf, by } from '../../access/keys.ts';
import { openStream } from '../../support/event-stream.ts';
import type { Payload, Shop } from '../purchases/shop.ts';
import { changeDomains, codesOf, openChangeShop } from './change-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openChangeShop({
    env: {
      API_KEYS: apiKeysOf({
        writer: ['domains:write', 'domains:read'],
        rival: ['domains:write', 'domains:read'],
        blind: ['domains:write'],
        overseer: ['domains:write', 'ops'],
        watcher: ['ops'],
        reader: ['domains:read'],
      }),
    },
  });
});
afterAll(() => shop?.close());

const input = {
  idempotencyKey: 'mine',
  names: ['unlocked-demo.com'],
  change: { privacyProtected: true },
};
const send = (name: string, document: string) => shop.gateway.query(document, {}, by(name));

test('only its caller and callers with the scope ops can read a job, and no other can change it', async () => {
  const { bulkChange: job } = await changeDomains(shop, input, by('writer'));
  const reads = `{ bulkChange(by: { id: "${job.id}" }) { caller } byKey: bulkChange(by: { key: "mine" }) { caller }
    node(id: "${job.id}") { id } bulkChanges { totalCount nodes { caller } } }`;
  const changes = `mutation { cancelBulkChange(input: { id: "${job.id}" }) { errors { code } }
    retryBulkChange(input: { key: "mine" }) { errors { code } } }`;
  const none = {
    ...{ bulkChange: null, byKey: null, node: null },
    bulkChanges: { totalCount: 0, nodes: [] },
  };
  const all = (caller: string | null) => ({
    ...{ bulkChange: { caller }, byKey: { caller }, node: { id: job.id } },
    bulkChanges: { totalCount: 1, nodes: [{ caller }] },
  });
  const query = `subscription { bulkChangeProgress(id: "${job.id}") { bulkChange { key } } }`;
  const stream = await openStream(shop.gateway.url, { query, headers: by('rival') });

  expect((await send('writer', reads)).data).toEqual(all(null));
  expect((await send('overseer', reads)).data).toEqual(all('writer'));
  expect((await send('watcher', reads)).data).toEqual(all('writer'));
  expect((await send('rival', reads)).data).toEqual(none);
  expect((await send('rival', changes)).data).toEqual({
    cancelBulkChange: { errors: [{ code: 'NOT_FOUND' }] },
    retryBulkChange: { errors: [{ code: 'NOT_FOUND' }] },
  });
  expect((await send('reader', reads)).errors).toHaveLength(4);
  const [event] = await stream.rest();
  expect(event?.data.errors[0].extensions.code).toBe('NOT_FOUND');
});

test('an idempotency key of another caller is a conflict, and the job of that caller stays hidden', async () => {
  await changeDomains(shop, input, by('writer'));

  const refused = await changeDomains(shop, input, by('rival'));

  expect(refused).toMatchObject({ bulkChange: null, replayed: false });
  expect(codesOf(refused)).toEqual(['IDEMPOTENCY_CONFLICT']);
  expect(refused.errors[0].message).toContain('belongs to a bulk change of another caller');
});

test('the list takes the filter `caller` only with ops, and filters by creation time', async () => {
  const count = async (name: string, filter: string): Promise<Payload> => {
    const { data, errors } = await send(name, `{ bulkChanges(filter: ${filter}) { totalCount } }`);
    return errors ? errors[0].extensions.code : data.bulkChanges.totalCount;
  };

  expect(await count('writer', '{ caller: "writer" }')).toBe('FORBIDDEN');
  expect(await count('watcher', '{ caller: "writer" }')).toBe(1);
  expect(await count('watcher', '{ caller: "rival" }')).toBe(0);
  expect(await count('watcher', '{ created: { from: "2100-01-01" } }')).toBe(0);
  expect(await count('watcher', '{ created: { until: "2100-01-01" } }')).toBe(1);
});

test('without domains:read a filter is refused, and a preview of names shows no values', async () => {
  await shop.gateway.resetCalls();
  const filtered = `filter: { contains: "demo" }, change: { sync: true }`;
  const refused = await send(
    'blind',
    `mutation { changeDomains(input: { idempotencyKey: "blind", expectedCount: 1, ${filtered} }) {
      bulkChange { id } errors { code path } } }`,
  );
  const seen = await send(
    'blind',
    `{ previewBulkChange(${filtered}) { count errors { code path } } }`,
  );
  const calls = await shop.gateway.countCalls();
  const values = await send(
    'blind',
    `{ previewBulkChange(names: ["unlocked-demo.com"], change: { sync: true }) {
      count sample { domainName before { status } } } }`,
  );

  expect(refused.data.changeDomains).toEqual({
    bulkChange: null,
    errors: [{ code: 'FORBIDDEN', path: ['input', 'filter'] }],
  });
  expect(seen.data.previewBulkChange).toEqual({
    count: null,
    errors: [{ code: 'FORBIDDEN', path: ['filter'] }],
  });
  expect(calls).toEqual({});
  expect(values.data.previewBulkChange.sample).toEqual([
    { domainName: 'unlocked-demo.com', before: null },
  ]);
  expect(values.errors[0].extensions.code).toBe('FORBIDDEN');
});
