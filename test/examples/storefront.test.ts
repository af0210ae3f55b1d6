import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../support/browser.ts';
import { whyNotShort } from '../support/long.ts';
import {
  openStorefront,
  order,
  registered,
  runThere,
  type Storefront,
  serveStorefront,
  takeToCart,
  whyNoPackages,
} from './storefront.ts';
import { describeCart } from './storefront-cart.ts';
import { describeOrders } from './storefront-orders.ts';
import { describePortfolio } from './storefront-portfolio.ts';
import { describeSearch } from './storefront-search.ts';

// One file runs all tests, because each file would build the same folder.
describe.skipIf(whyNoPackages)(
  `the storefront${whyNoPackages ? ` (skipped: ${whyNoPackages})` : ''}`,
  { timeout: 60_000 },
  () => {
    test('every document is valid for the current schema', async () => {
      const child = runThere('npm', ['run', '--silent', 'types']);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
        });
      }
      const [exitCode] = await once(child, 'close');

      expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({
        exitCode: 0,
        output: '',
      });
    });
  },
);

const whyNoPages = whyNotShort ?? whyNoPackages ?? whyNoBrowser;

describe.skipIf(whyNoPages)(
  `the pages of the storefront${whyNoPages ? ` (skipped: ${whyNoPages})` : ''}`,
  { timeout: 60_000 },
  () => {
    let shop: Storefront;
    beforeAll(async () => {
      shop = await openStorefront();
    });
    afterEach(() => shop?.closeTabs());
    afterAll(() => shop?.close());

    describeSearch(() => shop);
    describeCart(() => shop);
    describeOrders(() => shop);
    describePortfolio(() => shop);

    test('no page is wider than a window of 360 or 1280 pixels, light or dark', async () => {
      const { page, trouble } = await shop.open('#/?q=maple-harbor');
      const widths: Record<string, number> = {};
      const measure = async (name: string) => {
        // The narrow one last: its window takes the next steps.
        for (const width of [1280, 360]) {
          await page.setViewportSize({ width, height: 740 });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            widths[`${name}, ${width}, ${colorScheme}`] = await page.evaluate(
              () => document.documentElement.scrollWidth - window.innerWidth,
            );
          }
        }
      };

      await page.getByText(/^maple-harbor: \d+ names/).waitFor();
      await measure('search');
      await takeToCart(page, 'wide-harbor.com');
      await measure('cart');
      await order(page);
      await registered(page, '1 of 1');
      await measure('order');
      await page.getByRole('link', { name: 'Portfolio' }).click();
      await page.locator('tbody tr').first().waitFor();
      await measure('portfolio');

      expect(Object.keys(widths)).toHaveLength(16);
      expect(Object.entries(widths).filter(([, more]) => more > 0)).toEqual([]);
      expect(trouble).toEqual([]);
    });

    test('starts its own gateway without GATEWAY_URL', async () => {
      const directory = await mkdtemp(join(tmpdir(), 'storefront-'));
      const serving = await serveStorefront({ DATA_DIR: directory });
      const response = await fetch(`${serving.page}graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ reseller { active } }' }),
      });
      const { data } = (await response.json()) as { data: unknown };
      await serving.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });

      expect(data).toEqual({ reseller: { active: true } });
    });
  },
);
