import { GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../kernel/faults.ts';
import { httpExtensionOf } from '../http/request-fault.ts';
import { checkParams, decodeBody, type Params, parseBody, parseQuery } from './params.ts';

/** The message of the refusal; null without one. */
function refusalOf(run: () => unknown, status = 422) {
  try {
    const result = run();
    return result instanceof GraphQLError ? describeRefusal(result, status) : null;
  } catch (error) {
    if (error instanceof GraphQLError) return describeRefusal(error, status);
    throw error;
  }
}

function describeRefusal(error: GraphQLError, status: number) {
  const { originalError, message } = error;
  expect(originalError).toBeInstanceOf(Fault);
  expect(originalError).toMatchObject({ code: 'INVALID_REQUEST', executed: 'NO' });
  expect(httpExtensionOf(error).status).toBe(status);
  return message;
}

describe('a body', () => {
  test.each<[readonly number[], string | null]>([
    [[0x7b, 0x7d], '{}'],
    [[], ''],
    [[0xc5, 0xbc], 'ż'],
    [[0xff], null],
    [[0xef, 0xbb, 0xbf, 0x7b, 0x7d], '{}'],
  ])('of the bytes %j is UTF-8 or null', (bytes, text) => {
    expect(decodeBody(Buffer.from(bytes))).toBe(text);
  });

  test('of one JSON object has the parameters', () => {
    expect(parseBody(' {"query":"{ a }","variables":{"b":[1]}} ')).toMatchObject({
      query: '{ a }',
      variables: { b: [1] },
    });
  });

  const noParameters = {
    ...{ query: null, documentId: null, operationName: null },
    ...{ variables: null, extensions: null },
  };

  test('has no other members', () => {
    const text = '{"query":"{ a }","id":7,"onError":"NULL","Variables":{},"":null}';

    expect(parseBody(text)).toEqual({ ...noParameters, query: '{ a }' });
  });

  test.each([
    [null, 'The body is not in UTF-8.'],
    ['', 'The body is not JSON.'],
    ['{', 'The body is not JSON.'],
    ['{"query":1,', 'The body is not JSON.'],
  ])('without JSON is refused: %j', (text, message) => {
    expect(refusalOf(() => parseBody(text), 400)).toBe(message);
  });

  test.each([
    ['[{"query":"{ a }"}]', 'Batching is not supported.'],
    ['null', 'The body is one JSON object.'],
    ['"{ a }"', 'The body is one JSON object.'],
    ['5', 'The body is one JSON object.'],
    [
      '{"query":"{ a }","query":"{ b }"}',
      'The JSON of a request has a second "query"; remove one of the two.',
    ],
    [
      '{"variables":{"i":[{"period":1,"period":10}]}}',
      'The JSON of a request has a second "period" in "variables"."i".[0]; remove one of the two.',
    ],
    ['{"a":{"constructor":1}}', '"constructor" is a reserved name; choose another one.'],
    [
      `{"a":${'['.repeat(20)}${']'.repeat(20)}}`,
      'The JSON of a request may have at most 20 objects and lists inside one another; this one has more.',
    ],
  ])('of other JSON is refused: %j', (text, message) => {
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
    ['documentId=&operationName=&variables=&extensions=', {}],
    ['variables={"a":1}&extensions={"b":2}', { variables: { a: 1 }, extensions: { b: 2 } }],
    ['variables=5&other=1', { variables: 5 }],
  ])('has the parameters: %s', (text, expected) => {
    const none = { query: null, documentId: null, operationName: null };

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
    { query: '{ a }', documentId: 'a' },
  ])('accepts %j', (params) => {
    expect(checkParams(params as Params)).toBeNull();
  });

  const shape = (name: string, type: string) =>
    /^(?:query|operationName)$/.test(name)
      ? `Expected "${name}" param to be a string, but given ${type}.`
      : `Expected "${name}" param to be empty or an object, but given ${type}.`;

  test.each<[object, string]>([
    [{}, 'Must provide query string.'],
    [{ query: null }, 'Must provide query string.'],
    [{ query: 5 }, shape('query', 'number')],
    [{ query: ['{ a }'] }, shape('query', 'array')],
    [{ query: {} }, shape('query', 'object')],
    [{ query: '{ a }', operationName: 5 }, shape('operationName', 'number')],
    [{ query: '{ a }', operationName: ['A'] }, shape('operationName', 'array')],
    [{ query: '{ a }', variables: [] }, shape('variables', 'array')],
    [{ query: '{ a }', variables: '{}' }, shape('variables', 'string')],
    [{ query: '{ a }', variables: false }, shape('variables', 'boolean')],
    [{ query: '{ a }', extensions: 5 }, shape('extensions', 'number')],
  ])('refuses %j', (params, message) => {
    expect(refusalOf(() => checkParams(params as Params))).toBe(message);
  });
});
