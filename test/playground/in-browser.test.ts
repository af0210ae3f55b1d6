import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiKeysOf, keyOf } from '../access/keys.ts';
import { pageTimeoutMs, startBrowser, whyNoBrowser } from '../support/browser.ts';
import { everyTld, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { because } from '../support/skipped.ts';
import { openPlayground, type Playground } from './playground.ts';

const skipped = because(whyNoBrowser);

describe.skipIf(whyNoBrowser)(`GraphiQL in a browser without a network${skipped}`, () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxTlds: everyTld });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  const opened: Playground[] = [];
  // An open page continues to render.
  afterEach(() => Promise.all(opened.splice(0).map(({ page }) => page.close())));
  const open = async (options = {}) => {
    const playground = await openPlayground(browser, gateway.url, options);
    opened.push(playground);
    return playground;
  };

  test('the page loads without a failed request and states that nothing costs money', async () => {
    const { page, trouble, openTab, run, seeResponse } = await open();

    expect(await page.title()).toBe('GraphiQL of reseller-graph (sandbox)');
    await page.getByText('Sandbox: nothing here costs money').waitFor();
    expect(await page.getByRole('tab').count()).toBe(13);
    await openTab('BulkCheck');
    await run();
    await seeResponse('"name": "weather.net"');
    expect(trouble).toEqual([]);
  });

  describe('each tool of the page', () => {
    test('the documentation opens beside the editor', async () => {
      const { page, trouble } = await open();

      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.getByRole('link', { name: 'Query', exact: true }).click();
      await page.getByRole('link', { name: 'availability', exact: true }).waitFor();

      expect(trouble).toEqual([]);
    });

    test('the explorer lists the fields of the graph and inserts a selected field', async () => {
      const { page, trouble } = await open();

      await page.getByRole('button', { name: 'New tab' }).click();
      await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
      await page.locator('.docExplorerWrap').getByText('reseller', { exact: true }).first().click();
      await page.locator('.graphiql-query-editor', { hasText: 'reseller' }).waitFor();

      expect(trouble).toEqual([]);
    });

    test('the history lists an executed query', async () => {
      const { page, trouble, openTab, run, seeResponse } = await open();

      await openTab('Prices');
      await run();
      await seeResponse('"renewal"');
      await page.getByRole('button', { name: 'Show History' }).click();
      await page.locator('.graphiql-history').getByText('Prices').waitFor();

      expect(trouble).toEqual([]);
    });

    test.each([
      ['light', 'vs'],
      ['dark', 'vs-dark'],
    ] as const)(
      'the page follows the %s colour scheme of the browser',
      async (colorScheme, theme) => {
        const { page, trouble } = await open({ colorScheme });

        await page.locator(`.graphiql-query-editor .monaco-editor.${theme}`).waitFor();
        const ground = await page
          .locator('.graphiql-container')
          .evaluate((element) => getComputedStyle(element).backgroundColor);

        const brightest = Math.max(...(ground.match(/\d+/g) ?? []).map(Number));
        expect(brightest > 127).toBe(colorScheme === 'light');
        expect(trouble).toEqual([]);
      },
      60_000,
    );

    describe('a streamed search with a name that is held', () => {
      const hold = () =>
        gateway.admin('POST', '/faults', {
          fault: 'hold-before',
          domain: 'maple-harbor.com',
          times: 5,
        });
      const release = async () => {
        await gateway.admin('DELETE', '/faults');
        await gateway.admin('POST', '/release', {});
      };

      test('shows the first results before the others', async () => {
        const { page, trouble, run, seeResponse, responseText } = await open();

        await hold();
        await run('SearchAsItComes');
        await seeResponse('"searchDomains"');
        const early = await responseText();
        await page.getByRole('button', { name: /Stop query/ }).waitFor();
        await release();
        await page.getByRole('button', { name: /Execute query/ }).waitFor();

        expect(early).not.toContain('"maple-harbor.com"');
        // The editor renders the lines in view only, and the rest of the list is below them.
        expect(await responseText()).not.toContain('errors');
        expect(trouble).toEqual([]);
      });

      test('is ended by the stop button, and its results remain', async () => {
        const { page, trouble, run, seeResponse, responseText } = await open();

        await hold();
        await run('SearchAsItComes');
        await seeResponse('"searchDomains"');
        await page.getByRole('button', { name: /Stop query/ }).click();
        await page.getByRole('button', { name: /Execute query/ }).waitFor();
        await release();

        expect(await responseText()).toContain('"searchDomains"');
        expect(await responseText()).not.toContain('errors');
        // The button disconnects.
        expect(trouble).toEqual([`net::ERR_ABORTED: ${gateway.url}/graphql`]);
      });
    });

    test('headers are sent and not stored', async () => {
      const { page, trouble, openTab, run, seeResponse } = await open();
      const sent = page.waitForRequest(
        (request) => request.headers()['x-account-token'] === 'token-of-this-page',
      );

      await openTab('BulkCheck');
      await page.getByRole('button', { name: 'Headers' }).click();
      await page.locator('.graphiql-editor-tool .monaco-editor:visible').click();
      await page.keyboard.insertText('{ "x-account-token": "token-of-this-page" }');
      await run();
      await sent;
      await seeResponse('"name": "weather.net"');
      // Longer than the delay of the editor before it stores its state.
      await page.waitForTimeout(1_000);
      const stored = await page.evaluate(async () =>
        JSON.stringify([
          { ...localStorage },
          { ...sessionStorage },
          document.cookie,
          await indexedDB.databases(),
          await caches.keys(),
          location.href,
          history.state,
        ]),
      );

      expect(stored).toContain('weather.net');
      expect(stored).not.toContain('token-of-this-page');
      expect(stored).not.toContain('x-account-token');
      expect(trouble).toEqual([]);
    });
  });

  describe('where callers need a key', () => {
    let guarded: TestGateway;
    beforeAll(async () => {
      const API_KEYS = apiKeysOf({ reader: ['domains:check'] });
      guarded = await startTestGateway({ sandboxDomains: 5, env: { API_KEYS } });
    });
    afterAll(() => guarded?.close());

    const openPage = async (path: string) => {
      const page = await browser.newPage();
      onTestFinished(() => page.close());
      page.setDefaultTimeout(pageTimeoutMs);
      const requests: Request[] = [];
      page.on('request', (request) => requests.push(request));
      await page.goto(`${guarded.url}${path}`);
      return { page, requests, sent: () => requests.filter((one) => one.method() === 'POST') };
    };
    const enter = async (page: Page, key: string) => {
      await page.getByLabel('API key or token').fill(key);
      await page.keyboard.press('Enter');
    };

    test('it requests nothing without a key, and forgets a key that the gateway refuses', async () => {
      const { page, sent } = await openPage('/graphql');
      await page.getByText('GraphiQL reads the schema with this key.').waitFor();
      const withoutKey = sent().length;

      await enter(page, 'no-such-key');
      await page.getByText('does not accept this key').waitFor();

      expect(withoutKey).toBe(0);
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    });

    test('it shares the key of the page of approvals, in headers and the storage of the tab only', async () => {
      const key = keyOf('reader');
      const { page, requests, sent } = await openPage('/approvals');
      await enter(page, key);
      await page.getByText('This needs the scope').waitFor();
      await page.goto(`${guarded.url}/graphql`);
      await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
      await page.getByRole('link', { name: 'Query', exact: true }).click();
      await page.getByRole('link', { name: 'availability', exact: true }).waitFor();
      const schemaRequest = sent().find((one) => /IntrospectionQuery/.test(one.postData() ?? ''));
      const stored = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, document.cookie]),
      );
      await page.getByRole('button', { name: 'Forget the key' }).click();
      await page.getByText('GraphiQL reads the schema with this key.').waitFor();

      expect(schemaRequest?.headers()['x-api-key']).toBe(key);
      expect(requests.filter((one) => one.url().includes(key))).toEqual([]);
      expect(stored).not.toContain(key);
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    });
  });
});
