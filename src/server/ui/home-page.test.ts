import { expect, test } from 'vitest';
import { createRequest } from '../../../test/support/server/request.ts';
import { homePageRoutes } from './home-page.ts';

/** The body of a route of a gateway that is ready. */
async function read(path: string, requiresKey = false) {
  const routes = homePageRoutes({
    ...{ environment: 'sandbox', development: false, requiresKey },
    health: { readiness: async () => null, isStopping: () => false, upstream: () => ({}) },
  });
  const headers = { accept: 'text/html', host: 'graph.example' };
  const request = createRequest({ method: 'GET', target: path, headers });
  return String((await routes[path]?.(request))?.body);
}

test.each([
  [false, []],
  [true, ['-H "x-api-key: $API_KEY" \\']],
])('the command of the page sends a key if callers need one: %s', async (requiresKey, key) => {
  const [, command] = /<pre><code>(.*)<\/code><\/pre>/s.exec(await read('/', requiresKey)) ?? [];

  expect(command?.split('\n  ')).toEqual([
    'curl -s http://graph.example/graphql \\',
    ...key,
    "-H 'content-type: application/json' \\",
    expect.stringMatching(/^-d '\{"query":".*"\}'$/),
  ]);
});

test('the icon is an image', async () => {
  expect(await read('/icon.svg')).toContain('<svg');
});
