import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { httpExtensionOf } from './errors/request-fault.ts';
import { checkParams, decodeBody, type Params, parseBody, parseQuery } from './params.ts';

/** The message of the refusal; null without one. */
function refusalOf(run: () => unknown) {
  try {
    const result = run();
    return result instanceof GraphQLError ? describeRefusal(result) : null;
  } catch (error) {
    if (error instanceof GraphQLError) return describeRefusal(error);
    throw error;
  }
}

function describeRefusal(error: GraphQLError) {
  const { originalError, message } = error;
  expect(originalError).toBeInstanceOf(Fault);
  expect(originalError).toMatchObject({ code: 'INVALID_REQUEST', executed: 'NO' });
  expect(httpExtensionOf(error).status).toBe(400);
  return message;
}

describe('a body', () => {
  test.each<[readonly number[], string | null]>([
    [[0x7b, 0x7d], '{}'],
    [[], ''],
    [[0xc5, 0xbc], 'ż'],
    [[0xff], null],
    // A byte order mark is part of the text, and makes it invalid JSON.
    [[0xef, 0xbb, 0xbf, 0x7b, 0x7d], '\uFEFF{}'],
  ])('of the bytes %j is UTF-8 or null', (bytes, text) => {
    expect(decodeBody(Buffer.from(bytes))).toBe(text);
  });

  test('of one JSON object has the parameters', () => {
    expect(parseBody(' {"query":"{ a }","variables":{"b":[1]}} ')).toEqual({
      query: '{ a }',
      variables: { b: [1] },
    });
  });

  test.each([
    [null, 'The body is not in UTF-8.'],
    ['', 'The body is not JSON.'],
    ['{', 'The body is not JSON.'],
    ['\uFEFF{}', 'The body is not JSON.'],
    ['[{"query":"{ a }"}]', 'Batching is not supported.'],
    ['null', 'The body is one JSON object.'],
    ['"{ a }"', 'The body is one JSON object.'],
    ['5', 'The body is one JSON object.'],
    ['{"query":1,', 'The body is not JSON.'],
    ['{"a":{"constructor":1}}', '"constructor" is a reserved name; choose another one.'],
    [
      `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
      'The JSON of a request may have at most 20 objects and lists inside one another; this one has more.',
    ],
  ])('of other content is refused: %j', (text, message) => {
    expect(refusalOf(() => parseBody(text))).toBe(message);
  });
});

describe('the query of a GET', () => {
  const parse = (text: string) => parseQuery(new URLSearchParams(text));

  test.each([
    ['', {}],
    ['query={a}', { query: '{a}' }],
    ['query=', { query: '' }],
    ['documentId=a&operationName=B', { documentId: 'a', operationName: 'B' }],
    ['documentId=&operationName=&variables=&extensions=&onError=', {}],
    ['onError=NULL', { onError: 'NULL' }],
    ['variables={"a":1}&extensions={"b":2}', { variables: { a: 1 }, extensions: { b: 2 } }],
    ['variables=5&other=1', { variables: 5 }],
  ])('has the parameters: %s', (text, expected) => {
    const none = { query: null, documentId: null, operationName: null, onError: null };

    expect(parse(text)).toEqual({ ...none, variables: null, extensions: null, ...expected });
  });

  test.each([
    ['variables={', 'The parameter `variables` is not JSON.'],
    ['extensions={', 'The parameter `extensions` is not JSON.'],
    ['variables={"then":1}', '"then" is a reserved name; choose another one.'],
  ])('with invalid JSON is refused: %s', (text, message) => {
    expect(refusalOf(() => parse(text))).toBe(message);
  });
});

describe('the check of parameters', () => {
  test.each([
    { query: '{ a }' },
    { query: '' },
    { query: '{ a }', operationName: null, variables: null, extensions: null },
    { query: '{ a }', operationName: 'A', variables: {}, extensions: { a: 1 } },
    { query: '{ a }', onError: 'PROPAGATE' },
    { query: '{ a }', onError: 'NULL' },
    { query: '{ a }', onError: 'ABORT' },
    { query: '{ a }', onError: null },
    { query: '{ a }', documentId: null, other: undefined, more: null },
    // Yoga reports an operation name of another type.
    { query: '{ a }', operationName: 5 },
  ])('accepts %j', (params) => {
    expect(checkParams(params as Params)).toBeNull();
  });

  const shape = (name: string, type: string) =>
    name === 'query'
      ? `Expected "query" param to be a string, but given ${type}.`
      : `Expected "${name}" param to be empty or an object, but given ${type}.`;

  test.each<[object, string, boolean]>([
    [{}, 'Must provide query string.', true],
    [{ query: null }, 'Must provide query string.', true],
    [{ query: 5 }, shape('query', 'number'), true],
    [{ query: ['{ a }'] }, shape('query', 'array'), true],
    [{ query: {} }, shape('query', 'object'), true],
    [{ query: '{ a }', variables: [] }, shape('variables', 'array'), true],
    [{ query: '{ a }', variables: 'a' }, shape('variables', 'string'), true],
    [{ query: '{ a }', variables: false }, shape('variables', 'boolean'), true],
    [{ query: '{ a }', extensions: 5 }, shape('extensions', 'number'), true],
    [
      { query: '{ a }', documentId: 'a' },
      'Unexpected parameter "documentId" in the request body.',
      false,
    ],
    [
      { query: '{ a }', onError: 'null' },
      'The parameter "onError" must be PROPAGATE, NULL or ABORT.',
      false,
    ],
    [{ query: 5, id: 0 }, 'Unexpected parameter "id" in the request body.', false],
  ])('refuses %j', (params, message, hasMethods) => {
    const refusal = checkParams(params as Params);

    expect(refusalOf(() => refusal)).toBe(message);
    expect(refusal && httpExtensionOf(refusal).headers).toEqual(
      hasMethods ? { allow: 'GET, POST' } : {},
    );
  });
});
