import { expect, test } from 'vitest';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import { createTldReads } from './loader.ts';

test.each([
  ['a page that is not full', { rowCount: 999 }, true],
  ['a full page, which others may follow', { rowCount: 1_000 }, false],
  ['a page with a row that cannot be read', { hasEveryRow: false }, false],
  ['a page with a price that cannot be read', { hasAllPrices: false }, false],
])('of %s the price list is complete or not', async (_what, changes, complete) => {
  const { hasAllPrices, ...page } = {
    rowCount: 5,
    hasEveryRow: true,
    hasAllPrices: true,
    ...changes,
  };
  const tlds = [{ name: 'com', hasAllPrices }];
  const api = { tldlist: async () => ({ tlds, ...page }) } as unknown as DomainApi;

  expect((await createTldReads(api, {}).catalogue()).complete).toBe(complete);
});
