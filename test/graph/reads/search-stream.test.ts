import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openStream, type StreamEvent } from '../../support/event-stream.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { checkSizes, followDocument, label, searchDocument } from './searching.ts';

const gateway = await startTestGateway({ sandboxDomains: 5 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const selection = 'name suggested availability { state }';
const query = searchDocument(selection, '@stream');
const tlds = ['com', 'museum', 'net', 'io', 'shop', 'tr'];
const variables = { label, tlds, filter: { suggestions: 2 } };
const expected = [
  ['maple-harbor.com', false, 'AVAILABLE'],
  ['maple-harbor.museum', false, 'INVALID'],
  ['maple-harbor.net', false, 'AVAILABLE'],
  ['maple-harbor.io', false, 'AVAILABLE'],
  ['maple-harbor.shop', false, 'AVAILABLE'],
  ['maple-harbor.tr', false, 'AVAILABLE'],
  ['mapleharbor.com', true, 'AVAILABLE'],
  ['get-maple-harbor.com', true, 'AVAILABLE'],
] as const;
const results = expected.map(([name, suggested, state]) => ({
  name,
  suggested,
  availability: { state },
}));

const byName = (list: readonly { readonly name: string }[]) =>
  list.toSorted((one, other) => (one.name < other.name ? -1 : 1));
const itemsOf = (parts: readonly StreamEvent['data'][]) =>
  parts.flatMap(({ incremental = [] }) =>
    incremental.flatMap(({ items }: { items: StreamEvent['data'][] }) => items ?? []),
  );

const isCheck = ({ action }: { readonly action: string }) => action.endsWith('checkavailability');

const send = (accept: string, more: object = {}) =>
  fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables, ...more }),
  });

describe('@stream', () => {
  test('in an event stream sends each result once, as soon as it is known', async () => {
    const events = await (await openStream(gateway.url, { query, variables })).rest();

    const parts = events.slice(0, -1).map(({ data }) => data);
    expect(parts[0]).toMatchObject({ data: { searchDomains: [] }, hasNext: true });
    expect(parts.at(-1)).toMatchObject({ hasNext: false });
    expect(byName(itemsOf(parts))).toEqual(byName(results));
    expect(events.at(-1)).toEqual({ event: 'complete', data: null });
  });

  test('sends positions that restore the order of the list', async () => {
    const request = { query: searchDocument(`${selection} position`, '@stream'), variables };
    const events = await (await openStream(gateway.url, request)).rest();

    const items = itemsOf(events.slice(0, -1).map(({ data }) => data));
    const own = items.filter(({ suggested }) => !suggested);
    expect(own).toHaveLength(tlds.length);
    expect(
      own.toSorted((one, other) => one.position - other.position).map(({ name }) => name),
    ).toEqual(tlds.map((tld) => `${label}.${tld}`));
  });

  test('works as multipart', async () => {
    const response = await send('multipart/mixed, application/json');

    expect(response.headers.get('content-type')).toMatch(/^multipart\/mixed/);
    const text = await response.text();
    const parts = text
      .split('\r\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(parts[0]).toMatchObject({ data: { searchDomains: [] }, hasNext: true });
    expect(byName(itemsOf(parts))).toEqual(byName(results));
  });

  test('sends a first result while other names are still being checked', async () => {
    await gateway.admin('POST', '/faults', {
      fault: 'hold-before',
      domain: 'maple-harbor.tr',
      times: 2,
    });

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

  test.each(['application/json', 'application/graphql-response+json', '*/*'])(
    'for %s returns the complete list in order',
    async (accept) => {
      const response = await send(accept);

      expect(response.status).toBe(200);
      expect((await response.json()).data).toEqual({ searchDomains: results });
    },
  );

  test('with if: false has no effect', async () => {
    const response = await send('multipart/mixed, application/json', {
      query: searchDocument(selection, '@stream(if: false)'),
    });

    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect((await response.json()).data).toEqual({ searchDomains: results });
  });

  test('reports in each part the upstream calls since the last part, and in the final part all of them', async () => {
    const events = await (await openStream(gateway.url, { query, variables })).rest();

    const parts = events.slice(0, -1).map(({ data }) => data.extensions.upstream.list);
    const lists = parts.slice(0, -1);
    const checks = lists.flat().filter(({ action }) => action !== 'tldlist');
    expect(checks.map(({ batch = 1 }) => batch).toSorted()).toEqual(
      (await checkSizes(gateway)).toSorted(),
    );
    expect(lists.flat()).toHaveLength(checks.length + 1);
    expect(parts.at(-1)).toEqual(lists.flat());
  });
});

describe('the subscription searchDomains', () => {
  const follow = (more: object = {}) =>
    openStream(gateway.url, {
      query: followDocument(selection),
      variables: { ...variables, ...more },
    });

  test('sends one event per result and completes', async () => {
    const events = await (await follow()).rest();

    const found = events.slice(0, -1).map(({ data }) => data.data.searchDomains);
    expect(byName(found)).toEqual(byName(results));
    expect(events.at(-1)).toEqual({ event: 'complete', data: null });
  });

  test('without results completes without an event', async () => {
    const events = await (await follow({ tlds: [], filter: {} })).rest();

    expect(events).toEqual([{ event: 'complete', data: null }]);
    expect(await checkSizes(gateway)).toEqual([]);
  });

  test('with an invalid argument sends one event with the error', async () => {
    const events = await (await follow({ label: 'maple harbor' })).rest();

    expect(events).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { fault: 'INVALID_INPUT' } }] } },
      { event: 'complete' },
    ]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });

  test('with a failed price list sends one error and completes', async () => {
    await gateway.admin('POST', '/faults', { fault: 'gateway', action: 'tldlist', times: 3 });

    const events = await (await follow()).rest();

    expect(events).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }] } },
      { event: 'complete' },
    ]);
  });
});

describe('the first results are those of the list when .com is the last to arrive,', () => {
  const filter = { available: true, first: 3 };
  const documents = {
    'with @stream': searchDocument(selection, '@stream'),
    'in a subscription': followDocument(selection),
  };

  test.each(Object.entries(documents))('%s', async (_how, query) => {
    // It knows no speed yet, so that each call has two names.
    const fresh = await startTestGateway({ sandboxDomains: 5 });
    const domain = `${label}.com`;
    await fresh.admin('POST', '/faults', { fault: 'hold-before', domain, times: 1 });

    const stream = await openStream(fresh.url, { query, variables: { label, filter } });
    const replies = async () => {
      const statuses = (await fresh.upstreamCalls()).filter(isCheck).map(({ status }) => status);
      return { sent: statuses.filter(Boolean).length >= 7, held: statuses.includes(null) };
    };
    await expect.poll(replies).toEqual({ sent: true, held: true });
    await fresh.admin('POST', '/release', {});
    const parts = (await stream.rest()).slice(0, -1).map(({ data }) => data);
    const { data } = await fresh.query(searchDocument(selection), { label, filter });
    await fresh.close();

    const found = [...itemsOf(parts), ...parts.flatMap((part) => part.data?.searchDomains ?? [])];
    expect(found.map(({ name }) => name)).toEqual(
      ['org', 'com', 'net'].map((tld) => `${label}.${tld}`),
    );
    expect(byName(found)).toEqual(byName(data.searchDomains));
  });
});
