import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plainKey } from '../../src/config/credentials.ts';
import { startApp, type TestApp, type TestAppOptions } from '../support/app.ts';
import { runs } from '../support/long.ts';
import { persistedQuery, sha256, writeManifest } from '../support/manifest.ts';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';

const key = 'a-key-of-sixteen-characters';

const field = fc.constantFrom(
  ...['ok', 'fault', 'deepFault', 'unknownOutcome', 'bug', 'required', 'color', 'deliberate'],
  ...['token', 'nothing', 'okk', 'named(name: "a.com")', 'named(name: "a..com")', 'named'],
  ...['period', 'period(years: $y)', 'period(years: "2")', 'named(name: $n)', '__typename'],
  ...['a: ok', 'a: fault', '__schema { queryType { name } }', '... on Query { ok }', '...F'],
  ...['... @defer { ok }', 'ok @skip(if: true)', 'ok @stream', 'ok @nothing', 'ok { deeper }'],
);
const served = fc
  .array(
    fc.constantFrom(
      ...['ok', 'fault', 'deepFault', 'unknownOutcome', 'bug', 'color', 'deliberate', 'token'],
      ...[
        'required',
        'period(years: $y)',
        'named(name: "a.com")',
        'period',
        'a: ok',
        'b: fault',
        '... { c: bug }',
      ],
      ...['ok @skip(if: true)', '__typename', '... @defer { ok }', '... @ defer { fault }'],
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((fields) => `query ($y: Int! = 2) { ${fields.join(' ')} }`);
const heads = ['', 'query', 'query A', 'query B($y: Int! = 2)', 'query C($n: Name!, $y: Int)'];
const head = fc.constantFrom(...heads, 'mutation', 'subscription', 'query ($x: Nothing)');
const operation = fc
  .tuple(head, fc.array(field, { minLength: 1, maxLength: 4 }))
  .map(([start, fields]) => `${start} { ${fields.join(' ')} }`);
const document = fc.oneof(
  { weight: 10, arbitrary: served },
  { weight: 8, arbitrary: operation },
  { weight: 2, arbitrary: fc.tuple(operation, operation).map((both) => both.join(' ')) },
  { weight: 1, arbitrary: operation.map((one) => `${one} fragment F on Query { ok bug }`) },
  { weight: 1, arbitrary: fc.constantFrom('mutation { spend }', '{', '', ' ', '{ ok } # ✓', '\0') },
  { weight: 1, arbitrary: fc.string() },
);

const value = fc.oneof(fc.constantFrom(null, 1, 2.5, 'a.com', 'a..com', 'two', true), fc.json());
const variables = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fc.constantFrom('y', 'n', 'x'), value) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], 'text', 7) },
);
/** Documents that are sent by their hash too, so that the server knows some of the hashes. */
const texts = [
  '{ ok }',
  'query ($y: Int! = 2) { period(years: $y) bug }',
  'mutation { spend }',
  '{ ok ... @defer { fault } }',
  '{ nothing }',
  '{',
];
const operationName = fc.constantFrom<unknown>(null, 'A', 'B', 'C', '', 'missing', 5);
const params = fc.record(
  {
    query: fc.oneof(
      { weight: 20, arbitrary: document },
      fc.constantFrom<unknown>(null, 5, ['{ok}']),
    ),
    variables,
    operationName,
    extensions: fc.oneof(
      fc.constantFrom<unknown>(null, {}, { http: { status: 418 } }, [], { persistedQuery: 5 }),
      fc.constantFrom(...texts, '{ never }').map((text) => persistedQuery(sha256(text)).extensions),
    ),
    documentId: fc.constantFrom<unknown>(null, 'listed', 'sha256:listed', 'x', 5),
    id: fc.constantFrom<unknown>(null, 'x'),
  },
  { requiredKeys: [] },
);
const plainParams = fc.record({
  query: document,
  variables: fc.constantFrom<unknown>({}, { y: 3, n: 'b.com' }, { y: 'two' }, { n: 'a..com' }),
});
/** Requests with the hash of their own or another document, or with a document id. */
const persistedParams = fc.oneof(
  fc.constantFrom(...texts).map((query) => ({ query, ...persistedQuery(sha256(query)) })),
  fc.constantFrom(...texts).map((query) => persistedQuery(sha256(query))),
  fc.tuple(fc.constantFrom(...texts), variables).map(([text, given]) => ({
    ...persistedQuery(sha256(text)),
    variables: given,
  })),
  fc.constantFrom('listed', 'sha256:listed', 'x').map((documentId) => ({ documentId })),
);
const text = fc.oneof(
  { weight: 2, arbitrary: persistedParams.map((one) => JSON.stringify(one)) },
  { weight: 6, arbitrary: plainParams.map((one) => JSON.stringify(one)) },
  { weight: 4, arbitrary: params.map((one) => JSON.stringify(one)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '{', 'null', '[]', '"{ ok }"', '\uFEFF{"query":"{ok}"}'),
  },
  { weight: 1, arbitrary: fc.constant(JSON.stringify({ query: '{ok}', x: 'x'.repeat(20_000) })) },
  { weight: 1, arbitrary: fc.constant('{"query":"{ ok }","__proto__":{"query":"{ bug }"}}') },
);
const body = fc.oneof(
  { weight: 12, arbitrary: text },
  { weight: 1, arbitrary: fc.constant(Buffer.from('{"query":"{ ok } # \xff"}', 'latin1')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20 }) },
);

const odd = {
  accept: [
    ...['*/*', 'application/json', 'application/graphql-response+json', 'text/html', ''],
    ...['application/json, multipart/mixed', 'application/json;q=0.1', '*/*;q=0', 'text/*'],
    ...['application/graphql-response+json; charset=utf-8', 'application/json; charset=latin1'],
    ...['application/*', 'APPLICATION/JSON', '*/json', 'nonsense', '/', ';;'],
    ...['text/event-stream', 'multipart/mixed'],
  ],
  'content-type': [
    ...['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'text/plain'],
    ...['application/json, text/plain', 'application/json-seq', 'APPLICATION/JSON', ''],
    ...['application/graphql+json', 'application/json ; x=y', 'multipart/form-data'],
  ],
  'content-encoding': ['identity', 'gzip', ''],
  host: [
    ...['localhost', 'LOCALHOST:80', '127.0.0.1:4000', '[::1]:4000', 'evil.example', ''],
    ...['localhost/x?', 'localhost#', 'user@localhost', 'localhost:99999', '127.0.0.1.evil.com'],
    ...['a b', '..', '[', '999.1.1.1', 'localhost,localhost'],
  ],
  'x-api-key': ['', 'x', `${key}x`],
  authorization: ['Bearer theirs', 'Basic dTpw', ''],
  'x-account-token': ['own', '  own ', ''],
  'transfer-encoding': ['chunked'],
  origin: ['https://evil.example', 'http://localhost', 'null'],
  'sec-fetch-site': ['cross-site', 'same-origin'],
};
const oddHeaders = Object.entries(odd).flatMap(([name, values]) =>
  values.map((value) => ({ [name]: value })),
);
const types = fc.array(fc.constantFrom(...odd.accept), { maxLength: 4 });
const usual = { 'content-type': 'application/json', 'x-api-key': key };
const headers = fc.oneof(
  types.map((list) => ({ ...usual, accept: list.join(', ') })),
  fc.constantFrom(...oddHeaders).map((one) => ({ ...usual, ...one })),
  fc
    .tuple(fc.constantFrom(...oddHeaders), fc.constantFrom(...oddHeaders))
    .map(([one, another]) => ({
      ...usual,
      ...one,
      ...another,
    })),
);

const rawRequest: fc.Arbitrary<RawRequest> = fc.record(
  {
    headers,
    body,
    path: fc.oneof(
      { weight: 9, arbitrary: fc.constant('/graphql') },
      fc.constantFrom('/graphql/', '/graphql?x', '/graphq%6c', '/'),
    ),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant('POST') },
      fc.constantFrom('PUT', 'DELETE'),
    ),
  },
  { requiredKeys: ['headers', 'body'] },
);

const manifest = writeManifest('{"listed":"query A { ok bug }","other":"{ ok }"}');
afterAll(() => manifest.remove());
const listed = (documentMode: 'log' | 'enforce') => ({
  documentMode,
  documentManifest: manifest.path,
});

const settings: readonly [string, NonNullable<TestAppOptions['settings']>][] = [
  ['open, in development', { auth: { kind: 'open' }, development: true }],
  ['behind keys', { auth: { kind: 'keys', keys: [plainKey(key)] }, introspection: 'off' }],
  ['logging documents outside the manifest', { development: true, ...listed('log') }],
  ['refusing documents outside the manifest', { development: true, ...listed('enforce') }],
];

describe.each(settings)('a gateway that is %s', (_name, own) => {
  const agent = new Agent({ keepAlive: true });
  let fast: TestApp;
  let yoga: TestApp;
  beforeAll(async () => {
    fast = await startApp({ settings: own, fastPath: true });
    yoga = await startApp({ settings: own, fastPath: false });
  });
  afterAll(async () => {
    agent.destroy();
    await Promise.all([fast.close(), yoga.close()]);
  });

  /** The response and its log lines, without time and stack. */
  const tell = async (app: TestApp, request: RawRequest) => {
    const before = app.lines.length;
    const headers = { 'x-request-id': 'sent-on-both-paths', ...request.headers };
    const response = await sendRaw(app.url, { ...request, headers }, agent);
    const logged = app.lines.slice(before).map(({ time: _time, error, ...line }) => {
      const { type, message } = (error ?? {}) as { type?: string; message?: string };
      return { ...line, type, message };
    });
    return { ...response, headers: { ...response.headers, date: null }, logged };
  };

  test.each([
    ['{ ok token }', {}, 0],
    ['query ($y: Int! = 2) { ok period(years: $y) }', { y: 'two' }, 1],
    ['{ required }', {}, 2],
  ])(
    'has equal responses on both paths for each odd header alone: %s',
    async (query, variables, document) => {
      // The short form sends each header with one of the documents.
      const sent = oddHeaders.filter((_, at) => at % runs(3, 1) === document % runs(3, 1));
      for (const one of [{}, ...sent]) {
        const request = {
          headers: { ...usual, ...one },
          body: JSON.stringify({ query, variables }),
        };
        const [onFast, onYoga] = [await tell(fast, request), await tell(yoga, request)];

        expect({ one, ...onFast }).toEqual({ one, ...onYoga });
      }
    },
  );

  test('has equal status, headers, body and log on both paths for any request', async () => {
    await fc.assert(
      fc.asyncProperty(rawRequest, async (request) => {
        expect(await tell(fast, request)).toEqual(await tell(yoga, request));
      }),
      { numRuns: runs(40, 150) },
    );
  }, 120_000);
});
