import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startBrowser, whyNoBrowser } from '../support/browser.ts';
import { everyTld, startTestGateway, type TestGateway } from '../support/gateway.ts';
import { because } from '../support/skipped.ts';
import { openPlayground, type Playground } from './playground.ts';

const skipped = because(whyNoBrowser);

/** The texts that each example shows, and its upstream calls. */
const examples = [
  ['Search', 'Search', ['"name": "maple-harbor.com"', '"period": 10'], null],
  [
    'BulkCheck',
    null,
    ['"state": "TAKEN"', '"premium": true'],
    { bulkcheckavailability: 1, tldlist: 1 },
  ],
  ['Prices', null, ['"name": "io"', '"fiveYears"'], { tldlist: 1 }],
  ['DetailPage', null, ['ns1.reseller-demo.com', '"renewalQuote"'], { getdetails: 1, tldlist: 1 }],
  ['NameServers', null, ['"ns2.reseller-demo.com"', '"errors": []'], null],
  ['Contacts', null, ['"billing"', '"e164"'], { getdetails: 1, getcontacts: 1 }],
  [
    'Portfolio',
    null,
    ['"remainingDays"', '"byState"', '"renewals"'],
    { getdomainlist: 1, resellerdetails: 1, tldlist: 1 },
  ],
  ['OrderQuote', 'OrderQuote', ['"affordable": true', '"NOT_AVAILABLE"'], null],
  ['OrderQuote', 'Order', ['"order"', '"errors": []'], null],
  ['Events', 'Events', ['"totalCount": 0'], {}],
  ['Errors', null, ['"PERIOD_OUT_OF_RANGE"', '"PREMIUM_NOT_ACCEPTED"'], null],
] as const;

describe.skipIf(whyNoBrowser)(`each example of GraphiQL shows its result${skipped}`, () => {
  let gateway: TestGateway;
  let browser: Browser;
  let playground: Playground;
  beforeAll(async () => {
    gateway = await startTestGateway({ sandboxTlds: everyTld, env: { PRICES_FILE: '' } });
    browser = await startBrowser();
    playground = await openPlayground(browser, gateway.url);
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  });
  beforeEach(() => gateway.resetCalls());
  // The page ends a stream whose last result it has, which the browser reports as aborted.
  const failures = () => playground.trouble.filter((one) => !one.startsWith('net::ERR_ABORTED'));

  test.each(examples)(
    '%s',
    async (tab, operation, texts, calls) => {
      await playground.openTab(tab);
      await playground.run(operation ?? undefined);
      await playground.seeResponse(...texts);

      if (calls) expect(await gateway.countCalls()).toEqual(calls);
      expect(failures()).toEqual([]);
    },
    30_000,
  );

  test('SearchAsItComes shows the upstream calls of the whole search', async () => {
    // The editor renders visible lines only, and the calls are below the results.
    await playground.page.setViewportSize({ width: 1400, height: 9_000 });
    await playground.openTab('Search');
    await playground.run('SearchAsItComes');
    await playground.seeResponse('"byAction"');
    await playground.page.getByRole('button', { name: /Execute query/ }).waitFor();
    const calls = Object.entries(await gateway.countCalls());

    expect(calls.length).toBeGreaterThan(0);
    await playground.seeResponse(...calls.map(([action, count]) => `"${action}": ${count}`));
    expect(failures()).toEqual([]);
  }, 30_000);

  test('Register buys once, however often it is executed', async () => {
    await playground.openTab('Register');
    await playground.run();
    await playground.seeResponse('"state": "SUCCEEDED"', '"replayed": false');
    await playground.run();
    await playground.seeResponse('"state": "SUCCEEDED"', '"replayed": true');

    expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
    expect(failures()).toEqual([]);
  }, 30_000);

  test('LostAnswer is PENDING first, then settled by a read, and bought once', async () => {
    await playground.openTab('LostAnswer');
    await playground.run('LostAnswer');
    await playground.seeResponse('"state": "PENDING"');
    await expect
      .poll(
        async () => {
          await playground.run('HowItEnded');
          await playground.seeResponse('purchase');
          return playground.responseText();
        },
        { timeout: 20_000, interval: 1_000 },
      )
      .toContain('"state": "SUCCEEDED"');

    expect(await gateway.countCalls()).toMatchObject({ registerdomain: 1 });
    expect(failures()).toEqual([]);
  }, 40_000);
});
