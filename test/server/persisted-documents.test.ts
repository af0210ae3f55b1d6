import { printSchema } from 'graphql';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp, type TestAppOptions, troubleSchema } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import { generateManifest, persistedQuery, sha256, writeManifest } from '../support/manifest.ts';
import { requestPaths } from '../support/request-paths.ts';

type Settings = NonNullable<TestAppOptions['settings']>;

const manifest = await generateManifest(printSchema(troubleSchema), [
  'query Ok { ok }',
  'query Period($years: Int!) { ...Years }\nfragment Years on Query { period(years: $years) }',
  'mutation Spend { spend }',
]);
afterAll(() => manifest.remove());

async function start(options: TestAppOptions): Promise<TestApp> {
  const app = await startApp(options);
  onTestFinished(() => app.close());
  return app;
}

const modes = ['off', 'log', 'enforce'] as const;
const listed = (documentMode: (typeof modes)[number]): Settings => ({
  documentMode,
  documentManifest: manifest.path,
});

const notFound = {
  message: 'PersistedQueryNotFound',
  extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', executed: 'NO' },
};
const notListed = {
  message: 'The manifest of this gateway has no such document.',
  extensions: { code: 'DOCUMENT_NOT_LISTED', executed: 'NO' },
};

/** The responses to a read and a mutation by GET, and to the read as an event stream. */
async function getAll({ request }: TestApp, readBy: object, changeBy: object) {
  const get = (parameters: object, accept: string) => {
    const texts = Object.entries(parameters).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return request(`/graphql?${new URLSearchParams(texts)}`, { headers: { accept } });
  };
  const [read, changed, stream] = [
    await get(readBy, 'application/json'),
    await get(changeBy, 'application/json'),
    await get(readBy, 'text/event-stream'),
  ];
  return { read: await read.json(), changedStatus: changed.status, stream: await stream.text() };
}

describe.each(requestPaths)('on %s', (_name, way) => {
  describe('a persisted query', () => {
    const query = 'query ($years: Int) { period(years: $years) }';
    const byHash = persistedQuery(sha256(query));

    test('is unknown first, is stored with its text, runs by its hash, and is not replaced by another text', async () => {
      const app = await start(way);

      const unknown = await app.post(byHash);
      const strict = await app.post(byHash, { accept: 'application/graphql-response+json' });
      const learned = await app.post({ query, ...byHash });
      const replacing = await app.post({ query: '{ ok }', ...byHash });
      const known = await app.post({ ...byHash, variables: { years: 3 } });

      expect([unknown.status, strict.status, replacing.status]).toEqual([200, 422, 400]);
      for (const { body } of [unknown, strict]) {
        expect(body).toMatchObject({ errors: [notFound] });
        expect(body).not.toHaveProperty('data');
      }
      expect(learned.body.data).toEqual({ period: 1 });
      expect(known.body.data).toEqual({ period: 3 });
    });

    test('runs by GET and as an event stream, and a mutation by GET is refused', async () => {
      const app = await start(way);
      const mutation = 'mutation { spend }';
      const byHashOfMutation = persistedQuery(sha256(mutation));
      await app.post({ query, ...byHash });
      await app.post({ query: mutation, ...byHashOfMutation });

      const { read, changedStatus, stream } = await getAll(app, byHash, byHashOfMutation);

      expect(read).toMatchObject({ data: { period: 1 } });
      expect(changedStatus).toBe(405);
      expect(stream).toContain('"period":1');
    });

    test('that is invalid has the error of its document', async () => {
      const app = await start(way);
      const odd = '{ nothing }';

      const learned = await app.post({ query: odd, ...persistedQuery(sha256(odd)) });
      const known = await app.post(persistedQuery(sha256(odd)));

      expect(known.body.errors[0].message).toMatch(/^Cannot query field "nothing"/);
      expect(known.body.errors[0].message).toBe(learned.body.errors[0].message);
    });
  });

  test.each(modes)(
    'a document of the manifest runs, and is not logged, in the mode %s',
    async (mode) => {
      const app = await start({ ...way, settings: listed(mode) });
      const { Ok = '', Spend, Period } = manifest.ids;
      const text = '# The same.\nquery Ok {\n  ok,\n}';

      const named = { documentId: Period, operationName: 'Period', variables: { years: 4 } };
      expect(await app.post(named)).toMatchObject({ status: 200, body: { data: { period: 4 } } });
      for (const request of [
        { documentId: `sha256:${Ok}` },
        persistedQuery(Ok),
        { query: text },
        { query: text, ...persistedQuery(Ok) },
      ]) {
        expect((await app.post(request)).body.data).toEqual({ ok: true });
      }
      const byGet = await getAll(app, { documentId: Ok }, { documentId: Spend });
      expect(byGet.read).toMatchObject({ data: { ok: true } });
      expect(byGet.changedStatus).toBe(405);
      expect(byGet.stream).toContain('"ok":true');
      const unknown = await app.post({ documentId: 'unknown' });
      expect(unknown).toMatchObject({ status: 200, body: { errors: [notListed] } });
      expect(app.lines).toEqual([]);
    },
  );

  test.each([
    ['a hash of another text', { query: '{ ok }', ...persistedQuery('b') }, /not the SHA-256 of/],
    ['a hash that is a number', persistedQuery(5), /"version" 1 and a "sha256Hash"/],
    ['a hash of another version', persistedQuery('b', 2), /"version" 1 and a "sha256Hash"/],
    ['a hash in no object', { extensions: { persistedQuery: true } }, /"version" 1 and a/],
    ['an id that is no text', { documentId: 5 }, /^"documentId" must be a string\.$/],
    ['an id and a text', { documentId: 'a', query: '{ ok }' }, /^Send either "documentId" or/],
    ['an id and a hash', { documentId: 'a', ...persistedQuery('b') }, /^Send either "documentId"/],
    ['neither query nor id', { variables: {} }, /^Must provide query string\.$/],
  ])('a request with %s is refused with 400 and one sentence', async (_what, body, sentence) => {
    const app = await start({ ...way, settings: listed('enforce') });

    const response = await app.post(body);

    expect(response.status).toBe(400);
    expect(response.body.errors).toMatchObject([
      {
        message: expect.stringMatching(sentence),
        extensions: { code: 'INVALID_REQUEST', executed: 'NO', retryable: false },
      },
    ]);
  });

  describe('any other document', () => {
    const other = 'query Other { ok, token }';

    test('runs in the mode off, and is not logged', async () => {
      const app = await start({ ...way, settings: listed('off') });

      expect((await app.post({ query: other })).body.data).toMatchObject({ ok: true });
      expect(app.lines).toEqual([]);
    });

    test('runs in the mode log, and is logged once without its text', async () => {
      const app = await start({ ...way, settings: listed('log') });

      const responses = [
        await app.post({ query: other }),
        await app.post({ query: other, ...persistedQuery(sha256(other)) }),
        await app.post(persistedQuery(sha256(other))),
      ];

      expect(responses.map(({ body }) => body.data)).toEqual(
        Array(3).fill({ ok: true, token: null }),
      );
      expect(app.lines).toMatchObject([
        {
          ...{ level: 'warn', msg: 'a document is not in the manifest' },
          ...{ document: sha256(other), operation: 'Other' },
        },
      ]);
      expect(app.lines).toHaveLength(1);
      expect(JSON.stringify(app.lines)).not.toContain('token');
      const { body } = await app.post({ query: '{' });
      expect(body.errors[0].message).toMatch(/^Syntax Error/);
      expect(app.lines).toHaveLength(1);
    });

    test('is refused in the mode enforce in every form, by GET and as an event stream', async () => {
      const app = await start({ ...way, settings: listed('enforce') });

      for (const body of [
        { query: other },
        { query: other, ...persistedQuery(sha256(other)) },
        persistedQuery(sha256(other)),
        { query: '{' },
        { query: 'query Ok {\n  ok\n}\nquery B { token }' },
        { query: '{ __typename ok }' },
        { query: '{ ...F } fragment F on Query { ok }' },
      ]) {
        const response = await app.post(body);
        expect(response.body).toMatchObject({ errors: [notListed] });
        expect(response.body).not.toHaveProperty('data');
      }
      const { read } = await getAll(app, { query: other }, { query: other });
      expect(read).toMatchObject({ errors: [notListed] });
      const stream = await openStream(app.url, { query: other });
      expect((await stream.next())?.data).toMatchObject({ errors: [notListed] });
      expect(app.lines).toEqual([]);
    });

    test('is served in the mode enforce in development when it is introspection only', async () => {
      const query =
        'query Introspection { __typename __schema { ...F } } fragment F on __Schema { queryType { name } }';
      const open = await start({ ...way, settings: listed('enforce') });
      const closed = await start({
        ...way,
        settings: { ...listed('enforce'), introspection: 'off' },
      });

      const seen = await open.post({ query });
      const refused = await closed.post({ query });

      expect(seen.body.data.__schema).toEqual({ queryType: { name: 'Query' } });
      expect(refused.body).toMatchObject({ errors: [notListed] });
    });
  });
});

const withFile = (text: string): Settings => {
  const file = writeManifest(text);
  onTestFinished(() => file.remove());
  return { documentManifest: file.path };
};

test.each([
  ['is no JSON', '{', /^The manifest ".*" is not JSON\.$/],
  [
    'has another content',
    '{"a":{"text":"{ ok }"}}',
    /must be one object of documents by their ids, such as/,
  ],
  [
    'does not fit',
    '{"a":"{ nothing }"}',
    /^The document "a" .* does not fit the graph: Cannot query field "nothing"/,
  ],
])('a manifest that %s prevents the start with one sentence', async (_what, text, sentence) => {
  await expect(startApp({ settings: withFile(text) })).rejects.toThrow(sentence);
});

test('a manifest may have several operations in a document, and SHA-1 ids', async () => {
  const file = await generateManifest(printSchema(troubleSchema), ['query Ok { ok }'], 'sha1');
  onTestFinished(() => file.remove());
  const app = await start({ settings: { documentMode: 'enforce', documentManifest: file.path } });
  const both = await start({ settings: withFile('{"a":"query A { ok } query B { token }"}') });

  const old = await app.post({ documentId: file.ids.Ok });
  const chosen = await both.post({ documentId: 'a', operationName: 'B' });

  expect(file.ids.Ok).toHaveLength(40);
  expect(old.body.data).toEqual({ ok: true });
  expect(chosen.body.data).toEqual({ token: null });
});
