import { expect, test } from 'vitest';
import { createTldReads } from '../../../src/modules/tld/loader.ts';
import type { DomainApi } from '../../../src/upstream/domain-api/domain-api.ts';

test.each([
  ['a page that is not full', 999, 999, true],
  ['a full page, which others may follow', 1_000, 1_000, false],
  ['a page with a row that cannot be read', 5, 4, false],
])('of %s the price list is complete or not', async (_what, rowCount, readable, complete) => {
  const tlds = Array.from({ length: readable }, (_, at) => ({ name: `tld-${at}` }));
  const api = { tldlist: async () => ({ tlds, rowCount }) } as unknown as DomainApi;

  expect((await createTldReads(api, {}).catalogue()).complete).toBe(complete);
});
