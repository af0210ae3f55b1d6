import { type AbuseInput, bad, document, key, raw, written } from './input.ts';

const body = JSON.stringify({ query: '{ __typename }' });
const spending = encodeURIComponent('mutation { logout(input: {}) { errors { code } } }');
const asking = encodeURIComponent('{ __typename }');
type Headers = Readonly<Record<string, string | null>>;

const foreign = (name: string, bytes: Buffer): AbuseInput => ({
  ...{ name, bytes, statuses: [403], category: 'ACCESS' },
});
const posted = (headers: Headers) => written({ headers, body });
const got = (headers: Headers, query = asking) =>
  written({ method: 'GET', target: `/graphql?query=${query}`, headers });
const site = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** Requests that a page of another site makes a browser send. */
export const foreignInputs: readonly AbuseInput[] = [
  foreign('a page posts JSON', posted(site)),
  foreign('a page posts JSON as text', posted({ ...site, 'content-type': 'text/plain' })),
  foreign('a page posts a form', written({ headers: { ...site, ...form }, body: 'query={a}' })),
  foreign(
    'a page posts a file',
    posted({ ...site, 'content-type': 'multipart/form-data; boundary=x' }),
  ),
  foreign('a page without an origin', posted({ origin: 'null' })),
  foreign('an old browser without sec-fetch', posted({ origin: 'https://evil.example' })),
  foreign('an origin that begins as ours', posted({ origin: 'http://localhost.evil.example' })),
  foreign('an origin that ends as ours', posted({ origin: 'http://evil-localhost' })),
  foreign('our host at another port', posted({ origin: 'http://localhost:8080' })),
  foreign('two origins', posted({ origin: 'http://localhost, https://evil.example' })),
  foreign('our host with a user', posted({ origin: 'http://localhost@evil.example' })),
  foreign('an extension', posted({ origin: 'chrome-extension://abcdefgh' })),
  foreign('a page of a file', posted({ origin: 'file://' })),
  foreign(
    'a preflight',
    written({ method: 'OPTIONS', headers: { ...site, 'access-control-request-method': 'POST' } }),
  ),
  foreign('an image', got({ 'sec-fetch-site': 'cross-site', accept: 'image/*' })),
  foreign('a script', got({ 'sec-fetch-site': 'cross-site', accept: '*/*' })),
  foreign(
    'a link',
    got({ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' }),
  ),
  foreign('a page of a neighbour', got({ 'sec-fetch-site': 'same-site' })),
  foreign(
    'a page that wants JSON',
    got({ 'sec-fetch-site': 'cross-site', accept: 'application/json' }),
  ),
  foreign('an event source', got({ ...site, accept: 'text/event-stream' })),
  foreign('a socket', got({ origin: 'https://evil.example', upgrade: 'websocket' })),
  bad('an image for an old browser', got({ accept: 'image/*' })),
  bad('a script for an old browser', got({ accept: '*/*' })),
  bad('a link for an old browser', got({ accept: 'text/html,*/*;q=0.8' })),
  bad('a GET without a wish', got({ accept: null })),
  bad(
    'a GET with a body',
    written({ method: 'GET', headers: { 'content-length': '2' }, body: '{}' }),
  ),
  bad('a GET that changes something', got({}, spending), 405),
  bad(
    'a GET that chooses what changes something',
    got(
      {},
      `${encodeURIComponent('query A { __typename } mutation B { logout(input: {}) { errors { code } } }')}&operationName=B`,
    ),
    405,
  ),
  bad('a GET that says it is a POST', got({ 'x-http-method-override': 'POST' }, spending), 405),
  bad('a GET with variables that are none', got({}, `${asking}&variables={`)),
  bad('a GET with a prototype', got({}, `${asking}&variables={"__proto__":{"a":1}}`)),
  bad('a GET with lists in lists', got({}, `${asking}&variables=${'['.repeat(3_000)}`)),
  bad('a GET of two documents', got({}, encodeURIComponent('{ __typename } { __typename }'))),
];

const head = `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\naccept: application/graphql-response+json\r\n`;
const ending = `${body}GET /health/live HTTP/1.1\r\nhost: localhost\r\n\r\n`;
const lines = (text: string, after = ending) => raw(`${head}${text}\r\n\r\n${after}`);
const inChunks = (after: string) => lines('connection: close\r\ntransfer-encoding: chunked', after);

/** Requests that two servers would delimit differently. */
export const smugglingInputs: readonly AbuseInput[] = [
  bad('a length and chunks', lines(`content-length: 5\r\ntransfer-encoding: chunked`)),
  bad('chunks and a length', lines(`transfer-encoding: chunked\r\ncontent-length: 5`)),
  bad('two lengths', lines(`content-length: ${body.length}\r\ncontent-length: 5`)),
  bad('two lengths in one', lines(`content-length: ${body.length}, 5`)),
  bad('a length below nothing', lines('content-length: -1')),
  bad('a length with a sign', lines(`content-length: +${body.length}`)),
  bad('a length in hexadecimal', lines('content-length: 0x18')),
  bad('a length with a dot', lines('content-length: 18.0')),
  bad('chunks of chunks', lines('transfer-encoding: chunked, chunked')),
  bad('chunks of something else', lines('transfer-encoding: gzip, chunked')),
  bad('no chunks at all', lines('transfer-encoding: identity')),
  bad('chunks that are misspelt', lines('transfer-encoding: xchunked')),
  bad('chunks with a blank before the colon', lines('transfer-encoding : chunked')),
  bad('chunks on a line that goes on', lines('x-pad: y\r\n transfer-encoding: chunked')),
  bad('a size that is none', inChunks('zz\r\n{}\r\n0\r\n\r\n')),
  bad('a size below nothing', inChunks('-1\r\n{}\r\n0\r\n\r\n')),
  bad('a size past all', inChunks('fffffffffffffffff\r\n{}\r\n0\r\n\r\n')),
  bad('a chunk that is longer than its size', inChunks(`2\r\n${body}\r\n0\r\n\r\n`)),
  bad('a chunk that says too much', inChunks(`2;${'a'.repeat(40_000)}\r\n{}\r\n0\r\n\r\n`), 413),
  bad('chunks that end with line feeds alone', inChunks('2\n{}\n0\n\n')),
  bad(
    'lines that end with carriage returns alone',
    raw(`POST /graphql HTTP/1.1\rhost: localhost\r\r`),
  ),
];

/** Requests that stop in the middle, each answered after the timeout. */
export const slowInputs: readonly AbuseInput[] = [
  bad('half a request line', raw('POST /gra'), 408),
  bad('half a head', raw(head), 408),
  bad('half a body', lines('content-length: 400', '{"query":"'), 408),
  bad('half a chunk', lines('transfer-encoding: chunked', '10\r\n{"qu'), 408),
  bad('chunks without an end', lines('transfer-encoding: chunked', `1a\r\n${body}\r\n`), 408),
  bad('a body that never begins', lines('content-length: 400', ''), 408),
];

const persisted = (extension: unknown, more: object = {}) =>
  written({ body: JSON.stringify({ extensions: { persistedQuery: extension }, ...more }) });
const stream = (query: string) => document(query);

/** Documents by id and hash, and subscriptions. */
export const otherInputs: readonly AbuseInput[] = [
  bad(
    'the hash of another document',
    persisted({ version: 1, sha256Hash: 'a'.repeat(64) }, { query: '{ __typename }' }),
  ),
  bad('an unknown hash', persisted({ version: 1, sha256Hash: 'b'.repeat(64) })),
  bad('a hash that is a prototype', persisted({ version: 1, sha256Hash: '__proto__' })),
  bad('a hash that is a list', persisted({ version: 1, sha256Hash: ['a'] })),
  bad('a hash of another version', persisted({ version: 2, sha256Hash: 'a'.repeat(64) })),
  bad('a hash without one', persisted({})),
  bad('a hash that is a text', persisted('a')),
  bad('a hash of a megabyte', persisted({ version: 1, sha256Hash: 'a'.repeat(200_000) })),
  bad('an id that is a prototype', written({ body: '{"documentId":"__proto__"}' })),
  bad('an id that is a number', written({ body: '{"documentId":5}' })),
  bad('an id and a document', written({ body: '{"documentId":"a","query":"{ __typename }"}' })),
  bad('an id that goes up', written({ body: '{"documentId":"../../../etc/passwd"}' })),
  bad(
    'a subscription of two fields',
    stream(
      'subscription { a: purchaseSettled(id: "a") { id } b: purchaseSettled(id: "b") { id } }',
    ),
  ),
  bad('a subscription to nothing', stream('subscription { nothing }')),
  bad(
    'a subscription that wants JSON',
    stream('subscription { purchaseSettled(id: "a") { id } }'),
    406,
    400,
  ),
];
