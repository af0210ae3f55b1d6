import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { createMovedClock } from '../../../test/support/moved-clock.ts';
import {
  lineOf,
  order,
  placements,
  registered,
  type Storefront,
  searchFor,
  takeToCart,
} from './storefront.ts';
import { prepareTransfer, readUntil, transferButton } from './transfers.ts';

type MovedClock = ReturnType<typeof createMovedClock>;

const minute = 60;
const day = 86_400;

/** The promises to customers who pay; the clock is that of the gateway and the sandbox of `shop`. */
export function describePayments(shop: () => Storefront, clock: MovedClock): void {
  const open = (path?: string) => shop().open(path, {}, 'blue-bicycle');
  /** Places an order of some names, which then waits for its payment. */
  const place = async (...names: readonly string[]): Promise<Page> => {
    const { page } = await open();
    await takeToCart(page, ...names);
    await order(page, names.length);
    await payButton(page).waitFor();
    return page;
  };
  const boughtOf = async (...names: readonly string[]) =>
    (await shop().bought()).filter((name) => names.includes(name)).toSorted();
  /** The amounts that were reported for the order of a page. */
  const amountsOf = async (page: Page) => {
    const document =
      'query ($id: ID!) { order(by: { id: $id }) { payment { amounts { kind amount { amount } } } } }';
    const id = new URL(page.url()).hash.split('/').at(-1);
    const { data } = await shop().query(document, { id });
    return data.order.payment.amounts;
  };
  const paid = [{ kind: 'PAYMENT', amount: { amount: '11.2900' } }];
  const receiptOf = (page: Page) => page.getByRole('region', { name: 'Receipt' });

  describe('an order that must be paid', { timeout: 60_000 }, () => {
    test('is bought after a declined card and another one', async () => {
      const names = ['paid-fir.com', 'paid-oak.com'];
      const page = await place(...names);
      await page.getByRole('heading', { name: 'Your order waits for its payment' }).waitFor();
      expect(await receiptOf(page).textContent()).toMatch(/To be paid\$22\.58Until.*20\d\d/);

      await page.getByLabel('Test card').selectOption('Visa, declined');
      await page.getByRole('button', { name: 'Pay $22.58' }).click();
      await page.getByText('Your card was declined.').waitFor();
      expect(await boughtOf(...names)).toEqual([]);
      await page.getByLabel('Test card').selectOption('Visa, succeeds');
      await payButton(page).click();
      await registered(page, '2 of 2');

      expect(await boughtOf(...names)).toEqual(names);
      expect(await receiptOf(page).textContent()).toContain('Paid$22.58');
      expect(await payButton(page).count()).toBe(0);
    });

    test('is paid once by a double click', async () => {
      const page = await place('paid-twice.com');
      const sent = paymentsOf(page);

      await payButton(page).evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      });
      await registered(page, '1 of 1');

      expect(sent).toHaveLength(1);
      expect(await amountsOf(page)).toEqual(paid);
    });

    test('shows the refund of a failed line, and when it was made', async () => {
      const page = await place('paid-good.com', 'paid-lost.com');
      const fault = { fault: 'code', action: 'registerdomain', domain: 'paid-lost.com' };
      await shop().gateway.admin('POST', '/faults', { ...fault, code: '362' });

      await payButton(page).click();
      await registered(page, '1 of 2');
      await lineOf(page, 'paid-lost.com').getByText('$11.29 is returned to you.').waitFor();
      await receiptOf(page).getByText('Returned', { exact: true }).waitFor();

      expect(await receiptOf(page).textContent()).toMatch(/Paid\$22\.58Returned\$11\.29Total/);
      expect(await lineOf(page, 'paid-good.com').textContent()).not.toContain('returned');
      expect(await boughtOf('paid-good.com', 'paid-lost.com')).toEqual(['paid-good.com']);
    });

    test('can be paid after a reload', async () => {
      const page = await place('paid-later.com');

      await page.reload();
      await payButton(page).click();
      await registered(page, '1 of 1');

      expect(await amountsOf(page)).toEqual(paid);
    });

    test('is found to be paid after a reload during the payment', async () => {
      const page = await place('paid-reload.com');
      const arrived = Promise.withResolvers<void>();
      await page.route('**/payments', async (route) => {
        await route.fetch();
        arrived.resolve();
      });

      await payButton(page).click();
      await arrived.promise;
      await page.reload();
      await registered(page, '1 of 1');

      expect(await payButton(page).count()).toBe(0);
      expect(await amountsOf(page)).toEqual(paid);
    });

    test('whose payment never arrived is paid by a second one', async () => {
      const page = await place('paid-second.com');
      await page.route('**/payments', (route) => route.abort());
      await payButton(page).click();
      await page.getByText('We have no confirmation of your payment yet.').waitFor();
      await page.unroute('**/payments');

      await payButton(page).click();
      await registered(page, '1 of 1');

      expect(await amountsOf(page)).toEqual(paid);
    });

    test('is not bought when it was not paid in time', async () => {
      const page = await place('paid-never.com');

      clock.advance(31 * minute);
      await page.getByRole('heading', { name: 'This order was not paid in time' }).waitFor();
      await page.getByText('Nothing was charged.').waitFor();

      expect(await payButton(page).count()).toBe(0);
      expect(await boughtOf('paid-never.com')).toEqual([]);
    });

    test('is not bought when it was cancelled', async () => {
      const page = await place('paid-not.com');

      await page.getByRole('button', { name: 'Cancel the waiting domains' }).click();
      await page.getByRole('heading', { name: 'This order is cancelled' }).waitFor();
      await page.getByText('Nothing was charged.').waitFor();

      expect(await payButton(page).count()).toBe(0);
      expect(await boughtOf('paid-not.com')).toEqual([]);
    });

    test('is found in the cart as one that is not paid', async () => {
      const page = await place('paid-open.com');

      await page.getByRole('link', { name: 'To the cart' }).click();
      const entry = page.getByRole('listitem').filter({ hasText: 'paid-open.com' });
      await entry.getByText('not paid yet').waitFor();
      await entry.getByRole('link').click();

      await payButton(page).waitFor();
    });

    test('opens with its payment after a purchase in one click', async () => {
      const { page, trouble } = await shop().open('', {}, 'adas-bakery');
      await searchFor(page, 'paid-click');
      await page.getByRole('button', { name: 'Buy paid-click.com' }).click();
      await page.getByRole('button', { name: 'Buy for $11.29' }).click();

      await payButton(page).click();
      await registered(page, '1 of 1');

      expect(trouble).toEqual([]);
    });

    test('may be a transfer, whose price is returned when it is rejected', async () => {
      const { page } = await open('#/transfer');
      await prepareTransfer(page, 'reject-paid.com');
      await transferButton(page).click();
      await payButton(page).click();
      const line = lineOf(page, 'reject-paid.com');
      await line.getByText('Transfer in progress').waitFor();
      clock.advance(6 * day);
      await line.getByRole('link').click();
      await readUntil(page, clock, 'rejected the transfer');
      await page.getByText('Its order shows your refund.').waitFor();

      await page.getByRole('link', { name: 'To its order' }).click();
      await line.getByText('Not transferred').waitFor();
      await receiptOf(page).getByText('Returned', { exact: true }).waitFor();
      expect(await line.textContent()).toMatch(/\$1\d\.\d\d is returned to you\./);
    });

    test('may be a transfer, which is found after its response was lost', async () => {
      const { page } = await open('#/transfer');
      const keys = placements(page);
      await prepareTransfer(page, 'outside-paid.com');
      await page.route('**/graphql', async (route) => {
        if (!route.request().postData()?.includes('idempotencyKey')) return route.continue();
        await route.fetch();
        await route.abort();
      });

      await transferButton(page).click();
      await payButton(page).click();
      await lineOf(page, 'outside-paid.com').getByText('Transfer in progress').waitFor();

      expect(keys).toHaveLength(1);
      expect(await boughtOf('outside-paid.com')).toEqual(['outside-paid.com']);
    });

    test('is no order of the staff', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'unpaid-staff.com');

      await order(page);
      await registered(page, '1 of 1');

      expect(await receiptOf(page).textContent()).not.toContain('Paid');
      expect(trouble).toEqual([]);
    });
  });
}

const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });

/** The payments that the page sends from now on. */
function paymentsOf(page: Page): readonly string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/payments')) sent.push(request.postData() ?? '');
  });
  return sent;
}
