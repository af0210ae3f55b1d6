import { expect, test } from 'vitest';
import { createRequest } from '../../../test/support/server/request.ts';
import { homePageRoutes } from './home-page.ts';

/** The body of a route of a gateway that is ready. */
async function read(path: string, requiresKey = false, priceWarning: string | null = null) {
  const routes = homePageRoutes({
    ...{
      environment: 'sandbox',
      development: false,
      requiresKey,
      priceWarning,
      pages: [],
    },
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
    'curl -s https://graph.example/graphql \\',
    ...key,
    "-H 'content-type: application/json' \\",
    expect.stringMatching(/^-d '\{"query":".*"\}'$/),
  ]);
});

test('the page states that prices are missing, and what to do', async () => {
  const sentence = '<p class="health unwell">Set &lt;prices&gt;.</p>';

  expect(await read('/', true, 'Set <prices>.')).toContain(sentence);
  expect(await read('/', true)).not.toContain('class="health unwell"');
});

test('the icon is an image', async () => {
  expect(await read('/icon.svg')).toContain('<svg');
});
