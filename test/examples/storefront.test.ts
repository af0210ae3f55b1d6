import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  buyButton,
  lineOf,
  openStorefront,
  resultOf,
  runThere,
  type Storefront,
  searchFor,
  serveStorefront,
  takeToCart,
  whyNoStorefront,
} from './storefront.ts';

// One file for all: each would build the same folder.
describe.skipIf(whyNoStorefront)(
  `the storefront${whyNoStorefront ? ` (skipped: ${whyNoStorefront})` : ''}`,
  { timeout: 60_000 },
  () => {
    let shop: Storefront;
    beforeAll(async () => {
      shop = await openStorefront();
    }, 60_000);
    afterAll(() => shop?.close());
    afterEach(() => shop.gateway.admin('POST', '/latency', { perCallMs: 0, perNameMs: 0 }));

    const slowRegistry = (perNameMs: number) =>
      shop.gateway.admin('POST', '/latency', { perCallMs: 0, perNameMs });
    const registrations = async () => (await shop.gateway.countCalls()).registerdomain ?? 0;

    test('every document is one of the current schema', async () => {
      const child = runThere('npm', ['run', '--silent', 'types']);
      let said = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          said += chunk;
        });
      }
      const [exitCode] = await once(child, 'close');

      expect({ exitCode, said: exitCode === 0 ? '' : said }).toEqual({ exitCode: 0, said: '' });
    });

    describe('the search', () => {
      test('shows results while others are still asked about, with what a name costs later', async () => {
        await slowRegistry(60);
        const { page, trouble } = await shop.open();
        const progress = () => page.locator('.progress').textContent();

        await page.getByRole('searchbox').fill('maple-harbor');
        await resultOf(page, 'maple-harbor.com').waitFor();
        const early = await progress();
        expect(await page.getByTestId('announcement').textContent()).toMatch(/^Searching/);
        await page.getByText(/^maple-harbor: \d+ names, \d+ of them free\.$/).waitFor();

        expect(early).toMatch(/ so far$/);
        expect(await progress()).not.toBe(early);
        expect(await resultOf(page, 'maple-harbor.com').textContent()).toContain(
          '$11.29then $11.49 a year · $57.25 over 5 years',
        );
        expect(trouble).toEqual([]);
      });

      test('is over in the gateway too as soon as the text changes', async () => {
        await slowRegistry(150);
        await shop.gateway.resetCalls();
        const { page } = await shop.open();
        // So that the gateway knows how slow it is, and asks about a few names at a time.
        await searchFor(page, 'hazel');
        const asked = async () =>
          (await shop.gateway.upstreamCalls())
            .flatMap(({ domain, domains }) => domains ?? domain ?? [])
            .filter((name) => name.startsWith('walnut.')).length;

        await page.getByRole('searchbox').fill('walnut');
        await resultOf(page, 'walnut.com').waitFor();
        await page.getByRole('searchbox').fill('');
        await page
          .getByTestId('announcement')
          .filter({ hasText: /^$/ })
          .waitFor({ state: 'attached' });
        await page.waitForTimeout(700);
        const left = await asked();
        await page.waitForTimeout(1_500);

        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThan(60);
        expect(await asked()).toBe(left);
      });

      test('offers no name that is taken or of which nobody knows', async () => {
        const { page, trouble } = await shop.open('#/?q=busy-maple');
        const unknown = resultOf(page, 'busy-maple.com');
        await unknown.getByText('Nobody knows').waitFor();
        await searchFor(page, 'weather');
        const taken = resultOf(page, 'weather.com');

        expect(await taken.textContent()).toContain('Taken');
        expect(await taken.getByRole('button').count()).toBe(0);
        await page.getByRole('searchbox').fill('busy-maple');
        await unknown.waitFor();
        expect(await unknown.getByRole('button').count()).toBe(0);
        expect(trouble).toEqual([]);
      });

      test('asks again about names of which nobody knows', async () => {
        const { page } = await shop.open('#/?q=busy-beech');
        const again = page.getByRole('button', { name: 'Ask again' });
        await again.waitFor();
        await shop.gateway.resetCalls();

        await again.click();

        await expect
          .poll(async () => (await shop.gateway.upstreamCalls()).length)
          .toBeGreaterThan(0);
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
      });

      test('says why a label can be no name, and is there for the next', async () => {
        const { page, trouble } = await shop.open();
        const alert = page.getByRole('alert');

        await page.getByRole('searchbox').fill('no_name');
        await alert.filter({ hasText: 'letters' }).waitFor();
        await page.getByRole('searchbox').fill('a name- ');
        await page.getByText(/^a-name: \d+ names/).waitFor();

        expect(await alert.count()).toBe(0);
        expect(trouble).toEqual([]);
      });

      test('passes on what the gateway says of a label that it refuses', async () => {
        const { page } = await shop.open('#/?q=xn--maple');

        await page.getByRole('alert').filter({ hasText: 'xn--maple' }).waitFor();
      });

      test('can be used from the search to the cart by the keyboard alone', async () => {
        const { page } = await shop.open('#/?q=key-board');
        await page.getByText(/^key-board: \d+ names/).waitFor();
        const focused = () =>
          page.evaluate(() => {
            const one = document.activeElement;
            return one instanceof HTMLInputElement ? one.type : one?.textContent?.trim();
          });

        const order: (string | undefined)[] = [];
        for (let step = 0; step < 7; step += 1) {
          await page.keyboard.press('Tab');
          order.push(await focused());
        }
        await page.keyboard.press('Enter');

        expect(order).toEqual([
          'Maple Harbor',
          'Search',
          'Cart',
          'Portfolio',
          'search',
          'checkbox',
          'Add: key-board.com',
        ]);
        expect(await focused()).toBe('✓ In cart: key-board.com');
        expect(await page.getByRole('link', { name: /^Cart/ }).textContent()).toBe('Cart1 domain');
      });
    });

    describe('the cart', () => {
      test('buys once at a double click, since both clicks have the same key', async () => {
        const { page, trouble } = await shop.open();
        await takeToCart(page, 'double-click.com');
        await shop.gateway.resetCalls();
        const keys: unknown[] = [];
        page.on('request', (request) => {
          const { input } = request.postDataJSON()?.variables ?? {};
          if (input && !input.dryRun) keys.push(input.idempotencyKey);
        });

        await buyButton(page).evaluate((button: HTMLElement) => {
          button.click();
          button.click();
        });
        await lineOf(page, 'double-click.com').getByText('Yours').waitFor();

        expect(keys).toHaveLength(2);
        expect(new Set(keys).size).toBe(1);
        expect(await registrations()).toBe(1);
        expect(trouble).toEqual([]);
      });

      test('learns of a purchase whose answer the service lost', async () => {
        const { page, trouble } = await shop.open();
        await takeToCart(page, 'lost-answer-pine.com');
        await shop.gateway.resetCalls();

        await buyButton(page).click();
        await lineOf(page, 'lost-answer-pine.com').getByText('Yours').waitFor();

        expect(await registrations()).toBe(1);
        expect(trouble).toEqual([]);
      });

      test('learns of a purchase whose answer was lost on the way to the browser', async () => {
        const { page } = await shop.open();
        await takeToCart(page, 'way-home.com');
        await shop.gateway.resetCalls();
        await page.route('**/graphql', async (route) => {
          const { input } = route.request().postDataJSON().variables;
          if (!input?.idempotencyKey) return route.continue();
          await route.fetch();
          await route.abort();
        });

        await buyButton(page).click();
        await lineOf(page, 'way-home.com').getByText('Yours').waitFor();

        expect(await registrations()).toBe(1);
      });

      test('keeps a purchase that never reached the gateway, and sends it again under the same key', async () => {
        const { page } = await shop.open();
        await takeToCart(page, 'never-left.com');
        await shop.gateway.resetCalls();
        await page.route('**/graphql', (route) =>
          route.request().postDataJSON().variables.input?.idempotencyKey
            ? route.abort()
            : route.continue(),
        );
        const line = lineOf(page, 'never-left.com');
        await buyButton(page).click();
        await line.getByText('does not know of this purchase').waitFor();
        expect(await registrations()).toBe(0);

        await page.unroute('**/graphql');
        await line.getByRole('button', { name: 'Send again' }).click();
        await line.getByText('Yours').waitFor();

        expect(await registrations()).toBe(1);
      });

      test('finds a purchase again that was under way when the page was reloaded', async () => {
        const { page } = await shop.open();
        await takeToCart(page, 'reload-oak.com');
        await shop.gateway.resetCalls();
        await shop.gateway.admin('POST', '/faults', {
          fault: 'hold-after',
          action: 'registerdomain',
        });
        const line = lineOf(page, 'reload-oak.com');

        await buyButton(page).click();
        await expect.poll(() => shop.gateway.admin('GET', '/held')).toMatchObject({ held: 1 });
        await page.reload();
        await line.waitFor();
        await shop.gateway.admin('POST', '/release', {});
        await line.getByText('Yours').waitFor();

        expect(await registrations()).toBe(1);
      });

      test('shows as open what nobody knows yet, and as bought once it is', async () => {
        const { page, trouble } = await shop.open();
        await takeToCart(page, 'late-elm.com');
        await shop.gateway.resetCalls();
        const line = lineOf(page, 'late-elm.com');

        await buyButton(page).click();
        await line.getByText('Nobody knows yet').waitFor();
        expect(await line.getByText('Yours').count()).toBe(0);
        await line.getByText('Yours').waitFor();

        expect(await registrations()).toBe(1);
        expect(trouble).toEqual([]);
      });

      test('buys a premium name only once its price is accepted', async () => {
        const { page, trouble } = await shop.open();
        await takeToCart(page, 'casino.com');
        const line = lineOf(page, 'casino.com');
        await line.getByText('A premium name').waitFor();
        expect(await page.getByRole('button', { name: 'Register 0 domains' }).count()).toBe(1);

        await line.getByRole('checkbox').check();
        await buyButton(page).click();
        await line.getByText('Yours').waitFor();

        expect(await line.textContent()).toContain('$1,900.00');
        expect(trouble).toEqual([]);
      });
    });

    describe('the portfolio', () => {
      test('pages forwards and back without losing or repeating a domain', async () => {
        const { page, trouble } = await shop.open('#/portfolio');
        const names = () => page.locator('tbody th').allTextContents();
        await page.locator('tbody tr').first().waitFor();
        const first = await names();

        await page.getByRole('button', { name: 'Next' }).click();
        await expect.poll(names).not.toEqual(first);
        const second = await names();
        await page.getByRole('button', { name: 'Previous' }).click();
        await expect.poll(names).toEqual(first);

        expect(first).toHaveLength(20);
        expect(new Set([...first, ...second]).size).toBe(40);
        expect([...first, ...second]).toEqual([...first, ...second].toSorted());
        expect(trouble).toEqual([]);
      });

      test('filters by text, ending and state, and keeps the filters over a reload', async () => {
        const { page, trouble } = await shop.open('#/portfolio');
        const names = () => page.locator('tbody th').allTextContents();

        await page.getByLabel('State').selectOption('REDEMPTION');
        await page.getByLabel('Name', { exact: true }).fill('demo');
        await page.getByLabel('Ending').selectOption('com');
        await expect.poll(names).toEqual(['redemption-demo.com']);
        await page.reload();
        await expect.poll(names).toEqual(['redemption-demo.com']);

        expect(await page.locator('.legend').textContent()).toContain('In redemption 1');
        expect(trouble).toEqual([]);
      });

      test.each([
        ['grace-demo.com', 'past', 'expired'],
        ['expiring-demo.com', 'soon', '3 days left'],
        ['reseller-demo.com', 'far', 'days left'],
      ])('tells of %s that its end is %s', async (name, urgency, words) => {
        const { page } = await shop.open(`#/portfolio?text=${name}`);
        const expiry = page.getByRole('row', { name }).locator('.expiry');

        expect(await expiry.getAttribute('class')).toBe(`expiry expiry-${urgency}`);
        expect(await expiry.textContent()).toContain(words);
      });
    });

    test.each([
      [360, 'light'],
      [360, 'dark'],
      [1280, 'light'],
      [1280, 'dark'],
    ] as const)('no page is wider than a window of %i pixels, %s', async (width, colorScheme) => {
      const viewport = { width, height: 740 };
      const { page, trouble } = await shop.open('#/?q=maple-harbor', { viewport, colorScheme });
      const overflow = () =>
        page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      await page.getByText(/^maple-harbor: \d+ names/).waitFor();
      const widths = [await overflow()];

      await takeToCart(page, `wide-${width}-${colorScheme}.com`);
      widths.push(await overflow());
      await page.getByRole('link', { name: 'Portfolio' }).click();
      await page.locator('tbody tr').first().waitFor();
      widths.push(await overflow());

      expect(widths.filter((more) => more > 0)).toEqual([]);
      expect(trouble).toEqual([]);
    });

    test('starts a gateway of its own where none is named', async () => {
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
