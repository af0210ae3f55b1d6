import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import {
  lineOf,
  order,
  registered,
  resultOf,
  type Storefront,
  searchFor,
  takeToCart,
} from './storefront.ts';

/** The promises for visitors and customers; the gateway of `shop` has the prices of the shop. */
export function describeCustomers(shop: () => Storefront): void {
  const asAda = (path?: string) => shop().open(path, {}, 'adas-bakery');
  /** A domain of a customer of the demo. */
  const domainOf = async (customer: string): Promise<string> => {
    const document = `{ domains(first: 1, filter: { customer: "${customer}" }) { nodes { name } } }`;
    return (await shop().query(document)).data.domains.nodes[0].name;
  };

  describe('a visitor', { timeout: 60_000 }, () => {
    test('sees the prices of the shop, and buys the cart after the sign-in', async () => {
      const { page, trouble } = await shop().open('', {}, null);
      await takeToCart(page, 'visitor-oak.com');
      await lineOf(page, 'visitor-oak.com').getByText('$14.99').waitFor();
      expect(await page.getByRole('link', { name: 'My domains' }).count()).toBe(0);

      await page.getByRole('button', { name: 'Blue Bicycle' }).click();
      await order(page);
      await registered(page, '1 of 1');

      expect(await page.getByRole('region', { name: 'Receipt' }).textContent()).toContain('$14.99');
      expect(trouble).toEqual([]);
    });

    test.each([
      '#/portfolio',
      '#/domain/reseller-demo.com',
      '#/transfer',
      '#/reseller',
      '#/contacts',
    ])('signs in before it sees %s, and continues there', async (path) => {
      const { page } = await shop().open(path, {}, null);
      await page.getByRole('button', { name: 'Reseller (staff)' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();

      expect(new URL(page.url()).hash.startsWith(path)).toBe(true);
    });
  });

  describe('a customer', { timeout: 60_000 }, () => {
    test('sees its own domains, and a foreign one as one that does not exist', async () => {
      const own = await domainOf('adas-bakery');
      const foreign = await domainOf('blue-bicycle');
      const { page, trouble } = await asAda('#/portfolio');
      await page.getByRole('row', { name: own }).waitFor();
      const names = await page.locator('tbody th').allTextContents();
      expect(await page.locator('.progress strong').textContent()).toBe(`${names.length}`);
      expect(names).not.toContain(foreign);
      expect(await page.getByRole('checkbox').count()).toBe(0);

      await page.goto(`${shop().url}#/domain/${own}`);
      await page.getByRole('heading', { level: 1, name: own }).waitFor();
      await page.goto(`${shop().url}#/domain/${foreign}`);
      await page.getByRole('heading', { name: `You have no domain ${foreign}` }).waitFor();

      expect(trouble).toEqual([]);
    });

    test('buys a name with two clicks, for the price that it saw', async () => {
      const { page, trouble } = await asAda();
      await searchFor(page, 'one-click');
      await page.getByRole('button', { name: 'Buy one-click.com' }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.textContent()).toContain('Price$14.99ContactBakery');

      await dialog.getByRole('button', { name: 'Buy for $14.99' }).click();
      await page.waitForURL('**/#/orders/*');
      await registered(page, '1 of 1');
      await page.getByRole('link', { name: 'My domains' }).click();
      await page.getByRole('row', { name: 'one-click.com' }).waitFor();

      expect((await shop().bought()).filter((name) => name === 'one-click.com')).toHaveLength(1);
      expect(trouble).toEqual([]);
    });

    test('reads in the dialog why a name is not sold, and has it in the cart', async () => {
      const { page } = await asAda();
      await searchFor(page, 'sold-out');
      await page.getByRole('button', { name: 'Buy sold-out.com' }).click();
      await shop().operate('stop', 'Inventory');
      await page.getByRole('button', { name: /^Buy for/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('This name cannot be bought right now.').waitFor();
      await shop().operate('start');

      await dialog.getByRole('button', { name: 'Close' }).click();
      const result = resultOf(page, 'sold-out.com');
      await result.getByRole('button', { name: '✓ In cart' }).waitFor();
    });

    test('stores a contact while it buys, and deletes it', async () => {
      const { page, trouble } = await shop().open('', {}, 'blue-bicycle');
      await takeToCart(page, 'stored-oak.com');
      await page.getByText('Save this contact').click();
      await page.getByLabel('Name of the contact').fill('Workshop');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const choice = page.getByRole('combobox', { name: 'Who will hold them' });
      await choice.getByText('Workshop').waitFor({ state: 'attached' });
      await order(page);
      await registered(page, '1 of 1');

      await page.getByRole('link', { name: 'Blue Bicycle' }).click();
      const card = page.getByRole('region', { name: 'Workshop' });
      await card.getByText('For purchases in one click').waitFor();
      await card.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No contact is stored yet.').waitFor();
      expect(trouble).toEqual([]);
    });

    test('receives no cost on any page', async () => {
      const { page } = await asAda();
      const received = responsesOf(page);
      const own = await domainOf('adas-bakery');
      await searchFor(page, 'costless');
      await takeToCart(page, 'costless-oak.com');
      await page.locator('.total[aria-busy="false"]').waitFor();
      const shown = {
        portfolio: page.getByRole('row', { name: own }),
        [`domain/${own}`]: page.getByText('No change of this domain was found so far.'),
        contacts: page.getByRole('region', { name: 'Bakery' }),
        reseller: page.getByText('You are signed in as Ada’s Bakery.'),
      };
      for (const [path, content] of Object.entries(shown)) {
        await page.goto(`${shop().url}?${path}#/${path}`);
        await content.waitFor();
      }
      // Ends the stream of the events.
      await page.close();
      const all = (await Promise.all(received)).join('\n');

      expect(all).toContain('"14.9900"');
      // What the registrar charges for .com.
      expect(all).not.toMatch(/\b11\.29/);
      expect(all).not.toMatch(/"costs?":(?:\[|\{"(?:amount|lowest|highest))/);
    });

    test('leaves nothing behind when it signs out, in any tab', async () => {
      const own = await domainOf('adas-bakery');
      const { page } = await asAda();
      await takeToCart(page, 'left-behind.com');
      const other = await page.context().newPage();
      await other.goto(`${shop().url}#/portfolio`);
      await other.getByRole('row', { name: own }).waitFor();

      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();

      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
      expect(stored).not.toContain('left-behind');
      expect(await page.context().cookies()).toEqual([]);
      expect(await other.getByText(own).count()).toBe(0);
    });
  });
}

/** The texts of all responses from now on. */
function responsesOf(page: Page): readonly Promise<string>[] {
  const received: Promise<string>[] = [];
  page.on('response', (response) => received.push(response.text().catch(() => '')));
  return received;
}
