import { createSchema } from 'graphql-yoga';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { startBrowser, watchTrouble, whyNoBrowser } from '../support/browser.ts';

/** As much of the graph as the first tab asks for. */
const overviewSchema = createSchema({
  typeDefs: /* GraphQL */ `
    type Query {
      reseller: Reseller
      domains(first: Int): Domains!
      availability(name: String!): Availability!
    }
    type Reseller { name: String! balances: [Balance!]! }
    type Balance { money: Money! }
    type Money { amount: String! currency: String! }
    type Domains { totalCount: Int! nodes: [Domain!]! }
    type Domain { name: String! state: String! expiresAt: String remainingDays: Int }
    type Availability { state: String! price: Money }
  `,
  resolvers: {
    Query: {
      reseller: () => ({ name: 'Demo Reseller', balances: [] }),
      domains: () => ({ totalCount: 320, nodes: [{ name: 'reseller-demo.com', state: 'ACTIVE' }] }),
      availability: () => ({ state: 'AVAILABLE' }),
    },
  },
});

describe.skipIf(whyNoBrowser)(
  `GraphiQL in a browser without a network${whyNoBrowser ? ` (skipped: ${whyNoBrowser})` : ''}`,
  () => {
    let app: TestApp;
    let browser: Browser;
    beforeAll(async () => {
      app = await startApp({ schema: overviewSchema });
      browser = await startBrowser();
    });
    afterAll(async () => {
      await browser?.close();
      await app?.close();
    });

    test('the page loads without a failed request, and the query of the first tab shows its answer', async () => {
      const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
      const trouble = watchTrouble(page);

      await page.goto(`${app.url}/`);
      await page.getByRole('tab', { name: 'LostAnswer' }).waitFor();
      await page.getByRole('button', { name: /Execute query/ }).click();
      await page.locator('.graphiql-response', { hasText: 'Demo Reseller' }).waitFor();

      expect(await page.title()).toBe('reseller-graph (sandbox)');
      await page.getByText('nothing here costs money').waitFor();
      expect(await page.locator('.graphiql-query-editor').textContent()).toContain('Overview');
      expect(trouble).toEqual([]);
    }, 60_000);

    test('the documentation of the schema opens beside the editor', async () => {
      const page = await browser.newPage();
      const trouble = watchTrouble(page);

      await page.goto(`${app.url}/graphql`);
      await page.getByRole('button', { name: /Documentation Explorer/ }).click();
      await page.getByRole('link', { name: 'Query' }).click();
      await page.getByRole('link', { name: 'availability', exact: true }).waitFor();

      expect(trouble).toEqual([]);
    }, 60_000);
  },
);
