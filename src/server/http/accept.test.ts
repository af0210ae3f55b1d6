import { describe, expect, test } from 'vitest';
import { isAcceptable, rangeFor, readAccept } from './accept.ts';

describe('the weight of application/json', () => {
  test.each([
    ['application/json', 1],
    ['APPLICATION / JSON', 1],
    ['application/json;q=0.5', 0.5],
    ['application/json; Q = 0.5 ;ext=1', 0.5],
    ['application/json;q=".5"', 0.5],
    ['application/json;q=0', 0],
    ['application/json;version=2;q=0.3', 0.3],
    ['*/*;q=0.1', 0.1],
    ['application/*;q=0.2, */*', 0.2],
    ['*/*, application/json;q=0', 0],
    ['application/json;q=0.2, application/json;q=0.4', 0.4],
    ['application/json;charset=latin1, */*;q=0.3', 0.3],
    ['application/json;charset="UTF-8"', 1],
    // No weights of RFC 9110.
    ['application/json;q=high', 1],
    ['application/json;q=', 1],
    ['application/json;q', 1],
    ['application/json;q=-1', 1],
    ['application/json;q=7', 1],
    ['application/json;q=NaN', 1],
    [',,;q=0.2, application/json;q=0.7,', 0.7],
    ['text/html', null],
    ['*', null],
    ['application', null],
    ['application/json+x', null],
    ['text/*', null],
    ['', null],
  ])('in "%s" is %s', (accept, weight) => {
    expect(rangeFor(readAccept(accept), 'application/json')?.weight ?? null).toBe(weight);
  });
});

test.each([
  [null, true],
  [undefined, true],
  ['', true],
  ['text/*', true],
  ['text/event-stream;q=0, */*', false],
  ['application/json', false],
])('with the header %j an event stream is acceptable: %s', (accept, expected) => {
  expect(isAcceptable(accept, 'text/event-stream')).toBe(expected);
});
