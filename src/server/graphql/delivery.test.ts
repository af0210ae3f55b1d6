import { parse, print } from 'graphql';
import { describe, expect, test } from 'vitest';
import { operationOf } from '../../../test/support/server/request.ts';
import {
  acceptForYoga,
  hasSingleResult,
  incrementalDeliveryFor,
  incrementalDirectives,
  singleResponseTypeFor,
  withoutIncrementalDirectives,
} from './delivery.ts';

describe('the delivery of several parts', () => {
  const newer = 'multipart/mixed incrementalSpec=v0.2';
  const older = 'multipart/mixed deferSpec=20220824';
  const plain = 'multipart/mixed null';
  const events = 'text/event-stream null';

  test.each([
    ['multipart/mixed', plain],
    ['multipart/mixed;incrementalSpec=v0.2', newer],
    ['Multipart/Mixed ; INCREMENTALSPEC = "v0.2", application/json', newer],
    ['multipart/mixed;deferSpec=20220824, application/json', older],
    ['multipart/mixed;boundary=graphql;charset=utf-8', plain],
    ['multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2', older],
    ['multipart/mixed;deferSpec=20220824;q=0.4, multipart/mixed;incrementalSpec=v0.2', newer],
    ['multipart/mixed;incrementalSpec=v0.2;q=0.4, multipart/mixed;q=0.5', plain],
    ['multipart/mixed;incrementalSpec=v0.2;deferSpec=20220824', newer],
    ['multipart/mixed;incrementalSpec=v9, multipart/mixed', plain],
    ['text/event-stream, multipart/mixed', plain],
    ['text/event-stream, multipart/mixed;q=0.9', events],
    ['multipart/mixed;q=0, text/event-stream;q=0.1', events],
    ['multipart/mixed;incrementalSpec=v9', null],
    ['multipart/mixed;incrementalSpec', null],
    ['multipart/mixed;deferSpec=2023', null],
    ['multipart/mixed;q=0', null],
    ['multipart/mixed;q=high', plain],
    ['multipart/*, */*', null],
    ['application/json', null],
    [null, null],
  ])('of a client that sends "%s" is %s', (accept, expected) => {
    const delivery = incrementalDeliveryFor(accept);

    expect(delivery && `${delivery.type} ${delivery.form}`).toBe(expected);
  });

  test.each([
    [null, 'text/event-stream,application/json'],
    ['*/*', 'text/event-stream,application/json'],
    ['multipart/mixed, application/json', 'multipart/mixed,application/json'],
    ['multipart/mixed;q=0, application/json', 'application/json'],
    ['multipart/mixed;incrementalSpec=v9', ''],
    ['text/event-stream, application/json;q=0', 'text/event-stream,text/event-stream'],
    ['text/html', ''],
  ])('of a client that sends "%s" is chosen by Yoga from "%s"', (accept, types) => {
    expect(acceptForYoga(accept)).toBe(types);
  });
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
    [`${json};q=0.1, ${graphql};q=1`, graphql],
    [`${json}, ${graphql}`, json],
    [`${json};q=0.9, ${graphql};q=0.9`, json],
    [`${graphql};q=0.9, */*`, json],
    [`*/*, ${graphql}`, graphql],
    [`${json};q=0, */*`, graphql],
    [`${graphql};q=0, application/*;q=0.1`, json],
    [`${json};q=0`, null],
    ['*/*;q=0', null],
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
