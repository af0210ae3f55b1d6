import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createGateway } from '../../src/package/index.ts';
import { apiKeysOf, keyOf } from '../access/keys.ts';
import { startProxiedSandbox } from '../graph/purchases/proxy.ts';
import { openShop } from '../graph/purchases/shop.ts';
import { pageTimeoutMs, startBrowser, watchTrouble, whyNoBrowser } from '../support/browser.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { because } from '../support/skipped.ts';

const times = 10;

describe.skipIf(whyNoBrowser)(`the start page in a browser${because(whyNoBrowser)}`, () => {
  let open: TestGateway;
  let guarded: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    open = await startTestGateway({ sandboxDomains: 60 });
    const API_KEYS = apiKeysOf({
      reader: ['account:read', 'events:read'],
      operator: ['ops', 'domains:read', 'account:read'],
    });
    guarded = await startTestGateway({ sandboxDomains: 5, env: { API_KEYS } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await open?.close();
    await guarded?.close();
  });
  beforeEach(() => open.resetCalls());

  async function newPage(options: BrowserContextOptions = {}) {
    const page = await browser.newPage(options);
    onTestFinished(() => page.close());
    page.setDefaultTimeout(pageTimeoutMs);
    const requests: Request[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') requests.push(request);
    });
    return { page, requests, trouble: watchTrouble(page) };
  }
  const openPage = async (url: string, options: BrowserContextOptions = {}) => {
    const opened = await newPage(options);
    await opened.page.goto(url);
    return opened;
  };

  test('shows the figures at once where no key is needed', async () => {
    const { page, trouble } = await openPage(open.url);

    await seeFigure(page, 'Balance', '2,500.00 USD', '60,000.00 TRY', 'Demo Reseller', 'As of');
    await seeFigure(page, 'Expiring within 30 days', /\d+ domains/, /for one year: [\d.]+ USD/);
    await seeFigure(page, 'Open purchases', '0 pending purchases', '0 transfers in progress');
    await seeFigure(page, 'Upstream', 'Sandbox', 'Domain API', 'Account API', '0 in the queue');
    await seeFigure(page, 'Latest events', 'None');
    await seeFigure(page, 'Webhooks', 'None');
    await seeFigure(page, 'Access', 'No key needed', 'Tenant default');
    expect(trouble).toEqual([]);
  });

  test(`costs no upstream call when it is loaded ${times} times within a minute`, async () => {
    const { page, trouble } = await openPage(open.url);
    await seeFigure(page, 'Balance', '2,500.00 USD');
    await seeFigure(page, 'Expiring within 30 days', /\d+ domains/);
    const { resellerdetails = 0, ...others } = await open.countCalls();

    for (let loads = 0; loads < times; loads += 1) {
      await page.reload();
      await seeFigure(page, 'Balance', '2,500.00 USD');
      await seeFigure(page, 'Expiring within 30 days', /\d+ domains/);
    }

    // The two figures of the account are one call when they are read at the same time.
    expect(resellerdetails).toBeLessThanOrEqual(2);
    expect(others).toEqual({ getdomainlist: 1, tldlist: 1 });
    expect(await open.countCalls()).toEqual({ resellerdetails, ...others });
    expect(trouble).toEqual([]);
  });

  test('shows open purchases with their next step', async () => {
    const shop = await openShop();
    onTestFinished(() => shop.close());
    await shop.transfer({ domain: 'outside-maple-harbor.com' });
    await shop.register({ domain: 'late-maple.com' });

    const { page } = await openPage(shop.gateway.url);

    await seeFigure(page, 'Open purchases', '1 pending purchase', '1 transfer in progress');
    await seeFigure(page, 'Open purchases', /late-maple\.com, pending, .*: \w/);
    await seeFigure(page, 'Open purchases', /outside-maple-harbor\.com, in progress, .*: \w/);
  });

  test('shows a text of the registrar as text, never as markup', async () => {
    const hostile = '<img src="/stolen" onerror="document.title=1"><b>Ada</b>';
    const proxy = await startProxiedSandbox();
    onTestFinished(() => proxy.close());
    proxy.intercept('resellerdetails', async (_fields, forward) => {
      const { status, body } = await forward();
      return { status, body: { ...(body as object), name: hostile } };
    });
    const gateway = await startTestGateway({ env: { DOMAIN_API_URL: proxy.url } });
    onTestFinished(() => gateway.close());

    const { page, trouble } = await openPage(gateway.url);

    await seeFigure(page, 'Balance', hostile);
    expect(await page.locator('#figures :is(img, b)').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  test('requests nothing while it is hidden, and reads due figures when it is visible', async () => {
    const { page, requests } = await newPage();
    await page.clock.install();
    await page.addInitScript(() => {
      Object.defineProperty(document, 'hidden', { get: () => document.title === 'hidden' });
    });
    await page.goto(open.url);
    await seeFigure(page, 'Webhooks', 'None');
    const first = requests.length;
    const setTitle = (title: string) =>
      page.evaluate((text) => {
        document.title = text;
        document.dispatchEvent(new Event('visibilitychange'));
      }, title);

    await setTitle('hidden');
    await page.clock.runFor(3_600_000);
    const whileHidden = requests.length - first;
    await setTitle('visible');
    await expect.poll(() => requests.length - first).toBe(first);

    expect(first).toBe(7);
    expect(whileHidden).toBe(0);
  });

  test('reads each figure at its interval', async () => {
    const { page, requests } = await newPage();
    await page.clock.install();
    await page.goto(open.url);
    await seeFigure(page, 'Balance', 'USD');
    await seeFigure(page, 'Expiring within 30 days', 'domains');

    // A figure is due again when it was read, so the real time of a response must pass too.
    for (let seconds = 0; seconds < 70; seconds += 5) {
      await page.clock.runFor(5_000);
      await page.waitForTimeout(20);
    }

    const counts = countQueries(requests);
    expect(counts.HomeBalance).toBe(2);
    expect(counts.HomeRenewals).toBe(1);
    expect(counts.HomePurchases).toBeGreaterThanOrEqual(3);
    expect(counts.HomePurchases).toBeLessThanOrEqual(6);
  });

  test('waits longer after each failure, keeps the last figure, and recovers', async () => {
    const { page, requests } = await newPage();
    await page.clock.install();
    await page.goto(open.url);
    await seeFigure(page, 'Latest events', 'None');
    await seeFigure(page, 'Balance', 'USD');
    await page.route('**/graphql', (route) => route.abort());
    const before = countQueries(requests).HomeEvents ?? 0;

    await page.clock.runFor(16_000);
    await seeFigure(page, 'Latest events', 'None', 'does not respond', 'Next attempt');
    for (let minutes = 0; minutes < 60; minutes += 1) await page.clock.runFor(60_000);
    const failed = (countQueries(requests).HomeEvents ?? 0) - before;
    await page.unroute('**/graphql');
    await expect
      .poll(async () => {
        await page.clock.runFor(60_000);
        return figure(page, 'Latest events').textContent();
      })
      .not.toContain('does not respond');

    // 240 reads without failures. After 15, 30, 60, … 480 seconds the pause is 10 minutes.
    expect(failed).toBeGreaterThanOrEqual(8);
    expect(failed).toBeLessThanOrEqual(12);
  });

  test('stays readable without JavaScript', async () => {
    const { page, requests } = await openPage(open.url, { javaScriptEnabled: false });

    await page.getByRole('heading', { name: 'A query' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Live figures' }).count()).toBe(0);
    expect(requests).toEqual([]);
  });

  describe('of a gateway that needs keys', () => {
    const enterKey = async (page: Page, key: string) => {
      await page.getByLabel('API key or token').fill(key);
      await page.keyboard.press('Enter');
    };

    test('requests nothing before a key is entered', async () => {
      const { page, requests } = await openPage(guarded.url);

      await page.getByLabel('API key or token').waitFor();
      await page.waitForTimeout(1_500);
      expect(requests).toEqual([]);
      expect(await figure(page, 'Balance').isVisible()).toBe(false);
    });

    test('shows each figure for which the key has the scope, and names the scope of the others', async () => {
      const { page, trouble } = await openPage(guarded.url);

      await enterKey(page, keyOf('reader'));

      await seeFigure(page, 'Balance', '2,500.00 USD');
      await seeFigure(page, 'Latest events', 'None');
      await seeFigure(page, 'Access', 'reader');
      await seeFigure(page, 'Expiring within 30 days', 'Needs the scopes account:read and');
      await seeFigure(page, 'Open purchases', 'Needs the scope domains:spend or ops.');
      await seeFigure(page, 'Upstream', 'Needs the scope ops.');
      await seeFigure(page, 'Webhooks', 'Needs the scope webhooks:write.');
      expect(trouble).toEqual([]);
    });

    test('stores the key in this tab only, and in no address', async () => {
      const { page, requests } = await openPage(guarded.url);
      await enterKey(page, keyOf('reader'));
      await seeFigure(page, 'Balance', 'USD');

      await page.reload();
      await seeFigure(page, 'Balance', 'USD');
      const stored = () =>
        page.evaluate(async () => ({
          tab: JSON.stringify({ ...sessionStorage }),
          elsewhere: JSON.stringify([
            { ...localStorage },
            document.cookie,
            await indexedDB.databases(),
            location.href,
            history.state,
            document.documentElement.outerHTML,
          ]),
        }));
      const before = await stored();
      await page.getByRole('button', { name: 'Forget the key' }).click();
      const after = await stored();

      expect(before.tab).toContain(keyOf('reader'));
      expect(before.elsewhere).not.toContain(keyOf('reader'));
      expect(requests.filter((request) => request.url().includes(keyOf('reader')))).toEqual([]);
      expect(after.tab).toBe('{}');
      expect(await figure(page, 'Balance').isVisible()).toBe(false);
    });

    async function expectRefused(key: string) {
      const { page, requests } = await openPage(guarded.url);

      await enterKey(page, key);

      await page.getByRole('alert').getByText('does not accept this key or token').waitFor();
      expect(await figure(page, 'Balance').isVisible()).toBe(false);
      expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
      const sent = requests.length;
      await page.waitForTimeout(1_500);
      expect(requests).toHaveLength(sent);
    }

    test('refuses an unknown key with one sentence, and forgets it', () =>
      expectRefused('no-such-key-in-this-gateway'));

    test.each([
      ['a token of an unknown issuer', 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl'],
      ['a text that no header can have', 'schlüssel'],
    ])('refuses %s with one sentence, and forgets it', (_what, key) => expectRefused(key));

    test('shows nothing of the last key after another was entered', async () => {
      const { page } = await openPage(guarded.url);
      await enterKey(page, keyOf('reader'));
      await seeFigure(page, 'Access', 'reader');
      await seeFigure(page, 'Latest events', 'None');

      await enterKey(page, keyOf('operator'));

      await seeFigure(page, 'Access', 'operator');
      await seeFigure(page, 'Latest events', 'Needs the scope events:read.');
      await seeFigure(page, 'Upstream', 'Sandbox');
      expect(await figure(page, 'Latest events').textContent()).not.toContain('None');
    });

    test('sends a token (JWT) as Bearer', async () => {
      const { page, requests } = await openPage(guarded.url);
      const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';

      await enterKey(page, token);
      await page.getByRole('alert').getByText('does not accept').waitFor();

      const headers = requests[0]?.headers() ?? {};
      expect(headers.authorization).toBe(`Bearer ${token}`);
      expect(headers).not.toHaveProperty('x-api-key');
    });
  });

  test('finds the graph of a gateway that another server has mounted below a path', async () => {
    const folder = await newFolder('mounted');
    const gateway = await createGateway(
      {
        ...{ DOMAIN_API_URL: `${open.sandboxUrl}/domain-api`, DEVELOPMENT: false },
        DATA_DIR: folder,
      },
      { log: () => undefined },
    );
    const server = createServer((request, response) => {
      request.url = (request.url ?? '').replace(/^\/api(?=\/|$)/, '') || '/';
      gateway.nodeHandler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      server.close();
      server.closeAllConnections();
      await gateway.close();
      await rm(folder, { recursive: true });
    });
    const { port } = server.address() as AddressInfo;

    const { page, requests } = await openPage(`http://127.0.0.1:${port}/api`);

    await seeFigure(page, 'Balance', '2,500.00 USD');
    expect(new URL(requests[0]?.url() ?? '').pathname).toBe('/api/graphql');
  });
});

const figure = (page: Page, title: string) =>
  page.locator('.figure', { has: page.getByRole('heading', { name: title, includeHidden: true }) });

async function seeFigure(page: Page, title: string, ...texts: readonly (string | RegExp)[]) {
  for (const text of texts) {
    await figure(page, title).filter({ hasText: text, visible: true }).waitFor();
  }
}

/** Requests by the name of their query. */
function countQueries(requests: readonly Request[]): Readonly<Record<string, number>> {
  const names = requests.map((request) => /query (\w+)/.exec(request.postData() ?? '')?.[1] ?? '');
  return Object.fromEntries(
    [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]),
  );
}
