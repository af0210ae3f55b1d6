import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openStream, type StreamEvent } from '../../support/event-stream.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { checkSizes, followDocument, label, nameOf, searchDocument } from './searching.ts';

const gateway = await startTestGateway({ sandboxDomains: 5 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const selection = 'suggested availability { state }';
const query = searchDocument(selection, '@stream');
const tlds = ['com', 'museum', 'net', 'io', 'shop', 'tr'];
const variables = { label, tlds, suggestions: 2 };
const results = [
  ...tlds.map((tld) => [`maple-harbor.${tld}`, false] as const),
  ...['mapleharbor.com', 'get-maple-harbor.com'].map((name) => [name, true] as const),
].map(([name, suggested]) => ({
  suggested,
  availability: { name, state: name.endsWith('.museum') ? 'INVALID' : 'AVAILABLE' },
}));
const complete = { event: 'complete', data: null };

const byName = (list: readonly Parameters<typeof nameOf>[0][]) =>
  list.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
const itemsOf = (parts: readonly StreamEvent['data'][]) =>
  parts.flatMap(({ incremental = [] }) =>
    incremental.flatMap(({ items }: { items: StreamEvent['data'][] }) => items ?? []),
  );

/** The data of the events, and the last event, which has none. */
async function follow(request: object) {
  const events = await (await openStream(gateway.url, { query, variables, ...request })).rest();
  return { parts: events.slice(0, -1).map(({ data }) => data), end: events.at(-1) };
}
const send = (accept: string, more: object = {}) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables, ...more }),
  });

describe('@stream', () => {
  test('in an event stream sends each result once, as soon as it is known', async () => {
    const { parts, end } = await follow({});

    expect(parts[0]).toMatchObject({ data: { searchDomains: [] }, hasNext: true });
    expect(parts.at(-1)).toMatchObject({ hasNext: false });
    expect(byName(itemsOf(parts))).toEqual(byName(results));
    expect(end).toEqual(complete);
    // The final part reports all upstream calls.
    expect(parts.map((part) => 'extensions' in part)).toEqual(
      parts.map((_, at) => at === parts.length - 1),
    );
    const all: { action: string; batch?: number }[] = parts.at(-1)?.extensions.upstream.list;
    const checks = all.filter(({ action }) => action !== 'tldlist');
    expect(checks.map(({ batch = 1 }) => batch).toSorted()).toEqual(
      (await checkSizes(gateway)).toSorted(),
    );
    expect(all).toHaveLength(checks.length + 1);
  });

  test('sends positions that restore the order of the list', async () => {
    const { parts } = await follow({ query: searchDocument(`${selection} position`, '@stream') });

    const own = itemsOf(parts).filter(({ suggested }) => !suggested);
    expect(own.toSorted((one, other) => one.position - other.position).map(nameOf)).toEqual(
      tlds.map((tld) => `${label}.${tld}`),
    );
  });

  test('works as multipart', async () => {
    const response = await send('multipart/mixed, application/json');

    expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed/);
    const lines = (await response.text()).split('\r\n').filter((line) => line.startsWith('{'));
    const parts = lines.map((line) => JSON.parse(line));
    expect(parts[0]).toMatchObject({ data: { searchDomains: [] }, hasNext: true });
    expect(byName(itemsOf(parts))).toEqual(byName(results));
  });

  test('sends a first result while other names are still being checked', async () => {
    const domain = 'maple-harbor.tr';
    await gateway.admin('POST', '/faults', { fault: 'hold-before', domain, times: 2 });

    const stream = await openStream(gateway.url, {
      query: searchDocument(selection, '@stream(initialCount: 1)'),
      variables: { label, tlds },
    });
    const first = await stream.next();
    const held = await gateway.admin('GET', '/held');
    await gateway.admin('DELETE', '/faults');
    await gateway.admin('POST', '/release', {});
    const rest = await stream.rest();

    expect(first?.data.data.searchDomains).toHaveLength(1);
    expect(held).toEqual({ held: 1 });
    expect(itemsOf(rest.slice(0, -1).map(({ data }) => data))).toHaveLength(tlds.length - 1);
  });

  test.each([
    ['application/json', {}],
    ['application/graphql-response+json', {}],
    ['*/*', {}],
    [
      'multipart/mixed, application/json',
      { query: searchDocument(selection, '@stream(if: false)') },
    ],
  ])('returns the complete list in order for %s %j', async (accept, more) => {
    const response = await send(accept, more);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
    expect((await response.json()).data).toEqual({ searchDomains: results });
  });
});

describe('the subscription searchDomains', () => {
  const followed = (more: object = {}) =>
    follow({ query: followDocument(selection), variables: { ...variables, ...more } });

  test('sends one event per result and completes', async () => {
    const { parts, end } = await followed();

    expect(byName(parts.map(({ data }) => data.searchDomains))).toEqual(byName(results));
    expect(end).toEqual(complete);
  });

  test('without results completes without an event', async () => {
    expect(await followed({ tlds: [], suggestions: 0 })).toEqual({ parts: [], end: complete });
    expect(await checkSizes(gateway)).toEqual([]);
  });

  test('with an invalid argument sends one event with the error', async () => {
    expect(await followed({ label: 'maple harbor' })).toMatchObject({
      ...{ parts: [{ errors: [{ extensions: { code: 'INVALID_INPUT' } }] }], end: complete },
    });
    expect(await gateway.upstreamCalls()).toEqual([]);
  });

  test('with a failed price list sends one error and completes', async () => {
    await gateway.admin('POST', '/faults', { fault: 'gateway', action: 'tldlist', times: 3 });

    expect(await followed()).toMatchObject({
      ...{ parts: [{ errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] }], end: complete },
    });
  });

  test('is completed by a gateway that stops, and causes no further call', async () => {
    const time = createGatewayClock();
    const stopping = await startTestGateway({ closeMs: 5_000, clock: time.clock });
    await stopping.admin('POST', '/latency', { perNameMs: 200 });
    const stream = await openStream(stopping.url, {
      ...{ query: followDocument('position'), variables: { label, first: 500 } },
    });
    const first = await time.during(stream.next());

    await time.during(stopping.restart());
    const rest = await time.during(stream.rest());
    const calls = await stopping.upstreamCalls();
    await time.during(stopping.close());

    expect(first?.event).toBe('next');
    expect(rest.at(-1)?.event).toBe('complete');
    expect(rest.length).toBeLessThan(400);
    expect(calls.length).toBeLessThan(20);
  });
});

test.each([
  ['with @stream', query],
  ['in a subscription', followDocument(selection)],
])(
  'the first results are those of the list when .com is the last to arrive, %s',
  async (_how, query) => {
    // It knows no speed yet, so that calls are small.
    const fresh = await startTestGateway({ sandboxDomains: 5 });
    const filtered = { label, filter: { available: true }, first: 3 };
    const domain = `${label}.com`;
    await fresh.admin('POST', '/faults', { fault: 'hold-before', domain, times: 1 });

    const stream = await openStream(fresh.url, { query, variables: filtered });
    const replies = async () => {
      const checks = (await fresh.upstreamCalls()).filter(({ action }) => action !== 'tldlist');
      const statuses = checks.map(({ status }) => status);
      return { sent: statuses.filter(Boolean).length >= 3, held: statuses.includes(null) };
    };
    await expect.poll(replies).toEqual({ sent: true, held: true });
    await fresh.admin('POST', '/release', {});
    const parts = (await stream.rest()).slice(0, -1).map(({ data }) => data);
    const { data } = await fresh.query(searchDocument(selection), filtered);
    await fresh.close();

    const found = [...itemsOf(parts), ...parts.flatMap((part) => part.data?.searchDomains ?? [])];
    expect(found.map(nameOf)).toEqual(['org', 'com', 'net'].map((tld) => `${label}.${tld}`));
    expect(byName(found)).toEqual(byName(data.searchDomains));
  },
);
