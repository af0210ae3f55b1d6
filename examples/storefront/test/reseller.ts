import { describe, expect, test } from 'vitest';
import { order, registered, type Storefront, takeToCart } from './storefront.ts';

/** The promises of the panel of the reseller; `shop` is signed in as its staff. */
export function describeReseller(shop: () => Storefront): void {
  describe('the staff', { timeout: 60_000 }, () => {
    test('sees price, cost and margin, and the balance', async () => {
      const { page, trouble } = await shop().open('#/reseller');
      await page.getByRole('textbox', { name: 'Ending' }).fill('com');
      const row = page.getByRole('row').filter({ has: page.getByText('.com', { exact: true }) });

      await row.getByText('cost $11.29 · margin 24.7 %').first().waitFor();
      expect(await row.textContent()).toContain('$14.99');
      await page.locator('.balance').getByText('TRY').waitFor();
      expect(trouble).toEqual([]);
    });

    test('gives selected domains to a customer, and labels them', async () => {
      const name = 'private-demo.net';
      const customer = (await shop().open('#/reseller')).page.getByRole('region', {
        name: 'Blue Bicycle',
      });
      const count = customer.getByRole('link', { name: 'domains of' });
      const before = Number.parseInt((await count.textContent()) ?? '', 10);
      const { page, trouble } = await shop().open(`#/portfolio?text=${name}`);
      const row = page.getByRole('row', { name });

      await row.getByRole('checkbox').check();
      const bar = page.getByRole('region', { name: 'Selected domains' });
      await bar.getByLabel('Customer').selectOption({ label: 'Blue Bicycle' });
      await row.getByText('Blue Bicycle').waitFor();
      await row.getByRole('checkbox').check();
      await bar.getByLabel('Label').fill('project');
      await bar.getByLabel('Value').fill('shop');
      await bar.getByRole('button', { name: 'Add' }).click();
      await row.getByText('project: shop').waitFor();

      const panel = (await shop().open('#/reseller')).page;
      const after = panel.getByRole('region', { name: 'Blue Bicycle' }).getByRole('link');
      expect(Number.parseInt((await after.textContent()) ?? '', 10)).toBe(before + 1);
      await after.click();
      await panel.getByRole('row', { name }).waitFor();
      expect(trouble).toEqual([]);
    });

    test('buys for a customer, who has the domain then', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'for-blue.com');
      await page.getByLabel('Buy for').selectOption({ label: 'Blue Bicycle' });
      await order(page);
      await registered(page, '1 of 1');

      await page.goto(`${shop().url}#/portfolio?customer=blue-bicycle&text=for-blue`);
      await page.getByRole('row', { name: 'for-blue.com' }).getByText('Blue Bicycle').waitFor();
      expect(trouble).toEqual([]);
    });

    test('reads why a label is refused', async () => {
      const { page } = await shop().open('#/portfolio?text=private-demo.net');
      await page.getByRole('row', { name: 'private-demo.net' }).getByRole('checkbox').check();
      const bar = page.getByRole('region', { name: 'Selected domains' });
      await bar.getByLabel('Label').fill('x'.repeat(65));
      await bar.getByRole('button', { name: 'Add' }).click();

      const sentence = bar.getByRole('alert').locator('.problem');
      await sentence.waitFor();
      expect(await sentence.textContent()).toMatch(/label.*\.$/i);
    });

    test('downloads the statement of a month', async () => {
      const { page } = await shop().open('#/reseller');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download as CSV' }).click();

      const file = await (await download).createReadStream();
      const text = Buffer.concat(await file.toArray()).toString();
      expect(text.split('\r\n')[0]).toMatch(/customer.*currency/);
    });
  });
}
