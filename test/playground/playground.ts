import type { Browser, Page } from 'playwright-core';
import { pageTimeoutMs, watchTrouble } from '../support/browser.ts';

/** GraphiQL in a page, with the actions of a user. */
export interface Playground {
  readonly page: Page;
  /** The failures so far, and every request to another machine. */
  readonly trouble: readonly string[];
  openTab(name: string): Promise<void>;
  /** Presses play; with several operations in the tab, chooses one. */
  run(operation?: string): Promise<void>;
  /** Waits until the response contains all texts. */
  seeResponse(...texts: readonly string[]): Promise<void>;
  /** The visible part of the response. */
  responseText(): Promise<string>;
}

export async function openPlayground(
  browser: Browser,
  url: string,
  options: { readonly colorScheme?: 'light' | 'dark' } = {},
): Promise<Playground> {
  // High enough that the editor, which renders visible lines only, renders the whole response.
  const page = await browser.newPage({ viewport: { width: 1400, height: 3600 }, ...options });
  const trouble = watchTrouble(page) as string[];
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!/^(?:data|blob):$/.test(protocol) && hostname !== '127.0.0.1') {
      trouble.push(`elsewhere: ${request.url()}`);
    }
  });
  page.setDefaultTimeout(pageTimeoutMs);
  await page.goto(`${url}/graphql`);
  const response = page.locator('.graphiql-response');
  const play = page.getByRole('button', { name: /Execute query/ });
  await page.locator('.graphiql-query-editor .view-line').first().waitFor();

  return {
    page,
    trouble,
    async openTab(name) {
      await page.getByRole('tab', { name }).getByRole('button', { name }).click();
      await page.waitForFunction(isShown, name);
    },
    async run(operation) {
      await play.click();
      if (operation) await page.getByRole('menuitem', { name: operation, exact: true }).click();
    },
    async seeResponse(...texts) {
      for (const text of texts) {
        await response
          .getByText(text)
          .or(response.filter({ hasText: text }))
          .first()
          .waitFor();
      }
    },
    responseText: async () => ((await response.textContent()) ?? '').replaceAll('\u00a0', ' '),
  };
}

/** Runs in the page: whether GraphiQL has read the text of the opened tab and stored it. */
const isShown = (name: string): boolean => {
  const { tabs = [], activeTabIndex } = JSON.parse(
    localStorage.getItem('sandbox:graphiql:tabState') ?? '{}',
  );
  return tabs[activeTabIndex]?.operationName === name;
};
