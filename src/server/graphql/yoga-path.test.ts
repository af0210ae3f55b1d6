import { buildSchema, type GraphQLObjectType } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  createRequest,
  responseEnd,
  sendBody,
  sentTo,
} from '../../../test/support/server/request.ts';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { requestFault } from '../http/request-fault.ts';
import { createDocuments } from './documents.ts';
import { type Rule, Rules } from './rule.ts';
import { createYogaPath } from './yoga-path.ts';

const schema = buildSchema(/* GraphQL */ `
  directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { a(b: Int): Int, numbers: [Int] }
  type Subscription { open: Int }
`);
/** Ended subscriptions. */
let ended = 0;
beforeEach(() => {
  ended = 0;
});
const fieldOf = (type: GraphQLObjectType | null | undefined, name: string) =>
  type?.getFields()[name] ?? {};
Object.assign(fieldOf(schema.getQueryType(), 'a'), { resolve: () => 1 });
Object.assign(fieldOf(schema.getQueryType(), 'numbers'), { resolve: () => [1, 2] });
Object.assign(fieldOf(schema.getSubscriptionType(), 'open'), {
  /** Has one event, and then none until it is returned. */
  subscribe() {
    const over = Promise.withResolvers<IteratorResult<unknown>>();
    let events = 1;
    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: async () => (events-- > 0 ? { done: false, value: { open: 1 } } : over.promise),
      async return() {
        ended += 1;
        over.resolve({ done: true, value: undefined });
        return { done: true, value: undefined };
      },
    };
  },
});

function start({ rules = [] as readonly Rule[], isIntrospectable = true } = {}) {
  const path = createYogaPath({
    ...{ schema, rules: new Rules(rules), maxBodyBytes: 100 },
    documents: createDocuments(schema, isIntrospectable),
    createScope: () => ({ upstreamCalls: [], cachedReads: [] }),
  });
  const open = (query: string, accept?: string, body?: Buffer) => {
    const text = JSON.stringify({ query });
    const request = createRequest({
      headers: {
        ...{ host: 'a', 'content-type': 'application/json', ...(accept && { accept }) },
        'content-length': String(Buffer.byteLength(text)),
      },
    });
    void path.process(request, body);
    if (!body) sendBody(request, text);
    return request;
  };
  const sendText = async (text: string) => {
    const length = String(Buffer.byteLength(text));
    const headers = { host: 'a', 'content-type': 'application/json', 'content-length': length };
    const request = createRequest({ headers });
    void path.process(request);
    sendBody(request, text);
    await responseEnd(request);
    return responseOf(request);
  };
  const send = async (query: string, accept?: string, body?: Buffer) => {
    const request = open(query, accept, body);
    await responseEnd(request);
    return responseOf(request);
  };
  const get = async (target: string) => {
    const request = createRequest({ method: 'GET', target, headers: { host: 'a' } });
    void path.process(request);
    sendBody(request);
    await responseEnd(request);
    return responseOf(request);
  };
  return { ...path, open, send, sendText, get };
}

function responseOf(request: HttpRequest) {
  const [head = '', ...rest] = sentTo(request).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head, text: rest.join('\r\n\r\n') };
}

test.each(['/graphql?query={a}', '/graphql/?query={a}'])('%s is a query', async (target) => {
  const found = await start().get(target);

  expect([found.status, found.text]).toEqual([200, '{"data":{"a":1}}']);
});

/** Waits for a part of the response. Nothing here waits for time. */
async function received(request: HttpRequest, part: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    if (sentTo(request).includes(part)) return;
    await endOfTurn();
  }
  throw new Error(`The response has no ${part}.`);
}

const eventStream = 'text/event-stream';

describe('a subscription', () => {
  test('is completed when the gateway stops', async () => {
    const { open, endStreams } = start();
    const request = open('subscription { open }', eventStream);
    await received(request, 'event: next');
    expect(ended).toBe(0);

    await endStreams();
    await responseEnd(request);

    expect(responseOf(request).text).toMatch(/event: next.*event: complete/s);
    expect(ended).toBeGreaterThan(0);
  });

  test('ends when its client disconnects, and not again when the gateway stops', async () => {
    const { open, endStreams } = start();
    const request = open('subscription { open }', eventStream);
    await received(request, 'event: next');

    request.response.destroy();
    for (let turn = 0; turn < 200 && ended === 0; turn += 1) await endOfTurn();
    expect(ended).toBe(1);
    await endStreams();

    expect(ended).toBe(1);
  });
});

describe('the rules', () => {
  const parts: boolean[] = [];
  const noting: Rule = {
    onResult(result, _request, isPart) {
      parts.push(isPart);
      return { ...result, extensions: { noted: true } };
    },
  };
  beforeEach(() => {
    parts.length = 0;
  });

  test('change the result of a query', async () => {
    const { text } = await start({ rules: [noting] }).send('{ a }');

    expect(JSON.parse(text)).toEqual({ data: { a: 1 }, extensions: { noted: true } });
    expect(parts).toEqual([false]);
  });

  test('change each part of a response', async () => {
    const { send } = start({ rules: [noting] });

    const { text, head } = await send('{ a ... @defer { numbers } }', 'multipart/mixed');

    expect(parts).toEqual([true, true]);
    expect(head.toLowerCase()).toContain('x-accel-buffering: no');
    expect(text.split('"noted":true')).toHaveLength(3);
  });

  const refuse = () => requestFault('FORBIDDEN', 'No.', 403);

  test.each<[string, Rule]>([
    ['its head', { onRequest: refuse }],
    ['its parameters', { onParams: refuse }],
    ['its operation', { onOperation: refuse }],
    ['its operation, later', { onOperation: async () => refuse() }],
  ])('refuse a request for %s', async (_what, rule) => {
    const { status, text } = await start({ rules: [rule] }).send('{ a }');

    expect([status, JSON.parse(text)]).toEqual([
      403,
      { errors: [expect.objectContaining({ message: 'No.' })] },
    ]);
  });

  test('refuse a subscription before it starts', async () => {
    const { send } = start({ rules: [{ onOperation: refuse }] });

    const { text } = await send('subscription { open }', eventStream);

    expect(text).toContain('No.');
    expect(text).not.toContain('"open"');
  });

  test('replace the parameters, and receive the text and the variables of the operation', async () => {
    const seen: unknown[] = [];
    const rule: Rule = {
      onParams: (params) => ({
        ...params,
        query: 'query ($v: Int) { a(b: $v) }',
        variables: { v: 1 },
      }),
      onOperation({ text, variables, operation }) {
        seen.push([text, variables, operation.operation]);
        return null;
      },
    };

    await start({ rules: [rule] }).send('{ numbers }');

    expect(seen).toEqual([['query ($v: Int) { a(b: $v) }', { v: 1 }, 'query']]);
  });
});

describe('a document with @defer', () => {
  const query = '{ a ... @defer { numbers } }';

  test.each([
    ['application/json', /^\{"data":\{"a":1,"numbers":\[1,2\]\}\}$/],
    ['*/*', /^\{"data":\{"a":1,"numbers":\[1,2\]\}\}$/],
    ['multipart/mixed', /"hasNext":true.*"hasNext":false/s],
    [eventStream, /event: next.*"hasNext":true.*"hasNext":false/s],
  ])('is executed in parts only for clients that name such a type: %s', async (accept, text) => {
    expect((await start().send(query, accept)).text).toMatch(text);
  });

  test('can come from the fast path, which has read the body', async () => {
    const body = Buffer.from(JSON.stringify({ query }));

    expect((await start().send('{ a }', 'multipart/mixed', body)).text).toContain('"numbers"');
  });
});

test.each([
  ['is not JSON', '{', 400],
  ['is too long', JSON.stringify({ query: `{ a } #${'x'.repeat(100)}` }), 413],
])('a body that %s is refused', async (_what, body, status) => {
  expect((await start().sendText(body)).status).toBe(status);
});

test.each([true, false])(
  'introspection is answered when the graph is introspectable: %s',
  async (isIntrospectable) => {
    const { text } = await start({ isIntrospectable }).send('{ __schema { queryType { name } } }');

    expect('data' in JSON.parse(text)).toBe(isIntrospectable);
  },
);
