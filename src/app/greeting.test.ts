import { parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import type { Environment } from '../config/read-values.ts';
import { schema } from './graph.ts';
import { greeting } from './greeting.ts';
import { readConfig } from './read-config.ts';

const API_KEY = 'key-of-the-shop-0123456789';
const live = {
  ...{ UPSTREAM: 'live', DOMAIN_API_URL: 'https://api.example/domain', API_KEY },
  ...{ DOMAIN_API_USERNAME: 'acme', DOMAIN_API_PASSWORD: 'secret' },
};

const textOf = (env: Environment, sandboxUrl: string | null = null) =>
  greeting(readConfig({ DATA_DIR: '/nowhere', ...env }), {
    url: 'http://127.0.0.1:4000',
    sandboxUrl,
  });

test.each<[string, Environment, RegExp, RegExp]>([
  ['the registrar', live, /LIVE: purchases are real/, /sandbox/],
  ['the embedded sandbox', {}, /nothing here costs money/, /LIVE/],
  ['a sandbox here', { DOMAIN_API_URL: 'http://127.0.0.1:9' }, /nothing here costs money/, /LIVE/],
  [
    'a sandbox elsewhere',
    { DOMAIN_API_URL: 'http://api.example', API_KEY },
    /api\.example as its sandbox/,
    /nothing here/,
  ],
])('the greeting names the upstream: %s', (_what, env, present, absent) => {
  expect(textOf(env)).toMatch(present);
  expect(textOf(env)).not.toMatch(absent);
});

test('the greeting is a block of short paragraphs', () => {
  expect(textOf({}, 'http://127.0.0.1:4001').split('\n')).toEqual([
    '',
    '  reseller-graph listens, with a sandbox: nothing here costs money.',
    '',
    '  GraphiQL   http://127.0.0.1:4000/graphql',
    '  Sandbox    http://127.0.0.1:4001  (reseller demo, password demo-password; Account API token demo-token)',
    '',
    '  A query to paste:',
    '',
    expect.stringMatching(/^ {2}curl -s /),
    '',
  ]);
  expect(textOf({ DEVELOPMENT: 'false' }).split('\n').slice(2, 5)).toEqual([
    '',
    '  Graph      http://127.0.0.1:4000/graphql',
    '',
  ]);
});

test.each<[string, Environment, string | null]>([
  ['with a sandbox', {}, 'http://127.0.0.1:4001'],
  ['with a key', { API_KEY, DEVELOPMENT: 'false' }, null],
])('the greeting has the URLs and a query that can be sent, %s', (_what, env, sandboxUrl) => {
  const text = textOf(env, sandboxUrl);
  const [, url, header, body] =
    /curl -s (\S+)( -H \S+ \S+)? -H \S+ -d '(.*)'$/m.exec(
      text.replaceAll("'content-type: application/json'", 'json'),
    ) ?? [];

  expect(url).toBe('http://127.0.0.1:4000/graphql');
  expect(header).toBe(env.API_KEY && ' -H "x-api-key: $API_KEY"');
  expect(validate(schema, parse(JSON.parse(body ?? '').query))).toEqual([]);
  expect(text.includes('GraphiQL')).toBe(env.DEVELOPMENT === undefined);
  expect(/Sandbox +(\S+) .*demo-token/.exec(text)?.[1]).toBe(sandboxUrl ?? undefined);
});
