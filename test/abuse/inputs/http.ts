import { type AbuseInput, bad, raw, written } from './input.ts';

const question = JSON.stringify({ query: '{ __typename }' });
const get = (target: string) => written({ method: 'GET', target });
const method = (name: string) => written({ method: name });

/** Request lines: methods, targets and versions. */
export const httpInputs: readonly AbuseInput[] = [
  ...['TRACE', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND', 'PURGE'].map((name) =>
    name === 'HEAD'
      ? { name: 'the method HEAD', bytes: method(name), statuses: [405] }
      : bad(`the method ${name}`, method(name), 405),
  ),
  bad('TRACE of health', written({ method: 'TRACE', target: '/health/live' }), 405),
  bad('a POST to health', written({ target: '/health/ready', body: question }), 405),
  bad('CONNECT', raw('CONNECT internal.example:443 HTTP/1.1\r\nhost: localhost\r\n\r\n')),
  bad('an unknown method', method('SPEND')),
  bad('a method in small letters', method('post')),
  bad('the preface of HTTP/2', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')),
  bad('HTTP/0.9', raw('GET /graphql\r\n\r\n')),
  bad('HTTP/3.0', written({ version: 'HTTP/3.0', body: question })),
  bad('HTTP/1.0 without a Host', written({ version: 'HTTP/1.0', headers: { host: null } })),
  bad('a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')),
  bad('random bytes', Buffer.from(Array.from({ length: 400 }, (_, at) => (at * 89) % 256))),
  bad('a line of ten thousand letters', raw(`${'A'.repeat(10_000)}\r\n\r\n`)),
  bad('a whole URL as target', get('http://localhost/graphql?query={__typename}')),
  bad('a URL of another machine', get('http://169.254.169.254/latest/meta-data/')),
  bad('no target but *', written({ method: 'OPTIONS', target: '*' })),
  bad('a target that is no path', get('graphql')),
  bad('two slashes', get('//graphql'), 400, 404),
  bad('a path that goes up', get('/graphql/../../etc/passwd')),
  bad('a path that goes nowhere', get('/./graphql')),
  bad('a path that goes up in code', get('/%2e%2e/%2e%2e/etc/passwd')),
  bad('a path with backslashes', get('/..\\..\\windows')),
  bad('a slash in code', get('/..%2f..%2fetc%2fpasswd'), 404),
  bad('the path in code', get('/graphq%6c'), 404),
  bad('a zero in the path', get('/graphql%00.json'), 404),
  bad('a raw byte in the path', get('/graphql\xff')),
  bad('a fragment', get('/graphql#x')),
  bad('a path with a parameter', get('/graphql;a=b'), 404),
  bad('the path in capitals', get('/GRAPHQL'), 404),
  bad('a long target', get(`/graphql?query=${'a'.repeat(9_000)}`), 414),
  bad('a target past all headers', get(`/graphql?query=${'a'.repeat(40_000)}`), 431),
  bad('a target with a blank', raw('GET /graphql ?x HTTP/1.1\r\nhost: localhost\r\n\r\n')),
  ...['/.git/config', '/graphiql', '/admin/calls', '/playground', '/altair', '/.env'].map((path) =>
    bad(`looking for ${path}`, get(path), 404),
  ),
  bad('a broken percent sign', get('/graphql?query=%'), 400),
  bad('the reading of a constructor', get('/constructor'), 404),
  bad('the reading of a prototype', get('/__proto__'), 404),
];
