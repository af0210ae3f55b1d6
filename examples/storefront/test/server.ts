import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { type Storefront, serveStorefront } from './storefront.ts';

/** The promises of the small server. */
export function describeServer(shop: () => Storefront): void {
  test('no script, page or response has the token of the session', {
    timeout: 60_000,
  }, async () => {
    const { page } = await shop().open();
    const [cookie] = await page.context().cookies();
    const token = cookie?.value ?? '';
    const received: Promise<string>[] = [];
    page.on('response', (response) =>
      received.push(
        response
          .text()
          .catch(() => '')
          .then((text) => `${JSON.stringify(response.headers())} ${text}`),
      ),
    );
    for (const path of ['', 'cart', 'portfolio', 'transfer', 'reseller']) {
      await page.goto(`${shop().url}?${path}#/${path}`);
      await page.waitForLoadState('networkidle');
    }
    await page.goto(`${shop().url}?domain#/domain/reseller-demo.com`);
    await page
      .getByRole('region', { name: 'Events' })
      .getByText('No change of this domain')
      .waitFor();
    const shown = `${await page.content()} ${await page.evaluate(() => document.cookie)}`;
    // Ends the stream of the events.
    await page.close();
    const all = (await Promise.all(received)).join('\n');

    // The bundle and responses of the graph are among them.
    expect(all).toContain('Maple Harbor');
    expect(all).toContain('"totalCount"');
    expect(all).toContain('"lastName":"Sample"');
    expect(token.split('.')).toHaveLength(3);
    expect(all).not.toContain(token);
    expect(shown).not.toContain(token);
  });

  test('the server allows no page of another site to show its page', async () => {
    const response = await fetch(shop().url);

    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('the server accepts only the names of STOREFRONT_NAMES, and addresses', async () => {
    const serving = await serveStorefront({
      ...{ GATEWAY_URL: shop().gateway.url, STOREFRONT_KEYS: shop().keys },
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

  test('the server does not start over a gateway that does not accept its tokens', async () => {
    const env = { GATEWAY_URL: shop().gateway.url, STOREFRONT_KEYS: `${shop().keys}/other` };

    await expect(serveStorefront(env)).rejects.toThrow('ended');
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
