import { type AbuseInput, bad, key, raw, written } from './input.ts';

const body = JSON.stringify({ query: '{ __typename }' });
type Headers = Readonly<Record<string, string | null>>;
const withHeaders = (headers: Headers) => written({ headers, body });
const host = (name: string) => withHeaders({ host: name });
const unknown = (name: string, headers: Headers): AbuseInput => ({
  ...{ name, bytes: withHeaders(headers), statuses: [401], category: 'ACCESS' },
});
const served = (name: string, headers: Headers): AbuseInput => ({
  ...{ name, bytes: withHeaders(headers), statuses: [200] },
});
const plain = `POST /graphql HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n`;
const line = (text: string) => raw(`${plain}${text}\r\n\r\n${body}`);

/** Headers: Host, keys, and headers that other servers trust. */
export const headerInputs: readonly AbuseInput[] = [
  bad('no Host', withHeaders({ host: null })),
  bad('an empty Host', host('')),
  bad('two Hosts', line('Host: evil.example')),
  bad('the same Host twice', line('host: localhost')),
  bad('a foreign Host', host('evil.example'), 421),
  bad('a rebound name', host('127.0.0.1.evil.example'), 421),
  bad('a Host with a dot at its end', host('localhost.'), 421),
  bad('the address of the cloud', host('169.254.169.254'), 421),
  ...[
    'localhost/x?',
    'localhost#',
    'user@localhost',
    'localhost:99999',
    'a b',
    '[',
    '[::1',
    '..',
  ].map((name) => bad(`the Host ${name}`, host(name), 400, 421)),
  bad('a Host of two names', host('localhost,evil.example')),
  served('a forwarded Host', { 'x-forwarded-host': 'evil.example' }),
  served('a forwarded address', { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '::1' }),
  served('another URL in a header', { 'x-original-url': '/admin', 'x-rewrite-url': '/admin' }),
  served('another method in a header', {
    'x-http-method-override': 'DELETE',
    'x-method-override': 'PUT',
  }),
  served('a debugger is asked for', {
    'x-debug': '1',
    'apollo-tracing': '1',
    'x-apollo-tracing': '1',
  }),
  served('an id with blanks', { 'x-request-id': "x' OR 1=1 --" }),
  served('a header named as a prototype', { ['__proto__']: 'x', constructor: 'y' }),
  served('a range', { range: 'bytes=0-' }),
  served('an upgrade to another HTTP', { upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQ' }),
  unknown('no key', { 'x-api-key': null }),
  unknown('an empty key', { 'x-api-key': '' }),
  unknown('another key', { 'x-api-key': 'not-the-key-of-this-gateway' }),
  unknown('the beginning of the key', { 'x-api-key': key.slice(0, -1) }),
  unknown('the key twice', { 'x-api-key': `${key}, ${key}` }),
  unknown('a very long key', { 'x-api-key': 'k'.repeat(8_000) }),
  unknown('the key as a token', { 'x-api-key': null, authorization: `Bearer ${key}` }),
  unknown('the key as a cookie', { 'x-api-key': null, cookie: `x-api-key=${key}` }),
  bad('headers of 20 kB', withHeaders({ 'x-pad': 'p'.repeat(20_000) }), 431),
  bad(
    'two hundred headers',
    withHeaders(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x-${at}`, 'y']))),
    431,
  ),
  bad('three thousand headers', raw(`${plain}${'a:\r\n'.repeat(3_000)}\r\n${body}`), 431),
  bad('a line without a colon', line('nothing')),
  bad('a blank before the colon', line('x-pad : y')),
  bad('a name with a blank', line('x pad: y')),
  bad('a zero in a value', line('x-pad: a\0b')),
  bad('a carriage return in a value', line('x-pad: a\rset-cookie: b')),
  bad('something expected that is unknown', withHeaders({ expect: 'miracles' }), 417),
  bad(
    'an expectation for a body that is too long',
    withHeaders({ expect: '100-continue', 'content-length': '99999999' }),
    413,
  ),
];
