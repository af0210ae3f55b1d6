import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, GraphQLError } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { refusalOf } from '../../../../test/support/server/request.ts';
import { readConfig } from '../../../config/config.ts';
import { createLog } from '../../../observability/log.ts';
import { createDocuments } from '../documents.ts';
import type { Params } from '../params.ts';
import { checkManifest, readManifest, resolveDocument } from './resolve-document.ts';

type Mode = 'off' | 'log' | 'enforce';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const byHash = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});

const listed = 'query Ok { ok }';
const manifest = new Map([
  ['ok-1', listed],
  [sha256(listed), listed],
]);

function startRule(mode: Mode, isIntrospectable = false, documents = manifest) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
  const introspection = isIntrospectable ? 'caller' : 'off';
  const settings = { ...readConfig({}).server, documentMode: mode, introspection } as const;
  const rule = resolveDocument(settings, documents, log);
  // The types of parameters hold after a later check.
  const resolve = (params: Readonly<Record<string, unknown>>) => rule.onParams?.(params as Params);
  /** The resolved text, or the code of the refusal. */
  const run = async (params: Readonly<Record<string, unknown>>) => {
    const resolved = resolve(params);
    return resolved instanceof GraphQLError ? (await refusalOf(resolved))?.code : resolved?.query;
  };
  return { lines, resolve, run };
}

const modes: readonly Mode[] = ['off', 'log', 'enforce'];

describe.each(modes)('in the mode %s', (mode) => {
  test.each([
    ['its id', { documentId: 'ok-1' }],
    ['its id with a prefix', { documentId: 'sha256:ok-1' }],
    [
      'its id beside null',
      { documentId: 'ok-1', query: null, extensions: { persistedQuery: null } },
    ],
    ['its hash', byHash(sha256(listed))],
    ['its hash and text', { query: listed, ...byHash(sha256(listed)) }],
    [
      'its hash and its text in another format',
      { query: '# a\nquery Ok {\n  ok,\n}', ...byHash('ok-1') },
    ],
  ])('a document of the manifest is named by %s', (_how, params) => {
    const { resolve, lines } = startRule(mode);

    expect(resolve({ ...params, variables: { a: 1 } })).toEqual({
      ...params,
      variables: { a: 1 },
      query: listed,
      documentId: null,
    });
    expect(lines).toEqual([]);
  });

  test.each([listed, '# a\nquery Ok {\n  ok,\n}'])(
    'the text of a document of the manifest is accepted unchanged: %s',
    (query) => {
      const { resolve, lines } = startRule(mode);
      const params = { query };

      expect([resolve(params), resolve(params)]).toEqual([params, params]);
      expect(lines).toEqual([]);
    },
  );

  test.each([
    ['an unknown id', { documentId: 'ok-2' }, 'DOCUMENT_NOT_LISTED'],
    ['an id with a prefix elsewhere', { documentId: 'ok-sha256:1' }, 'DOCUMENT_NOT_LISTED'],
    ['an id that is no text', { documentId: 5 }, 'INVALID_REQUEST'],
    ['an id beside a text', { documentId: 'ok-1', query: listed }, 'INVALID_REQUEST'],
    ['an id beside a hash', { documentId: 'ok-1', ...byHash('ok-1') }, 'INVALID_REQUEST'],
    ['a hash of another version', byHash(sha256(listed), 2), 'INVALID_REQUEST'],
    ['a hash that is no text', byHash(5), 'INVALID_REQUEST'],
    ['no hash', { extensions: { persistedQuery: {} } }, 'INVALID_REQUEST'],
    [
      'a hash of another text',
      { query: '{ other }', ...byHash(sha256(listed)) },
      'INVALID_REQUEST',
    ],
  ])('%s is refused', async (_what, params, code) => {
    expect(await startRule(mode).run(params)).toBe(code);
  });

  test.each([
    {},
    { query: null },
    { query: 5 },
    { query: ['{ ok }'] },
    { query: 5, ...byHash('ok-1') },
  ])('parameters without a text are left to the check of parameters: %j', (params) => {
    expect(startRule(mode).resolve(params)).toBe(params);
  });
});

test.each([
  ['a wrong hash', { query: '{ other }', ...byHash('ok-1') }, 422],
  ['an id that is no text', { documentId: 5 }, 422],
  ['an unknown id', { documentId: 'ok-2' }, 422],
])('%s has status %i', async (_what, params, status) => {
  const resolved = startRule('off').resolve(params);

  expect(await refusalOf(resolved as GraphQLError)).toMatchObject({ status });
});

describe('a document that is not in the manifest', () => {
  const other = 'query Other { ok }';
  const hash = sha256(other);

  test.each<[Mode, readonly unknown[]]>([
    ['off', []],
    ['log', [{ level: 'warn', document: hash, operation: 'Other' }]],
  ])('runs in the mode %s, and is logged once in the mode log', async (mode, expected) => {
    const { run, lines } = startRule(mode);

    expect(await run({ query: other })).toBe(other);
    expect(await run({ query: other })).toBe(other);
    expect(lines).toMatchObject(expected);
    expect(lines).toHaveLength(expected.length);
  });

  test.each<Mode>(['off', 'log'])(
    'is registered with its hash in the mode %s, and then runs by its hash',
    async (mode) => {
      const { run, lines } = startRule(mode);

      expect(await run(byHash(hash))).toBe('PERSISTED_QUERY_NOT_FOUND');
      expect(await run({ query: other, ...byHash(hash) })).toBe(other);
      expect(await run({ query: null, ...byHash(hash) })).toBe(other);
      // Another format of the registered document runs as it was registered.
      expect(await run({ query: 'query Other{ok}', ...byHash(hash) })).toBe(other);
      expect(await run({ query: '{ nothing }', ...byHash(hash) })).toBe('INVALID_REQUEST');
      expect(lines).toHaveLength(mode === 'log' ? 1 : 0);
    },
  );

  test('is refused in the mode enforce in every form, and is neither registered nor logged', async () => {
    const { run, lines } = startRule('enforce');
    const forms = [
      byHash(hash),
      { query: other },
      { query: other, ...byHash(hash) },
      byHash(hash),
      { query: '{' },
    ];

    for (const form of forms) expect(await run(form)).toBe('DOCUMENT_NOT_LISTED');
    expect(await run({ query: `${listed} ${other}` })).toBe('DOCUMENT_NOT_LISTED');
    expect(lines).toEqual([]);
  });

  test('is refused again when it is repeated', async () => {
    const { run } = startRule('enforce');

    expect([await run({ query: other }), await run({ query: other })]).toEqual([
      'DOCUMENT_NOT_LISTED',
      'DOCUMENT_NOT_LISTED',
    ]);
  });

  test.each([
    ['{ __schema { types { name } } }', true],
    ['{ __typename __schema { types { name } } } query B { __typename }', true],
    ['{ ...F } fragment F on Query { __typename }', false],
    ['{ ... { __typename } }', false],
    ['{ __typename ok }', false],
    ['{ __typename } query B { ok }', false],
    ['{ ok }', false],
    ['{ ok__ }', false],
    ['{', false],
  ])(
    'is allowed in the mode enforce when it is introspection, which is not off: %s',
    async (query, isAllowed) => {
      expect(await startRule('enforce', true).run({ query })).toBe(
        isAllowed ? query : 'DOCUMENT_NOT_LISTED',
      );
      expect(await startRule('enforce', false).run({ query })).toBe('DOCUMENT_NOT_LISTED');
    },
  );

  test('that is introspection is logged in the mode log, also when it is not off', async () => {
    const { run, lines } = startRule('log', true);

    await run({ query: '{ __typename }' });

    expect(lines).toHaveLength(1);
  });

  test.each([
    ['query A { a } { a } mutation B { b } fragment F on Query { a }', 'A, without a name, B'],
    [`query ${'A'.repeat(100)} { a }`, 'A'.repeat(100)],
    [`query ${'A'.repeat(101)} { a }`, 'A'.repeat(100)],
  ])(
    'is logged with the names of its operations, up to 100 characters: %s',
    async (query, operation) => {
      const { run, lines } = startRule('log');

      await run({ query });

      expect(lines).toMatchObject([{ document: sha256(query), operation }]);
      expect(JSON.stringify(lines)).not.toContain('{ a }');
    },
  );

  test.each(['{', '', `{ ${'a '.repeat(5_000)} }`])(
    'and is invalid is not logged, and is left to validation',
    async (query) => {
      const { run, lines } = startRule('log');

      expect(await run({ query })).toBe(query);
      expect(await run({ query })).toBe(query);
      expect(lines).toEqual([]);
    },
  );
});

test('an unknown hash is refused with the message that the protocol defines', () => {
  expect(startRule('off').resolve(byHash('unknown'))).toMatchObject({
    message: 'PersistedQueryNotFound',
  });
});

test.each([
  [20_000, true],
  [20_001, false],
])('a text of %i characters is registered: %s', async (length, isKnown) => {
  const { run } = startRule('off');
  const text = '{ ok } #'.padEnd(length, 'x');

  expect(await run({ query: text, ...byHash(sha256(text)) })).toBe(text);
  expect(await run(byHash(sha256(text)))).toBe(isKnown ? text : 'PERSISTED_QUERY_NOT_FOUND');
});

test('a thousand texts are registered, and the least recently used one is dropped', async () => {
  const { run } = startRule('off');
  const texts = Array.from({ length: 1_001 }, (_, at) => `{ ok } # ${at}`);
  const isKnown = async (at: number) =>
    (await run(byHash(sha256(texts[at] ?? '')))) !== 'PERSISTED_QUERY_NOT_FOUND';

  for (const text of texts.slice(0, -1)) await run({ query: text, ...byHash(sha256(text)) });
  expect(await isKnown(0)).toBe(true);
  const last = texts.at(-1) ?? '';
  await run({ query: last, ...byHash(sha256(last)) });

  expect(await Promise.all([0, 1, 2, 1_000].map(isKnown))).toEqual([true, false, true, true]);
});

test('a text that cannot be parsed is registered, so that its client receives its error', async () => {
  const { run } = startRule('off');
  const text = '{ "unterminated';

  await run({ query: text, ...byHash(sha256(text)) });

  expect(await run(byHash(sha256(text)))).toBe(text);
  expect(await run({ query: text, ...byHash(sha256(text)) })).toBe(text);
});

test('a document of the manifest that cannot be parsed is compared by its exact text', async () => {
  const { run } = startRule('enforce', false, new Map([['a', '{ "unterminated']]));

  expect(await run({ query: '{ "unterminated' })).toBe('{ "unterminated');
  expect(await run({ query: '{ "unterminated ' })).toBe('DOCUMENT_NOT_LISTED');
});

describe('manifest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reseller-graph-manifest-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  function fileOf(text: string): string {
    const file = join(folder, 'manifest.json');
    writeFileSync(file, text);
    return file;
  }

  const documents = createDocuments(buildSchema('type Query { a: Int }'), false);

  test('a manifest has the text of each id', () => {
    expect(readManifest(fileOf('{"one":"{ a }","two":""}'))).toEqual(
      new Map([
        ['one', '{ a }'],
        ['two', ''],
      ]),
    );
  });

  describe('a start fails with the file of a manifest', () => {
    test.each([
      ['that is not JSON', '{', 'is not JSON.'],
      ['that is a list', '["{ a }"]', 'must be one object'],
      ['that is null', 'null', 'must be one object'],
      ['with other values', '{"one":{"text":"{ a }"}}', 'must be one object'],
      ['that is empty', '{}', 'must be one object'],
    ])('%s', (_what, text, problem) => {
      const file = fileOf(text);

      expect(() => readManifest(file)).toThrow(
        expect.objectContaining({
          name: 'StartError',
          message: expect.stringContaining(`"${file}" ${problem}`),
        }),
      );
    });

    test('that cannot be read', () => {
      expect(() => readManifest(join(folder, 'missing'))).toThrow(
        expect.objectContaining({
          name: 'StartError',
          message: expect.stringContaining('(ENOENT)'),
        }),
      );
    });
  });

  describe('a start fails with the id of a document', () => {
    test.each([
      ['that cannot be parsed', '{'],
      ['with a field that the graph lacks', '{ b }'],
      ['beyond the limits', `{ ${'a '.repeat(5_000)} }`],
      ['with introspection, where that is off', '{ __schema { queryType { name } } }'],
    ])('%s', (_what, text) => {
      const manifest = new Map([
        ['valid', '{ a }'],
        ['wrong', text],
      ]);

      expect(() => checkManifest(manifest, documents)).toThrow(
        expect.objectContaining({
          name: 'StartError',
          message: expect.stringMatching(/^The document "wrong" .*: ./),
        }),
      );
    });

    test('and with no other one: a document may have several operations', () => {
      const manifest = new Map([['valid', 'query A { a } query B { a }']]);

      expect(() => checkManifest(manifest, documents)).not.toThrow();
    });
  });
});
