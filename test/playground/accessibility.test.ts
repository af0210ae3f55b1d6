import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiKeysOf } from '../access/keys.ts';
import {
  type AxeFault,
  axeFaults,
  type Look,
  looksOf,
  overflowOf,
  setLook,
} from '../support/accessibility.ts';
import { pageTimeoutMs, startBrowser, whyNoBrowser } from '../support/browser.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { because } from '../support/skipped.ts';
import { openPlayground } from './playground.ts';

const looks = looksOf(1280, 390);

async function faultsOf(page: Page, look: Look, known: readonly AxeFault[] = []) {
  await setLook(page, look);
  const faults: string[] = [];
  for (const { rule, elements } of await axeFaults(page)) {
    const allowed = known.find((one) => one.rule === rule)?.elements.join(',') ?? ':not(*)';
    const isKnown = await page.evaluate(
      ([selectors, pattern]) =>
        selectors.every((selector) => document.querySelector(selector)?.matches(pattern)),
      [elements, allowed] as const,
    );
    if (isKnown) seen.add(rule);
    else faults.push(`${Object.values(look)}: ${rule}: ${elements.join(' ')}`);
  }
  const more = await overflowOf(page);
  return [...faults, ...(more > 0 ? [`${Object.values(look)}: ${more} pixels too wide`] : [])];
}

/** Known faults that a page has, so that an entry that is not needed is found. */
const seen = new Set<string>();

describe.skipIf(whyNoBrowser)(`axe${because(whyNoBrowser)}`, () => {
  let open: TestGateway;
  let guarded: TestGateway;
  let browser: Browser;
  beforeAll(async () => {
    open = await startTestGateway({ sandboxDomains: 5 });
    const API_KEYS = apiKeysOf({ reader: ['account:read'] });
    guarded = await startTestGateway({ sandboxDomains: 5, env: { API_KEYS } });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await open?.close();
    await guarded?.close();
  });
  const openHome = async ({ url }: TestGateway) => {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    page.setDefaultTimeout(pageTimeoutMs);
    await page.goto(url);
    return page;
  };

  describe('finds no fault on the start page, in light and dark, at 390 and 1280 pixels', () => {
    test.each([
      ['where no key is needed', () => open],
      ['where callers need a key', () => guarded],
    ])('%s', async (_where, gateway) => {
      const page = await openHome(gateway());

      const faults: string[] = [];
      for (const look of looks) faults.push(...(await faultsOf(page, look)));
      expect(faults).toEqual([]);
    });
  });

  describe('finds no fault on GraphiQL, in light and dark, at 390 and 1280 pixels, but those of its packages', () => {
    /** Faults in the markup of a package, which neither its options nor our style can change. */
    const ofPackages: readonly (AxeFault & { readonly reason: string })[] = [
      {
        rule: 'nested-interactive',
        elements: ['.graphiql-tab'],
        reason: '@graphiql/react renders the buttons of a tab inside of the element of the tab.',
      },
      {
        rule: 'label-content-name-mismatch',
        elements: ['.graphiql-history-item-label'],
        reason: '@graphiql/plugin-history names each item "Set active".',
      },
      {
        rule: 'label',
        elements: ['.docExplorerWrap input'],
        reason: '@graphiql/plugin-explorer renders inputs of arguments without a label.',
      },
      {
        rule: 'select-name',
        elements: ['.docExplorerWrap select'],
        reason: '@graphiql/plugin-explorer renders the list of operations without a label.',
      },
    ];
    /** In the look from the beginning: the editor keeps the colour scheme of its start. */
    async function openWithResponse(look: Look) {
      const playground = await openPlayground(browser, open.url, look);
      onTestFinished(() => playground.page.close());
      await playground.run('Search');
      await playground.seeResponse('"period": 10');
      return playground.page;
    }

    test.each(looks)('with a response, $colorScheme, $width pixels', async (look) => {
      expect(await faultsOf(await openWithResponse(look), look, ofPackages)).toEqual([]);
    });

    test('with the form of the key', async () => {
      const page = await openHome(guarded);
      await page.getByRole('link', { name: 'GraphiQL' }).click();
      await page.getByText('GraphiQL reads the schema with this key.').waitFor();

      const faults: string[] = [];
      for (const look of looks) faults.push(...(await faultsOf(page, look, ofPackages)));
      expect(faults).toEqual([]);
    });

    const tools = ['Documentation Explorer', 'History', 'GraphiQL Explorer'];
    describe('with each of its tools', () => {
      test.each(looksOf(1280))('$colorScheme', async (look) => {
        const page = await openWithResponse(look);
        const faults: string[] = [];
        for (const tool of tools) {
          await page.getByRole('button', { name: `Show ${tool}` }).click();
          await page.getByRole('button', { name: `Hide ${tool}` }).waitFor();
          const found = await faultsOf(page, look, ofPackages);
          faults.push(...found.map((fault) => `${tool}, ${fault}`));
        }

        expect(faults).toEqual([]);
        expect([...seen].sort()).toEqual(ofPackages.map(({ rule }) => rule).sort());
      });
    });
  });
});
