import { once } from 'node:events';
import { type ExecutionResult, GraphQLError, parse, Source } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from '../../../../test/support/server/invalid-documents.ts';
import { createRequest } from '../../../../test/support/server/request.ts';
import { Fault, type FaultCode } from '../../../kernel/faults.ts';
import { createLog } from '../../../observability/log.ts';
import { maskErrors } from './mask-errors.ts';

type Result = ExecutionResult & { readonly incremental?: readonly ExecutionResult[] };

function startMask(isSchemaShown = true) {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'debug', write: (line) => lines.push(JSON.parse(line)) });
  const rule = maskErrors(log, () => (isSchemaShown ? schema : null));
  const request = createRequest();
  const mask = (result: Result, isPart = false) =>
    rule.onResult?.(result, request, isPart) as Result;
  const maskOne = (error: GraphQLError, result: Result = { data: null }) =>
    mask({ ...result, errors: [error] }).errors?.[0];
  return { lines, request, mask, maskOne };
}

const wrapped = (originalError: Error, more: object = {}) =>
  new GraphQLError(originalError.message, { originalError, path: ['a'], ...more });
const secret = 'the password is hunter2';
const internal = {
  message: 'The gateway failed because of an internal error.',
  extensions: {
    ...{ code: 'INTERNAL', category: 'GATEWAY', retryable: false },
    ...{ executed: 'UNKNOWN', requestId: 'request-1' },
  },
};
/** A node of a document: an argument that an error is about. */
const node = (() => {
  const [definition] = parse('{ a(b: 1) }').definitions;
  if (definition && 'selectionSet' in definition) {
    const field = definition.selectionSet?.selections[0];
    if (field && 'arguments' in field && field.arguments?.[0]) return field.arguments[0];
  }
  throw new Error('There is no argument.');
})();

describe('an error without a fault', () => {
  test.each<[string, () => GraphQLError]>([
    ['of a resolver', () => wrapped(new TypeError(secret))],
    ['that wraps another', () => wrapped(new Error('outer', { cause: new TypeError(secret) }))],
    ['that was thrown as a GraphQLError', () => wrapped(new GraphQLError(secret))],
    ['of a value that cannot be serialized', () => new GraphQLError(secret, { path: ['a'] })],
    [
      'with status 399',
      () => wrapped(new Error(secret), { extensions: { http: { status: 399 } } }),
    ],
    [
      'with status 500',
      () => wrapped(new Error(secret), { extensions: { http: { status: 500 } } }),
    ],
    [
      'without a path, with status 500',
      () => new GraphQLError(secret, { extensions: { http: { status: 500 } } }),
    ],
  ])('%s is INTERNAL with a fixed message, and is logged once', (_what, create) => {
    const { maskOne, lines, request } = startMask();

    const { message, extensions } = maskOne(create()) ?? {};

    expect({ message, extensions }).toEqual(internal);
    expect([...request.errorCodes]).toEqual(['INTERNAL']);
    expect(lines).toMatchObject([
      { level: 'error', msg: 'unexpected error', requestId: 'request-1' },
    ]);
    expect(JSON.stringify(lines)).toContain(secret);
  });

  test('is logged as the error that is no GraphQLError, with its causes', () => {
    const { maskOne, lines } = startMask();

    maskOne(wrapped(new RangeError('outer', { cause: new TypeError('inner') })));

    expect(lines).toMatchObject([
      { error: { type: 'RangeError', message: 'outer', cause: { type: 'TypeError' } } },
    ]);
  });

  test('whose causes form a cycle is INTERNAL', () => {
    const { maskOne } = startMask();
    const one = new Error('one');
    one.cause = new Error('other', { cause: one });

    expect(maskOne(wrapped(one))?.extensions).toEqual(internal.extensions);
  });

  test('is not logged after the client has disconnected', async () => {
    const { maskOne, lines, request } = startMask();
    request.response.socket?.destroy();
    await once(request.response, 'close');

    expect(maskOne(wrapped(new Error('The operation was aborted.')))?.message).toBe(
      internal.message,
    );
    expect(lines).toEqual([]);
  });
});

describe('an error of the client', () => {
  test.each<[string, GraphQLError]>([
    ['about a variable', new GraphQLError('It is invalid.')],
    [
      'about a variable, with a reason',
      new GraphQLError('It is invalid.', { originalError: new GraphQLError('Why.') }),
    ],
    [
      'with status 400',
      wrapped(new Error('It is invalid.'), { extensions: { http: { status: 400 } } }),
    ],
    [
      'with status 499',
      wrapped(new Error('It is invalid.'), { extensions: { http: { status: 499 } } }),
    ],
  ])('%s is INVALID_REQUEST with its message, and is not logged', (_what, error) => {
    const { maskOne, lines, request } = startMask();

    expect(maskOne(error)).toMatchObject({
      message: 'It is invalid.',
      extensions: { code: 'INVALID_REQUEST', category: 'INPUT', retryable: false, executed: 'NO' },
    });
    expect([...request.errorCodes]).toEqual(['INVALID_REQUEST']);
    expect(lines).toEqual([]);
  });

  test.each([
    [true, 'Cannot query field "b" on type "C".'],
    [false, 'Cannot query field "b".'],
  ])('contains names of the schema only if it is shown: %s', (isShown, expected) => {
    const error = new GraphQLError('Cannot query field "b" on type "C".', { nodes: node });

    expect(startMask(isShown).maskOne(error)?.message).toBe(expected);
  });

  test('has the path of its input, and its place in the document', () => {
    const { maskOne } = startMask();

    const error = maskOne(new GraphQLError('It is invalid.', { nodes: node, path: ['a'] }));

    expect(error?.extensions).toMatchObject({ code: 'INVALID_INPUT', inputPath: ['b'] });
    expect(error).toMatchObject({
      path: ['a'],
      locations: [{ line: 1, column: 5 }],
      nodes: [node],
    });
  });

  test.each([
    [500, 'x'.repeat(500)],
    [501, `${'x'.repeat(500)}…`],
  ])('of %i characters has at most 500 and an ellipsis', (length, message) => {
    expect(startMask().maskOne(new GraphQLError('x'.repeat(length)))?.message).toBe(message);
  });
});

describe('a fault', () => {
  const fault = new Fault('UPSTREAM_REJECTED', {
    message: 'Refused.',
    ...{ executed: 'YES', retryable: true },
    path: ['input', 'domain'],
    upstream: { code: 'API_2306_ERROR', message: 'Policy.' },
  });

  test.each<[string, GraphQLError]>([
    ['thrown by a resolver', wrapped(fault)],
    ['as the cause of an error', wrapped(new Error(secret, { cause: fault }))],
    ['in two GraphQL errors', wrapped(new GraphQLError(secret, { originalError: fault }))],
    ['about an argument', wrapped(fault, { nodes: node })],
  ])('%s is reported with its code, message, input path and upstream code', (_what, error) => {
    const { maskOne, lines, request } = startMask();

    const { message, extensions } = maskOne(error) ?? {};

    expect(message).toBe('Refused.');
    expect(extensions).toEqual({
      ...{ code: 'UPSTREAM_REJECTED', category: 'UPSTREAM', retryable: true },
      ...{ executed: 'YES', requestId: 'request-1', inputPath: ['input', 'domain'] },
      ...{ upstreamCode: 'API_2306_ERROR', upstreamMessage: 'Policy.' },
    });
    expect([...request.errorCodes]).toEqual(['UPSTREAM_REJECTED']);
    expect(lines).toEqual([]);
  });

  test('without an upstream message or an input path has neither', () => {
    const upstream = { code: 'API_101_ERROR', message: '' };
    const error = startMask().maskOne(wrapped(new Fault('UPSTREAM_UNAVAILABLE', { upstream })));

    expect(error?.extensions).toEqual({
      ...{ code: 'UPSTREAM_UNAVAILABLE', category: 'UPSTREAM', retryable: true },
      ...{ executed: 'UNKNOWN', requestId: 'request-1', upstreamCode: 'API_101_ERROR' },
    });
  });

  test('of the client without a path of its own has the path of the input', () => {
    const message = 'Int cannot represent non-integer value: "secret-1"';
    const error = new Fault('INVALID_REQUEST', { message });
    const result = startMask().maskOne(wrapped(error, { nodes: node }));

    expect(result).toMatchObject({
      message: 'Int cannot represent non-integer value.',
      extensions: { code: 'INVALID_INPUT', inputPath: ['b'] },
    });
  });
});

test('the message of a fault that is not about the input is not changed', () => {
  const message = 'The domain "a.com" cannot represent this state: "pending transfer".';
  const error = wrapped(new Fault('LOCKED', { message }), { nodes: node });

  expect(startMask(false).maskOne(error)?.message).toBe(message);
});

test('an error about the text of a document keeps its place', () => {
  const error = new GraphQLError('Syntax Error.', { source: new Source('{\n  !'), positions: [4] });

  expect(startMask().maskOne(error)?.locations).toEqual([{ line: 2, column: 3 }]);
});

describe('a refusal', () => {
  const statusOf = (error: GraphQLError) => startMask().maskOne(error, {})?.extensions.http;

  test.each<[FaultCode, number]>([
    ['UNAUTHENTICATED', 401],
    ['FORBIDDEN', 403],
    ['RATE_LIMITED', 429],
    ['OVERLOADED', 429],
    ['COST_LIMIT_EXCEEDED', 422],
    ['UPSTREAM_TIMEOUT', 504],
    ['UPSTREAM_UNAVAILABLE', 503],
    ['UPSTREAM_PROTOCOL', 502],
    ['INTERNAL', 500],
  ])('with the fault %s has status %i', (code, status) => {
    expect(statusOf(wrapped(new Fault(code)))).toEqual({ status });
  });

  test('about a document has status 422, which is 200 for application/json', () => {
    for (const error of [new GraphQLError('No.'), new GraphQLError('No.', { nodes: node })]) {
      expect(statusOf(error)).toEqual({ status: 422, spec: true });
    }
    expect(statusOf(wrapped(new Fault('INVALID_INPUT')))).toEqual({ status: 422 });
  });

  test.each([
    ['GRAPHQL_PARSE_FAILED', true],
    ['GRAPHQL_VALIDATION_FAILED', true],
    ['OTHER', false],
  ])('with a status of its own keeps status and headers: %s', (code, isOfDocument) => {
    const http = { status: 406, headers: { allow: 'POST' } };
    const error = wrapped(new Fault('INVALID_REQUEST'), { extensions: { code, http } });

    expect(statusOf(error)).toEqual({ ...http, ...(isOfDocument && { spec: true }) });
  });

  test('has at most ten errors, of which equal ones are one', () => {
    const fault = (at: number) => wrapped(new Fault('NOT_FOUND', { message: `No ${at}.` }));
    const errors = Array.from({ length: 22 }, (_, at) => fault(Math.floor(at / 2)));
    const { mask } = startMask();

    expect(mask({ errors }).errors).toHaveLength(10);
    expect(mask({ errors: errors.slice(2) }).errors).toHaveLength(10);
    expect(mask({ errors: errors.slice(0, 4) }).errors).toHaveLength(2);
  });

  test.each<[string, Result, boolean]>([
    ['a result with data', { data: null }, false],
    ['a part of a stream', {}, true],
  ])('is not %s, which has all errors and no status', (_what, result, isPart) => {
    const errors = Array.from({ length: 11 }, () => wrapped(new Fault('NOT_FOUND')));

    const masked = startMask().mask({ ...result, errors }, isPart);

    expect(masked.errors).toHaveLength(11);
    expect(masked.errors?.[0]?.extensions).not.toHaveProperty('http');
  });
});

describe('a result', () => {
  test('without errors is not changed', () => {
    for (const result of [{ data: { a: 1 } }, {}]) expect(startMask().mask(result)).toBe(result);
  });

  test('keeps its other members', () => {
    const errors = [wrapped(new Fault('NOT_FOUND'))];
    const result = { data: { a: null }, extensions: { b: 1 }, errors };

    expect(startMask().mask(result)).toMatchObject({ data: { a: null }, extensions: { b: 1 } });
    expect(startMask().mask(result)).not.toHaveProperty('incremental');
  });

  test('has the errors of its later parts masked too', () => {
    const { mask, lines } = startMask();
    const incremental = [{ data: null, errors: [wrapped(new Error(secret))] }, { data: null }];

    const masked = mask({ data: null, incremental }, true);

    expect(masked).not.toHaveProperty('errors');
    expect(masked.incremental).toMatchObject([{ data: null, errors: [internal] }, { data: null }]);
    expect(masked.incremental?.[0]?.errors?.[0]?.extensions).not.toHaveProperty('http');
    expect(lines).toHaveLength(1);
  });
});
