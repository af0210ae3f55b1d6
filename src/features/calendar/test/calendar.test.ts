import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import ical from 'ical.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { apiKeysOf, by } from '../../../../test/access/keys.ts';
import { csvObjects } from '../../../../test/support/csv.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway, type TestGateway } from '../../../../test/support/gateway.ts';
import { inJournal } from '../../../../test/support/stop-switch.ts';
import { as, openThree } from '../../../../test/tenants/accounts.ts';
import type { DomainName } from '../../../kernel/domain-name.ts';
import { systemClock } from '../../../lib/system.ts';
import { createLog } from '../../../observability/log.ts';

const create = `mutation ($input: CreateCalendarFeedInput!) { createCalendarFeed(input: $input) {
  feed { id name customer labels { name value } } secretPath errors { code message path } } }`;

const waiting = { timeout: 30_000, interval: 20 };

type Input = Readonly<Record<string, unknown>>;

/** Creates a feed, which must succeed. */
async function createFeed(
  gateway: TestGateway,
  headers: Record<string, string>,
  input: Input = {},
) {
  const { data } = await gateway.query(create, { input: { name: 'Expiry', ...input } }, headers);
  expect(data.createCalendarFeed.errors).toEqual([]);
  const { feed, secretPath } = data.createCalendarFeed;
  return { feed, path: secretPath as string };
}

const remove = async (gateway: TestGateway, name: string, id: string) => {
  const document = `mutation { deleteCalendarFeed(input: { id: "${id}" }) { deletedId errors { code } } }`;
  return (await gateway.query(document, {}, by(name))).data.deleteCalendarFeed;
};

const read = (gateway: TestGateway, path: string, init: RequestInit = {}) =>
  fetch(`${gateway.url}${path}`, init);

/** The days by the names of the domains. */
async function daysOf(gateway: TestGateway, path: string): Promise<Record<string, string>> {
  const response = await read(gateway, path);
  expect(response.status).toBe(200);
  const events = new ical.Component(ical.parse(await response.text())).getAllSubcomponents(
    'vevent',
  );
  return Object.fromEntries(
    events.map((event) => {
      // `ical.js` would search for exceptions in all other events.
      const { uid, startDate } = new ical.Event(event, { exceptions: [] });
      return [uid.split('@')[0], startDate.toString()];
    }),
  );
}

const namesOf = async (gateway: TestGateway, path: string) =>
  Object.keys(await daysOf(gateway, path));

/** Resolves when the domains were compared, after which feeds have their dates. */
const isCompared = (gateway: TestGateway, path: string) =>
  vi.waitFor(async () => expect((await read(gateway, path)).status).toBe(200), waiting);

describe('a gateway with a bound key', () => {
  const lines: string[] = [];
  let folder: string;
  let env: Record<string, string>;
  let gateway: TestGateway;
  let all: Awaited<ReturnType<typeof createFeed>>;
  let ofAcme: typeof all;

  const start = (keys: readonly string[]) => {
    const scopes = Object.fromEntries(keys.map((name) => [name, ['domains:read'] as const]));
    env = {
      ...{ DATA_DIR: join(folder, 'data'), METRICS_PORT: '0', EVENTS_INTERVAL_SECONDS: '86400' },
      RENEWALS_DAYS: '0',
      API_KEYS: apiKeysOf(scopes, { acme: 'acme', bolt: 'bolt' }),
    };
    const log = createLog({ level: 'debug', write: (line) => lines.push(line) });
    return startTestGateway({
      sandboxDomains: 1_000,
      sandboxListSize: 10_000,
      accountToken: null,
      env,
      log,
    });
  };
  const assign = (names: readonly string[], customer: string | null) =>
    inJournal(env, (journal, account) =>
      journal.customers.assign(account, names as readonly DomainName[], customer, new Date()),
    );

  beforeAll(async () => {
    folder = await newFolder('calendar');
    gateway = await start(['reseller', 'acme', 'bolt']);
    all = await createFeed(gateway, by('reseller'));
    ofAcme = await createFeed(gateway, by('acme'), { name: 'Acme' });
    await isCompared(gateway, all.path);
    // The last call of the first comparison.
    await vi.waitFor(
      async () => expect(await gateway.countCalls()).toHaveProperty('tldlist'),
      waiting,
    );
    await assign(['reseller-demo.com', 'unlocked-demo.com'], 'acme');
    await assign(['private-demo.net'], 'bolt');
  });
  beforeEach(() => gateway.resetCalls());
  afterAll(async () => {
    await gateway?.close();
    await rm(folder, { recursive: true });
  });

  test('the file has each domain of the list on its expiry date, for no upstream call', async () => {
    const days = await daysOf(gateway, all.path);
    const calls = await gateway.countCalls();
    const rows = csvObjects(
      await (await read(gateway, '/export/domains.csv', { headers: by('reseller') })).text(),
    );

    expect(calls).toEqual({});
    const lost = ['TRANSFERRED_OUT', 'TRANSFER_FAILED', 'DELETED', 'REDEMPTION'];
    const expected = rows.flatMap(({ name = '', state = '', expiresAt = '' }) =>
      expiresAt === '' || lost.includes(state) ? [] : [[name, expiresAt.slice(0, 10)]],
    );
    expect(expected.length).toBeGreaterThan(900);
    expect(expected.length).toBeLessThan(rows.length);
    expect(days).toEqual(Object.fromEntries(expected));
  });

  test('the creation and deletion of a feed cost no upstream call, and an unknown id is refused', async () => {
    const { feed, path } = await createFeed(gateway, by('reseller'), { customer: 'acme' });

    expect(feed).toMatchObject({ name: 'Expiry', customer: 'acme', labels: [] });
    expect(path).toMatch(/^\/calendar\.ics\?feed=[\w-]{43}$/);
    expect(await namesOf(gateway, path)).toEqual(['reseller-demo.com', 'unlocked-demo.com']);
    expect(await remove(gateway, 'reseller', feed.id)).toEqual({ deletedId: feed.id, errors: [] });
    expect(await remove(gateway, 'reseller', feed.id)).toMatchObject({
      errors: [{ code: 'NOT_FOUND' }],
    });
    expect(await gateway.countCalls()).toEqual({});
  });

  test('a deleted feed has the response of an unknown, broken or missing secret', async () => {
    const { feed, path } = await createFeed(gateway, by('reseller'));
    await remove(gateway, 'reseller', feed.id);
    const paths = [
      path,
      `${path.slice(0, -1)}_`,
      '/calendar.ics',
      '/calendar.ics?feed=',
      `/calendar.ics?feed=%00${'a'.repeat(2_000)}`,
    ];
    const responses = await Promise.all(
      paths.map(async (one) => {
        const response = await read(gateway, one, { headers: { 'x-request-id': 'the-same-id' } });
        return [response.status, await response.text()];
      }),
    );

    expect(responses[0]).toEqual([404, expect.stringContaining('"NOT_FOUND"')]);
    expect(new Set(responses.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  test('a poller receives 304 until a date or the selection changes, and HEAD has no body', async () => {
    const first = await read(gateway, ofAcme.path);
    const etag = first.headers.get('etag') ?? '';
    const same = await read(gateway, ofAcme.path, { headers: { 'if-none-match': etag } });
    const head = await read(gateway, ofAcme.path, { method: 'HEAD' });
    await assign(['unlocked-demo.com'], null);
    const changed = await read(gateway, ofAcme.path, { headers: { 'if-none-match': etag } });
    await assign(['unlocked-demo.com'], 'acme');

    expect(first.status).toBe(200);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-disposition': 'attachment; filename="calendar.ics"',
      'x-content-type-options': 'nosniff',
    });
    expect([same.status, await same.text()]).toEqual([304, '']);
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(etag);
    expect(await gateway.countCalls()).toEqual({});
  });

  test('other methods are refused', async () => {
    const { status, headers } = await read(gateway, all.path, { method: 'DELETE' });

    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('a feed of a bound key has the domains that its customer has now, and no others', {
    tags: ['C2'],
  }, async () => {
    expect(ofAcme.feed).toMatchObject({ customer: 'acme' });
    expect(await namesOf(gateway, ofAcme.path)).toEqual(['reseller-demo.com', 'unlocked-demo.com']);
    await assign(['reseller-demo.com'], 'bolt');
    expect(await namesOf(gateway, ofAcme.path)).toEqual(['unlocked-demo.com']);
    await assign(['reseller-demo.com'], 'acme');
  });

  test('a bound key sees and deletes the feeds of its customer only, and creates no other', {
    tags: ['C2'],
  }, async () => {
    const list = async (name: string, customer?: string) => {
      const argument = customer ? `(customer: "${customer}")` : '';
      const document = `{ calendarFeeds${argument} { id } node(id: "${ofAcme.feed.id}") { id } }`;
      return gateway.query(document, {}, by(name));
    };
    const { id } = ofAcme.feed;

    expect((await list('acme')).data).toEqual({ calendarFeeds: [{ id }], node: { id } });
    expect((await list('bolt')).data).toEqual({ calendarFeeds: [], node: null });
    expect((await list('bolt', 'acme')).errors).toMatchObject([
      { extensions: { code: 'FORBIDDEN' } },
    ]);
    expect(await remove(gateway, 'bolt', id)).toMatchObject({ errors: [{ code: 'NOT_FOUND' }] });
    expect((await list('reseller')).data).toEqual({
      calendarFeeds: [{ id: all.feed.id }],
      node: { id },
    });
    expect((await list('reseller', 'acme')).data.calendarFeeds).toEqual([{ id }]);
    const input = { name: 'Mine', customer: 'acme' };
    const { data } = await gateway.query(create, { input }, by('bolt'));
    expect(data.createCalendarFeed).toMatchObject({
      ...{ feed: null, secretPath: null },
      errors: [{ code: 'FORBIDDEN', path: ['input', 'customer'] }],
    });
  });

  test('a feed with labels has the domains that have all of them', async () => {
    await inJournal(env, (journal, account) =>
      journal.customers.label(
        account,
        [
          ['private-demo.net', 'team', 'blue'],
          ['private-demo.net', 'plan', 'gold'],
          ['private-demo.net', 'region', 'eu'],
          ['reseller-demo.com', 'team', 'blue'],
          ['reseller-demo.com', 'region', 'eu'],
          ['unlocked-demo.com', 'plan', 'gold'],
        ].map(([domain, name, value]) => ({ domain, name, value })) as never,
        new Date(),
      ),
    );
    const labels = [{ name: 'team', value: 'blue' }, { name: 'plan' }, { name: 'region' }];
    const { path } = await createFeed(gateway, by('reseller'), { labels });

    expect(await namesOf(gateway, path)).toEqual(['private-demo.net']);
  });

  test('each fault of an input is reported, and the 21st feed is refused', async () => {
    const wrong = { name: ' ', labels: [{ name: '' }], customer: ' acme' };
    const { data } = await gateway.query(create, { input: wrong }, by('reseller'));
    const fault = (...path: readonly string[]) => ({ code: 'INVALID_INPUT', path });
    expect(data.createCalendarFeed.errors).toMatchObject([
      ...[fault('input', 'name'), fault('input', 'customer'), fault('input', 'labels')],
    ]);

    for (let at = 0; at < 20; at += 1) await createFeed(gateway, by('bolt'), { name: `${at}` });
    const input = { name: 'One more' };
    const forBolt = { ...input, customer: 'bolt' };
    const { data: last } = await gateway.query(create, { input }, by('bolt'));
    const { data: ofReseller } = await gateway.query(create, { input: forBolt }, by('reseller'));
    for (const { createCalendarFeed } of [last, ofReseller]) {
      expect(createCalendarFeed).toMatchObject({
        secretPath: null,
        errors: [{ message: 'There are 20 feeds, which is the limit; delete one first.' }],
      });
    }
    await createFeed(gateway, by('reseller'), { ...input, customer: 'acme' });
  });

  test('the log, the metrics and the journal do not have the secret', async () => {
    const secret = all.path.split('=')[1] as string;
    lines.length = 0;
    await (await read(gateway, all.path)).text();
    await expect.poll(() => lines.join()).toContain('calendar.ics');
    const metrics = await (await fetch(`${gateway.metricsUrl}/metrics`)).text();
    const files = await readdir(env.DATA_DIR as string);
    const stored = await Promise.all(
      files.map((file) => readFile(join(env.DATA_DIR as string, file))),
    );

    expect(JSON.parse(lines.find((line) => line.includes('calendar.ics')) ?? '')).toMatchObject({
      ...{ route: 'export', file: 'calendar.ics', status: 200, upstreamCalls: 0 },
      caller: expect.stringMatching(/^calendar:[\w-]{36}$/),
    });
    expect(metrics).toContain('reseller_graph_');
    expect(stored.some((bytes) => bytes.includes(all.feed.name))).toBe(true);
    for (const text of [lines.join(), metrics, ...stored])
      expect(text.includes(secret)).toBe(false);
  });

  test('a feed remains when the key that created it is removed, until the reseller deletes it', async () => {
    await gateway.close();
    gateway = await start(['reseller']);

    expect(await namesOf(gateway, ofAcme.path)).toEqual(['reseller-demo.com', 'unlocked-demo.com']);
    await remove(gateway, 'reseller', ofAcme.feed.id);
    expect((await read(gateway, ofAcme.path)).status).toBe(404);
  });
});

test('without a comparison the file is refused, so that no calendar removes its entries', async () => {
  const gateway = await startTestGateway({ sandboxDomains: 3 });
  const { path } = await createFeed(gateway, {});
  const response = await read(gateway, path);
  const { errors } = (await response.json()) as { errors: unknown };
  await gateway.close();

  expect(response.status).toBe(503);
  expect(errors).toMatchObject([
    {
      message: expect.stringContaining('EVENTS_INTERVAL_SECONDS'),
      extensions: { code: 'UPSTREAM_UNAVAILABLE', executed: 'NO', retryable: true },
    },
  ]);
});

test('each feed has the domains of its tenant', { tags: ['C2'] }, async () => {
  const { gateway, accounts, close } = await openThree({
    env: { EVENTS_INTERVAL_SECONDS: '86400' },
  });
  for (const { tenant, held } of accounts) {
    const { path } = await createFeed(gateway, as(tenant));
    await isCompared(gateway, path);
    const names = await namesOf(gateway, path);

    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !held.has(name))).toEqual([]);
  }
  await close();
});

test('each feed has the rate limit of a caller', async () => {
  const gateway = await startTestGateway({
    // No token is added.
    clock: { ...systemClock, monotonicMs: () => 5_000 },
    sandboxDomains: 3,
    env: { RATE_LIMIT_PER_MINUTE: '1' },
  });
  const [one, other] = [await createFeed(gateway, {}), await createFeed(gateway, {})];
  const statusOf = async ({ path }: typeof one) => (await read(gateway, path)).status;
  const statuses: number[] = [];
  // A tenth of a call each, of the hundred that a caller can request at once.
  for (let at = 0; at < 1_001; at += 1) statuses.push(await statusOf(one));
  const last = [statuses.indexOf(429), await statusOf(other)];
  await gateway.close();

  expect(last).toEqual([1_000, 503]);
});
