import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type Storefront, serveStorefront } from './storefront.ts';

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
    for (const path of ['', 'cart', 'portfolio', 'transfer']) {
      await page.goto(`${shop().url}?${path}#/${path}`);
      await page.waitForLoadState('networkidle');
    }
    await page.goto(`${shop().url}?domain#/domain/reseller-demo.com`);
    await page.getByRole('region', { name: 'Events' }).getByText('The gateway').waitFor();
    const shown = await page.content();
    // Ends the stream of the events.
    await page.close();
    const all = (await Promise.all(received)).join('\n');

    // The bundle and responses of the graph are among them.
    expect(all).toContain('Maple Harbor');
    expect(all).toContain('"totalCount"');
    expect(all).toContain('"lastName":"Sample"');
    expect(all).not.toContain(key);
    expect(shown).not.toContain(key);
  });

  test('the server allows no page of another site to show its page', async () => {
    const response = await fetch(shop().url);

    expect(response.headers.get('content-security-policy')).toBe("frame-ancestors 'none'");
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('the server accepts only the names of STOREFRONT_NAMES, and addresses', async () => {
    const serving = await serveStorefront({
      ...{ GATEWAY_URL: shop().gateway.url, GATEWAY_KEY: key },
      STOREFRONT_NAMES: 'shop.example, other.example',
    });
    const names = ['shop.example', 'other.example', '127.0.0.1', 'evil.example'];
    const found: (number | undefined)[] = [];
    for (const name of names) {
      for (const path of ['/', '/graphql']) found.push(await statusOf(serving.page, path, name));
    }
    await serving.stop();

    expect(found).toEqual([200, 200, 200, 200, 200, 200, 403, 403]);
  });

  test('the server does not start with a key that is no header value', async () => {
    await expect(serveStorefront({ GATEWAY_KEY: 'two words' })).rejects.toThrow('ended');
  });
}

/** The status of a request whose Host header has this name. */
async function statusOf(page: string, path: string, name: string): Promise<number | undefined> {
  const { hostname, port } = new URL(page);
  const isGraph = path === '/graphql';
  const method = isGraph ? 'POST' : 'GET';
  const headers = { host: `${name}:${port}`, 'content-type': 'application/json' };
  const sent = request({ hostname, port, path, method, headers });
  sent.end(isGraph ? JSON.stringify({ query: '{ gateway { caller } }' }) : '');
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}
