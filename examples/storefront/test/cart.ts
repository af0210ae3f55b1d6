import { describe, expect, test } from 'vitest';
import {
  buyButton,
  lineOf,
  order,
  placements,
  registered,
  type Storefront,
  takeToCart,
} from './storefront.ts';

/** The promises of the cart: one order per press of the button, and a sentence for each refusal. */
export function describeCart(shop: () => Storefront): void {
  const timesBought = async (name: string) =>
    (await shop().bought()).filter((one) => one === name).length;

  describe('the cart', { timeout: 60_000 }, () => {
    test('a double click places one order', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'double-click.com');
      const keys = placements(page);

      await buyButton(page).click({ trial: true });
      await buyButton(page).evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      });
      await registered(page, '1 of 1');

      expect(keys).toHaveLength(1);
      expect(await timesBought('double-click.com')).toBe(1);
      expect(trouble).toEqual([]);
    });

    test('two tabs place one order, although one shows the cart as it was', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'two-tabs.com');
      const other = await page.context().newPage();
      await other.addInitScript(() =>
        addEventListener('storage', (event) => event.stopImmediatePropagation()),
      );
      await other.goto(page.url());
      await buyButton(other).click({ trial: true });
      const keys = [page, other].map(placements);

      await order(page);
      await registered(page, '1 of 1');
      await buyButton(other).click();
      await other.getByRole('heading', { name: 'Your cart is empty' }).waitFor();

      expect(keys.flat()).toHaveLength(1);
      expect(await timesBought('two-tabs.com')).toBe(1);
    });

    test('finds an order whose response was lost on the way to the browser', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'way-home.com');
      await page.route('**/graphql', async (route) => {
        if (!isPlacement(route.request().postDataJSON())) return route.continue();
        await route.fetch();
        await route.abort();
      });

      await order(page);
      await registered(page, '1 of 1');

      expect(await timesBought('way-home.com')).toBe(1);
    });

    test('sends an order that never reached the gateway again with the same key', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'never-left.com');
      const keys = placements(page);
      await page.route('**/graphql', (route) =>
        isPlacement(route.request().postDataJSON()) ? route.abort() : route.continue(),
      );
      await buyButton(page).click();
      await page.getByText('We have no confirmation of your order yet').waitFor();
      await page.reload();
      await lineOf(page, 'never-left.com').getByText('Being ordered').waitFor();
      expect(await timesBought('never-left.com')).toBe(0);

      await page.unroute('**/graphql');
      await page.getByRole('button', { name: 'Send again' }).click();
      await registered(page, '1 of 1');

      expect(new Set(keys).size).toBe(1);
      expect(await timesBought('never-left.com')).toBe(1);
    });

    test('finds an order after a reload before its response', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'reload-oak.com');
      const placed = Promise.withResolvers<void>();
      await page.route('**/graphql', async (route) => {
        if (!isPlacement(route.request().postDataJSON())) return route.continue();
        await route.fetch();
        placed.resolve();
      });

      await buyButton(page).click();
      await lineOf(page, 'reload-oak.com').getByText('Being ordered').waitFor();
      await placed.promise;
      await page.reload();
      await registered(page, '1 of 1');

      expect(await timesBought('reload-oak.com')).toBe(1);
    });

    test('sends an order again whose checks a reload has ended', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'reload-fir.com');
      await buyButton(page).click({ trial: true });
      await shop().gateway.admin('POST', '/faults', { fault: 'hold-after', action: 'tldlist' });

      await buyButton(page).click();
      await expect.poll(() => shop().gateway.admin('GET', '/held')).toMatchObject({ held: 1 });
      await page.reload();
      const again = page.getByRole('button', { name: 'Send again' });
      await again.waitFor();
      await shop().gateway.admin('POST', '/release', {});
      await again.click();
      await registered(page, '1 of 1');

      expect(await timesBought('reload-fir.com')).toBe(1);
    });

    test('shows a wrong country at its field, and buys after the correction', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'no-dead-end.com');
      const line = lineOf(page, 'no-dead-end.com');
      const country = page.getByRole('textbox', { name: 'Country code' });
      const advice = page.getByText('is not a country code');

      await country.fill('XX');
      await advice.waitFor();
      expect(await country.getAttribute('aria-invalid')).toBe('true');
      expect(await buyButton(page).getAttribute('aria-disabled')).toBe('true');
      expect(await line.getByRole('button', { name: 'Remove' }).count()).toBe(1);

      await country.fill('DE');
      await order(page);
      await registered(page, '1 of 1');

      expect(await advice.count()).toBe(0);
      expect(await timesBought('no-dead-end.com')).toBe(1);
    });

    test('opens the cart again when the gateway refuses the contact of an order', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'wrong-at-last.com');
      const keys = placements(page);
      await page.route('**/graphql', (route) => {
        const body = route.request().postDataJSON();
        if (!isPlacement(body)) return route.continue();
        body.variables.input.defaults.registrant.fields.address.country = 'XX';
        return route.continue({ postData: JSON.stringify(body) });
      });

      await buyButton(page).click();
      await page.getByText('is not a country code').waitFor();
      await page.unroute('**/graphql');
      await page.getByRole('textbox', { name: 'Country code' }).fill('AT');
      await order(page);
      await registered(page, '1 of 1');

      expect(new Set(keys).size).toBe(2);
      expect(await timesBought('wrong-at-last.com')).toBe(1);
    });

    test('opens the cart again when an order was refused as a whole', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'quiet-birch.com');
      const message = 'The gateway is overloaded; retry in a few seconds.';
      const extensions = { code: 'OVERLOADED', executed: 'NO' };
      await page.route('**/graphql', (route) =>
        isPlacement(route.request().postDataJSON())
          ? route.fulfill({ status: 503, json: { errors: [{ message, extensions }] } })
          : route.continue(),
      );

      await buyButton(page).click();
      await page.getByText('The registrar does not respond at present').waitFor();
      await lineOf(page, 'quiet-birch.com').getByRole('button', { name: 'Remove' }).waitFor();

      await page.unroute('**/graphql');
      await order(page);
      await registered(page, '1 of 1');
      expect(await timesBought('quiet-birch.com')).toBe(1);
    });

    test("shows nothing of the operator's words while purchases are stopped", async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'stopped-pine.com');
      await buyButton(page).click({ trial: true });
      await shop().operate('stop', 'Invoices do not add up');

      await buyButton(page).click();
      await page.getByText('This name cannot be bought right now').waitFor();
      expect(await page.locator('body').textContent()).not.toMatch(
        /invoices|operator|stopped all/i,
      );

      await shop().operate('start');
      await page.getByRole('button', { name: 'Check again' }).click();
      await order(page);
      await registered(page, '1 of 1');
      expect(await timesBought('stopped-pine.com')).toBe(1);
    });

    test("shows nothing of the reseller's balance, and sells within it", async () => {
      const { page } = await shop().open();
      const dear = ['gold.com', 'voice.com', 'casino.com'];
      await takeToCart(page, ...dear, 'small-purse.com');
      for (const name of dear) {
        await lineOf(page, name).getByRole('checkbox').check();
      }

      await page
        .getByText('We cannot complete this purchase right now; please contact us.')
        .waitFor();
      expect(await buyButton(page, 4).getAttribute('aria-disabled')).toBe('true');
      expect(await page.locator('body').textContent()).not.toMatch(/balance|top up|funds/i);

      for (const name of dear) {
        await lineOf(page, name).getByRole('button', { name: 'Remove' }).click();
      }
      await order(page);
      await registered(page, '1 of 1');
      expect(await timesBought('small-purse.com')).toBe(1);
    });

    test('buys a premium name only after its price is accepted', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'casino.com');
      const line = lineOf(page, 'casino.com');
      await line.getByText('A premium name').waitFor();
      expect(await buyButton(page, 0).getAttribute('aria-disabled')).toBe('true');

      await line.getByRole('checkbox').check();
      await order(page);
      await registered(page, '1 of 1');

      expect(await line.textContent()).toContain('$1,900.00');
      expect(trouble).toEqual([]);
    });
  });
}

/** Whether a request places an order. */
const isPlacement = (body: {
  readonly variables?: { readonly input?: { readonly idempotencyKey?: string } };
}): boolean => body.variables?.input?.idempotencyKey !== undefined;
