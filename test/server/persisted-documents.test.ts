import { printSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp, type TestAppOptions, troubleSchema } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import {
  generateManifest,
  type ManifestFile,
  persistedQuery,
  sha256,
  writeManifest,
} from '../support/manifest.ts';
import { requestPaths } from '../support/request-paths.ts';

/** A GET with an accept header. */
const wanted = { headers: { accept: 'application/json' } };

type Settings = NonNullable<TestAppOptions['settings']>;

let manifest: ManifestFile;
beforeAll(async () => {
  manifest = await generateManifest(printSchema(troubleSchema), [
    'query Ok { ok }',
    'query Period($years: Int!) { ...Years }\nfragment Years on Query { period(years: $years) }',
    'mutation Spend { spend }',
  ]);
});
afterAll(() => manifest.remove());

const listed = (mode: 'off' | 'log' | 'enforce'): Settings => ({
  documentMode: mode,
  documentManifest: manifest.path,
});

describe.each(requestPaths)('on %s', (_name, way) => {
  const running: TestApp[] = [];
  afterEach(() => Promise.all(running.splice(0).map((app) => app.close())));

  async function start(settings: Settings = {}): Promise<TestApp> {
    const app = await startApp({ ...way, settings });
    running.push(app);
    return app;
  }

  const notFound = {
    message: 'PersistedQueryNotFound',
    extensions: { code: 'BAD_USER_INPUT', fault: 'PERSISTED_QUERY_NOT_FOUND', executed: 'NO' },
  };
  const notListed = {
    message: 'The manifest of this gateway has no such document.',
    extensions: { code: 'BAD_USER_INPUT', fault: 'DOCUMENT_NOT_LISTED', executed: 'NO' },
  };

  describe('a persisted query', () => {
    const query = 'query ($years: Int) { period(years: $years) }';
    const byHash = persistedQuery(sha256(query));

    test('is unknown first, is stored with its text, and then runs by its hash', async () => {
      const app = await start();

      const unknown = await app.post(byHash);
      const learned = await app.post({ query, ...byHash });
      const known = await app.post({ ...byHash, variables: { years: 3 } });

      expect(unknown.status).toBe(200);
      expect(unknown.body).toMatchObject({ errors: [notFound] });
      expect(unknown.body).not.toHaveProperty('data');
      expect(learned.body.data).toEqual({ period: 1 });
      expect(known.body.data).toEqual({ period: 3 });
    });

    test('that is unknown is 400 for clients of application/graphql-response+json', async () => {
      const app = await start();

      const { status, body } = await app.post(byHash, {
        accept: 'application/graphql-response+json',
      });

      expect([status, body.errors[0].message]).toEqual([400, 'PersistedQueryNotFound']);
    });

    test('runs by GET and as an event stream, and a mutation by GET is refused', async () => {
      const app = await start();
      const mutation = 'mutation { spend }';
      await app.post({ query, ...byHash });
      await app.post({ query: mutation, ...persistedQuery(sha256(mutation)) });
      const get = (text: string) => {
        const { extensions } = persistedQuery(sha256(text));
        return app.request(
          `/graphql?extensions=${encodeURIComponent(JSON.stringify(extensions))}`,
          wanted,
        );
      };

      const read = await get(query);
      const changed = await get(mutation);
      const stream = await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
        body: JSON.stringify(byHash),
      });

      expect(await read.json()).toMatchObject({ data: { period: 1 } });
      expect(changed.status).toBe(405);
      expect(await stream.text()).toContain('"period":1');
    });

    test.each([
      ['of another text', { query: '{ ok }', ...byHash }, 'is not the SHA-256 of the document'],
      ['that is a number', persistedQuery(5), 'needs "version" 1 and a "sha256Hash"'],
      ['of another version', persistedQuery(sha256(query), 2), 'needs "version" 1'],
      ['in no object', { extensions: { persistedQuery: true } }, 'needs "version" 1'],
    ])('with a hash %s is refused with 400 and one sentence', async (_what, body, sentence) => {
      const app = await start();

      const response = await app.post(body);

      expect(response.status).toBe(400);
      expect(response.body.errors).toHaveLength(1);
      expect(response.body.errors[0]).toMatchObject({
        message: expect.stringContaining(sentence),
        extensions: { code: 'BAD_USER_INPUT', executed: 'NO', retryable: false },
      });
    });

    test('is not replaced by another text', async () => {
      const app = await start();
      await app.post({ query, ...byHash });

      await app.post({ query: '{ ok }', ...byHash });

      expect((await app.post(byHash)).body.data).toEqual({ period: 1 });
    });

    test('that is invalid has the error of its document', async () => {
      const app = await start();
      const odd = '{ nothing }';

      const learned = await app.post({ query: odd, ...persistedQuery(sha256(odd)) });
      const known = await app.post(persistedQuery(sha256(odd)));

      expect(known.body.errors[0].message).toMatch(/^Cannot query field "nothing"/);
      expect(known.body.errors[0].message).toBe(learned.body.errors[0].message);
    });
  });

  describe.each(['off', 'log', 'enforce'] as const)(
    'a document of the manifest, with %s',
    (mode) => {
      test('runs by its id, with variables', async () => {
        const app = await start(listed(mode));

        const { status, body } = await app.post({
          documentId: manifest.ids.Period,
          operationName: 'Period',
          variables: { years: 4 },
        });

        expect([status, body.data]).toEqual([200, { period: 4 }]);
        expect(app.lines).toEqual([]);
      });

      test.each([
        ['with the prefix sha256:', (id: string) => ({ documentId: `sha256:${id}` })],
        ['as a hash', (id: string) => persistedQuery(id)],
      ])('runs by its id %s', async (_how, request) => {
        const app = await start(listed(mode));

        expect((await app.post(request(manifest.ids.Ok ?? ''))).body.data).toEqual({ ok: true });
      });

      test('runs by its text in any formatting', async () => {
        const app = await start(listed(mode));
        const text = '# The same.\nquery Ok {\n  ok,\n}';

        const bare = await app.post({ query: text });
        const hashed = await app.post({ query: text, ...persistedQuery(manifest.ids.Ok) });

        expect([bare.body.data, hashed.body.data]).toEqual([{ ok: true }, { ok: true }]);
        expect(app.lines).toEqual([]);
      });

      test('runs by GET and as an event stream, and a mutation by GET is refused', async () => {
        const app = await start(listed(mode));

        const read = await app.request(`/graphql?documentId=${manifest.ids.Ok}`, wanted);
        const changed = await app.request(`/graphql?documentId=${manifest.ids.Spend}`, wanted);
        const stream = await app.request(`/graphql?documentId=${manifest.ids.Ok}`, {
          headers: { accept: 'text/event-stream' },
        });

        expect(await read.json()).toMatchObject({ data: { ok: true } });
        expect(changed.status).toBe(405);
        expect(await stream.text()).toContain('"ok":true');
      });

      test('with an unknown id is refused', async () => {
        const app = await start(listed(mode));

        const response = await app.post({ documentId: 'unknown' });

        expect(response.status).toBe(200);
        expect(response.body).toMatchObject({ errors: [notListed] });
        expect(app.lines).toEqual([]);
      });

      test.each([
        ['is no text', { documentId: 5 }, '"documentId" must be a string.'],
        [
          'comes with a text',
          { documentId: 'a', query: '{ ok }' },
          'Send either "documentId" or "query"',
        ],
        [
          'comes with a hash',
          { documentId: 'a', ...persistedQuery('b') },
          'Send either "documentId" or "query"',
        ],
      ])('whose id %s is refused with 400', async (_what, body, sentence) => {
        const app = await start(listed(mode));

        const response = await app.post(body);

        expect(response.status).toBe(400);
        expect(response.body.errors).toHaveLength(1);
        expect(response.body.errors[0].message).toContain(sentence);
        expect(response.body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
      });
    },
  );

  describe('any other document', () => {
    const other = 'query Other { ok, token }';

    test('runs and is not logged in the mode off', async () => {
      const app = await start(listed('off'));

      expect((await app.post({ query: other })).body.data).toMatchObject({ ok: true });
      expect(app.lines).toEqual([]);
    });

    test('runs in the mode log, and is logged once without its text', async () => {
      const app = await start(listed('log'));

      const responses = [
        await app.post({ query: other }),
        await app.post({ query: other, ...persistedQuery(sha256(other)) }),
        await app.post(persistedQuery(sha256(other))),
        await app.post({ query: 'query A { ok } { ok } fragment F on Query { ok }' }),
      ];

      expect(responses.slice(0, 3).map(({ body }) => body.data)).toEqual(
        Array(3).fill({ ok: true, token: null }),
      );
      expect(app.lines).toMatchObject([
        {
          level: 'warn',
          msg: 'a document is not in the manifest',
          document: sha256(other),
          operation: 'Other',
        },
        { operation: 'A, without a name' },
      ]);
      expect(JSON.stringify(app.lines)).not.toContain('token');
    });

    test('with a syntax error is refused and not logged in the mode log', async () => {
      const app = await start(listed('log'));

      const { body } = await app.post({ query: '{' });

      expect(body.errors[0].message).toMatch(/^Syntax Error/);
      expect(app.lines).toEqual([]);
    });

    test.each([
      ['by its text', { query: other }],
      ['by its text and hash', { query: other, ...persistedQuery(sha256(other)) }],
      ['by its hash alone', persistedQuery(sha256(other))],
      ['with a syntax error', { query: '{' }],
      ['that extends one of the manifest', { query: 'query Ok {\n  ok\n}\nquery B { token }' }],
      ['that hides behind introspection', { query: '{ __typename ok }' }],
      ['that hides in a fragment', { query: '{ ...F } fragment F on Query { ok }' }],
    ])('is refused in the mode enforce: %s', async (_how, body) => {
      const app = await start(listed('enforce'));

      const response = await app.post(body);

      expect(response.body).toMatchObject({ errors: [notListed] });
      expect(response.body).not.toHaveProperty('data');
      expect(app.lines).toEqual([]);
    });

    test('is refused in the mode enforce by GET and as an event stream', async () => {
      const app = await start(listed('enforce'));

      const read = await app.request(`/graphql?query=${encodeURIComponent(other)}`, wanted);
      const stream = await openStream(app.url, { query: other });

      expect(await read.json()).toMatchObject({ errors: [notListed] });
      expect((await stream.next())?.data).toMatchObject({ errors: [notListed] });
    });

    test('is served in the mode enforce in development when it is introspection only', async () => {
      const query =
        'query Introspection { __typename __schema { ...F } } fragment F on __Schema { queryType { name } }';
      const open = await start(listed('enforce'));
      const closed = await start({ ...listed('enforce'), development: false });

      const seen = await open.post({ query });
      const refused = await closed.post({ query });

      expect(seen.body.data.__schema).toEqual({ queryType: { name: 'Query' } });
      expect(refused.body).toMatchObject({ errors: [notListed] });
    });

    test('without query and id is refused with 400', async () => {
      const app = await start(listed('enforce'));

      const { status, body } = await app.post({ variables: {} });

      expect([status, body.errors[0].message]).toEqual([400, 'Must provide query string.']);
    });
  });
});

describe('an unusable manifest prevents the start with one sentence:', () => {
  const withFile = (text: string) => {
    const file = writeManifest(text);
    return { file, settings: { documentManifest: file.path } };
  };

  test.each([
    ['is no JSON', '{', /^The manifest ".*" is not JSON\.$/],
    ['is a list', '["{ ok }"]', /must be one object of documents by their ids, such as/],
    ['has another content', '{"a":{"text":"{ ok }"}}', /must be one object of documents/],
    ['is empty', '{}', /must be one object of documents/],
    [
      'has a syntax error',
      '{"a":"{ ok"}',
      /^The document "a" of the manifest does not fit.*Syntax Error/s,
    ],
    [
      'has an unknown field',
      '{"a":"{ nothing }"}',
      /does not fit the graph: Cannot query field "nothing"/,
    ],
  ])('that %s', async (_what, text, sentence) => {
    const { file, settings } = withFile(text);

    await expect(startApp({ settings })).rejects.toThrow(sentence);
    file.remove();
  });

  test('a missing file', async () => {
    const settings = { documentManifest: '/nowhere/a.json' };

    await expect(startApp({ settings })).rejects.toThrow(
      'The manifest "/nowhere/a.json" cannot be read (ENOENT).',
    );
  });

  test('a manifest may have several operations in a document, and SHA-1 ids', async () => {
    const file = await generateManifest(printSchema(troubleSchema), ['query Ok { ok }'], 'sha1');
    const app = await startApp({
      settings: { documentMode: 'enforce', documentManifest: file.path },
    });
    const several = withFile('{"a":"query A { ok } query B { token }"}');
    const both = await startApp({ settings: several.settings });

    const old = await app.post({ documentId: file.ids.Ok });
    const chosen = await both.post({ documentId: 'a', operationName: 'B' });
    await Promise.all([app.close(), both.close()]);
    for (const one of [file, several.file]) one.remove();

    expect(file.ids.Ok).toHaveLength(40);
    expect(old.body.data).toEqual({ ok: true });
    expect(chosen.body.data).toEqual({ token: null });
  });
});
