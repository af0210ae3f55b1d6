import { expect, test } from 'vitest';
import {
  type AccessScope,
  allAccessScopes,
  anonymous,
  checkCustomer,
  forbidden,
  isAccessScope,
  isCustomer,
  mayAny,
  ownerOf,
  tokenCallerName,
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

test.each([
  'acme',
  'Müller',
  'M\u0075\u0308ller',
  'a b',
  'a\u00a0b',
  'ü'.repeat(64),
  'u\u0308'.repeat(64),
])('a customer can be %j, in NFC', (text) => {
  expect(checkCustomer(text)).toBe(text.normalize('NFC'));
});

test.each([
  ...['', ' acme', 'acme ', 'acme\u00a0', '\u2003acme', 'acme\u3000', 'acme\u200b', '\ufeffacme'],
  ...['acme\u2800', '\u3164acme', 'acme\u3164', 'a\nb', 'a'.repeat(65)],
])('a customer cannot be %j', (text) => {
  expect(isCustomer(text)).toBe(false);
  expect(() => checkCustomer(text)).toThrow('A customer has 1 to 64');
});

test('a caller of a customer may name it in another Unicode form', () => {
  expect(ownerOf({ customer: 'Müller' }, 'Mu\u0308ller', [])).toBe('Müller');
  expect(ownerOf({ customer: null }, 'Mu\u0308ller', [])).toBe('Müller');
});

test.each([
  ['ada', 'login:ada'],
  ['ada@example.com', 'login:ada@example.com'],
  ['auth0|5f', 'login:auth0|5f'],
  ['ada+shop@example.com', 'login:~a95fe2acfea4f4a79836ea7a4449ad67'],
  ['', 'login:~e3b0c44298fc1c149afbf4c8996fb924'],
])('the token of the subject %j is the caller %s', (subject, name) => {
  expect(tokenCallerName('login', subject)).toBe(name);
});
