import { expect, test } from 'vitest';
import { domainApi } from '../../src/upstream/domain-api/operations.ts';
import type { AnyOperation } from '../../src/upstream/operation.ts';

const rows: readonly (readonly [string, AnyOperation])[] = Object.entries(domainApi);
const writes = rows.filter(([, { effect }]) => effect === 'write');

test('every write of the Domain API names reads that it may make untrue, the details of its domain among them', () => {
  expect(writes).toHaveLength(7);
  const reads = rows.filter(([, { effect }]) => effect === 'read').map(([action]) => action);
  for (const [action, { clears = [] }] of writes) {
    expect(clears, action).toContain('getdetails');
    expect(clears, action).toContain('getdomainlist');
    expect(reads, action).toEqual(expect.arrayContaining([...clears]));
  }
});

test('no read clears anything, and what holds people or balances is never kept', () => {
  for (const [action, { effect, clears, keep }] of rows) {
    if (effect === 'read') expect(clears, action).toBeUndefined();
    if (['getcontacts', 'resellerdetails'].includes(action)) expect(keep, action).toBeUndefined();
  }
});
