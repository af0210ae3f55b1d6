import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { connect } from 'node:net';
import { createSchema } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';

/** The signal of the request for `held`, which never resolves. */
let heldSignal = Promise.withResolvers<AbortSignal>();
let helds = 0;

const schema = createSchema<{ request?: Request; signal: () => AbortSignal }>({
  typeDefs:
    'type Query { path: String, held: Int, echo(text: String!): String, huge: Huge } scalar Huge type Subscription { ticks: Int }',
  resolvers: {
    Query: {
      path: (_root, _args, { request }) => (request ? 'yoga' : 'fast'),
      echo: (_root, { text }) => text,
      huge: () => 1n,
      held(_root, _args, { signal }) {
        helds += 1;
        heldSignal.resolve(signal());
        return new Promise(() => undefined);
      },
    },
  },
});

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ schema });
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };
const pathOf = async (headers: Record<string, string>, more: object = {}) =>
  (await app.post({ query: '{ path }', ...more }, headers)).body.data.path;

describe('the fast path', () => {
  test('leaves a deferred document to the Yoga path, which executes it once and responds in parts', async () => {
    const response = await app.request('/graphql', {
      method: 'POST',
      headers: { ...json, accept: 'multipart/mixed' },
      body: JSON.stringify({ query: '{ echo(text: "a") ... @defer { path } }' }),
    });

    expect(response.headers.get('content-type')).toContain('multipart/mixed');
    expect(await response.text()).toContain('"yoga"');
  });
});

describe('the connection', () => {
  test('a client that disconnects aborts its request, and nothing is logged', async () => {
    heldSignal = Promise.withResolvers();
    const before = app.lines.length;
    const sent = openRequest(`${app.url}/graphql`, { method: 'POST', headers: json });
    sent.on('error', () => undefined);
    sent.end(JSON.stringify({ query: '{ held }' }));
    const signal = await heldSignal.promise;
    expect(signal.aborted).toBe(false);

    const aborted = once(signal, 'abort');
    sent.destroy();
    await aborted;

    expect(app.lines.slice(before)).toEqual([]);
  });

  test('the signal of a completed request is not aborted', async () => {
    const signals: AbortSignal[] = [];
    const app = await startApp({
      schema,
      createScope: (facts) => {
        signals.push(facts.signal());
        return { ...facts, upstreamCalls: [], cachedReads: [] };
      },
    });

    await app.post({ query: '{ path }' });
    await app.close();

    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  test('a truncated body executes nothing, and the next request is served', async () => {
    const before = app.lines.length;
    helds = 0;
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    socket.write(`POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`);
    socket.write('content-length: 100\r\n\r\n{"query":"{ held }"}');
    socket.end();
    await once(socket.resume(), 'close');

    expect(await pathOf({})).toBe('fast');
    expect(helds).toBe(0);
    expect(app.lines.slice(before)).toEqual([]);
  });

  test('pipelined requests on one connection are answered in order', async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    const requestOf = (text: string, type = 'application/json') => {
      const body = JSON.stringify({ query: `{ path echo(text: "${text}") }` });
      return `POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
    socket.write(requestOf('a') + requestOf('b', 'application/json;x=y') + requestOf('c'));
    socket.end();
    let responses = '';
    for await (const chunk of socket.setEncoding('utf8')) responses += chunk;

    expect(responses.match(/"data":\{.*?\}/g)).toEqual([
      '"data":{"path":"fast","echo":"a"}',
      '"data":{"path":"yoga","echo":"b"}',
      '"data":{"path":"fast","echo":"c"}',
    ]);
  });
});

describe('an internal failure', () => {
  test('in the serialisation of a response is INTERNAL with 500 and is logged once', async () => {
    const before = app.lines.length;

    const { status, body } = await app.post({ query: '{ huge }' });

    expect(status).toBe(500);
    expect(body.errors[0].extensions).toMatchObject({ code: 'INTERNAL' });
    expect(app.lines.slice(before)).toHaveLength(1);
  });

  test('in the creation of a scope is INTERNAL with 500, and the response reveals nothing about it', async () => {
    const broken = await startApp({
      schema,
      createScope: () => {
        throw new Error('the password is hunter2');
      },
    });

    const { status, body } = await broken.post({ query: '{ path }' });
    await broken.close();

    expect([status, body.errors[0].extensions.code]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(broken.lines).toHaveLength(1);
  });

  test('in the log itself is answered with 500, and the next request is served', async () => {
    let isBroken = true;
    const log = () => {
      if (isBroken) throw new Error('the disk is full');
    };
    const unlogged = await startApp({
      schema,
      log: { debug: log, info: log, warn: log, error: log },
    });

    const failed = await unlogged.request('/graphql', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ query: '{ huge }' }),
    });
    isBroken = false;
    const next = await unlogged.post({ query: '{ path }' });
    await unlogged.close();

    expect(failed.status).toBe(500);
    expect(await failed.text()).toBe('');
    expect(next.body.data).toEqual({ path: 'fast' });
  });
});
