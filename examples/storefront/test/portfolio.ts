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

      const state = page.getByLabel('State').locator('option:checked');
      expect(await state.textContent()).toMatch(/^In redemption \(\d+\)$/);
      expect(trouble).toEqual([]);
    });

    test('shows the balance, and filters by what expires soon', async () => {
      const { page, trouble } = await shop().open('#/portfolio');
      const names = () => page.locator('tbody th').allTextContents();
      await page.locator('.balance').getByText('TRY').waitFor();
      const notice = page.locator('.notice').filter({ hasText: 'within 30 days' });
      const count = Number(/^(\d+) domains/.exec((await notice.textContent()) ?? '')?.[1]);

      await notice.getByRole('button', { name: 'Show only these' }).click();
      await expect.poll(async () => (await names()).length).toBe(count);
      expect(await names()).toContain('expiring-demo.com');
      expect(await names()).not.toContain('grace-demo.com');
      await page.reload();
      await expect.poll(async () => (await names()).length).toBe(count);

      await notice.getByRole('button', { name: 'Show all domains' }).click();
      await expect.poll(async () => (await names()).length).toBe(20);
      expect(trouble).toEqual([]);
    });

    test('a balance below the renewals of 30 days is a notice', async () => {
      const setBalance = (balance: string) =>
        shop().gateway.admin('POST', '/balances', { currency: 'USD', balance });
      const { balances } = (await shop().gateway.admin('GET', '/state')) as {
        balances: readonly { currency: string; balance: string }[];
      };
      const before = balances.find(({ currency }) => currency === 'USD')?.balance ?? '';
      const { page } = await shop().open('#/portfolio');
      await page.locator('.balance').waitFor();
      await page.locator('tbody tr').first().waitFor();
      expect(await page.getByText('The balance is low.').count()).toBe(0);

      await setBalance('5.0000');
      await page.reload();
      const notice = page.locator('.notice').filter({ hasText: 'The balance is low.' });
      const text = await notice.textContent();
      await setBalance(before);

      expect(text).toMatch(/days cost .*\$\d+\.\d\d.*; the balance is \$5\.00 and TRY/);
    });

    test('a bar of renewals filters by its month, with the number that it shows', async () => {
      const { page } = await shop().open('#/portfolio');
      const bars = page.getByRole('button', { name: /renewal/ });
      await bars.first().waitFor();
      const counts = (await page.locator('.month-count').allTextContents()).map(Number);

      for (const [at, count] of counts.entries()) {
        if (count === 0) continue;
        await bars.nth(at).click();
        await expect.poll(() => page.locator('.progress strong').textContent()).toBe(`${count}`);
        expect(await bars.nth(at).getAttribute('aria-pressed')).toBe('true');
        // The other bars stay, so that one can change the month.
        expect((await page.locator('.month-count').allTextContents()).map(Number)).toEqual(counts);
      }
      expect(counts.filter((count) => count > 0).length).toBeGreaterThan(1);
    });

    test.each(['expiry=2026-99', 'expiry=never&state=NONE'])(
      'ignores %s in its address',
      async (parameters) => {
        const { page, trouble } = await shop().open(`#/portfolio?${parameters}`);
        await page.getByRole('row', { name: 'additional-demo.com.tr' }).waitFor();

        expect(await page.getByLabel('Expires').inputValue()).toBe('');
        expect(trouble).toEqual([]);
      },
    );

    test('an empty list offers to clear the filters', async () => {
      const { page } = await shop().open('#/portfolio?text=no-such-text');
      await page.getByRole('heading', { name: 'No domain matches the filters' }).waitFor();

      await page.getByRole('button', { name: 'Clear the filters' }).click();

      await page.getByRole('row', { name: 'additional-demo.com.tr' }).waitFor();
    });

    test('an account without domains has links to get one', async () => {
      const { page } = await shop().open();
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('query Portfolio')) return route.continue();
        const response = await route.fetch();
        const body = await response.json();
        Object.assign(body.data.domains, { totalCount: 0, nodes: [] });
        await route.fulfill({ response, json: body });
      });
      await page.getByRole('link', { name: 'Domains', exact: true }).click();
      const main = page.getByRole('main');

      await main.getByRole('heading', { name: 'No domains yet' }).waitFor();
      expect(await page.getByRole('table').count()).toBe(0);
      await page.unrouteAll({ behavior: 'wait' });
      await main.getByRole('link', { name: 'Transfer a domain' }).click();
      await page.getByRole('heading', { name: 'Transfer a domain in' }).waitFor();
    });

    test('a list that cannot be read has a button that reads it again', async () => {
      await shop().gateway.admin('POST', '/faults', {
        ...{ fault: 'code', action: 'getdomainlist', code: '999', status: 500, times: 20 },
      });
      const { page } = await shop().open('#/portfolio');
      const alert = page.getByRole('alert');
      await alert.waitFor();
      await shop().gateway.admin('DELETE', '/faults');

      await alert.getByRole('button', { name: 'Try again' }).click();

      await page.getByRole('row', { name: 'additional-demo.com.tr' }).waitFor();
      expect(await alert.count()).toBe(0);
    });

    test('the CSV link downloads the domains', async () => {
      const { page } = await shop().open('#/portfolio');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'All domains as CSV' }).click();

      const file = await (await download).createReadStream();
      expect(Buffer.concat(await file.toArray()).toString()).toMatch(
        /^name,unicodeName[\s\S]*\r\nreseller-demo\.com,/,
      );
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

/** The promises of a list that leaves out domains. */
export function describePartialList(shop: () => Storefront): void {
  test('a list that is not complete says so to the staff', async () => {
    const { page, trouble } = await shop().open('#/portfolio');
    const notice = page.locator('.notice').filter({ hasText: 'This list is not complete.' });
    expect(await notice.textContent()).toMatch(/knows 40 domains; the registrar counts 60\./);
    expect(trouble).toEqual([]);
  });
}
