import { expect, test } from 'vitest';
import { createRequest, operationOf, refusalOf } from '../../../../test/support/server/request.ts';
import { checkDelivery } from './check-delivery.ts';

const check = (text: string, variables?: object, headers = {}) =>
  refusalOf(
    checkDelivery().onOperation?.(
      operationOf(text, variables && { ...variables }),
      createRequest({ headers }),
    ),
  );
const refused = (status: number) => ({ code: 'INVALID_REQUEST', status, headers: {} });

test.each([
  [{}, null],
  [{ accept: '' }, null],
  [{ accept: 'text/event-stream' }, null],
  [{ accept: 'application/json, TEXT/*;q=0.1' }, null],
  [{ accept: '*/*' }, null],
  [{ accept: 'application/json' }, refused(406)],
  [{ accept: 'text/html' }, refused(406)],
])('a subscription needs a client that accepts an event stream: %j', async (headers, expected) => {
  expect(await check('subscription { a }', {}, headers)).toEqual(expected);
  expect(await check('{ a }', {}, headers)).toBeNull();
  expect(await check('mutation { a }', {}, headers)).toBeNull();
});

test.each([
  ['', undefined, true],
  ['if: true', undefined, true],
  ['initialCount: 0', undefined, true],
  ['initialCount: 2', undefined, true],
  ['initialCount: -1', undefined, false],
  ['initialCount: 1.5', undefined, false],
  ['initialCount: "1"', undefined, false],
  ['initialCount: null', undefined, false],
  ['initialCount: $n', undefined, true],
  ['initialCount: $n', {}, true],
  ['initialCount: $n', { n: 0 }, true],
  ['initialCount: $n', { n: -1 }, false],
  ['initialCount: $n', { n: '1' }, false],
  ['initialCount: $n', { n: null }, false],
])('the initialCount of @stream is at least 0: %s with %j', async (given, variables, isValid) => {
  const args = given ? `(${given})` : '';

  expect(await check(`query ($n: Int) { a b @stream${args} }`, variables)).toEqual(
    isValid ? null : refused(422),
  );
});

test('one invalid initialCount of several refuses the document', async () => {
  const both = '{ a @stream(initialCount: 1) b @stream(initialCount: -1) }';

  expect(await check(both)).toEqual(refused(422));
});
