import { expect, test } from 'vitest';
import { createRequest, operationOf } from '../../../../test/support/server/request.ts';
import type { OperationFacts } from '../../../observability/tracing.ts';
import type { RequestObserver } from '../../http/request-observer.ts';
import { observeOperation } from './observe-operation.ts';

const longest = `A${'b'.repeat(63)}`;

test.each([
  ['{ a }', 'query', null],
  ['mutation Spend { a }', 'mutation', 'Spend'],
  ['subscription _a1 { a }', 'subscription', '_a1'],
  [`query ${longest} { a }`, 'query', longest],
  [`query ${longest}b { a }`, 'query', null],
])(
  'an operation is described by its kind, its name and the hash of its document: %s',
  (text, kind, name) => {
    const seen: [string, OperationFacts][] = [];
    const observer: RequestObserver = {
      requestBegins: () => () => undefined,
      operationBegins: ({ id }, facts) => void seen.push([id, facts]),
    };
    const rule = observeOperation(observer);
    const requested = operationOf(text);
    const requests = [createRequest(), createRequest()];

    const verdicts = requests.map((request) => rule.onOperation?.(requested, request));

    const facts = { kind, name, document: expect.stringMatching(/^[\da-f]{12}$/) };
    expect(verdicts).toEqual([null, null]);
    expect(requests.map(({ operation }) => operation)).toEqual([facts, facts]);
    expect(requests[0]?.operation).toBe(requests[1]?.operation);
    expect(seen).toEqual([
      ['request-1', facts],
      ['request-1', facts],
    ]);
  },
);

test('the hash is the beginning of the SHA-256 of the text, without an observer too', () => {
  const request = createRequest();

  expect(observeOperation(undefined).onOperation?.(operationOf('{ a }'), request)).toBeNull();

  expect(request.operation?.document).toBe('1c7e1e347f72');
});
