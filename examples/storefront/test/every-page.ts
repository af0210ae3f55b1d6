import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { axeFaults, looksOf, overflowOf, setLook } from '../../../test/support/accessibility.ts';
import { order, registered, type Storefront, searchFor, takeToCart } from './storefront.ts';

/** Page by page, the function that brings a tab to the page and waits for its content. */
type Pages = Readonly<Record<string, (page: Page) => Promise<unknown>>>;

const ofVisitor: Pages = {
  search: (page) => searchFor(page, 'maple-harbor'),
  'cart of a visitor': async (page) => {
    await takeToCart(page, 'wide-visitor.com');
    return page.locator('.line-price').getByText('$').waitFor();
  },
  'sign-in': async (page) => {
    await goTo(page, '#/sign-in?ended=true');
    return page.getByText('Your session has ended.').waitFor();
  },
};

const ofCustomer: Pages = {
  'search with purchases in one click': async (page) => {
    await searchFor(page, 'maple-harbor');
    return page.getByRole('button', { name: 'Buy maple-harbor.com' }).waitFor();
  },
  'purchase in one click': async (page) => {
    await page.getByRole('button', { name: 'Buy maple-harbor.com' }).click();
    return page.getByRole('dialog').waitFor();
  },
  'cart with a stored contact': async (page) => {
    await page.keyboard.press('Escape');
    await takeToCart(page, 'wide-bakery.com');
    return page.locator('.total[aria-busy="false"]').waitFor();
  },
  'order to pay': async (page) => {
    await order(page);
    return page.getByRole('button', { name: /^Pay/ }).waitFor();
  },
  'declined card': async (page) => {
    await page.getByLabel('Test card').selectOption('Visa, declined');
    await page.getByRole('button', { name: /^Pay/ }).click();
    return page.getByText('Your card was declined.').waitFor();
  },
  'my domains': async (page) => {
    await goTo(page, '#/portfolio');
    return page.locator('tbody tr').first().waitFor();
  },
  contacts: async (page) => {
    await goTo(page, '#/contacts');
    await page.getByRole('region', { name: 'Bakery' }).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    return page.getByRole('alert').getByText('.').first().waitFor();
  },
};

const ofStaff: Pages = {
  reseller: async (page) => {
    await goTo(page, '#/reseller');
    await page.getByRole('link', { name: 'domains of' }).first().waitFor();
    return page.getByText('margin').first().waitFor();
  },
  'selected domains': async (page) => {
    await goTo(page, '#/portfolio');
    await page.getByRole('row').getByRole('checkbox').first().check();
    return page.getByRole('region', { name: 'Selected domains' }).waitFor();
  },
  cart: async (page) => {
    await takeToCart(page, 'wide-harbor.com');
    // The total is dimmed while it is checked.
    return page.locator('.total[aria-busy="false"]').waitFor();
  },
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
    return page.getByText('No change of this domain was found so far.').waitFor();
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
    return page.getByRole('heading', { name: 'You have no domain' }).waitFor();
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
    test.each([
      ['a visitor', null, ofVisitor],
      ['a customer', 'adas-bakery', ofCustomer],
      ['the staff', 'staff', ofStaff],
    ] as const)(
      'of %s fits its window, and axe finds no fault, at 360, 390 and 1280 pixels, light or dark',
      async (_name, account, pages) => {
        const { page } = await shop().open('', {}, account);
        const faults: string[] = [];
        let measured = 0;

        for (const [name, arrive] of Object.entries(pages)) {
          await arrive(page);
          for (const look of looksOf(1280, 390, 360)) {
            await setLook(page, look);
            const found = await faultsOf(page);
            faults.push(...found.map((fault) => `${name}, ${Object.values(look)}: ${fault}`));
            measured += 1;
          }
          await page.setViewportSize({ width: 1280, height: 740 });
        }

        expect(measured).toBe(Object.keys(pages).length * 6);
        expect(faults).toEqual([]);
      },
    );
  });
}

const goTo = (page: Page, hash: string) =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

async function faultsOf(page: Page): Promise<readonly string[]> {
  const more = await overflowOf(page);
  return [
    ...(more > 0 ? [`${more} pixels too wide`] : []),
    ...(await axeFaults(page)).map(({ rule, elements }) => `${rule}: ${elements.join(' ')}`),
  ];
}
