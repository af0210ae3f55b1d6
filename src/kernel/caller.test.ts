import { expect, test } from 'vitest';
import { allAccessScopes, anonymous, forbidden, isAccessScope, mayAny } from './caller.ts';

const callerWith = (...scopes: Parameters<typeof forbidden>[0]) => ({
  ...anonymous,
  scopes: new Set(scopes),
});

test('a caller may do what one of its scopes allows', () => {
  expect(mayAny(callerWith('ops'), ['domains:spend', 'ops'])).toBe(true);
  expect(mayAny(callerWith('domains:check'), ['domains:spend', 'ops'])).toBe(false);
  expect(mayAny(callerWith(), ['ops'])).toBe(false);
});

test('a caller without a credential has every scope and no name', () => {
  expect([...anonymous.scopes]).toEqual(allAccessScopes);
  expect(anonymous).toMatchObject({ name: null, tenant: 'default', limits: {} });
});

test('a text is a scope only by its exact name', () => {
  expect(allAccessScopes.every(isAccessScope)).toBe(true);
  expect(['', 'OPS', 'toString', 'domains'].some(isAccessScope)).toBe(false);
});

test('the fault of a missing scope names every scope that allows it', () => {
  const { code, message } = forbidden(['domains:spend', 'ops']);

  expect(code).toBe('FORBIDDEN');
  expect(message).toContain('"domains:spend" or "ops"');
});
