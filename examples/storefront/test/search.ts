import { afterEach, describe, expect, test } from 'vitest';
import { requestsOf, resultOf, type Storefront, searchFor } from './storefront.ts';

/** The promises of the search. */
export function describeSearch(shop: () => Storefront): void {
  const slowRegistry = (perNameMs: number) =>
    shop().gateway.admin('POST', '/latency', { perCallMs: 0, perNameMs });

  describe('the search', { timeout: 60_000 }, () => {
    afterEach(() => slowRegistry(0));

    test('shows results while the search continues, with the later prices of a name', async () => {
      await slowRegistry(60);
      const { page, trouble } = await shop().open();
      const progress = () => page.locator('.progress').textContent();

      await page.getByRole('searchbox').fill('maple-harbor');
      await resultOf(page, 'maple-harbor.com').waitFor();
      const early = await progress();
      expect(await page.getByTestId('announcement').textContent()).toMatch(/^Searching/);
      await page.getByText(/^maple-harbor: \d+ names, \d+ of them available\.$/).waitFor();

      expect(early).toMatch(/ so far$/);
      expect(await progress()).not.toBe(early);
      expect(await resultOf(page, 'maple-harbor.com').textContent()).toContain(
        '$11.29then $11.49 a year · up to $57.25 for 5 years',
      );
      expect(trouble).toEqual([]);
    });

    test('ends in the gateway when the text changes', async () => {
      await slowRegistry(150);
      await shop().gateway.resetCalls();
      const { page } = await shop().open();
      // The gateway measures the slow registry and sends small batches.
      await searchFor(page, 'hazel');
      // The next search takes a minute, so that it is in progress when a slow browser ends it.
      await slowRegistry(600);
      const requested = async () =>
        (await shop().gateway.upstreamCalls())
          .flatMap(({ domain, domains }) => domains ?? domain ?? [])
          .filter((name) => name.startsWith('walnut.')).length;

      await page.getByRole('searchbox').fill('walnut');
      await resultOf(page, 'walnut.com').waitFor();
      await page.getByRole('searchbox').fill('');
      await page
        .getByTestId('announcement')
        .filter({ hasText: /^$/ })
        .waitFor({ state: 'attached' });
      let left = -1;
      // The calls in flight end first.
      for (let now = await requested(); now !== left; now = await requested()) {
        left = now;
        await page.waitForTimeout(1_500);
      }

      expect(left).toBeGreaterThan(0);
      // A search that goes on checks 100 names.
      expect(left).toBeLessThan(100);
    });

    test('shows the best match first, and sorts the others by price', async () => {
      const { page, trouble } = await shop().open('#/?q=juniper-lane');
      await page.getByText(/^juniper-lane: \d+ names/).waitFor();
      const names = (section: string) =>
        page
          .locator('section', { has: page.getByRole('heading', { name: section }) })
          .locator('.result-name .domain')
          .allTextContents();
      const prices = async () => {
        const texts = await page
          .locator('.found section')
          .first()
          .locator('.prices strong')
          .allTextContents();
        return texts.map((text) => Number(text.replace('$', '')));
      };

      expect(await names('Best match')).toEqual(['juniper-lane.com']);
      expect((await names('Other endings')).slice(0, 2)).toEqual([
        'juniper-lane.net',
        'juniper-lane.org',
      ]);
      await page.getByLabel('Sort by').selectOption('Price');
      const sorted = await prices();
      expect(sorted.length).toBeGreaterThan(5);
      expect(sorted).toEqual(sorted.toSorted((one, other) => one - other));
      expect(await names('Best match')).toEqual(['juniper-lane.com']);
      expect(trouble).toEqual([]);
    });

    test('offers no name that is taken or unknown', async () => {
      const { page, trouble } = await shop().open('#/?q=busy-maple');
      const unknown = resultOf(page, 'busy-maple.com');
      await unknown.getByText('Unknown').waitFor();
      await searchFor(page, 'weather');
      const taken = resultOf(page, 'weather.com');

      expect(await taken.textContent()).toContain('Taken');
      expect(await taken.getByRole('button').count()).toBe(0);
      await page.getByRole('searchbox').fill('busy-maple');
      await unknown.waitFor();
      expect(await unknown.getByRole('button').count()).toBe(0);
      expect(trouble).toEqual([]);
    });

    test('checks unknown names again', async () => {
      const { page } = await shop().open('#/?q=busy-beech');
      const again = page.getByRole('button', { name: 'Check unknown names again' });
      await again.waitFor();
      await shop().gateway.resetCalls();

      await again.click();

      await expect
        .poll(async () => (await shop().gateway.upstreamCalls()).length)
        .toBeGreaterThan(0);
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    });

    test('reports why a label is invalid without a request, and accepts the next label', async () => {
      const { page, trouble } = await shop().open();
      const requests = requestsOf(page);
      const alert = page.getByRole('alert');

      for (const [text, sentence] of [
        ['m'.repeat(70), 'too long'],
        ['https://ada@maple.com', 'Enter the name only, such as maple-field.'],
        ['я'.repeat(60), 'too long'],
      ] as const) {
        await page.getByRole('searchbox').fill(text);
        await alert.filter({ hasText: sentence }).waitFor();
      }
      expect(requests.filter(({ query }) => query.includes('searchDomains'))).toEqual([]);
      expect(await page.getByRole('checkbox').count()).toBe(0);
      for (const [text, label] of [
        ['a name- ', 'a-name'],
        ["Maple Harbor & Ada's", 'Maple-Harbor-Adas'],
      ] as const) {
        await page.getByRole('searchbox').fill(text);
        await page.getByText(new RegExp(`^${label}: \\d+ names`)).waitFor();
      }

      expect(await alert.count()).toBe(0);
      expect(trouble).toEqual([]);
    });

    test('reads a pasted address as its name', async () => {
      const { page, trouble } = await shop().open();

      await page.getByRole('searchbox').fill('https://www.Alder-Harbor.net/shop?x=1#top');
      await resultOf(page, 'alder-harbor.net').waitFor();

      expect(await page.locator('.result-name .domain').first().textContent()).toBe(
        'alder-harbor.net',
      );
      expect(trouble).toEqual([]);
    });

    test('says why a name is refused, in the words of a shop', async () => {
      const { page } = await shop().open('#/?q=xn--maple');
      const alert = page.getByRole('alert');
      await alert.filter({ hasText: '"xn--maple"' }).waitFor();
      expect(await page.getByRole('checkbox').count()).toBe(0);

      await page.getByRole('searchbox').fill('maple-harbor.notatld');
      const refused = resultOf(page, 'maple-harbor.notatld');
      await refused.getByText('We do not sell this ending.').waitFor();
      expect(await refused.textContent()).not.toContain('query');
    });

    test('works from the search to the cart with the keyboard alone', async () => {
      const { page } = await shop().open('#/?q=key-board');
      await page.getByText(/^key-board: \d+ names/).waitFor();
      const focused = () =>
        page.evaluate(() => {
          const one = document.activeElement;
          if (one instanceof HTMLSelectElement)
            return one.labels[0]?.querySelector('span')?.textContent;
          return one instanceof HTMLInputElement ? one.type : one?.textContent?.trim();
        });

      const order: (string | undefined)[] = [];
      for (let step = 0; step < 8; step += 1) {
        await page.keyboard.press('Tab');
        order.push(await focused());
      }
      await page.keyboard.press('Enter');

      expect(order).toEqual([
        'Maple Harbor',
        'Search',
        'Cart',
        'Sign in',
        'search',
        'checkbox',
        'Sort by',
        'Add: key-board.com',
      ]);
      expect(await focused()).toBe('✓ In cart: key-board.com');
      expect(await page.getByRole('link', { name: /^Cart/ }).textContent()).toBe('Cart1 domain');
    });
  });
}
