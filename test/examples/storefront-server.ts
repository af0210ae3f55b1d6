import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Storefront } from './storefront.ts';

/** The promises of the small server; the gateway of `shop` requires `key`. */
export function describeServer(shop: () => Storefront, key: string): void {
  test('the server shows no browser its key, on any page', { timeout: 60_000 }, async () => {
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
    for (const path of ['', 'cart', 'portfolio', 'transfer', 'domain/reseller-demo.com']) {
      await page.goto(`${shop().url}?${path}#/${path}`);
      await page.waitForLoadState('networkidle');
    }
    const all = (await Promise.all(received)).join('\n');

    // The bundle and responses of the graph are among them.
    expect(all).toContain('Maple Harbor');
    expect(all).toContain('"totalCount"');
    expect(all).toContain('"lastName":"Sample"');
    expect(all).not.toContain(key);
    expect(await page.content()).not.toContain(key);
  });

  test('the server allows no page of another site to show its page', async () => {
    const response = await fetch(shop().url);

    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each(['/', '/graphql'])('the server refuses a rebound name for %s', async (path) => {
    const { hostname, port } = new URL(shop().url);
    const method = path === '/' ? 'GET' : 'POST';
    const headers = { host: 'evil.example', 'content-type': 'application/json' };
    const sent = request({ hostname, port, path, method, headers });
    sent.end('{}');
    const [response] = await once(sent, 'response');

    expect(response.statusCode).toBe(403);
    response.destroy();
  });
}
