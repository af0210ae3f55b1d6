import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStream } from '../../support/event-stream.ts';
import { placeOrder, registration } from '../orders/order-shop.ts';
import type { Payload, Shop } from '../purchases/shop.ts';
import {
  cancelChange,
  changeDomains,
  codesOf,
  itemOf,
  namesIn,
  openChangeShop,
  preview,
  progressOf,
  readJob,
  retryChange,
  runChange,
  waitForJob,
} from './change-shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openChangeShop({ sandboxListSize: 0, env: { JOB_CONCURRENCY: '2' } });
});
afterAll(() => shop?.close());
beforeEach(() => shop.gateway.admin('DELETE', '/faults'));

const hosts = (label: string) => ({
  setNameServers: [`ns1.${label}.net`, `ns2.${label}.net`],
});
const stateOf = (job: Payload) => job.items.map(({ state }: Payload) => state);

const progress = `subscription ($id: ID!) { bulkChangeProgress(id: $id) {
  bulkChange { id state progress { waiting running succeeded cancelled } }
  changed { domainName state after { nameServers } } } }`;
const follow = (id: string) => openStream(shop.gateway.url, { query: progress, variables: { id } });

describe('a domain', () => {
  test('that has the value already costs one read, and nothing is sent', async () => {
    const job = await runChange(shop, {
      names: ['reseller-demo.com'],
      change: { setNameServers: ['NS2.reseller-demo.com', 'ns1.reseller-demo.com'] },
    });

    expect(job).toMatchObject({ state: 'SUCCEEDED', progress: { unchanged: 1, succeeded: 0 } });
    const both = { nameServers: ['ns1.reseller-demo.com', 'ns2.reseller-demo.com'] };
    expect(job.items).toMatchObject([
      { state: 'UNCHANGED', before: both, after: both, errors: [] },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 1 });
  });

  test('that is unchanged beside one that failed makes the job PARTIAL', async () => {
    const names = ['not-ours-at-all.com', 'reseller-demo.com'];

    const job = await runChange(shop, { names, change: { privacyProtected: false } });

    expect([job.state, stateOf(job)]).toEqual(['PARTIAL', ['FAILED', 'UNCHANGED']]);
  });

  test('that the account does not have is FAILED after one read', async () => {
    const job = await runChange(shop, {
      names: ['not-ours-at-all.com', 'unlocked-demo.com'],
      change: hosts('unknown-name'),
    });

    expect(job.state).toBe('PARTIAL');
    expect(stateOf(job)).toEqual(['FAILED', 'SUCCEEDED']);
    expect(job.items[0].errors).toMatchObject([
      { code: 'NOT_FOUND', message: 'The account has no such domain.', path: null, executed: 'NO' },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 2, modifynameserver: 1 });
  });

  test('gets privacy protection, and its value before, sent in a new job, undoes that', async () => {
    const names = ['unlocked-demo.com', 'private-demo.net'];

    const job = await runChange(shop, { names, change: { privacyProtected: true } });
    const calls = await shop.gateway.countCalls();
    const {
      nameServers: _none,
      status: _no,
      transferLocked: _other,
      ...before
    } = job.items[0].before;
    const undone = await runChange(shop, { names: names.slice(0, 1), change: before });

    expect(job.change).toMatchObject({ setNameServers: null, privacyProtected: true, sync: null });
    expect(stateOf(job)).toEqual(['SUCCEEDED', 'UNCHANGED']);
    expect(calls).toEqual({ getdetails: 2, modifyprivacystatus: 1 });
    expect(before).toEqual({ privacyProtected: false });
    expect(undone.items).toMatchObject([
      {
        state: 'SUCCEEDED',
        before: { privacyProtected: true },
        after: { privacyProtected: false },
      },
    ]);
    expect((await shop.rows('unlocked-demo.com'))[0].privacy).toBe(false);
  });

  test('is synchronised with one read and one call, and shows both statuses', async () => {
    const job = await runChange(shop, { names: ['drifted-demo.com'], change: { sync: true } });

    expect(job.items).toMatchObject([
      {
        state: 'SUCCEEDED',
        before: { status: 'Active', nameServers: null, privacyProtected: null },
        after: { status: 'clientTransferProhibited' },
      },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 1, syncfromregistry: 1 });
    expect((await shop.rows('drifted-demo.com'))[0].locked).toBe(true);
  });

  test('whose name server the registry refuses has an error with the path of the change', async () => {
    await shop.arm('code', { action: 'modifynameserver', code: 'API_2303_ERROR' });

    const job = await runChange(shop, { names: ['unlocked-demo.com'], change: hosts('refused') });

    expect(job.state).toBe('FAILED');
    expect(job.items[0]).toMatchObject({
      after: null,
      before: { nameServers: ['ns1.unknown-name.net', 'ns2.unknown-name.net'] },
      errors: [{ path: ['input', 'change', 'setNameServers'], executed: 'NO' }],
    });
  });
});

describe('a job in progress', () => {
  const names = ['unlocked-demo.com', 'private-demo.net', 'expiring-demo.com', 'grace-demo.com'];
  const hold = () => shop.arm('hold-before', { action: 'modifynameserver', times: 2 });
  const release = () => shop.gateway.admin('POST', '/release', {});
  const untilHeld = async () => {
    while (((await shop.gateway.admin('GET', '/held')) as Payload).held < 2) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  test('that is cancelled ends the domains that wait, and the others go on; a retry sends the rest', async () => {
    await hold();
    const { bulkChange: job } = await changeDomains(shop, { names, change: hosts('cancelled') });
    await untilHeld();
    const { cancelled, bulkChange: stopped } = await cancelChange(shop, { key: job.key });
    await release();
    const ended = await waitForJob(shop, job.id);
    const again = await cancelChange(shop, job.id);
    const calls = await shop.gateway.countCalls();
    const { retried, bulkChange: restarted, errors } = await retryChange(shop, { key: job.key });
    const finished = await waitForJob(shop, job.id);
    const nothing = await retryChange(shop, { key: job.key });

    expect(cancelled).toBe(2);
    expect(stopped).toMatchObject({ state: 'RUNNING', progress: { running: 2, cancelled: 2 } });
    expect(ended.state).toBe('STOPPED');
    expect(stateOf(ended)).toEqual(['SUCCEEDED', 'SUCCEEDED', 'CANCELLED', 'CANCELLED']);
    expect(calls).toEqual({ getdetails: 2, modifynameserver: 2 });
    expect(again).toMatchObject({
      cancelled: null,
      errors: [{ code: 'INVALID_INPUT', path: ['input', 'id'] }],
    });
    expect([retried, restarted.state, errors]).toEqual([2, 'RUNNING', []]);
    expect(finished).toMatchObject({ state: 'SUCCEEDED', finishedAt: expect.any(String) });
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 4, modifynameserver: 4 });
    expect(nothing).toMatchObject({ retried: null, errors: [{ path: ['input', 'key'] }] });
  });

  test('streams its progress until its end', async () => {
    await hold();
    const { bulkChange: job } = await changeDomains(shop, { names, change: hosts('streamed') });
    await untilHeld();
    const stream = await follow(job.id);
    const first = await stream.next();
    await release();
    const rest = await progressOf(stream);

    expect(first?.data.data.bulkChangeProgress).toEqual({
      bulkChange: {
        id: job.id,
        state: 'RUNNING',
        progress: { waiting: 2, running: 2, succeeded: 0, cancelled: 0 },
      },
      changed: [],
    });
    const last = new Map(
      rest.flatMap(({ changed }) => changed.map((one: Payload) => [one.domainName, one])),
    );
    expect([...last.values()]).toMatchObject(
      names.map((domainName) => ({
        domainName,
        state: 'SUCCEEDED',
        after: { nameServers: hosts('streamed').setNameServers },
      })),
    );
    expect(rest.at(-1)?.bulkChange).toMatchObject({
      state: 'SUCCEEDED',
      progress: { waiting: 0, running: 0, succeeded: 4 },
    });
    expect(await progressOf(await follow(job.id))).toEqual([{ ...rest.at(-1), changed: [] }]);
  });

  test('has no end time before its end', async () => {
    await hold();
    const { bulkChange: job } = await changeDomains(shop, {
      names: names.slice(0, 2),
      change: hosts('ends'),
    });
    await untilHeld();
    const running = await readJob(shop, job.id);
    await release();
    const ended = await waitForJob(shop, job.id);

    expect(running).toMatchObject({
      finishedAt: null,
      items: [{ state: 'RUNNING', endedAt: null }, {}],
    });
    const ends = ended.items.map(({ endedAt }: Payload) => endedAt).toSorted();
    expect(ended.finishedAt).toBe(ends[1]);
  });
});

test('an order is no job that changes domains', async () => {
  const { order } = await placeOrder(shop, { lines: [registration('an-order.com')] });
  const key = Buffer.from(order.id, 'base64url').toString().replace('Order:', '');
  const id = Buffer.from(`BulkChange:${key}`).toString('base64url');

  expect(await readJob(shop, id)).toBeNull();
  expect(codesOf(await cancelChange(shop, id))).toEqual(['NOT_FOUND']);
});

test('concurrent requests with one key create one job', async () => {
  // All of them look for the key before the list arrives.
  await shop.arm('delay', { action: 'getdomainlist', ms: 200, times: 5 });
  const input = {
    ...{ idempotencyKey: 'at-once', filter: { contains: 'private-demo' }, expectedCount: 1 },
    change: hosts('at-once'),
  };

  const all = await Promise.all(Array.from({ length: 5 }, () => changeDomains(shop, input)));
  const [first] = all;
  await waitForJob(shop, first.bulkChange.id);

  expect(new Set(all.map(({ bulkChange: job }) => job.id)).size).toBe(1);
  expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1);
});

test.each([
  ['an id of another type', Buffer.from('Order:unknown').toString('base64url')],
  ['an unknown job', Buffer.from('BulkChange:unknown').toString('base64url')],
])('%s is null, and an error where it is to be changed', async (_what, id) => {
  const events = await (await follow(id)).rest();

  expect(await readJob(shop, id)).toBeNull();
  expect(await cancelChange(shop, id)).toMatchObject({
    bulkChange: null,
    errors: [{ code: 'NOT_FOUND' }],
  });
  expect(codesOf(await retryChange(shop, id))).toEqual(['NOT_FOUND']);
  expect(events[0]?.data.errors[0].extensions.code).toBe('NOT_FOUND');
});

describe('the domains of a filter', () => {
  const filter = { contains: 'demo', tlds: ['org'] };

  test('are the count and the sample of the preview, and then those of the job', async () => {
    const change = hosts('filtered');
    const seen = await preview(shop, { filter, change });
    const previewCalls = await shop.gateway.countCalls();
    const job = await runChange(shop, { filter, expectedCount: seen.count, change });
    const later = await preview(shop, { filter, change });

    expect(previewCalls).toEqual({ getdomainlist: 1 });
    expect(seen).toMatchObject({
      count: 2,
      unchanged: 0,
      coverage: { complete: true },
      errors: [],
    });
    const noOther = { privacyProtected: null, transferLocked: null, status: null };
    expect(seen.sample).toEqual(
      ['lowercase-demo.org', 'restoring-demo.org'].map((domainName) => ({
        domainName,
        before: { nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'], ...noOther },
        after: { nameServers: hosts('filtered').setNameServers, ...noOther },
      })),
    );
    expect(job.items.map(({ domainName }: Payload) => domainName)).toEqual([
      'lowercase-demo.org',
      'restoring-demo.org',
    ]);
    expect(stateOf(job)).toEqual(['SUCCEEDED', 'FAILED']);
    expect(later.unchanged).toBe(1);
  });

  test('replay their job, although the filter matches others now', async () => {
    const input = {
      idempotencyKey: 'filtered',
      filter: { privacyProtected: true, expires: { from: '2020-01-01' } },
      change: { privacyProtected: false },
    };
    const { count } = await preview(shop, { filter: input.filter, change: input.change });
    await runChange(shop, { ...input, expectedCount: count });

    const again = await changeDomains(shop, { ...input, expectedCount: count });
    const other = await changeDomains(shop, {
      ...input,
      ...{ filter: { ...input.filter, expires: { from: '2020-01-02' } }, expectedCount: count },
    });

    expect(count).toBeGreaterThan(0);
    expect(again).toMatchObject({ replayed: true, errors: [] });
    expect(codesOf(other)).toEqual(['IDEMPOTENCY_CONFLICT']);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('that matches nothing refuse the job', async () => {
    const none = { contains: 'no-such-name' };

    const refused = await changeDomains(shop, {
      filter: none,
      expectedCount: 0,
      change: { sync: true },
    });
    const seen = await preview(shop, { filter: none, change: { sync: true } });

    const error = {
      code: 'INVALID_INPUT',
      message: 'The filter matches no domain of the account.',
    };
    expect(refused).toMatchObject({
      bulkChange: null,
      errors: [{ ...error, path: ['input', 'filter'] }],
    });
    expect(seen).toMatchObject({ count: 0, sample: [], errors: [{ ...error, path: ['filter'] }] });
  });

  test('of another number refuse the job, and nothing is sent', async () => {
    const refused = await changeDomains(shop, { filter, expectedCount: 3, change: { sync: true } });

    expect(refused).toMatchObject({
      bulkChange: null,
      errors: [
        {
          path: ['input', 'expectedCount'],
          message: '"expectedCount" is 3, and the bulk change has 2 domains. Nothing was sent.',
        },
      ],
    });
    expect(await shop.gateway.countCalls()).toEqual({ getdomainlist: 1 });
  });
});

describe('the preview counts the domains whose state does not allow the change', () => {
  test('by state, and as many are FAILED for it', async () => {
    const change = { setNameServers: ['ns1.refused.net', 'ns2.refused.net'] };
    const [active = ''] = await namesIn(shop, ['ACTIVE']);
    const deleted = await namesIn(shop, ['DELETED']);
    const others = await namesIn(shop, [
      ...['PENDING_REGISTRATION', 'PENDING_TRANSFER_IN', 'PENDING_TRANSFER_OUT', 'REDEMPTION'],
      ...['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'OTHER'],
    ]);
    const names = [active, ...deleted, ...others];

    const seen = await preview(shop, { names, change });
    const job = await runChange(shop, { names, change });
    const refused = job.items.filter(({ state }: Payload) => state === 'FAILED');

    expect(deleted.length).toBeGreaterThan(0);
    expect(seen.refusals).toContainEqual({ state: 'DELETED', count: deleted.length });
    expect(seen.refused).toBe(refused.length);
    expect(refused.length).toBeGreaterThan(deleted.length);
    // A registration that waits for a document or a confirmation allows changes.
    expect(refused.length).toBeLessThan(names.length - 1);
  });

  test('but not for a synchronisation, which is a read', async () => {
    const names = await namesIn(shop, ['DELETED']);

    expect(await preview(shop, { names, change: { sync: true } })).toMatchObject({
      refused: 0,
      refusals: [],
    });
  });
});

test('a preview without names and filter is an error, which a client without `errors` reads too', async () => {
  const { data, errors } = await shop.gateway.query(
    '{ previewBulkChange(change: { sync: true }) { count } }',
  );

  expect(data.previewBulkChange).toBeNull();
  expect(errors).toMatchObject([
    { message: 'Send either "names" or "filter".', extensions: { code: 'INVALID_INPUT' } },
  ]);
});

test('a preview has a sample of ten domains', async () => {
  const seen = await preview(shop, { filter: {}, change: { sync: true } });

  expect(seen.count).toBeGreaterThan(10);
  expect(seen.sample).toHaveLength(10);
});

test('the cached list of domains shows a change as soon as the job has ended', async () => {
  const cached = await openChangeShop({ env: { DOMAIN_MAX_AGE_SECONDS: '3600' } });
  try {
    const countHidden = async () => {
      const { data } = await cached.gateway.query(
        '{ domains(filter: { privacyProtected: true, contains: "unlocked-demo.com" }) { totalCount } }',
      );
      return data.domains.totalCount;
    };
    const before = await countHidden();
    await runChange(cached, { names: ['unlocked-demo.com'], change: { privacyProtected: true } });

    expect([before, await countHidden()]).toEqual([0, 1]);
  } finally {
    await cached.close();
  }
});

test('the preview of names has their values, and null for a name that the list does not have', async () => {
  const seen = await preview(shop, {
    names: ['Reseller-Demo.com', 'not-ours-at-all.com'],
    change: { privacyProtected: false },
  });

  expect(seen).toMatchObject({
    count: 2,
    unchanged: 1,
    sample: [
      { domainName: 'reseller-demo.com', before: { privacyProtected: false } },
      { domainName: 'not-ours-at-all.com', before: null },
    ],
  });
});

describe('a job is refused without an upstream call', () => {
  const change = { sync: true };
  const many = Array.from({ length: 2000 }, (_, at) => `name-${at}.com`);

  test.each<[string, Parameters<typeof changeDomains>[1], readonly string[], string]>([
    ['without domains', { expectedCount: 0, change }, ['input'], 'Send either'],
    ['with both', { names: ['a.com'], filter: {}, change }, ['input'], 'Send either'],
    ['with no name', { names: [], change }, ['input', 'names'], '1 to 2000 domains'],
    ['with no domain name', { names: ['a.com', 'x y'], change }, ['input', 'names', '1'], '"x y"'],
    [
      'with a name twice',
      { names: ['a.com', 'b.com', 'A.COM.'], change },
      ['input', 'names', '2'],
      'a.com is at position 0 of "names" already.',
    ],
    [
      'with another number',
      { names: many, expectedCount: 1999, change },
      ['input', 'expectedCount'],
      'has 2000 domains',
    ],
    [
      'with no host name',
      { names: ['a.com'], change: { setNameServers: ['ns1.a.net', 'x'] } },
      ['input', 'change', 'setNameServers', '1'],
      'has no TLD',
    ],
    [
      'with no name server',
      { names: ['a.com'], change: { setNameServers: [] } },
      ['input', 'change', 'setNameServers'],
      '1 to 13',
    ],
    [
      'with `sync: false`',
      { names: ['a.com'], change: { sync: false } },
      ['input', 'change', 'sync'],
      'must be true',
    ],
    [
      'with a blank key',
      { idempotencyKey: ' ', names: ['a.com'], change },
      ['input', 'idempotencyKey'],
      '1 to 200',
    ],
  ])('%s', async (_what, input, path, message) => {
    const { bulkChange: job, replayed, errors } = await changeDomains(shop, input);

    expect([job, replayed]).toEqual([null, false]);
    expect(errors).toMatchObject([
      { code: 'INVALID_INPUT', path, message: expect.stringContaining(message) },
    ]);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('with every fault of the input together, also in the preview', async () => {
    const input = { names: ['x y', 'a.com', 'a.com'], change: { setNameServers: ['none'] } };

    const { errors } = await changeDomains(shop, input);
    const seen = await preview(shop, input);

    expect(errors.map(({ path }: Payload) => path)).toEqual([
      ['input', 'change', 'setNameServers', '0'],
      ['input', 'names', '0'],
      ['input', 'names', '2'],
    ]);
    expect(seen).toMatchObject({ count: null, unchanged: null, coverage: null, sample: [] });
    expect(seen.errors.map(({ path }: Payload) => path)).toEqual([
      ['change', 'setNameServers', '0'],
      ['names', '0'],
      ['names', '2'],
    ]);
    expect(await shop.gateway.countCalls()).toEqual({});
  });

  test('with two changes at once', async () => {
    const { errors } = await shop.gateway.query(
      `mutation { changeDomains(input: { idempotencyKey: "k", names: ["a.com"], expectedCount: 1,
        change: { sync: true, privacyProtected: true } }) { replayed } }`,
    );

    expect(errors[0].message).toContain('Exactly one');
    expect(await shop.gateway.countCalls()).toEqual({});
  });
});

describe('the domains of a job', () => {
  const names = ['b-page.com', 'a-page.com', 'unlocked-demo.com', 'c-page.com'];
  let id: string;
  beforeAll(async () => {
    id = (await runChange(shop, { names, change: hosts('paged') })).id;
  });

  const read = async (args: string) => {
    const document = `query ($id: ID!) { bulkChange(by: { id: $id }) { items(${args}) { cursor domainName } } }`;
    const { data, errors } = await shop.gateway.query(document, { id });
    return { errors, items: data?.bulkChange?.items ?? [] };
  };
  const named = async (args: string) =>
    (await read(args)).items.map(({ domainName }: Payload) => domainName);

  test('are read in pages and by their states, in the order of the input', async () => {
    const [first, second] = (await read('first: 2')).items;
    expect([first.domainName, second.domainName]).toEqual(names.slice(0, 2));
    expect(await named(`first: 2, after: "${second.cursor}"`)).toEqual(names.slice(2));
    expect(await named(`states: [FAILED], after: "${first.cursor}", first: 1`)).toEqual([
      'a-page.com',
    ]);
    expect(await named('states: [SUCCEEDED]')).toEqual(['unlocked-demo.com']);
    expect(await named('first: 0')).toEqual([]);
  });

  test('have an error for a page that cannot be', async () => {
    const [size] = (await read('first: 501')).errors;
    const [cursor] = (await read('after: "other.com"')).errors;

    expect(size.message).toBe('"first" must be from 0 to 500; it is 501.');
    expect(cursor.message).toMatch(/^"after" is not a cursor of this list/);
  });

  test('keep their results when they are read by key, as a node, or in the list', async () => {
    const document = `query ($id: ID!, $key: String!) {
      bulkChange(by: { key: $key }) { id } node(id: $id) { ... on BulkChange { id state } }
      bulkChanges(first: 1) { totalCount pageInfo { hasNextPage endCursor } nodes { id } } }`;
    const { key } = await readJob(shop, id);
    const { data } = await shop.gateway.query(document, { id, key: ` ${key} ` });
    const { pageInfo, totalCount, nodes } = data.bulkChanges;
    const next = await shop.gateway.query(
      'query ($after: String) { bulkChanges(first: 20, after: $after) { nodes { id } } }',
      { after: pageInfo.endCursor },
    );

    expect(data.bulkChange).toEqual({ id });
    expect(data.node).toEqual({ id, state: 'PARTIAL' });
    expect(nodes).toEqual([{ id }]);
    expect(pageInfo.hasNextPage).toBe(true);
    expect(next.data.bulkChanges.nodes).toHaveLength(totalCount - 1);
    expect(itemOf(await readJob(shop, id), 'unlocked-demo.com').state).toBe('SUCCEEDED');
  });
});
