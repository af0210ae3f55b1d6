import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { order, registered, type Storefront, searchFor, takeToCart } from './storefront.ts';

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Page by page, the function that brings a tab to the page and waits for its content. */
const pages: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  search: (page) => searchFor(page, 'maple-harbor'),
  cart: (page) => takeToCart(page, 'wide-harbor.com'),
  order: async (page) => {
    await order(page);
    return registered(page, '1 of 1');
  },
  portfolio: async (page) => {
    await goTo(page, '#/portfolio');
    await page.locator('.balance').waitFor();
    return page.locator('tbody tr').first().waitFor();
  },
  'empty portfolio': async (page) => {
    await page.getByLabel('Name', { exact: true }).fill('nothing-has-this');
    return page.getByRole('button', { name: 'Clear the filters' }).waitFor();
  },
  domain: async (page) => {
    await goTo(page, '#/domain/reseller-demo.com');
    await page.getByText('Ada Sample').waitFor();
    await page.getByText('Add a child name server').click();
    return page.getByText('EVENTS_INTERVAL_SECONDS').waitFor();
  },
  'refused name servers': async (page) => {
    await page.getByRole('textbox', { name: 'Name server 2' }).fill('not a host');
    await page.getByRole('button', { name: 'Save' }).click();
    return page.getByRole('alert').waitFor();
  },
  'shown auth code': async (page) => {
    await page.getByRole('button', { name: 'Show the auth code' }).click();
    return page.locator('output').waitFor();
  },
  'unconfirmed change': async (page) => {
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('switch').click();
    await page.getByText('Not confirmed.').waitFor();
    return page.unroute('**/graphql');
  },
  'confirmation of the unlock': async (page) => {
    await page.getByRole('button', { name: 'Unlock' }).click();
    return page.getByRole('dialog').waitFor();
  },
  'missing domain': async (page) => {
    await page.keyboard.press('Escape');
    await goTo(page, '#/domain/not-ours.com');
    return page.getByRole('heading', { name: 'The account has no domain' }).waitFor();
  },
  'refused transfer': async (page) => {
    await goTo(page, '#/transfer');
    await page.getByRole('textbox', { name: 'Domain' }).fill('not a name');
    await page.getByRole('button', { name: 'Check the price' }).click();
    return page.getByRole('alert').first().waitFor();
  },
  'transfer in progress': async (page) => {
    await page.getByRole('textbox', { name: 'Domain' }).fill('outside-wide-harbor.com');
    await page.getByRole('textbox', { name: 'Auth code' }).fill('Transfer-Code-01');
    await page.getByRole('button', { name: 'Check the price' }).click();
    await page.getByRole('button', { name: 'Transfer the domain' }).click();
    return page.getByText('It is usually complete by').waitFor();
  },
  transfers: async (page) => {
    await goTo(page, '#/transfer');
    return page.getByRole('link', { name: 'outside-wide-harbor.com' }).waitFor();
  },
};

/** The promises of every page, in both colour schemes. */
export function describeEveryPage(shop: () => Storefront): void {
  describe('every page', { timeout: 240_000 }, () => {
    test('fits its window, and axe finds no fault, at 360, 390 and 1280 pixels, light or dark', async () => {
      const { page } = await shop().open();
      const faults: string[] = [];
      let measured = 0;

      for (const [name, arrive] of Object.entries(pages)) {
        await arrive(page);
        for (const width of [1280, 390, 360]) {
          await page.setViewportSize({ width, height: 740 });
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme });
            const found = [...(await overflowOf(page)), ...(await faultsOf(page))];
            faults.push(...found.map((fault) => `${name}, ${width}, ${colorScheme}: ${fault}`));
            measured += 1;
          }
        }
        await page.setViewportSize({ width: 1280, height: 740 });
      }

      expect(measured).toBe(Object.keys(pages).length * 6);
      expect(faults).toEqual([]);
    });
  });
}

const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

async function overflowOf(page: Page): Promise<readonly string[]> {
  const more = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return more > 0 ? [`${more} pixels too wide`] : [];
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly unknown[] }[];
  }[];
}

/** The rules of axe that the page breaks, each with its elements. */
async function faultsOf(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ path: axePath });
  const { violations } = (await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`);
}
