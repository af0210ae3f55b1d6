import { parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { plainKey } from '../../src/config/credentials.ts';
import { startApp, type TestApp } from '../support/app.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let app: TestApp;
let closed: TestApp;
beforeAll(async () => {
  app = await startApp();
  closed = await startApp({
    settings: { development: false, introspection: 'off' },
    environment: 'live',
  });
});
afterAll(async () => {
  await app?.close();
  await closed?.close();
});

const read = async (path: string, from = app) =>
  (await from.request(path, { headers: browser })).text();

/** An app that is not ready. */
const startUnready = (reason: string) =>
  startApp({
    health: {
      ...{ readiness: async () => reason, isStopping: () => false },
      upstream: () => ({ domain: 'open' }),
    },
  });

describe('the start page', () => {
  const path = '/';

  test('is HTML for a browser, in development and outside of it', async () => {
    for (const one of [app, closed]) {
      const page = await one.request(path, { headers: browser });

      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('vary')).toBe('accept');
    }
  });

  test('runs no script and loads the icon only', async () => {
    const page = await app.request(path, { headers: browser });
    const policy = page.headers.get('content-security-policy') ?? '';
    const text = await page.text();

    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; connect-src 'self'; img-src 'self'; require-trusted-types-for 'script'; trusted-types 'none';/,
    );
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(text).not.toMatch(/<script|style="|\son\w+=/);
    expect([...text.matchAll(/<link[^>]*href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
      '/icon.svg',
    ]);
  });

  test('states whether purchases are real', async () => {
    expect(await read(path)).toContain('Sandbox: nothing here costs money');
    expect(await read(path, closed)).toContain('Live: purchases are real');
  });

  test('is 404 for a client that does not accept HTML', async () => {
    for (const one of [app, closed]) {
      const response = await one.request(path, { headers: { accept: '*/*' } });

      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    }
  });

  test('has no dead link', async () => {
    for (const one of [app, closed]) {
      const text = await read(path, one);
      const links = [...text.matchAll(/href="(\/[^"]*)"/g)].map(([, link = '']) => link);
      const states = links.map(async (link) => (await one.request(link, { headers: browser })).ok);

      expect(links.length).toBeGreaterThan(1);
      expect(await Promise.all(states)).toEqual(links.map(() => true));
    }
  });
});

describe('the content of the start page', () => {
  test('links to GraphiQL in development only', async () => {
    expect(await read('/')).toContain('GraphiQL');
    expect(await read('/', closed)).not.toContain('GraphiQL');
  });

  test('shows why the gateway is not ready', async () => {
    const stuck = await startUnready('The journal cannot be written.');
    const text = await read('/', stuck);
    await stuck.close();

    expect(text).toContain('The journal cannot be written.');
    expect(await read('/')).toContain('Ready.');
  });

  test('has a check of its own for load balancers, with the reason', async () => {
    const reason = 'The journal cannot be written.';
    const stuck = await startUnready(reason);
    const response = await stuck.request('/health/ready');
    const body = await response.json();
    await stuck.close();

    expect(response.status).toBe(503);
    expect(body).toEqual({ status: 'not ready', reason, upstream: { domain: 'open' } });
  });

  test('contains no markup from a reason', async () => {
    const stuck = await startUnready('<b>a & b</b>');
    const text = await read('/', stuck);
    await stuck.close();

    expect(text).toContain('<p class="health unwell">&lt;b&gt;a &amp; b&lt;/b&gt;</p>');
    expect(await read('/')).toContain('<p class="health well">');
  });

  test('shows how to send a key only where one is needed', async () => {
    const auth = { kind: 'keys', keys: [plainKey('a-key-of-sixteen-characters')] } as const;
    const guarded = await startApp({ settings: { auth } });
    const text = await read('/', guarded);
    await guarded.close();

    expect(text).toContain('-H "x-api-key: $API_KEY"');
    expect(text).toContain('Authorization: Bearer');
    expect(await read('/')).not.toMatch(/x-api-key|Bearer/);
  });

  test('names the domain of the sandbox in the sandbox only', async () => {
    expect(await read('/')).toContain('reseller-demo.com');
    expect(await read('/', closed)).not.toContain('reseller-demo.com');
  });

  test('has a query for the command line that the graph accepts', async () => {
    const text = (await read('/')).replaceAll('&amp;', '&');
    const [, body = ''] = /-d '(.*)'/.exec(text) ?? [];

    expect(text).toContain("-H 'content-type: application/json' \\\n");
    expect(validate(schema, parse(JSON.parse(body).query))).toEqual([]);
  });

  test('is the path of the graph for a JSON client in development', async () => {
    expect(await (await app.request('/')).json()).toEqual({ graph: '/graphql' });
    expect(await (await closed.request('/')).json()).not.toHaveProperty('graph');
  });

  test('is served to HEAD too, and not to a client of another text', async () => {
    const head = await app.request('/', { method: 'HEAD', headers: browser });
    const other = await app.request('/', { headers: { accept: 'text/htmlx' } });

    expect([head.status, other.status]).toEqual([200, 404]);
  });

  test('has an icon that browsers cache', async () => {
    const icon = await app.request('/icon.svg');

    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
    expect(icon.headers.get('cache-control')).toMatch(/max-age=[1-9]/);
    expect(await icon.text()).toContain('<svg');
  });

  test('shows the address that the browser uses', async () => {
    expect(await read('/')).toContain(`curl -s ${app.url}/graphql`);
  });
});

test.each(['/errors', '/settings'])('%s does not exist', async (path) => {
  expect((await app.request(path, { headers: browser })).status).toBe(404);
});

describe('the health of a gateway', () => {
  const stopped = (isStopping: boolean) =>
    startApp({
      health: {
        readiness: async () => null,
        isStopping: () => isStopping,
        upstream: () => ({ domain: 'open' }),
      },
    });

  test.each([
    ['/health/live', false, 200, { status: 'live' }],
    ['/health/live', true, 200, { status: 'live' }],
    ['/health/serving', false, 200, { status: 'serving', upstream: { domain: 'open' } }],
    ['/health/serving', true, 503, { status: 'stopping' }],
    ['/health/ready', false, 200, { status: 'ready', upstream: { domain: 'open' } }],
  ])('%s, stopping: %s, has the status %d', async (path, isStopping, status, body) => {
    const one = await stopped(isStopping);
    const response = await one.request(path);
    const found = await response.json();
    await one.close();

    expect([response.status, found]).toEqual([status, body]);
  });
});
