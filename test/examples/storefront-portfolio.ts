import { describe, expect, test } from 'vitest';
import type { Storefront } from './storefront.ts';

/** The promises of the portfolio. */
export function describePortfolio(shop: () => Storefront): void {
  describe('the portfolio', { timeout: 60_000 }, () => {
    test('pages forwards and back without losing or repeating a domain', async () => {
      const { page, trouble } = await shop().open('#/portfolio');
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

    test('filters by text, ending and state, also after a reload', async () => {
      const { page, trouble } = await shop().open('#/portfolio');
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
    ])('the expiry of %s is shown as %s', async (name, urgency, words) => {
      const { page } = await shop().open(`#/portfolio?text=${name}`);
      const expiry = page.getByRole('row', { name }).locator('.expiry');

      expect(await expiry.getAttribute('class')).toBe(`expiry expiry-${urgency}`);
      expect(await expiry.textContent()).toContain(words);
    });
  });
}
