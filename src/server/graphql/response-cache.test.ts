import { expect, test } from 'vitest';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import { type CachedResponse, ResponseCache } from './response-cache.ts';

const ada: Caller = { ...anonymous, name: 'ada', tenant: 'north' };
const responseOf = (caller: Caller, text = 'response', isValid = () => true): CachedResponse => ({
  ...{ text, caller, isValid },
  operation: null,
});

/** As two requests do. */
function storeTwice(cache: ResponseCache, body: string, response: CachedResponse): void {
  cache.store(body, response);
  cache.store(body, response);
}

test('a response is found by the request of its caller only', () => {
  const cache = new ResponseCache();
  const response = responseOf(ada);
  storeTwice(cache, '{ a }', response);

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
  storeTwice(cache, 'ada\n{ a }', responseOf(unnamed, 'unnamed'));
  storeTwice(cache, '{ a }', responseOf(unnamed, 'plain'));
  storeTwice(cache, '{ a }', responseOf(ada, 'named'));

  expect(cache.find(unnamed, '{ a }')?.text).toBe('plain');
  expect(cache.find(unnamed, 'ada\n{ a }')?.text).toBe('unnamed');
  expect(cache.find(ada, '{ a }')?.text).toBe('named');
});

test('a caller whose rights have changed gets no response from before, also not later', () => {
  const cache = new ResponseCache();
  storeTwice(cache, '{ a }', responseOf(ada));

  expect(cache.find({ ...ada }, '{ a }')).toBeNull();
  expect(cache.find(ada, '{ a }')).toBeNull();
});

test('a response that is not valid any more is removed', () => {
  const cache = new ResponseCache();
  let isValid = true;
  storeTwice(
    cache,
    '{ a }',
    responseOf(ada, 'response', () => isValid),
  );
  expect(cache.find(ada, '{ a }')).not.toBeNull();
  isValid = false;
  expect(cache.find(ada, '{ a }')).toBeNull();
  isValid = true;

  expect(cache.find(ada, '{ a }')).toBeNull();
});

test('a later response replaces an earlier one', () => {
  const cache = new ResponseCache();
  storeTwice(cache, '{ a }', responseOf(ada, 'earlier'));
  cache.store('{ a }', responseOf(ada, 'later'));

  expect(cache.find(ada, '{ a }')?.text).toBe('later');
});

test('a response is stored when its request arrives again', () => {
  const cache = new ResponseCache();
  cache.store('{ a }', responseOf(ada));
  expect(cache.find(ada, '{ a }')).toBeNull();
  cache.store('{ a }', responseOf(ada));

  expect(cache.find(ada, '{ a }')).not.toBeNull();
});

test('responses of 8 MB are cached; the next one replaces the least recently used', () => {
  const cache = new ResponseCache();
  const bodyOf = (at: number) => `${at}`.padStart(30_000);
  const response = responseOf(ada, 'y'.repeat(35_536 - 'north\nada\n'.length));
  for (let at = 0; at < 128; at += 1) storeTwice(cache, bodyOf(at), response);
  cache.find(ada, bodyOf(0));
  storeTwice(cache, bodyOf(128), response);

  expect([0, 1, 2, 128].map((at) => cache.find(ada, bodyOf(at)) !== null)).toEqual([
    ...[true, false, true, true],
  ]);
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
    storeTwice(cache, body, responseOf(ada, text));

    expect(cache.find(ada, body) !== null).toBe(isCached);
  },
);
