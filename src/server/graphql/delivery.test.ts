import { parse, print } from 'graphql';
import { describe, expect, test } from 'vitest';
import { operationOf } from '../../../test/support/server/request.ts';
import {
  accepts,
  hasSingleResult,
  incrementalDirectives,
  singleResponseTypeFor,
  withoutIncrementalDirectives,
} from './delivery.ts';

test.each([
  ['multipart/mixed', true],
  ['MULTIPART/Mixed;deferSpec=20220824', true],
  ['application/json , text/event-stream ; q=0', true],
  ['', false],
  ['*/*', false],
  ['text/*', false],
  ['application/json;x=text/event-stream', false],
  ['text/event-streams', false],
])('the header "%s" lists one of two types by name: %s', (accept, isListed) => {
  expect(accepts(accept, ['multipart/mixed', 'text/event-stream'])).toBe(isListed);
});

describe('the media type of a response in one part', () => {
  const json = 'application/json';
  const graphql = 'application/graphql-response+json';

  test.each([
    [null, json],
    ['', json],
    ['*/*', json],
    ['application/*', json],
    ['*/json', json],
    ['*/graphql-response+json', graphql],
    [`${graphql}, ${json}`, graphql],
    [`${json};q=0.1, ${graphql};q=1`, json],
    ['text/html, Application / JSON', json],
    [`${graphql}; charset=UTF-8`, graphql],
    [`${graphql};charset=latin1, ${json}`, json],
    [`${graphql};q=1;charset=utf-16`, null],
    ['text/event-stream', null],
    ['text/*', null],
    ['application/xml', null],
    ['application', null],
    ['text/json', null],
  ])('of a client that sends "%s" is %s', (accept, type) => {
    expect(singleResponseTypeFor(accept)).toBe(type);
    expect(singleResponseTypeFor(accept)).toBe(type);
  });
});

describe('a response has one part', () => {
  test.each([
    ['{ a }', true],
    ['mutation { a }', true],
    ['{ a @skip(if: false) @deferred b @streamed }', true],
    ['subscription { a }', false],
    ['{ a @stream }', false],
    ['{ a { ...F } } fragment F on A { ... @defer { b } }', false],
  ])('%s: %s', (text, hasOnePart) => {
    const { document, operation } = operationOf(text);

    expect(hasSingleResult(operation, document)).toBe(hasOnePart);
  });

  test('after the removal of @defer and @stream, which leaves the rest of the document', () => {
    const document = parse('{ a @stream @skip(if: true) ... @defer(label: "x") { b } }');

    const rest = withoutIncrementalDirectives(document);

    expect(incrementalDirectives(document).map(({ name }) => name.value)).toEqual([
      'stream',
      'defer',
    ]);
    expect(incrementalDirectives(rest)).toEqual([]);
    expect(print(rest)).toBe(print(parse('{ a @skip(if: true) ... { b } }')));
  });
});
