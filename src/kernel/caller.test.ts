import { expect, test } from 'vitest';
import {
  type AccessScope,
  allAccessScopes,
  anonymous,
  forbidden,
  isAccessScope,
  mayAny,
} from './caller.ts';

const callerWith = (...scopes: readonly AccessScope[]) => ({
  ...anonymous,
  scopes: new Set(scopes),
});

test('a caller may do what one of its scopes allows', () => {
  expect(mayAny(callerWith('ops'), ['domains:spend', 'ops'])).toBe(true);
  expect(mayAny(callerWith('domains:check'), ['domains:spend', 'ops'])).toBe(false);
  expect(mayAny(callerWith(), ['ops'])).toBe(false);
});

test('a caller that is bound to a customer cannot use the scopes of the whole account', () => {
  const bound = { ...callerWith('ops', 'account:read', 'domains:read'), customer: 'acme' };

  expect(mayAny(bound, ['ops', 'account:read'])).toBe(false);
  expect(mayAny(bound, ['ops', 'domains:read'])).toBe(true);
  expect(forbidden(bound, ['ops']).message).toContain('not bound to a customer');
  expect(forbidden(bound, ['account:write']).message).toContain('the scope "account:write"');
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
  const { code, message } = forbidden(callerWith(), ['domains:spend', 'ops']);

  expect(code).toBe('FORBIDDEN');
  expect(message).toContain('"domains:spend" or "ops"');
});
