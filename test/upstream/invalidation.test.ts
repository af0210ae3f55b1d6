import { expect, test } from 'vitest';
import type { Operation } from '../../src/upstream/client/operation.ts';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';

const rows: readonly (readonly [string, Operation])[] = Object.entries(domainApi);
const writes = rows.filter(([, { effect }]) => effect === 'write');

test('every write of the Domain API invalidates reads, the details of its domain among them', () => {
  expect(writes).toHaveLength(7);
  const reads = rows.filter(([, { effect }]) => effect === 'read').map(([action]) => action);
  for (const [action, { invalidates = [] }] of writes) {
    expect(invalidates, action).toContain('getdetails');
    expect(invalidates, action).toContain('getdomainlist');
    expect(reads, action).toEqual(expect.arrayContaining([...invalidates]));
  }
});

test('no read invalidates another one, and contacts and balances are never cached', () => {
  for (const [action, { effect, invalidates, cacheAs }] of rows) {
    if (effect === 'read') expect(invalidates, action).toBeUndefined();
    if (['getcontacts', 'resellerdetails'].includes(action)) {
      expect(cacheAs, action).toBeUndefined();
    }
  }
});
