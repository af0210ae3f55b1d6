import { expect, test } from 'vitest';
import { ClientError } from './index.ts';

test.each([
  ['NETWORK_ERROR', null, true],
  ['OVERLOADED', 503, true],
  ['RATE_LIMITED', 429, true],
  ['JOURNAL_UNAVAILABLE', 200, true],
  ['UPSTREAM_TIMEOUT', 200, true],
  ['UPSTREAM_UNAVAILABLE', 200, true],
  ['UNEXPECTED_RESPONSE', 500, true],
  ['UNEXPECTED_RESPONSE', 502, true],
  ['UNEXPECTED_RESPONSE', 499, false],
  ['UNEXPECTED_RESPONSE', null, false],
  ['FORBIDDEN', 403, false],
  ['INTERNAL', 500, false],
])('%s with status %s is temporary: %s', (code, status, isTemporary) => {
  expect(new ClientError('', { code, status })).toMatchObject({ isTemporary });
});

test('what an error was not given is null or empty', () => {
  const error = new ClientError('Refused.', { code: 'FORBIDDEN' });

  expect(error).toMatchObject({ status: null, retryAfterMs: null, errors: [] });
  expect(error.data).toBeUndefined();
  expect(error).toMatchObject({ name: 'ClientError', message: 'Refused.', code: 'FORBIDDEN' });
});
