import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import {
  lineOf,
  openStorefront,
  order,
  searchFor,
  takeToCart,
  whyNoPackages,
} from '../examples/storefront/test/storefront.ts';
import { exitCodes, printErrors, readArguments } from '../src/console/program.ts';

const help = `Writes the pictures of the storefront's README, with the Chromium of the tests.

Usage: npm run pictures
`;
readArguments('pictures', help, {});

if (whyNoPackages) {
  printErrors('pictures', [whyNoPackages]);
  process.exit(exitCodes.failed);
}

const shop = await openStorefront({
  env: { EVENTS_INTERVAL_SECONDS: '1', PRICES_FILE: 'src/features/price/sandbox-prices.json' },
});
const customer = 'adas-bakery';
const { page } = await shop.open('', { viewport: { width: 1280, height: 800 } }, customer);
const write = (on: Page, name: string) =>
  on.screenshot({ path: `examples/storefront/pictures/${name}.png` });

await takeToCart(page, 'maple-harbor.com', 'harbor-light.org', 'lost-answer-maple.com');
await takeToCart(page, 'late-maple.com', 'quiet-maple.net', 'maple-pier.io');
await page.getByRole('link', { name: 'Search' }).click();
await searchFor(page, 'maple-harbor');
await write(page, 'search');
await page.getByRole('button', { name: 'Buy maple-harbor.net' }).click();
await write(page, 'buy');
await page.keyboard.press('Escape');

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

const name = 'reseller-demo.com';
const change = (mutation: string) => shop.query(`mutation { ${mutation} { errors { message } } }`);
/** Waits until the gateway has found so many changes of the domain. */
const events = async (count: number) => {
  const query = `{ events(filter: { domain: "${name}" }) { totalCount } }`;
  while ((await shop.query(query)).data.events.totalCount < count) await sleep(100);
};
await change(`setDomainCustomer(input: { names: ["${name}"], customer: "${customer}" })`);
await change(`setPrivacyProtection(input: { domain: "${name}", privacyProtected: true })`);
await events(1);
const hosts = '["ns1.maple-harbor.net", "ns2.maple-harbor.net"]';
await change(`setNameServers(input: { domain: "${name}", nameServers: ${hosts} })`);
await events(2);
const large = { viewport: { width: 1280, height: 1200 } };
const { page: domainPage } = await shop.open(`#/domain/${name}`, large, customer);
await domainPage.getByText('Privacy: off → on').waitFor();
await domainPage.getByText('Ada Sample').waitFor();
await write(domainPage, 'domain');

const { page: panel } = await shop.open('#/reseller', large);
await panel.getByRole('link', { name: 'domains of' }).last().waitFor();
await panel.getByText('margin').first().waitFor();
await write(panel, 'reseller');

await shop.close();
