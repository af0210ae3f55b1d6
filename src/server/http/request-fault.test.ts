import { GraphQLError } from 'graphql';
import { expect, test } from 'vitest';
import { documentFault, httpExtensionOf, requestFault } from './request-fault.ts';

test('a refused request has its code, status and headers, and nothing was executed', () => {
  const headers = { 'retry-after': '1' };
  const error = requestFault('UPSTREAM_TIMEOUT', 'Later.', 503, headers);

  expect(error.message).toBe('Later.');
  expect(error.originalError).toMatchObject({
    ...{ code: 'UPSTREAM_TIMEOUT', message: 'Later.', executed: 'NO' },
  });
  expect(httpExtensionOf(error)).toEqual({ status: 503, headers });
  expect(httpExtensionOf(requestFault('INTERNAL', 'No.', 500))).toEqual({
    status: 500,
    headers: {},
  });
});

test('a refused document has the status of an invalid one, and the message of its code by default', () => {
  const error = documentFault('DOCUMENT_NOT_LISTED');

  expect(error.message).toBe('The manifest of this gateway has no such document.');
  expect(error.originalError).toMatchObject({
    code: 'DOCUMENT_NOT_LISTED',
    message: error.message,
  });
  expect(error.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(httpExtensionOf(error)).toEqual({ status: 422 });
  expect(documentFault('INTERNAL', 'Other.')).toMatchObject({
    message: 'Other.',
    originalError: { message: 'Other.' },
  });
});

test('an error without a status has no HTTP extension', () => {
  expect(httpExtensionOf(new GraphQLError('No.'))).toEqual({});
});
