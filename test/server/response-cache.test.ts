import { expect, test } from 'vitest';
import { anonymous } from '../../src/kernel/caller.ts';
import { ResponseCache } from '../../src/server/graphql/response-cache.ts';

const caller = { ...anonymous, tenant: 'north', name: 'shop' };
const body = '{"query":"{ ok }"}';

function store(of = caller) {
  const cache = new ResponseCache();
  let isValid = true;
  cache.store(body, { text: '{}', caller: of, isValid: () => isValid, operation: null });
  return { cache, invalidate: () => (isValid = false) };
}

test('a response is returned to its caller for the same body while it is valid', () => {
  const { cache, invalidate } = store();

  expect(cache.find(caller, body)?.text).toBe('{}');
  expect(cache.find(caller, `${body} `)).toBeNull();
  invalidate();
  expect(cache.find(caller, body)).toBeNull();
});

test.each([
  ['of another tenant', { ...caller, tenant: 'south' }],
  ['of another name', { ...caller, name: 'office' }],
  ['without a name', { ...caller, name: null }],
  ['of the same name after a change of its rights', { ...caller }],
])('a response is not returned to a caller %s', (_what, other) => {
  const { cache } = store();

  expect(cache.find(other, body)).toBeNull();
});

test('callers of the same name in two tenants have responses of their own', () => {
  const { cache } = store();
  const other = { ...caller, tenant: 'south' };
  cache.store(body, { text: '[]', caller: other, isValid: () => true, operation: null });

  expect([cache.find(caller, body)?.text, cache.find(other, body)?.text]).toEqual(['{}', '[]']);
});
