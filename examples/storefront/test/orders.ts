import { describe, expect, test } from 'vitest';
import { buyButton, lineOf, order, registered, type Storefront, takeToCart } from './storefront.ts';

/** The promises of the page of an order. */
export function describeOrders(shop: () => Storefront): void {
  const arm = (fault: string, facts: object) =>
    shop().gateway.admin('POST', '/faults', { fault, action: 'registerdomain', ...facts });

  describe('an order', { timeout: 120_000 }, () => {
    test('of six names shows its progress through a reload, and buys each once', async () => {
      const names = [
        'patient-six.com',
        'lost-answer-six.com',
        'late-six.com',
        'refused-six.com',
        'fifth-six.com',
        'sixth-six.com',
      ];
      const { page, trouble } = await shop().open();
      const seen: string[] = [];
      await page.exposeFunction('see', (text: string) => void seen.push(text));
      await page.addInitScript(() =>
        setInterval(() => {
          const text = document.querySelector('.order-progress p')?.textContent;
          if (text) (globalThis as unknown as { see(text: string): void }).see(text);
        }, 50),
      );
      await takeToCart(page, ...names);
      await arm('code', { domain: 'refused-six.com', code: '362' });
      await arm('delay', { domain: 'patient-six.com', ms: 3_000 });

      await order(page, 6);
      await lineOf(page, 'fifth-six.com').getByText('Registered').waitFor();
      await page.reload();
      await lineOf(page, 'late-six.com').getByText('Not confirmed yet').waitFor();
      await registered(page, '5 of 6');

      const link = lineOf(page, 'fifth-six.com').getByRole('link');
      expect(await link.getAttribute('href')).toBe('#/domain/fifth-six.com');
      await page.getByRole('link', { name: 'To your domains' }).waitFor();
      const refused = lineOf(page, 'refused-six.com');
      expect(await refused.getByRole('link').count()).toBe(0);
      expect(await refused.textContent()).toContain('Not bought');
      expect(await refused.textContent()).toContain('This name cannot be bought right now.');
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(
        'Your order is not complete',
      );
      expect(await page.getByRole('region', { name: 'Receipt' }).textContent()).toContain(
        'Total spent$56.45',
      );
      const counts = seen.map((text) => Number(/^(\d) of 6 complete$/.exec(text)?.[1]));
      expect(counts).toEqual(counts.toSorted());
      expect(new Set(counts).size).toBeGreaterThan(1);
      const bought = (await shop().bought()).filter((name) => names.includes(name));
      expect(bought.toSorted()).toEqual(
        names.filter((name) => !name.startsWith('refused')).toSorted(),
      );
      expect(trouble).toEqual([]);
    });

    test('continues on its page after the connection was lost', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'broken-line.com');
      await arm('hold-before', { domain: 'broken-line.com' });
      await order(page);
      await registered(page, '0 of 1');
      await expect.poll(() => shop().gateway.admin('GET', '/held')).toMatchObject({ held: 1 });

      await shop().network.cut();
      await page
        .getByText('The connection is lost')
        .waitFor()
        .finally(() => shop().network.restore());
      await shop().gateway.admin('POST', '/release', {});
      await registered(page, '1 of 1');

      expect(await page.getByText('The connection is lost').count()).toBe(0);
    });

    test('is a receipt that the cart links to, and that survives a reload', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'bücher-receipt.com');
      await order(page);
      await registered(page, '1 of 1');

      await page.reload();
      await registered(page, '1 of 1');
      await page.getByRole('link', { name: 'To the cart' }).click();
      await page.getByRole('link', { name: 'bücher-receipt.com' }).click();

      await lineOf(page, 'bücher-receipt.com').getByText('Registered').waitFor();
      expect(await page.getByRole('region', { name: 'Receipt' }).textContent()).toContain(
        'Total spent$11.29',
      );
      expect(trouble).toEqual([]);
    });

    test('returns failed lines to the cart once, for an order of its own', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'poor-purse.com', 'rich-purse.com');
      await arm('code', { domain: 'poor-purse.com', code: '350' });
      await order(page, 2);
      await registered(page, '1 of 2');
      const failed = lineOf(page, 'poor-purse.com');
      await failed.getByText('We cannot complete this purchase right now').waitFor();
      expect(await page.locator('main').textContent()).not.toMatch(/balance|top up|idempotency/i);
      const first = page.url();

      await page.getByRole('button', { name: 'Put 1 back into the cart' }).click();
      await buyButton(page).waitFor();
      expect(await lineOf(page, 'rich-purse.com').count()).toBe(0);
      await order(page);
      await registered(page, '1 of 1');

      const bought = (await shop().bought()).filter((name) => name.endsWith('-purse.com'));
      expect(bought.filter((name) => name === 'poor-purse.com')).toHaveLength(1);
      expect(bought.filter((name) => name === 'rich-purse.com')).toHaveLength(1);
      expect(page.url()).not.toBe(first);
      await page.goto(first);
      await registered(page, '1 of 2');
      expect(await page.getByRole('button', { name: /back into the cart/ }).count()).toBe(0);
    });

    test('can be cancelled while lines wait, and these go back into the cart', async () => {
      const names = Array.from({ length: 6 }, (_, at) => `waits-${at}.com`);
      const { page } = await shop().open();
      await takeToCart(page, ...names);
      await arm('hold-before', { times: 6 });

      await order(page, 6);
      await page.getByRole('button', { name: 'Cancel the waiting domains' }).click();
      await page.getByText('Cancelled').first().waitFor();
      await shop().gateway.admin('DELETE', '/faults');
      await shop().gateway.admin('POST', '/release', {});
      await page.getByRole('heading', { name: 'The rest of this order is cancelled' }).waitFor();
      const bought = (await shop().bought()).filter((name) => names.includes(name));
      await page.getByRole('button', { name: /back into the cart/ }).click();
      await lineOf(page, 'waits-5.com').waitFor();

      const inCart = await page.locator('.line h2').allTextContents();
      expect(bought.length).toBeGreaterThan(0);
      expect([...bought, ...inCart].toSorted()).toEqual(names);
    });

    test('that does not exist is reported', async () => {
      const { page } = await shop().open('#/orders/T3JkZXI6bm9uZQ');

      await page.getByRole('heading', { name: 'There is no such order' }).waitFor();
    });
  });
}
