import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let app: TestApp;
let closed: TestApp;
beforeAll(async () => {
  app = await startApp();
  closed = await startApp({ settings: { development: false }, environment: 'live' });
});
afterAll(async () => {
  await app?.close();
  await closed?.close();
});

const read = async (path: string, from = app) =>
  (await from.request(path, { headers: browser })).text();

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

    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; img-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|script-src/);
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
    const stuck = await startApp({
      health: {
        readiness: async () => 'The journal cannot be written.',
        isStopping: () => false,
        upstream: () => ({}),
      },
    });
    const text = await read('/', stuck);
    await stuck.close();

    expect(text).toContain('The journal cannot be written.');
    expect(await read('/')).toContain('Ready.');
  });

  test('is the path of the graph for a JSON client in development', async () => {
    expect(await (await app.request('/')).json()).toEqual({ graph: '/graphql' });
  });

  test('shows the address that the browser uses', async () => {
    expect(await read('/')).toContain(`curl -s ${app.url}/graphql`);
  });
});

test.each(['/errors', '/settings'])('%s does not exist', async (path) => {
  expect((await app.request(path, { headers: browser })).status).toBe(404);
});
