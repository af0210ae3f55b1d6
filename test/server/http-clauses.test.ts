import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainKey } from '../../src/config/credentials.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { sendRaw } from '../support/raw-request.ts';
import { requestPaths } from '../support/request-paths.ts';

// The clauses of GraphQL over HTTP. `timeout` has its test in src/server/http/listen.test.ts, `server` in overload.test.ts.

const graphql = 'application/graphql-response+json';
const json = 'application/json';

type Body = object | string;
interface Reply {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
  readonly body: any;
}

interface Client {
  readonly url: string;
  post(body: Body, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  get(parameters: Readonly<Record<string, string>>, accept?: string): Promise<Reply>;
}

async function replyOf(response: Response): Promise<Reply> {
  const { status, headers } = response;
  const text = await response.text();
  return { status, type: headers.get('content-type'), headers, body: text && JSON.parse(text) };
}

const clientOf = (app: TestApp): Client => ({
  url: app.url,
  post: async (body, headers = {}) =>
    replyOf(
      await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': json, accept: graphql, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    ),
  get: async (parameters, accept = graphql) =>
    replyOf(
      await app.request(`/graphql?${new URLSearchParams(parameters)}`, { headers: { accept } }),
    ),
});

const valid = { query: '{ ok }' };
const partial = { query: '{ ok fault }' };
const named = 'query ($name: Name!) { named(name: $name) }';

/** Statuses of POST with both media types; without data the body has one sentence with a code. */
async function expectRefusal(
  { post }: Client,
  body: Body,
  [status, jsonStatus]: readonly [number, number],
): Promise<void> {
  for (const [accept, expected] of [
    [graphql, status],
    [json, jsonStatus],
  ] as const) {
    const reply = await post(body, { accept });
    expect([accept, reply.status, reply.type]).toEqual([
      accept,
      expected,
      `${accept}; charset=utf-8`,
    ]);
    expect(reply.body).not.toHaveProperty('data');
    expect(reply.body.errors[0]).toMatchObject({
      message: expect.stringMatching(/\w/),
      extensions: { code: expect.any(String), executed: 'NO' },
    });
  }
}

const utf8 = [graphql, `${graphql}; charset=utf-8`] as const;

const checks: Readonly<Record<string, (client: Client) => Promise<void>>> = {
  async json({ post }) {
    expect(await post(valid)).toMatchObject({ status: 200, body: { data: { ok: true } } });
  },
  async 'utf-8'({ post }) {
    const query = `query ($name: Name!) { named(name: $name) }`;
    for (const type of [json, `${json}; charset=utf-8`, `${json};charset=UTF-8`]) {
      const { body } = await post(
        { query, variables: { name: 'żółw.com' } },
        { 'content-type': type },
      );
      expect(body).toMatchObject({ data: { named: 'xn--w-uga1v8h.com' } });
    }
    const marked = await post(`\uFEFF${JSON.stringify(valid)}`);
    expect(marked.body).toMatchObject({ data: { ok: true } });
  },
  async 'absent-parameters'({ post, get }) {
    const none = { operationName: null, variables: null, extensions: null };
    expect((await post({ ...valid, ...none })).body).toMatchObject({ data: { ok: true } });
    const empty = { operationName: '', variables: '', extensions: '' };
    expect((await get({ ...valid, ...empty })).body).toMatchObject({ data: { ok: true } });
  },
  async 'unknown-members'({ post }) {
    const { status, body } = await post({ ...valid, id: 7, queries: ['{ bug }'], extra: null });
    expect([status, body.data]).toEqual([200, { ok: true }]);
  },
  async get({ get }) {
    const variables = JSON.stringify({ name: 'maple.com' });
    expect(await get({ query: named, variables })).toMatchObject({
      ...{ status: 200, type: utf8[1] },
      body: { data: { named: 'maple.com' } },
    });
    expect(await get({ query: 'query null { ok }', operationName: 'null' })).toMatchObject({
      body: { data: { ok: true } },
    });
    for (const variables of ['{', '[]', '"a"']) {
      expect((await get({ ...valid, variables })).status).toBe(422);
    }
  },
  async 'get-mutation'({ get }) {
    const query = 'query A { ok } mutation B { spend }';
    const { status, headers } = await get({ query, operationName: 'B' });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect((await get({ query, operationName: 'A' })).status).toBe(200);
  },
  async 'content-type'({ url, post }) {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', graphql]) {
      expect((await post(valid, { 'content-type': type })).status).toBe(415);
    }
    const without = await sendRaw(url, {
      headers: { accept: graphql },
      body: '{"query":"{ ok }"}',
    });
    expect(without.status).toMatch(/^415 /);
  },
  async response({ post, get }) {
    for (const accept of [graphql, json]) {
      const replies = [await post(valid, { accept }), await get(valid, accept)];
      for (const { type, body } of replies) {
        expect([type, Object.keys(body)]).toEqual([
          `${accept}; charset=utf-8`,
          expect.arrayContaining(['data']),
        ]);
      }
    }
  },
  async accept({ post, get }) {
    for (const [accept, type] of [
      [`${json};q=0.5, ${graphql};q=0.9`, graphql],
      [`${graphql};q=0.5, ${json};q=0.9`, json],
      [`${graphql}, ${json}`, graphql],
      [`*/*, ${graphql}`, graphql],
      [`${json};q=0, */*`, graphql],
      [`text/css, application/*;q=0.1`, json],
      ['*/*', json],
      [`${json};charset=latin1, ${graphql};q=0.1`, graphql],
    ] as const) {
      for (const reply of [await post(valid, { accept }), await get(valid, accept)]) {
        expect([accept, reply.type]).toEqual([accept, `${type}; charset=utf-8`]);
      }
    }
  },
  async 'not-acceptable'({ post, get }) {
    for (const accept of [
      'text/css',
      'image/*',
      `${graphql};q=0, ${json};q=0`,
      '*/*;q=0',
      `${json};charset=latin1`,
    ]) {
      for (const { status, type, body } of [
        await post(valid, { accept }),
        await get(valid, accept),
      ]) {
        expect([accept, status, type]).toEqual([accept, 406, `${json}; charset=utf-8`]);
        expect(body.errors[0].message).toContain(graphql);
      }
    }
  },
  async 'json-only'({ post }) {
    for (const [body, status] of [
      [valid, 200],
      [partial, 200],
      [{ query: '{' }, 200],
      [{ query: '{ nope }' }, 200],
      [{ query: named, variables: {} }, 200],
      [{}, 400],
      ['{', 400],
    ] as const) {
      const reply = await post(body, { accept: json });
      expect([body, reply.status, reply.type]).toEqual([body, status, `${json}; charset=utf-8`]);
    }
  },
  async validation({ post }) {
    const twice = 'query A { ok } query A { ok }';
    for (const query of ['{ nope }', '{ ok { a } }', 'query ($a: Int) { ok }', twice]) {
      expect((await post({ query, operationName: null })).status).toBe(422);
    }
  },
  async 'data-is-2xx'({ post, get }) {
    for (const body of [valid, partial, { query: '{ ok bug deepFault }' }]) {
      for (const { status } of [await post(body), await get(body)]) {
        expect(Math.floor(status / 100)).toBe(2);
      }
    }
  },
  async 'data-without-errors'({ post, get }) {
    for (const reply of [await post(valid), await get(valid)]) expect(reply.status).toBe(200);
  },
  async 'data-with-errors'({ post, get }) {
    for (const reply of [await post(partial), await get(partial)]) {
      expect(reply).toMatchObject({ status: 294, body: { data: { ok: true, fault: null } } });
    }
    const isNull = { query: '{ required }' };
    for (const reply of [await post(isNull), await get(isNull)]) {
      expect(reply).toMatchObject({ status: 294, body: { data: null } });
    }
  },
  async 'no-data'({ post, get }) {
    for (const body of [{ query: '{' }, { query: '{ nope }' }, { query: '' }]) {
      for (const { status } of [await post(body), await get(body)]) {
        expect(status).toBeGreaterThanOrEqual(400);
      }
    }
  },
  async method({ url }) {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await fetch(`${url}/graphql`, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([
        405,
        expect.stringContaining('GET, POST'),
      ]);
    }
  },
  async 'uri-too-long'({ get }) {
    expect((await get({ query: `{ ok } #${'x'.repeat(9_000)}` })).status).toBe(414);
  },
  async 'headers-too-large'({ url }) {
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`x-${at}`, '1']));
    const headers = { 'content-type': json, ...many };
    expect((await sendRaw(url, { headers, body: '{}' })).status).toMatch(/^431 /);
  },
  async 'body-too-large'({ post }) {
    expect((await post({ query: `{ ok } #${'x'.repeat(20_000)}` })).status).toBe(413);
  },
  async 'json-parsing'(client) {
    for (const body of ['NONSENSE', '{"query":', '', '{"query":"\\x"}']) {
      await expectRefusal(client, body, [400, 400]);
    }
  },
  async 'not-well-formed'(client) {
    for (const body of [
      { qeury: '{ __typename }' },
      { query: 5 },
      { query: ['{ ok }'] },
      { ...valid, variables: [7] },
      { ...valid, variables: '{}' },
      { ...valid, operationName: 5 },
      { ...valid, extensions: 'a' },
      { ...valid, documentId: 5 },
      [valid],
      '5',
      '"{ ok }"',
      '{"query":"{ ok }","query":"{ bug }"}',
    ]) {
      await expectRefusal(client, body, [422, 400]);
    }
  },
  async 'document-parsing'(client) {
    for (const query of ['{', '', '{ ok', 'query A }', '🏃']) {
      await expectRefusal(client, { query }, [400, 200]);
    }
  },
  async 'document-validation'(client) {
    for (const query of ['{ nope }', '{ ok { a } }', '{ named }']) {
      await expectRefusal(client, { query }, [422, 200]);
    }
  },
  async operation(client) {
    const query = 'query A { ok } query B { ok }';
    for (const body of [{ query }, { query, operationName: 'C' }]) {
      await expectRefusal(client, body, [422, 400]);
    }
    const fragment = 'fragment F on Query { ok }';
    await expectRefusal(client, { query: fragment }, [422, 400]);
  },
  async variables(client) {
    const query = 'query ($years: Int!) { period(years: $years) }';
    for (const variables of [{}, { years: null }, { years: '1' }, { years: 2 ** 40 }]) {
      await expectRefusal(client, { query, variables }, [422, 200]);
    }
  },
  async 'not-permitted'() {
    const app = await startApp({
      settings: { auth: { kind: 'keys', keys: [plainKey('a-key-of-the-test')] } },
    });
    const { post } = clientOf(app);
    const { status, type } = await post(valid);
    await app.close();
    expect([status, type]).toEqual([401, utf8[1]]);
  },
};

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(way);
  });
  afterAll(() => app.close());

  test.each(Object.entries(checks))('%s', async (_id, check) => {
    await check(clientOf(app));
  });
});
