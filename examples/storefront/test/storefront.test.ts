import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { whyNoBrowser } from '../../../test/support/browser.ts';
import { newFolder } from '../../../test/support/folder.ts';
import { isLong } from '../../../test/support/long.ts';
import { createMovedClock } from '../../../test/support/moved-clock.ts';
import { because } from '../../../test/support/skipped.ts';
import { describeCart } from './cart.ts';
import { describeCustomers } from './customers.ts';
import { describeDomain, describeEvents } from './domain.ts';
import { describeEveryPage } from './every-page.ts';
import { describeOrders } from './orders.ts';
import { describePayments } from './payments.ts';
import { describePartialList, describePortfolio } from './portfolio.ts';
import { describeReseller } from './reseller.ts';
import { describeSearch } from './search.ts';
import { describeServer } from './server.ts';
import {
  openStorefront,
  runThere,
  type Storefront,
  type StorefrontOptions,
  serveStorefront,
  whyNoPackages,
} from './storefront.ts';
import { describeTransfers } from './transfers.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into responses of any shape
type Payload = any;

// One file runs all tests, because each file would build the same folder.
describe.skipIf(whyNoPackages)(
  `the storefront${because(whyNoPackages)}`,
  { timeout: 60_000 },
  () => {
    test('every document is valid for the current schema', async () => {
      const child = runThere('npm', ['run', '--silent', 'types']);
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk) => {
          output += chunk;
        });
      }
      const [exitCode] = await once(child, 'close');

      expect({ exitCode, output: exitCode === 0 ? '' : output }).toEqual({
        exitCode: 0,
        output: '',
      });
    });

    test('starts its own gateway without GATEWAY_URL, where a customer pays an order', async () => {
      const directory = await newFolder('storefront');
      const serving = await serveStorefront({ DATA_DIR: directory, STOREFRONT_KEYS: directory });
      const post = (path: string, body: object, headers = {}) =>
        fetch(`${serving.page}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
      const graph = async (query: string, headers = {}) =>
        ((await (await post('graphql', { query }, headers)).json()) as { data: Payload }).data;
      const { gateway } = await graph('{ gateway { caller environment } }');
      const { headers } = await post('session', { account: 'adas-bakery' });
      const cookie = headers.get('set-cookie')?.split(';')[0];
      const place = (key: string, members: string) =>
        graph(
          `mutation { placeOrder(input: {
            idempotencyKey: "${key}", lines: [{ registration: { domain: "paid-start.com" } }] ${members}
          }) { order { id } errors { code } } }`,
          { cookie },
        );
      const unpaid = await place('unpaid', '');
      const { order } = (await place('paid', 'payment: { expiresAfter: "PT30M" }')).placeOrder;
      const payment = await post(
        'payments',
        { order: order.id, paymentMethod: 'pm_card_visa' },
        { cookie },
      );
      const paid = await payment.json();
      await serving.stop();
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });

      expect(gateway).toEqual({ caller: 'shop:visitor', environment: 'SANDBOX' });
      expect(unpaid.placeOrder.errors).toEqual([{ code: 'PAYMENT_REQUIRED' }]);
      expect(paid).toEqual({ state: 'PAID' });
    });
  },
);

const whyNoPages = whyNoPackages ?? (isLong ? whyNoBrowser : 'only with LONG=1');

describe.skipIf(whyNoPages)(
  `the pages of the storefront${because(whyNoPages)}`,
  { timeout: 60_000 },
  () => {
    let shop: Storefront;
    /** The storefront for one of its accounts; null is a visitor. */
    const as = (account: string | null) => (): Storefront => ({
      ...shop,
      open: (path, options) => shop.open(path, options, account),
    });
    const open = (options: StorefrontOptions) => {
      beforeAll(async () => {
        shop = await openStorefront(options);
      });
      afterEach(() => shop?.closeTabs());
      afterAll(() => shop?.close());
    };

    describe('over a gateway', () => {
      open({ env: { EVENTS_INTERVAL_SECONDS: '0' } });
      describeSearch(as(null));
      describeCart(as('blue-bicycle'));
      describeOrders(as('blue-bicycle'));
      describePortfolio(as('staff'));
      describeDomain(as('staff'));
    });

    describe('over the prices of a shop', () => {
      const PRICES_FILE = fileURLToPath(
        new URL('../../../src/features/price/sandbox-prices.json', import.meta.url),
      );
      open({ env: { PRICES_FILE } });
      describeCustomers(() => shop);
      describeReseller(as('staff'));
    });

    describe('over a clock that is moved, with payments', () => {
      const clock = createMovedClock();
      open({ clock, reconcileEveryMs: 20, takesPayments: true });
      // First, because other purchases hide the refund of a transfer in the balance.
      describeTransfers(as('staff'), clock);
      describePayments(() => shop, clock);
      describeEveryPage(() => shop);
    });

    describe('over a gateway that has events, and a list that leaves out domains', () => {
      open({ env: { EVENTS_INTERVAL_SECONDS: '1' }, sandboxListSize: 40 });
      describeServer(() => shop);
      describePartialList(as('staff'));
      describeEvents(as('staff'));
    });
  },
);
