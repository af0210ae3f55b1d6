import { expect, test } from 'vitest';
import { ClientError } from './index.ts';

test.each([
  ['NETWORK_ERROR', null, true],
  ['UNEXPECTED_RESPONSE', 500, true],
  ['UNEXPECTED_RESPONSE', 502, true],
  ['UNEXPECTED_RESPONSE', 499, false],
  ['UNEXPECTED_RESPONSE', null, false],
])('%s with status %s is temporary: %s', (code, status, isTemporary) => {
  expect(new ClientError('', { code, status })).toMatchObject({ isTemporary });
});

test.each([true, false])('an error of the gateway with retryable %s', (retryable) => {
  const errors = [{ message: '', extensions: { retryable } }];

  expect(new ClientError('', { code: 'A_NEW_CODE', errors })).toMatchObject({
    isTemporary: retryable,
  });
});

test('what an error was not given is null or empty', () => {
  const error = new ClientError('Refused.', { code: 'FORBIDDEN' });

  expect(error).toMatchObject({ status: null, category: null, retryAfterMs: null, errors: [] });
  expect(error.data).toBeUndefined();
  expect(error).toMatchObject({ name: 'ClientError', message: 'Refused.', code: 'FORBIDDEN' });
});
