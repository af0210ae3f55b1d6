import { describe, expect, test } from 'vitest';
import { buyButton, lineOf, type Storefront, takeToCart } from './storefront.ts';

/** The promises of the cart: one purchase per line, and no outcome before it is known. */
export function describeCart(shop: () => Storefront): void {
  const registrations = async () => (await shop().gateway.countCalls()).registerdomain ?? 0;

  describe('the cart', { timeout: 60_000 }, () => {
    test('a double click buys once, because both clicks send the same key', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'double-click.com');
      await shop().gateway.resetCalls();
      const keys: unknown[] = [];
      page.on('request', (request) => {
        const { input } = request.postDataJSON()?.variables ?? {};
        if (input && !input.dryRun) keys.push(input.idempotencyKey);
      });

      await buyButton(page).evaluate((button: HTMLElement) => {
        button.click();
        button.click();
      });
      await lineOf(page, 'double-click.com').getByText('Registered').waitFor();

      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      expect(await registrations()).toBe(1);
      expect(trouble).toEqual([]);
    });

    test('finds a purchase whose reply the upstream lost', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'lost-answer-pine.com');
      await shop().gateway.resetCalls();

      await buyButton(page).click();
      await lineOf(page, 'lost-answer-pine.com').getByText('Registered').waitFor();

      expect(await registrations()).toBe(1);
      expect(trouble).toEqual([]);
    });

    test('finds a purchase whose response was lost on the way to the browser', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'way-home.com');
      await shop().gateway.resetCalls();
      await page.route('**/graphql', async (route) => {
        const { input } = route.request().postDataJSON().variables;
        if (!input?.idempotencyKey) return route.continue();
        await route.fetch();
        await route.abort();
      });

      await buyButton(page).click();
      await lineOf(page, 'way-home.com').getByText('Registered').waitFor();

      expect(await registrations()).toBe(1);
    });

    test('sends a purchase that never reached the gateway again with the same key', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'never-left.com');
      await shop().gateway.resetCalls();
      await page.route('**/graphql', (route) =>
        route.request().postDataJSON().variables.input?.idempotencyKey
          ? route.abort()
          : route.continue(),
      );
      const line = lineOf(page, 'never-left.com');
      await buyButton(page).click();
      await line.getByText('does not know of this purchase').waitFor();
      expect(await registrations()).toBe(0);

      await page.unroute('**/graphql');
      await line.getByRole('button', { name: 'Send again' }).click();
      await line.getByText('Registered').waitFor();

      expect(await registrations()).toBe(1);
    });

    test('finds a purchase that was in progress when the page was reloaded', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'reload-oak.com');
      await shop().gateway.resetCalls();
      await shop().gateway.admin('POST', '/faults', {
        fault: 'hold-after',
        action: 'registerdomain',
      });
      const line = lineOf(page, 'reload-oak.com');

      await buyButton(page).click();
      await expect.poll(() => shop().gateway.admin('GET', '/held')).toMatchObject({ held: 1 });
      await page.reload();
      await line.waitFor();
      await shop().gateway.admin('POST', '/release', {});
      await line.getByText('Registered').waitFor();

      expect(await registrations()).toBe(1);
    });

    test('shows an unknown outcome, and the purchase once it has succeeded', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'late-elm.com');
      await shop().gateway.resetCalls();
      const line = lineOf(page, 'late-elm.com');

      await buyButton(page).click();
      await line.getByText('Outcome unknown').waitFor();
      expect(await line.getByText('Registered').count()).toBe(0);
      await line.getByText('Registered').waitFor();

      expect(await registrations()).toBe(1);
      expect(trouble).toEqual([]);
    });

    test('reopens a line that was refused for its contact, and buys it after a correction', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'no-dead-end.com');
      await shop().gateway.resetCalls();
      const line = lineOf(page, 'no-dead-end.com');
      const country = page.getByRole('textbox', { name: 'Country code' });

      await buyButton(page).waitFor();
      await country.fill('XX');
      // Immediately, before a new quote reports the error.
      await buyButton(page).click();
      await line.getByText('"XX" is not a country code').waitFor();
      await line.getByRole('button', { name: 'Remove' }).waitFor();
      expect(await registrations()).toBe(0);

      await country.fill('DE');
      await line.getByText('"XX" is not a country code').waitFor({ state: 'detached' });
      await buyButton(page).click();
      await line.getByText('Registered').waitFor();
      expect(await registrations()).toBe(1);
    });

    test('reopens a line whose request was refused as a whole, with a sentence for shoppers', async () => {
      const { page } = await shop().open();
      await takeToCart(page, 'quiet-birch.com');
      await shop().gateway.resetCalls();
      const line = lineOf(page, 'quiet-birch.com');
      const message = 'The gateway is overloaded; retry in a few seconds.';
      const extensions = { code: 'RATE_LIMITED', fault: 'OVERLOADED', executed: 'NO' };
      await page.route('**/graphql', (route) =>
        route.request().postDataJSON().variables.input?.idempotencyKey
          ? route.fulfill({ status: 503, json: { errors: [{ message, extensions }] } })
          : route.continue(),
      );

      await buyButton(page).click();
      await line.getByText('The registrar does not respond at present').waitFor();
      await line.getByRole('button', { name: 'Remove' }).waitFor();

      await page.unroute('**/graphql');
      await buyButton(page).click();
      await line.getByText('Registered').waitFor();
      expect(await registrations()).toBe(1);
    });

    test("shows a shopper nothing about the reseller's balance", async () => {
      const { page } = await shop().open();
      await shop().gateway.admin('POST', '/faults', {
        fault: 'code',
        action: 'registerdomain',
        code: '350',
      });
      await takeToCart(page, 'poor-purse.com');
      const line = lineOf(page, 'poor-purse.com');

      await buyButton(page).click();
      await line.getByText('This shop cannot sell this name at present').waitFor();

      expect(await line.textContent()).not.toMatch(/balance|top it up|idempotency/i);
    });

    test('buys a premium name only after its price is accepted', async () => {
      const { page, trouble } = await shop().open();
      await takeToCart(page, 'casino.com');
      const line = lineOf(page, 'casino.com');
      await line.getByText('A premium name').waitFor();
      expect(await page.getByRole('button', { name: 'Register 0 domains' }).count()).toBe(1);

      await line.getByRole('checkbox').check();
      await buyButton(page).click();
      await line.getByText('Registered').waitFor();

      expect(await line.textContent()).toContain('$1,900.00');
      expect(trouble).toEqual([]);
    });
  });
}
