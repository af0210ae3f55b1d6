import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { createMovedClock } from '../../../test/support/moved-clock.ts';
import { placements, type Storefront } from './storefront.ts';

type MovedClock = ReturnType<typeof createMovedClock>;

const day = 86_400;
const authCode = 'Transfer-Code-01';

/** The promises of transfers; the clock is that of the gateway and the sandbox of `shop`. */
export function describeTransfers(shop: () => Storefront, clock: MovedClock): void {
  const spentOn = async (name: string) =>
    (await shop().bought()).filter((one) => one === name).length;

  describe('a transfer', { timeout: 60_000 }, () => {
    test('shows its price first, and is complete after days, through a reload', async () => {
      const { page, trouble } = await shop().open('#/transfer');
      await prepareTransfer(page, 'outside-normal.com');
      expect(await page.getByRole('form', { name: 'Transfer' }).textContent()).toMatch(
        /Price\$1\d\.\d\d/,
      );
      expect(await spentOn('outside-normal.com')).toBe(0);

      await transferButton(page).click();
      await page.waitForURL('**/#/transfers/*');
      await page.getByText('It is usually complete by').waitFor();
      await page.reload();
      await page.getByText('In progress').waitFor();
      clock.advance(6 * day);
      await readUntil(page, clock, 'The domain is in the account.');
      await page.getByRole('link', { name: 'To the domain' }).click();
      await page.getByRole('heading', { level: 1, name: 'outside-normal.com' }).waitFor();

      expect(await spentOn('outside-normal.com')).toBe(1);
      expect(trouble).toEqual([]);
    });

    // With other transfers the balance may not prove that the second one has no refund.
    test.each([
      ['reject-shop.com', 'Rejected', 'rejected the transfer', /The price was returned\./],
      ['cancel-shop.com', 'Cancelled', 'was cancelled', /was not returned|not known whether/],
    ])('of %s ends as %s, with the reason and the refund', async (name, word, reason, refund) => {
      const { page } = await shop().open('#/transfer');
      await prepareTransfer(page, name);
      await transferButton(page).click();
      await page.getByText('It is usually complete by').waitFor();
      clock.advance(6 * day);
      await readUntil(page, clock, reason);

      await page.getByText(refund).waitFor();
      await page.getByRole('link', { name: 'Transfers', exact: true }).click();
      const row = page.getByRole('listitem').filter({ hasText: name });
      await row.getByText(word).waitFor();
    });

    test('with a wrong auth code says so, and starts again with the right one', async () => {
      const { page } = await shop().open('#/transfer');
      await prepareTransfer(page, 'outside-code.com', 'Wrong-Code-99');
      await transferButton(page).click();
      await page.getByText('The auth code is wrong').waitFor();
      await page.getByText('Nothing was charged for it.').waitFor();
      expect(await spentOn('outside-code.com')).toBe(0);

      await page.getByRole('link', { name: 'Start again' }).click();
      expect(await page.getByRole('textbox', { name: 'Domain' }).inputValue()).toBe(
        'outside-code.com',
      );
      await prepareTransfer(page, 'outside-code.com');
      await transferButton(page).click();
      await page.getByText('It is usually complete by').waitFor();

      expect(await spentOn('outside-code.com')).toBe(1);
    });

    test('that is refused says why in the form, and sends nothing', async () => {
      const { page } = await shop().open('#/transfer');
      await prepareTransfer(page, 'not a name', '');

      const alerts = await page.getByRole('alert').allTextContents();
      expect(alerts).toEqual([
        '"not a name" contains blanks or invisible characters; a domain name has none.',
        'A transfer requires the auth code of the domain.',
      ]);
      expect(await transferButton(page).count()).toBe(0);
    });

    test('whose response was lost is found by its key, and bought once', async () => {
      const { page } = await shop().open('#/transfer');
      const keys = placements(page);
      await prepareTransfer(page, 'outside-lost.com');
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('idempotencyKey')) return route.continue();
        await route.fetch();
        await route.abort();
      });

      await transferButton(page).click();
      await page.waitForURL('**/#/transfers/*');
      await page.getByText('It is usually complete by').waitFor();

      expect(keys).toHaveLength(1);
      expect(await spentOn('outside-lost.com')).toBe(1);
    });

    test('that never reached the gateway is sent again with the same key after a reload', async () => {
      const { page } = await shop().open('#/transfer');
      const keys = placements(page);
      await prepareTransfer(page, 'outside-again.com');
      await page.route('**/graphql', (route) =>
        route.request().postData()?.includes('idempotencyKey') ? route.abort() : route.continue(),
      );
      await transferButton(page).click();
      await page.getByText('We have no confirmation of the transfer').waitFor();
      const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
      expect(stored).toContain('outside-again.com');
      expect(stored).not.toContain(authCode);
      await page.reload();
      await page.unroute('**/graphql');

      await page.getByRole('textbox', { name: 'Auth code' }).fill(authCode);
      await page.getByRole('button', { name: 'Send again' }).click();
      await page.getByText('It is usually complete by').waitFor();

      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      expect(await spentOn('outside-again.com')).toBe(1);
    });

    test('that does not exist is reported on its page', async () => {
      const { page } = await shop().open('#/transfers/no-such-key');

      await page.getByRole('heading', { name: 'There is no such transfer' }).waitFor();
    });
  });
}

export const transferButton = (page: Page) =>
  page.getByRole('button', { name: 'Transfer the domain' });

/** Fills the form, checks the price and leaves the button for the transfer. */
export async function prepareTransfer(page: Page, domain: string, code = authCode): Promise<void> {
  await page.getByRole('textbox', { name: 'Domain' }).fill(domain);
  await page.getByRole('textbox', { name: 'Auth code' }).fill(code);
  await page.getByRole('button', { name: 'Check the price' }).click();
  await transferButton(page).or(page.locator('.problem').first()).waitFor();
}

/** Presses the button until the page has the text. The gateway reads a transfer at most once a minute. */
export const readUntil = (page: Page, clock: MovedClock, text: string) =>
  expect
    .poll(
      async () => {
        clock.advance(61);
        const again = page.getByRole('button', { name: 'Read again' });
        // It goes with the end of the transfer.
        await again.click({ timeout: 500 }).catch(() => undefined);
        return page.getByText(text).count();
      },
      { timeout: 20_000 },
    )
    .toBe(1);
