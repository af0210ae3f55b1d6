import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { AccessScope } from '../../src/kernel/caller.ts';
import { apiKeysOf, by, keyOf } from '../access/keys.ts';
import { order } from '../graph/purchases/shop.ts';
import { axeFaults, looksOf, overflowOf, setLook } from '../support/accessibility.ts';
import { pageTimeoutMs, startBrowser, watchTrouble, whyNoBrowser } from '../support/browser.ts';
import { newFolder } from '../support/folder.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { because } from '../support/skipped.ts';

const spends: readonly AccessScope[] = [
  ...(['domains:spend', 'domains:read', 'domains:unlock', 'domains:write'] as const),
];
const hostile = '<img src="/stolen" onerror="document.title=1"><b>Ltd</b>';

describe.skipIf(whyNoBrowser)(`the page of approvals${because(whyNoBrowser)}`, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = await newFolder('approvals-page');
    const APPROVALS_FILE = join(folder, 'approvals.json');
    const rules = [
      {
        ...{ operations: ['REGISTRATION', 'TRANSFER', 'UNLOCK', 'BULK_CHANGE'] },
        when: { keys: ['bot', 'customer'] },
      },
    ];
    const samePerson = [['bot', 'bot-2']];
    await writeFile(APPROVALS_FILE, JSON.stringify({ rules, samePerson }));
    const API_KEYS = apiKeysOf(
      {
        ...{ bot: spends, customer: spends, 'bot-2': ['approvals:decide'] },
        ...{ clerk: ['approvals:decide'], reader: ['account:read'] },
        boss: ['approvals:decide', 'ops', 'prices:cost'],
      },
      { customer: hostile },
    );
    const PRICES_FILE = 'src/features/price/sandbox-prices.json';
    gateway = await startTestGateway({
      ...{ sandboxDomains: 5, accountToken: null },
      env: { API_KEYS, APPROVALS_FILE, PRICES_FILE },
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
    await rm(folder, { recursive: true });
  });

  async function openPage(path: string, key: string | null, url = gateway.url) {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    page.setDefaultTimeout(pageTimeoutMs);
    const trouble = watchTrouble(page);
    const requests: Request[] = [];
    page.on('request', (request) => requests.push(request));
    await page.goto(`${url}${path}`);
    if (key !== null) await enterKey(page, keyOf(key));
    return { page, requests, trouble };
  }
  const enterKey = async (page: Page, key: string) => {
    await page.getByLabel('API key or token').fill(key);
    await page.getByRole('button', { name: 'Show approvals' }).click();
  };
  const see = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const message = (page: Page) => page.getByRole('alert');

  /** Requests a purchase, and returns the ids of it and of its approval. */
  async function request(domain: string, key = 'bot') {
    const { data } = await gateway.query(
      `mutation ($input: RegisterDomainInput!) { registerDomain(input: $input) {
        purchase { id approval { id } } errors { message } } }`,
      { input: order({ domain, idempotencyKey: domain }) },
      by(key),
    );
    const { purchase, errors } = data.registerDomain;
    expect(errors).toEqual([]);
    return { purchase: purchase.id, approval: purchase.approval.id as string };
  }
  const stateOf = async (id: string) =>
    (
      await gateway.query(
        'query ($id: ID!) { purchase(by: { id: $id }) { state } }',
        { id },
        by('boss'),
      )
    ).data.purchase.state;

  test('lists the waiting requests, shows one request, and approves it', async () => {
    const { purchase, approval } = await request('seen-maple.com');
    const { page, trouble } = await openPage('/approvals', 'boss');

    const waiting = page.locator('article', { hasText: 'seen-maple.com' });
    await waiting.getByText('Registration: seen-maple.com').waitFor();
    expect(await waiting.textContent()).toContain('bot');
    expect(await waiting.getByRole('button').count()).toBe(0);
    await waiting.getByRole('link', { name: 'Open and decide' }).click();

    await see(page, 'requested');
    expect(new URL(page.url()).pathname).toBe(`/approvals/${approval}`);
    const shown = await page.locator('article').textContent();
    // The cost is 11.29; a customer pays 30 per cent more, up to x.99.
    for (const part of ['bot', '1 year', '14.99 USD', '11.29 USD', 'rule 1']) {
      expect(shown).toContain(part);
    }
    expect(await stateOf(purchase)).toBe('AWAITING_APPROVAL');
    await page.getByRole('button', { name: 'Approve' }).click();
    await message(page).getByText('You approved the request.').waitFor();

    expect(await page.locator('article').textContent()).toMatch(/granted.*, by boss/);
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await expect.poll(() => stateOf(purchase), { timeout: pageTimeoutMs }).toBe('SUCCEEDED');
    await page.getByRole('link', { name: 'All waiting approvals' }).click();
    await page.getByRole('alert').filter({ hasNotText: 'Reading' }).waitFor();
    expect(await page.getByText('seen-maple.com').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  test('shows the person, the name servers and Unicode names, and the outcome after the decision', async () => {
    const lines = ['bücher-eins.com', 'bücher-zwei.com'].map((domain) => ({
      registration: order({ domain }),
    }));
    const { data } = await gateway.query(
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
        order { id approval { id } } errors { message } } }`,
      { input: { lines, idempotencyKey: 'facts' } },
      by('bot'),
    );
    const { id, approval } = data.placeOrder.order;
    const { page, trouble } = await openPage(`/approvals/${approval.id}`, 'clerk');
    await see(page, 'Registration: 2 purchases');

    const shown = await page.locator('article').textContent();
    expect(shown).toContain('bücher-eins.com (xn--');
    expect(shown).toMatch(
      /RegistrantAda Lovelace, ada@example\.org, .*Musterweg 1, 10115 Berlin, DE/,
    );
    expect(shown).toMatch(/Name serversns1\.example-dns\.net, ns2\.example-dns\.net/);
    await page.getByRole('button', { name: 'Approve' }).click();
    await message(page).getByText('You approved the request.').waitFor();
    const orderState = async () =>
      (
        await gateway.query(
          'query ($id: ID!) { order(by: { id: $id }) { state } }',
          { id },
          by('boss'),
        )
      ).data.order.state;
    await expect.poll(orderState, { timeout: pageTimeoutMs }).toBe('SUCCEEDED');
    await page.getByRole('link', { name: 'Show the outcome of now' }).click();
    await see(page, 'succeeded');
    expect(trouble).toEqual([]);
  });

  test('offers no decision to the key of the request', async () => {
    const { approval } = await request('bot-maple.com');
    const { page } = await openPage('/approvals', 'bot');
    const waiting = page.locator('article', { hasText: 'bot-maple.com' });
    await waiting.waitFor();
    expect(await waiting.getByRole('link').textContent()).toBe('Open');

    await waiting.getByRole('link').click();
    await see(page, 'requested');
    expect(new URL(page.url()).pathname).toBe(`/approvals/${approval}`);
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  test('rejects with a reason', async () => {
    const { purchase, approval } = await request('refused-maple.com');
    const { page, trouble } = await openPage(`/approvals/${approval}`, 'clerk');

    await page.getByLabel('Reason of a rejection').fill('Too expensive.');
    await page.getByRole('button', { name: 'Reject' }).click();
    await message(page).getByText('You rejected the request.').waitFor();

    expect(await page.locator('article').textContent()).toMatch(/rejected.*Too expensive\./);
    await expect.poll(() => stateOf(purchase), { timeout: pageTimeoutMs }).toBe('FAILED');
    expect(trouble).toEqual([]);
  });

  test('shows the domains of an order, and no cost without the scope', async () => {
    const lines = ['first-maple.com', 'second-maple.com'].map((domain) => ({
      registration: order({ domain }),
    }));
    const { data } = await gateway.query(
      `mutation ($input: PlaceOrderInput!) { placeOrder(input: $input) {
        order { state approval { id } } errors { message } } }`,
      { input: { lines, idempotencyKey: 'an-order' } },
      by('bot'),
    );
    expect(data.placeOrder).toMatchObject({ order: { state: 'AWAITING_APPROVAL' }, errors: [] });
    const path = `/approvals/${data.placeOrder.order.approval.id}`;

    const { page } = await openPage(path, 'clerk');
    await see(page, 'Registration: 2 purchases');
    const shown = await page.locator('article').textContent();
    expect(shown).toContain('first-maple.com (registration, 1 year), second-maple.com');
    expect(shown).toContain('29.98 USD');
    expect(shown).not.toContain('22.58');

    await enterKey(page, keyOf('boss'));
    await see(page, '22.58 USD');
    await page.getByRole('link', { name: 'All waiting approvals' }).click();
    await see(page, 'Registration: 2 purchases');
  });

  test('shows the name servers that a bulk change sets for each domain', async () => {
    const nameServers = ['ns1.each.net', 'ns2.each.net'];
    const items = [{ domain: 'reseller-demo.com', nameServers }];
    const { data } = await gateway.query(
      `mutation ($input: ChangeDomainsInput!) { changeDomains(input: $input) {
        bulkChange { approval { id } } errors { message } } }`,
      { input: { idempotencyKey: 'each', expectedCount: 1, change: { items } } },
      by('bot'),
    );
    expect(data.changeDomains.errors).toEqual([]);
    const { page } = await openPage(
      `/approvals/${data.changeDomains.bulkChange.approval.id}`,
      'clerk',
    );
    await see(page, 'Bulk change: 1 domain');
    const shown = await page.locator('article').textContent();
    expect(shown).toContain('name servers of each domain');
    expect(shown).toContain('reseller-demo.com (ns1.each.net ns2.each.net)');
  });

  test('reports why a decision is refused, and what the state is now', async () => {
    const { approval } = await request('own-maple.com');
    const { page } = await openPage(`/approvals/${approval}`, 'bot-2');
    await page.getByRole('button', { name: 'Approve' }).click();
    await message(page).getByText('This request was made by the same person').waitFor();
    await see(page, 'requested');

    await enterKey(page, keyOf('clerk'));
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    const other = await openPage(`/approvals/${approval}`, 'boss');
    await other.page.getByRole('button', { name: 'Reject' }).click();
    await message(other.page).getByText('You rejected the request.').waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();

    await message(page).getByText('it cannot be decided any more').waitFor();
    await see(page, 'rejected');
  });

  test('reports that a decision may have been made when the gateway does not respond', async () => {
    const { approval } = await request('silent-maple.com');
    const { page } = await openPage(`/approvals/${approval}`, 'clerk');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.route('**/graphql', async (route) => {
      // The gateway receives the request, and the browser no response.
      await route.fetch();
      await route.abort();
      await page.unroute('**/graphql');
    });

    await page.getByRole('button', { name: 'Approve' }).click();

    await message(page).getByText('the decision may have been made or not').waitFor();
    await see(page, 'granted');
  });

  test('shows texts of callers as text, never as markup', async () => {
    const { approval } = await request('hostile-maple.com', 'customer');
    const { page, trouble } = await openPage(`/approvals/${approval}`, 'clerk');

    await see(page, `customer, for ${hostile}`);
    expect(await page.locator('main :is(img, b)').count()).toBe(0);
    expect(trouble).toEqual([]);
  });

  test('refuses a wrong key, and shows nothing to a key without a scope', async () => {
    const { approval } = await request('hidden-maple.com');
    const { page } = await openPage(`/approvals/${approval}`, null);
    expect(await page.locator('article').count()).toBe(0);

    await enterKey(page, 'no-such-key');
    await message(page).getByText('not known here').waitFor();
    await enterKey(page, keyOf('reader'));
    await message(page).getByText('This needs the scope').waitFor();
    await enterKey(page, keyOf('customer'));
    await message(page).getByText('There is no such approval').waitFor();
    await enterKey(page, keyOf('clerk'));
    await see(page, 'hidden-maple.com');
    await page.getByRole('button', { name: 'Forget the key' }).click();

    expect(await page.locator('article').count()).toBe(0);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).toBe('{}');
  });

  test('stores the key in this tab only, and in no address', async () => {
    await request('stored-maple.com');
    const { page, requests } = await openPage('/approvals', 'clerk');
    await see(page, 'stored-maple.com');
    await page.reload();
    await see(page, 'stored-maple.com');

    const [tab, elsewhere] = await page.evaluate(async () => [
      JSON.stringify({ ...sessionStorage }),
      JSON.stringify([
        { ...localStorage },
        document.cookie,
        await indexedDB.databases(),
        location.href,
        history.state,
        document.documentElement.outerHTML,
      ]),
    ]);
    expect(tab).toContain(keyOf('clerk'));
    expect(elsewhere).not.toContain(keyOf('clerk'));
    expect(requests.filter((one) => one.url().includes(keyOf('clerk')))).toEqual([]);
  });

  test('sends a token (JWT) as Bearer, and no text that a header cannot have', async () => {
    const { page, requests } = await openPage('/approvals', null);
    const sent = () => requests.filter((one) => one.method() === 'POST');
    const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';

    await enterKey(page, 'schlüssel');
    await message(page).getByText('does not accept').waitFor();
    expect(sent()).toEqual([]);
    await enterKey(page, token);
    await message(page).filter({ hasNotText: 'Reading' }).waitFor();

    const [headers] = sent().map((one) => one.headers());
    expect(headers?.authorization).toBe(`Bearer ${token}`);
    expect(headers).not.toHaveProperty('x-api-key');
  });

  test('finds the graph of a gateway that another server has mounted below a path', async () => {
    const { approval } = await request('mounted-maple.com');
    const server = createServer(async (incoming, response) => {
      const { method = 'GET', headers, url = '' } = incoming;
      const sent = Object.entries(headers).filter(([name]) =>
        /^(?:accept|content-type|x-)/.test(name),
      );
      const answer = await fetch(`${gateway.url}${url.replace(/^\/api(?=\/)/, '')}`, {
        method,
        headers: sent as [string, string][],
        body: method === 'POST' ? await text(incoming) : null,
      });
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? '',
      });
      response.end(await answer.text());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;

    const { page } = await openPage(
      `/api/approvals/${approval}`,
      'clerk',
      `http://127.0.0.1:${port}`,
    );

    await see(page, 'mounted-maple.com');
    expect(
      await page.getByRole('link', { name: 'All waiting approvals' }).getAttribute('href'),
    ).toBe('/api/approvals');
  });

  test('has no fault of axe and is not too wide, in light and dark, from 360 to 1280 pixels', async () => {
    const { approval } = await request('looks-maple.com');
    await request(`${'long-'.repeat(10)}maple.com`);
    const faults: string[] = [];
    for (const [path, key] of [
      ['/approvals', null],
      ['/approvals', 'boss'],
      [`/approvals/${approval}`, 'boss'],
    ] as const) {
      const { page } = await openPage(path, key);
      if (key !== null) await see(page, 'looks-maple.com');
      for (const look of looksOf(360, 390, 1280)) {
        await setLook(page, look);
        const found = (await axeFaults(page)).map(({ rule, elements }) => `${rule}: ${elements}`);
        const more = await overflowOf(page);
        const place = `${path}, ${key}, ${Object.values(look)}`;
        faults.push(...found.map((fault) => `${place}: ${fault}`));
        if (more > 0) faults.push(`${place}: ${more} pixels too wide`);
      }
    }

    expect(faults).toEqual([]);
  });
});
