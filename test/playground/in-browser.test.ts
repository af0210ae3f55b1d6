import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBrowser, whyNoBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { openPlayground, type Playground } from './playground.ts';

const skipped = whyNoBrowser ? ` (skipped: ${whyNoBrowser})` : '';

describe.skipIf(whyNoBrowser)(`GraphiQL in a browser without a network${skipped}`, () => {
  let gateway: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await startTestGateway();
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  const opened: Playground[] = [];
  // A page that stays open renders on.
  afterEach(() => Promise.all(opened.splice(0).map(({ page }) => page.close())));
  const open = async (options = {}) => {
    const playground = await openPlayground(browser, gateway.url, options);
    opened.push(playground);
    return playground;
  };

  test('the page loads without a failed request, and says that nothing costs money', async () => {
    const { page, trouble, openTab, run, seeAnswer } = await open();

    expect(await page.title()).toBe('GraphiQL of reseller-graph (sandbox)');
    await page.getByText('Sandbox: nothing here costs money').waitFor();
    expect(await page.getByRole('tab').count()).toBe(11);
    await openTab('BulkCheck');
    await run();
    await seeAnswer('"name": "weather.net"');
    expect(trouble).toEqual([]);
  }, 60_000);

  test('the documentation opens beside the editor', async () => {
    const { page, trouble } = await open();

    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByRole('link', { name: 'Query', exact: true }).click();
    await page.getByRole('link', { name: 'availability', exact: true }).waitFor();

    expect(trouble).toEqual([]);
  }, 60_000);

  test('the explorer lists the fields of the graph, and a click on one writes it down', async () => {
    const { page, trouble } = await open();

    await page.getByRole('button', { name: 'New tab' }).click();
    await page.getByRole('button', { name: 'Show GraphiQL Explorer' }).click();
    await page.locator('.docExplorerWrap').getByText('reseller', { exact: true }).first().click();
    await page.locator('.graphiql-query-editor', { hasText: 'reseller' }).waitFor();

    expect(trouble).toEqual([]);
  }, 60_000);

  test('what was asked stands in the history', async () => {
    const { page, trouble, openTab, run, seeAnswer } = await open();

    await openTab('Prices');
    await run();
    await seeAnswer('"renewal"');
    await page.getByRole('button', { name: 'Show History' }).click();
    await page.locator('.graphiql-history').getByText('Prices').waitFor();

    expect(trouble).toEqual([]);
  }, 60_000);

  test.each([
    ['light', 'vs'],
    ['dark', 'vs-dark'],
  ] as const)(
    'who likes it %s gets it so',
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

  describe('a streamed search, while one of its names is still held', () => {
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

    test('shows what is known, and then the rest', async () => {
      const { page, trouble, run, seeAnswer, answer } = await open();

      await hold();
      await run('SearchAsItComes');
      await seeAnswer('"searchDomains"');
      const early = await answer();
      await page.getByRole('button', { name: /Stop query/ }).waitFor();
      await release();
      await page.getByRole('button', { name: /Execute query/ }).waitFor();

      expect(early).not.toContain('"maple-harbor.com"');
      // The editor renders the lines in view only, and the rest of the list is below them.
      expect(await answer()).not.toContain('errors');
      expect(trouble).toEqual([]);
    }, 60_000);

    test('is ended by the stop button, and what it has shown stays', async () => {
      const { page, trouble, run, seeAnswer, answer } = await open();

      await hold();
      await run('SearchAsItComes');
      await seeAnswer('"searchDomains"');
      await page.getByRole('button', { name: /Stop query/ }).click();
      await page.getByRole('button', { name: /Execute query/ }).waitFor();
      await release();

      expect(await answer()).toContain('"searchDomains"');
      expect(await answer()).not.toContain('errors');
      // Hanging up is what the button does.
      expect(trouble).toEqual([`failed: ${gateway.url}/graphql`]);
    }, 60_000);
  });

  test('headers are sent, and nowhere kept', async () => {
    const { page, trouble, openTab, run, seeAnswer } = await open();
    const sent = page.waitForRequest(
      (request) => request.headers()['x-account-token'] === 'token-of-nobody-else',
    );

    await openTab('BulkCheck');
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.graphiql-editor-tool .monaco-editor:visible').click();
    await page.keyboard.insertText('{ "x-account-token": "token-of-nobody-else" }');
    await run();
    await sent;
    await seeAnswer('"name": "weather.net"');
    // Longer than the editor waits before it writes down what it keeps.
    await page.waitForTimeout(1_000);
    const kept = await page.evaluate(async () =>
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

    expect(kept).toContain('weather.net');
    expect(kept).not.toContain('token-of-nobody-else');
    expect(kept).not.toContain('x-account-token');
    expect(trouble).toEqual([]);
  }, 60_000);
});
