import { buildSchema, GraphQLError, type GraphQLSchema, isObjectType } from 'graphql';
import { describe, expect, test } from 'vitest';
import {
  createRequest,
  responseEnd,
  sendBody,
  sentTo,
} from '../../../test/support/server/request.ts';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';
import { anonymous, type Caller } from '../../kernel/caller.ts';
import { Fault } from '../../kernel/faults.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { requestFault } from '../http/request-fault.ts';
import { createDocuments } from './documents.ts';
import { type CachedResponse, FastPath, ResponseCache } from './fast-path.ts';
import { type Rule, Rules } from './rule.ts';
import { createOperationRunner } from './run-operation.ts';

const maxBodyBytes = 200;
const schema: GraphQLSchema = buildSchema(/* GraphQL */ `
  directive @defer(label: String, if: Boolean! = true) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { hello(name: String): String, fails: String, big: Float, count: Int, slow: Slow }
  type Slow { count: Int }
  type Mutation { count: Int }
  type Subscription { events: Int }
`);
let executions = 0;
const rootOf = (type = schema.getQueryType()) => type?.getFields() ?? {};
Object.assign(rootOf().hello ?? {}, {
  resolve: (_root: unknown, { name = 'world' }) => {
    executions += 1;
    return `hello ${name}`;
  },
});
Object.assign(rootOf().fails ?? {}, {
  resolve: () => {
    throw new Error('It failed.');
  },
});
const count = () => (executions += 1);
Object.assign(rootOf().count ?? {}, { resolve: count });
Object.assign(rootOf(schema.getMutationType()).count ?? {}, { resolve: count });
let slow = Promise.withResolvers<object>();
Object.assign(rootOf().slow ?? {}, { resolve: () => slow.promise });
const slowType = schema.getType('Slow');
Object.assign((isObjectType(slowType) ? slowType.getFields().count : null) ?? {}, {
  resolve: count,
});

interface Options {
  readonly rules?: readonly Rule[];
  readonly cachesResponses?: boolean;
  readonly compilesQueries?: boolean;
  readonly isValid?: () => boolean;
  readonly createScope?: () => void;
}

function startPath({
  rules: list = [],
  cachesResponses = false,
  compilesQueries = true,
  isValid = () => true,
  createScope,
}: Options = {}) {
  executions = 0;
  const rules = new Rules(list);
  const shared = { schema, rules, maxBodyBytes };
  const continued: string[] = [];
  const scope = { upstreamCalls: [], cachedReads: [], cacheValidity: () => isValid };
  const setScope = (request: HttpRequest) => {
    createScope?.();
    request.scope = scope;
    return scope;
  };
  const documents = createDocuments(schema, true);
  const path = new FastPath({
    ...{ ...shared, cachesResponses },
    readDocument: documents.read,
    runOperation: createOperationRunner({
      ...{ ...shared, compilesQueries, createScope: setScope },
      schemaFor: documents.schemaFor,
    }),
    streams: null,
    continueOnYoga: async (_request, body) => void continued.push(body.toString()),
  });
  const open = (
    body: string | Buffer,
    headers: Record<string, string | undefined> = {},
    more = {},
  ) => {
    const length = String(Buffer.byteLength(body));
    const all = { 'content-type': 'application/json', 'content-length': length, ...headers };
    const given = Object.fromEntries(
      Object.entries(all).filter(([, value]) => value !== undefined),
    );
    const request = createRequest({ headers: given, ...more });
    // One caller is one object.
    request.caller = anonymous;
    return { request, isHandled: path.handle(request) };
  };
  /** Sends a body and returns the response. */
  const send = async (body: object | string | Buffer, headers = {}) => {
    const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const { request } = open(raw, headers);
    sendBody(request, raw);
    await responseEnd(request);
    return { request, ...responseOf(request) };
  };
  return { open, send, continued };
}

function responseOf(request: HttpRequest) {
  const [head = '', text = ''] = sentTo(request).split('\r\n\r\n');
  const [, status] = head.split(' ');
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(': ', 2)),
  );
  return { status: Number(status), headers, text, body: text && JSON.parse(text) };
}

const response = 'application/graphql-response+json';
const refuse =
  (status: number, headers = {}) =>
  () =>
    requestFault('FORBIDDEN', 'No.', status, headers);

describe('a request is left to the Yoga path', () => {
  test.each<[string, Record<string, string | undefined>, object]>([
    ['by GET', {}, { method: 'GET' }],
    ['with another target', {}, { target: '/graphql?a' }],
    ['with a slash', {}, { target: '/graphql/' }],
    ['without a length', { 'content-length': undefined }, {}],
    ['without a body', { 'content-length': '0' }, {}],
    ['with an odd length', { 'content-length': 'x' }, {}],
    ['that is too long', { 'content-length': String(maxBodyBytes + 1) }, {}],
    ['that is encoded', { 'content-encoding': 'identity' }, {}],
    ['without a media type', { 'content-type': undefined }, {}],
    ['of another media type', { 'content-type': 'application/json;x=y' }, {}],
    ['of another charset', { 'content-type': 'application/json; charset=utf-16' }, {}],
    ['with text before its media type', { 'content-type': 'x/application/json' }, {}],
    ['whose client accepts no response', { accept: 'text/html' }, {}],
  ])('%s', (_what, headers, more) => {
    const { isHandled, request } = startPath().open('{}', headers, more);

    expect(isHandled).toBe(false);
    expect(request.node.listenerCount('data')).toBe(0);
  });

  test.each([
    [{}],
    [{ 'content-length': String(maxBodyBytes) }],
    [{ 'content-type': 'application/json; charset=utf-8' }],
    [{ 'content-type': 'application/json;charset=UTF-8' }],
    [{ accept: '*/*' }],
  ])('unless it is a POST of JSON: %j', (headers) => {
    expect(startPath().open('{}', headers).isHandled).toBe(true);
  });

  test.each(['subscription { events }', '{ count ... @defer { hello } }'])(
    'when its response has several parts: %s',
    async (query) => {
      const { open, continued } = startPath();
      const body = JSON.stringify({ query });
      const { request } = open(body);
      sendBody(request, body);
      await endOfTurn();

      expect(continued).toEqual([body]);
      expect([executions, sentTo(request)]).toEqual([0, '']);
    },
  );
});

describe('a response', () => {
  test.each([
    [undefined, 'application/json'],
    ['application/json', 'application/json'],
    [response, response],
  ])(
    'has the media type that the client accepts, and its length in bytes: %s',
    async (accept, type) => {
      const { status, headers, text } = await startPath().send(
        { query: 'query ($n: String) { hello(name: $n) }', variables: { n: 'żółw' } },
        { accept },
      );

      expect(status).toBe(200);
      expect(text).toBe('{"data":{"hello":"hello żółw"}}');
      expect(headers).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'content-length': String(Buffer.byteLength(text)),
      });
    },
  );

  test('is that of the named operation', async () => {
    const query = 'query A { hello(name: "a") } query B { hello(name: "b") }';

    expect((await startPath().send({ query, operationName: 'B' })).body).toEqual({
      data: { hello: 'hello b' },
    });
    expect((await startPath().send({ query }, { accept: response })).status).toBe(422);
    expect(executions).toBe(0);
  });

  test('with data and errors has status 200', async () => {
    const { status, body } = await startPath().send({ query: '{ fails count }' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ data: { fails: null, count: 1 }, errors: [{ path: ['fails'] }] });
  });

  test('has the extensions that rules add', async () => {
    const rule: Rule = { onResult: (result) => ({ ...result, extensions: { a: 1 } }) };

    expect((await startPath({ rules: [rule] }).send({ query: '{ count }' })).body).toEqual({
      ...{ data: { count: 1 }, extensions: { a: 1 } },
    });
  });
});

describe('a request is refused, and nothing is executed', () => {
  const valid = { query: '{ count }' };

  test.each<[string, readonly Rule[], object | string | Buffer, number]>([
    ['by a rule for its head', [{ onRequest: refuse(401) }], valid, 401],
    ['by a rule for its head, later', [{ onRequest: async () => refuse(401)() }], valid, 401],
    ['by a rule for its parameters', [{ onParams: refuse(403) }], valid, 403],
    ['by a rule for its operation', [{ onOperation: refuse(429) }], valid, 429],
    ['because it is no JSON', [], '{', 400],
    ['because it is no UTF-8', [], Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ['without a document', [], '{}', 400],
  ])('%s', async (_what, rules, body, status) => {
    const { status: found, body: refused } = await startPath({ rules }).send(body);

    expect([found, executions]).toEqual([status, 0]);
    expect(refused).not.toHaveProperty('data');
    expect(refused.errors).toHaveLength(1);
    expect(refused.errors[0]).not.toHaveProperty('extensions');
  });

  test.each([
    ['application/json', { status: 400, spec: true }, 200],
    [response, { status: 422, spec: true }, 422],
    ['application/json', { status: 400 }, 400],
    ['application/json', { status: 422 }, 400],
    [response, { status: 422 }, 422],
    ['application/json', undefined, 200],
  ])('with the status of its error for %s: %j', async (accept, http, status) => {
    const rule: Rule = {
      onOperation: () =>
        new GraphQLError('No.', { extensions: { ...(http && { http }), code: 'A' } }),
    };

    const found = await startPath({ rules: [rule] }).send(valid, { accept });

    expect(found.status).toBe(status);
    expect(found.body.errors[0].extensions).toEqual({ code: 'A' });
  });

  test('with the highest status and all headers of several errors', async () => {
    const errors = [
      refuse(503, { 'retry-after': '1' })(),
      refuse(400, { allow: 'POST' })(),
      new GraphQLError('No.'),
    ];
    const rules: readonly Rule[] = [{ onOperation: refuse(400), onResult: () => ({ errors }) }];

    const { status, headers } = await startPath({ rules }).send(valid);

    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'retry-after': '1', allow: 'POST' });
  });

  test('because a variable is invalid', async () => {
    const query = 'query ($n: String!) { hello(name: $n) }';

    const { body } = await startPath().send({ query, variables: {} });

    expect(body).not.toHaveProperty('data');
    expect(executions).toBe(0);
  });
});

test('a body in parts is read completely', async () => {
  const { open } = startPath();
  const body = Buffer.from(JSON.stringify({ query: '{ hello(name: "żółw") }' }));
  const { request } = open(body);
  sendBody(request, ...[...body].map((byte) => Buffer.of(byte)));

  await responseEnd(request);
  expect(responseOf(request).body).toEqual({ data: { hello: 'hello żółw' } });
});

test.each<[string, (request: HttpRequest) => void]>([
  ['the connection fails', ({ node }) => node.destroy(new Error('reset'))],
  ['the connection is closed', ({ node }) => node.destroy()],
])('nothing is executed or sent when %s before the end of the body', async (_how, end) => {
  const { open } = startPath();
  const body = JSON.stringify({ query: '{ count }' });
  const { request } = open(body);
  request.node.push(body);
  end(request);
  await endOfTurn();

  expect([executions, sentTo(request)]).toEqual([0, '']);
});

test('nothing is executed when the client disconnects while its head is checked', async () => {
  const { promise, resolve } = Promise.withResolvers<null>();
  const { open } = startPath({ rules: [{ onRequest: () => promise }] });
  const { request } = open('{"query":"{ count }"}');
  request.node.destroy();
  resolve(null);
  await endOfTurn();

  expect([executions, sentTo(request)]).toEqual([0, '']);
});

test('a compiled query ends when its client disconnects, and its response is not cached', async () => {
  const query = { query: '{ slow { count } }' };
  let isCached = false;
  const { open, send } = startPath({ cachesResponses: true, isValid: () => isCached });
  slow = Promise.withResolvers();
  slow.resolve({});
  // The second execution compiles.
  for (const _time of [1, 2]) await send(query);
  slow = Promise.withResolvers();
  const body = JSON.stringify(query);
  const { request } = open(body);
  sendBody(request, body);
  await endOfTurn();

  request.response.destroy();
  slow.resolve({});
  await endOfTurn();

  expect([executions, sentTo(request)]).toEqual([2, '']);
  isCached = true;
  expect((await send(query)).body).toEqual({ data: { slow: { count: 3 } } });
});

describe('a cached response', () => {
  const query = { query: '{ count }' };

  test('is sent again without execution, after the rules have allowed it', async () => {
    const checked: string[] = [];
    const rule: Rule = {
      onOperation: (_operation, request) => {
        request.operation = { kind: 'query', name: 'A', document: 'd' };
        return null;
      },
      onCachedResponse: ({ id }) => {
        checked.push(id);
        return null;
      },
    };
    const { send } = startPath({ rules: [rule], cachesResponses: true });

    // The second response is stored.
    await send(query);
    const first = await send(query);
    const second = await send(query);

    expect([first.text, second.text, executions]).toEqual([first.text, first.text, 2]);
    const headers = { ...first.headers, Date: expect.any(String) };
    expect([second.status, second.headers]).toEqual([200, headers]);
    expect(checked).toEqual(['request-1']);
    expect([first.request.isResponseCached, second.request.isResponseCached]).toEqual([
      false,
      true,
    ]);
    expect(second.request.operation?.name).toBe('A');
  });

  test('is refused by a rule', async () => {
    const { send } = startPath({
      rules: [{ onCachedResponse: refuse(429) }],
      cachesResponses: true,
    });
    for (const _time of [1, 2]) await send(query);

    const { status, request } = await send(query);

    expect([status, request.isResponseCached]).toEqual([429, false]);
  });

  test.each<[string, Options, object]>([
    ['when responses are not cached', {}, query],
    ['of a mutation', { cachesResponses: true }, { query: 'mutation { count }' }],
    ['with errors', { cachesResponses: true }, { query: '{ count fails }' }],
    ['that is not valid any more', { cachesResponses: true, isValid: () => false }, query],
    [
      'that depends on more than cached data',
      { cachesResponses: true, isValid: null as never },
      query,
    ],
  ])('is none %s', async (_what, options, body) => {
    const { send } = startPath(options);

    for (const _time of [1, 2, 3]) await send(body);

    expect(executions).toBe(3);
  });
});

describe('an unexpected failure', () => {
  const failing = (error: unknown) => ({
    createScope: () => {
      throw error;
    },
  });

  test.each([new TypeError('hunter2'), 'hunter2'])(
    'is passed to the rules as an error: %s',
    async (thrown) => {
      const seen: unknown[] = [];
      const onResult: Rule['onResult'] = (result) => {
        seen.push(...(result.errors ?? []).map(({ originalError }) => originalError));
        return { errors: [refuse(500)()] };
      };

      const { status, text } = await startPath({ ...failing(thrown), rules: [{ onResult }] }).send({
        query: '{ count }',
      });

      expect(status).toBe(500);
      expect(seen).toMatchObject([{ message: 'hunter2' }]);
      expect(seen[0]).toBeInstanceOf(Error);
      expect(text).not.toContain('hunter2');
    },
  );

  test('that is a GraphQL error keeps its fault', async () => {
    const error = new GraphQLError('No.', { originalError: new Fault('LOCKED') });

    expect(
      (await startPath(failing(error)).send({ query: '{ count }' })).body.errors[0].message,
    ).toBe('No.');
  });

  test('of the rules themselves is an empty response with status 500', async () => {
    const onResult = () => {
      throw new Error('The log fails.');
    };

    const { status, text } = await startPath({ rules: [{ onResult }] }).send({
      query: '{ count }',
    });

    expect([status, text]).toEqual([500, '']);
  });
});

describe('response cache', () => {
  const ada: Caller = { ...anonymous, name: 'ada', tenant: 'north' };
  const responseOf = (caller: Caller, text = 'response', isValid = () => true): CachedResponse => ({
    ...{ text, caller, isValid },
    operation: null,
  });

  /** As two requests do. */
  function storeTwice(cache: ResponseCache, body: string, response: CachedResponse): void {
    cache.store(body, response);
    cache.store(body, response);
  }

  test('a response is found by the request of its caller only', () => {
    const cache = new ResponseCache();
    const response = responseOf(ada);
    storeTwice(cache, '{ a }', response);

    expect(cache.find(ada, '{ a }')).toBe(response);
    expect(cache.find(ada, '{ b }')).toBeNull();
    expect(cache.find({ ...ada, name: 'bob' }, '{ a }')).toBeNull();
    expect(cache.find({ ...ada, tenant: 'south' }, '{ a }')).toBeNull();
    expect(cache.find({ ...ada, name: null }, '{ a }')).toBeNull();
    expect(cache.find(ada, '{ a }')).toBe(response);
  });

  test('a caller without a name shares no response with one whose request contains its name', () => {
    const cache = new ResponseCache();
    const unnamed = { ...ada, name: null };
    storeTwice(cache, 'ada\n{ a }', responseOf(unnamed, 'unnamed'));
    storeTwice(cache, '{ a }', responseOf(unnamed, 'plain'));
    storeTwice(cache, '{ a }', responseOf(ada, 'named'));

    expect(cache.find(unnamed, '{ a }')?.text).toBe('plain');
    expect(cache.find(unnamed, 'ada\n{ a }')?.text).toBe('unnamed');
    expect(cache.find(ada, '{ a }')?.text).toBe('named');
  });

  test('a caller whose rights have changed gets no response from before, also not later', () => {
    const cache = new ResponseCache();
    storeTwice(cache, '{ a }', responseOf(ada));

    expect(cache.find({ ...ada }, '{ a }')).toBeNull();
    expect(cache.find(ada, '{ a }')).toBeNull();
  });

  test('a response that is not valid any more is removed', () => {
    const cache = new ResponseCache();
    let isValid = true;
    storeTwice(
      cache,
      '{ a }',
      responseOf(ada, 'response', () => isValid),
    );
    expect(cache.find(ada, '{ a }')).not.toBeNull();
    isValid = false;
    expect(cache.find(ada, '{ a }')).toBeNull();
    isValid = true;

    expect(cache.find(ada, '{ a }')).toBeNull();
  });

  test('a later response replaces an earlier one', () => {
    const cache = new ResponseCache();
    storeTwice(cache, '{ a }', responseOf(ada, 'earlier'));
    cache.store('{ a }', responseOf(ada, 'later'));

    expect(cache.find(ada, '{ a }')?.text).toBe('later');
  });

  test('a response is stored when its request arrives again', () => {
    const cache = new ResponseCache();
    cache.store('{ a }', responseOf(ada));
    expect(cache.find(ada, '{ a }')).toBeNull();
    cache.store('{ a }', responseOf(ada));

    expect(cache.find(ada, '{ a }')).not.toBeNull();
  });

  test('responses of 8 MB are cached; the next one replaces the least recently used', () => {
    const cache = new ResponseCache();
    const bodyOf = (at: number) => `${at}`.padStart(30_000);
    const response = responseOf(ada, 'y'.repeat(35_536 - 'north\nada\n'.length));
    for (let at = 0; at < 128; at += 1) storeTwice(cache, bodyOf(at), response);
    cache.find(ada, bodyOf(0));
    storeTwice(cache, bodyOf(128), response);

    expect([0, 1, 2, 128].map((at) => cache.find(ada, bodyOf(at)) !== null)).toEqual([
      ...[true, false, true, true],
    ]);
  });

  test.each([
    [0, true],
    [1, false],
  ])(
    'a request and its response of 65,536 characters and %i more are cached: %s',
    (more, isCached) => {
      const cache = new ResponseCache();
      const body = 'x'.repeat(30_000);
      const text = 'y'.repeat(65_536 - body.length - 'north\nada\n'.length + more);
      storeTwice(cache, body, responseOf(ada, text));

      expect(cache.find(ada, body) !== null).toBe(isCached);
    },
  );
});
