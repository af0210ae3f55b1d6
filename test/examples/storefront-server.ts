import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Storefront } from './storefront.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** The promises of the small server; the gateway of `shop` requires `key`. */
export function describeServer(shop: () => Storefront, key: string): void {
  const query = JSON.stringify({ query: '{ gateway { caller } domains { totalCount } }' });
  const json = { 'content-type': 'application/json' };

  /** As `fetch`, which sets Host and Origin itself. */
  const send = (path: string, method: string, headers = {}, body = ''): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(shop().url);
      const sent = request({ hostname, port, path, method, headers }, async (response) => {
        const parts = await response.toArray();
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() });
      });
      sent.on('error', reject).end(body);
    });

  describe('the server of the storefront', { timeout: 60_000 }, () => {
    test('sends its key to a gateway that requires one', async () => {
      const { status, text } = await send('/graphql', 'POST', json, query);

      expect(status).toBe(200);
      expect(JSON.parse(text).data.gateway.caller).toBe('default');
    });

    test('replaces a key of the client', async () => {
      const { status } = await send('/graphql', 'POST', { ...json, 'x-api-key': 'wrong' }, query);

      expect(status).toBe(200);
    });

    test('shows no browser its key, on any page', async () => {
      const { page } = await shop().open();
      const received: Promise<string>[] = [];
      page.on('response', (response) =>
        received.push(
          response
            .text()
            .catch(() => '')
            .then((text) => `${JSON.stringify(response.headers())} ${text}`),
        ),
      );
      for (const path of ['', 'cart', 'portfolio', 'transfer', 'domain/others-demo.com']) {
        await page.goto(`${shop().url}?${path}#/${path}`);
        await page.waitForLoadState('networkidle');
      }
      const all = (await Promise.all(received)).join('\n');

      // The bundle and responses of the graph are among them.
      expect(all).toContain('Maple Harbor');
      expect(all).toContain('totalCount');
      expect(all).not.toContain(key);
      expect(await page.content()).not.toContain(key);
    });

    test.each([
      ['another site', { origin: 'http://evil.example' }, 403],
      ['another port', { origin: 'http://127.0.0.1:1' }, 403],
      ['an opaque origin', { origin: 'null' }, 403],
      ['another site without an origin', { 'sec-fetch-site': 'cross-site' }, 403],
      ['a site with a rebound name', { host: 'evil.example' }, 403],
      ['a form', { 'content-type': 'text/plain' }, 415],
    ])('refuses a request of %s before the gateway', async (_name, headers, expected) => {
      await shop().gateway.resetCalls();

      const { status, text } = await send('/graphql', 'POST', { ...json, ...headers }, query);

      expect(status).toBe(expected);
      expect(text).not.toContain('totalCount');
      expect(await shop().gateway.countCalls()).toEqual({});
    });

    test('refuses the export to pages of other sites', async () => {
      const own = await send('/export/domains.csv', 'GET', { 'sec-fetch-site': 'same-origin' });
      const foreign = await send('/export/domains.csv', 'GET', { 'sec-fetch-site': 'cross-site' });

      expect(own.status).toBe(200);
      expect(own.text).toMatch(/^name,unicodeName,/);
      expect(foreign.status).toBe(403);
    });

    test.each([
      ['GET', '/graphql?query={gateway{caller}}', 405],
      ['OPTIONS', '/graphql', 405],
      ['POST', '/export/domains.csv', 405],
    ])('refuses %s %s', async (method, path, expected) => {
      expect((await send(path, method, json)).status).toBe(expected);
    });

    test.each(['/metrics', '/health/ready', '/export/other.csv', '/graphql/x', '//127.0.0.1:1/'])(
      'does not forward %s',
      async (path) => {
        const { text } = await send(path, 'GET', { accept: 'application/json' });

        expect(text).not.toMatch(/"status"|process_cpu|errors/);
      },
    );

    test('refuses a body beyond the limit of the gateway', async () => {
      const { status } = await send('/graphql', 'POST', json, ' '.repeat(300_000));

      expect(status).toBe(413);
    });

    test('responds 502 without the gateway, and works when it is back', async () => {
      await shop().network.cut();
      const { status, text } = await send('/graphql', 'POST', json, query);
      await shop().network.restore();

      expect({ status, text }).toEqual({ status: 502, text: 'The gateway cannot be reached.\n' });
      expect((await send('/graphql', 'POST', json, query)).status).toBe(200);
    });
  });
}
