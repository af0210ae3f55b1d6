import { expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { Fault } from '../../kernel/faults.ts';
import type { DomainApi } from '../../upstream/domain-api/domain-api.ts';
import type { TldDetails } from '../../upstream/domain-api/tld-shapes.ts';
import { createTldReads, labelFault } from './loader.ts';

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

const tld = (minLength: number | Fault, maxLength: number | Fault) =>
  ({ name: 'com', minLength, maxLength }) as TldDetails;
const faultOf = (length: number, of: TldDetails) => {
  const label = 'a'.repeat(length);
  return labelFault(parseDomainName(`${label}.com`), label, of);
};

test.each([
  [2, true],
  [3, false],
  [5, false],
  [6, true],
])('a label of %i characters under a TLD of 3 to 5 is refused: %s', (length, isRefused) => {
  expect(faultOf(length, tld(3, 5)) !== null).toBe(isRefused);
});

test('the refusal reports both bounds', () => {
  const fault = faultOf(2, tld(3, 5));

  expect(fault?.message).toBe('A name under .com has 3 to 5 characters; "aa" has 2.');
  expect([fault?.code, fault?.facts]).toEqual(['INVALID_INPUT', { minimum: 3, maximum: 5 }]);
});

test('bounds that cannot be read are those of DNS', () => {
  const odd = new Fault('UPSTREAM_PROTOCOL');

  expect(faultOf(1, tld(odd, odd))).toBeNull();
  expect(faultOf(63, tld(odd, odd))).toBeNull();
});
