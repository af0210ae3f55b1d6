import type { Page } from 'playwright-core';
import { readArguments } from '../src/cli/program.ts';
import {
  lineOf,
  openStorefront,
  order,
  searchFor,
  takeToCart,
} from '../test/examples/storefront.ts';

const help = `Writes the pictures of the storefront's README, with the Chromium of the tests.

Usage: npm run pictures
`;
readArguments('pictures', help, {});

const shop = await openStorefront();
const { page } = await shop.open('', { viewport: { width: 1280, height: 800 } });
const write = (on: Page, name: string) =>
  on.screenshot({ path: `examples/storefront/pictures/${name}.png` });

await takeToCart(page, 'maple-harbor.com', 'harbor-light.org', 'lost-answer-maple.com');
await takeToCart(page, 'late-maple.com', 'quiet-maple.net', 'maple-pier.io');
await page.getByRole('link', { name: 'Search' }).click();
await searchFor(page, 'maple-harbor');
await write(page, 'search');

await page.getByRole('link', { name: /^Cart/ }).click();
await page.getByRole('button', { name: 'Register 6 domains' }).click({ trial: true });
await page.evaluate(() => scrollTo(0, 0));
await write(page, 'cart');

const arm = (fault: string, facts: object) =>
  shop.gateway.admin('POST', '/faults', { fault, action: 'registerdomain', ...facts });
await arm('code', { domain: 'quiet-maple.net', code: '362' });
await arm('hold-before', { domain: 'maple-pier.io' });
await order(page, 6);
await lineOf(page, 'late-maple.com').getByText('Not confirmed yet').waitFor();
await lineOf(page, 'quiet-maple.net').getByText('Not bought').waitFor();
await page.evaluate(() => scrollTo(0, 0));
await write(page, 'order');

await shop.gateway.admin('POST', '/release', {});
await shop.close();
