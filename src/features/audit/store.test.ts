import { expect, test } from 'vitest';
import { parseDomainName } from '../../kernel/domain-name.ts';
import { chainAfter, flawOf, type UnchainedRow } from './store.ts';

const row: UnchainedRow = {
  ...{ account: 'acme', at: '2026-01-31T12:00:00.000Z', begun: null, operation: 'syncDomain' },
  ...{
    domain: parseDomainName('maple.com'),
    caller: 'shop',
    customer: null,
    tenant: 'default',
    request_id: 'r1',
  },
  ...{ address: null, input_hash: 'abc', outcome: 'OK', upstream_calls: 1, refusals: null },
};
const first = { position: 0, hash: '' };
const hashOf = (changes: Partial<UnchainedRow>) =>
  chainAfter(first, [{ ...row, ...changes }])[0]?.hash;

test('the hash of a row is the same in each version', () => {
  const stored = {
    ...row,
    position: 1,
    previous_hash: '',
    hash: 'e31bbd1de413cb12c2aa7f7e571d7709ab894ccef1499e463edb5349f30fb15e',
  };

  expect(flawOf(first, stored)).toBeNull();
});

test('a text has another hash in another column, also when the texts together are the same', () => {
  const hashes = [
    { caller: 'shop', customer: null },
    { caller: null, customer: 'shop' },
    { caller: 'shop\n', customer: '' },
    { caller: 'shop', customer: '\n' },
    { caller: '', customer: 'shop\n' },
    { caller: '', customer: '' },
    { caller: null, customer: null },
  ].map(hashOf);

  expect(new Set(hashes).size).toBe(hashes.length);
});
