import { expect, test } from 'vitest';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

const ada: Caller = { ...anonymous, name: 'ada', tenant: 'north' };
const responseOf = (caller: Caller, text = 'response', isValid = () => true): CachedResponse => ({
  ...{ text, caller, isValid },
  operation: null,
});

test('a response is found by the request of its caller only', () => {
  const cache = new ResponseCache();
  const response = responseOf(ada);
  cache.store('{ a }', response);

  expect(cache.find(ada, '{ a }')).toBe(response);
  expect(cache.find(ada, '{ b }')).toBeNull();
  expect(cache.find({ ...ada, name: 'bob' }, '{ a }')).toBeNull();
  expect(cache.find({ ...ada, tenant: 'south' }, '{ a }')).toBeNull();
  expect(cache.find({ ...ada, name: null }, '{ a }')).toBeNull();
  expect(cache.find(ada, '{ a }')).toBe(response);
});

test('a caller without a name shares no response with one whose request contains its name', () => {
  const cache = new ResponseCache();
  const unnamed = { ...ada, name: null };
  cache.store('ada\n{ a }', responseOf(unnamed, 'unnamed'));
  cache.store('{ a }', responseOf(unnamed, 'plain'));
  cache.store('{ a }', responseOf(ada, 'named'));

  expect(cache.find(unnamed, '{ a }')?.text).toBe('plain');
  expect(cache.find(unnamed, 'ada\n{ a }')?.text).toBe('unnamed');
  expect(cache.find(ada, '{ a }')?.text).toBe('named');
});

test('a caller whose rights have changed gets no response from before, also not later', () => {
  const cache = new ResponseCache();
  cache.store('{ a }', responseOf(ada));

  expect(cache.find({ ...ada }, '{ a }')).toBeNull();
  expect(cache.find(ada, '{ a }')).toBeNull();
});

test('a response that is not valid any more is removed', () => {
  const cache = new ResponseCache();
  let isValid = false;
  cache.store(
    '{ a }',
    responseOf(ada, 'response', () => isValid),
  );

  expect(cache.find(ada, '{ a }')).toBeNull();
  isValid = true;
  expect(cache.find(ada, '{ a }')).toBeNull();
});

test('a later response replaces an earlier one', () => {
  const cache = new ResponseCache();
  cache.store('{ a }', responseOf(ada, 'earlier'));
  cache.store('{ a }', responseOf(ada, 'later'));

  expect(cache.find(ada, '{ a }')?.text).toBe('later');
});

test('256 responses are cached; the next one replaces the least recently used', () => {
  const cache = new ResponseCache();
  for (let at = 0; at < 256; at += 1) cache.store(`${at}`, responseOf(ada));
  cache.find(ada, '0');
  cache.store('256', responseOf(ada));

  expect(cache.find(ada, '0')).not.toBeNull();
  expect(cache.find(ada, '1')).toBeNull();
  expect(cache.find(ada, '256')).not.toBeNull();
});

test.each([
  [0, true],
  [1, false],
])(
  'a request and its response of 65,536 characters and %i more are cached: %s',
  (more, isCached) => {
    const cache = new ResponseCache();
    const body = 'x'.repeat(30_000);
    const text = 'y'.repeat(65_536 - body.length - 'north\nada\n'.length + more);
    cache.store(body, responseOf(ada, text));

    expect(cache.find(ada, body) !== null).toBe(isCached);
  },
);
