import { EventEmitter, once } from 'node:events';
import { createSchema } from 'graphql-yoga';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/lib/system.ts';
import { startApp, type TestAppOptions, type TestResponse } from '../support/app.ts';
import { requestPaths } from '../support/request-paths.ts';
import { endOfTurn } from '../support/simulated-clock.ts';

/** A graph that records its executed fields; `purchase` reads a purchase, `buy` makes one. */
function recordingGraph() {
  const executed: string[] = [];
  const schema = createSchema({
    typeDefs: `
      type Query { read(name: String): String, purchase(id: ID): String }
      type Mutation { buy: String }
    `,
    resolvers: {
      Query: {
        read: (_root, { name }) => void executed.push(name ?? 'read'),
        purchase: () => void executed.push('purchase'),
      },
      Mutation: { buy: () => void executed.push('buy') },
    },
  });
  const cost = (count: { calls(calls: number): void }) => void count.calls(1);
  const mark = (type: 'Query' | 'Mutation', name: string, extensions: object) => {
    const field = schema.getType(type);
    if (field && 'getFields' in field) Object.assign(field.getFields()[name] ?? {}, { extensions });
  };
  mark('Query', 'read', { cost });
  mark('Query', 'purchase', { neverLimited: true, cost });
  mark('Mutation', 'buy', { purchase: true, cost });
  return { schema, executed };
}

/** Starts the server with a recording graph. `turn(ms)` simulates one turn of its event loop. */
async function start(way: TestAppOptions, options: TestAppOptions = {}) {
  const { schema, executed } = recordingGraph();
  let nowMs = 0;
  const waiting: (() => void)[] = [];
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    wait: (ms: number, signal?: AbortSignal) =>
      ms > 0 ? systemClock.wait(ms, signal) : new Promise<void>((end) => waiting.push(end)),
  };
  const seen = { begun: 0, closed: 0 };
  const changes = new EventEmitter();
  const count = (name: keyof typeof seen) => {
    seen[name] += 1;
    changes.emit('change');
  };
  const observer = {
    operationBegins: () => count('begun'),
    requestBegins: () => () => count('closed'),
  };
  const app = await startApp({ ...way, schema, clock, observer, ...options });
  onTestFinished(() => app.close());
  /** Nothing waits for more than the end of a turn, since the time is simulated. */
  const settle = async () => {
    for (let turn = 0; turn < 5; turn += 1) await endOfTurn();
  };
  const until = async (name: keyof typeof seen, least: number) => {
    while (seen[name] < least) await once(changes, 'change');
    await settle();
  };
  return {
    ...app,
    executed,
    /** Waits until `count` operations have arrived. */
    arrived: (count: number) => until('begun', count),
    closed: (count: number) => until('closed', count),
    async turn(ms: number) {
      nowMs += ms;
      for (const end of waiting.splice(0)) end();
      await settle();
    },
  };
}

const reads = (count: number) =>
  Array.from({ length: count }, (_, at) => `{ read(name: "${at}") }`);
const send = (app: { post(body: unknown): unknown }, documents: readonly string[]) =>
  documents.map((query) => app.post({ query }));

describe.each(requestPaths)('on %s', (_name, way) => {
  test('a request whose expected wait exceeds the budget is refused at once with Retry-After', {
    tags: ['S5'],
  }, async () => {
    const app = await start(way, {
      upstreamOverloadMs: (tenant) => (tenant === 'default' ? 2_100 : 0),
    });

    const refused = await app.post({ query: '{ read }' });

    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('3');
    expect(refused.body.errors).toEqual([
      {
        message: 'The gateway is overloaded; retry in a few seconds.',
        extensions: expect.objectContaining({
          code: 'OVERLOADED',
          executed: 'NO',
          retryable: true,
          requestId: expect.any(String),
        }),
      },
    ]);
    expect(app.executed).toEqual([]);
  });

  test('when the queue exceeds the budget, reads are refused and purchases are not', async () => {
    const app = await start(way, { settings: { queueBudgetMs: 100 } });
    const first = send(app, reads(100));
    await app.arrived(100);
    // A start takes 1,000 / 64 ms now, so 20 start in the next turn, and the 16 requests ahead take 250 ms.
    await app.turn(1_000);

    const refused = await app.post({ query: '{ read }' });
    const pretended = await app.post({ query: '{ read } # purchase(id: 1) mutation { buy }' });
    const inString = await app.post({ query: '{ read(name: "purchase(id: 1) buy") }' });
    const purchases = send(app, ['{ purchase(id: 1) }', 'mutation { buy }']);
    await app.arrived(105);
    for (let at = 0; at < 30; at += 1) await app.turn(1);
    const outcomes = await Promise.all(purchases);
    await Promise.all(first);

    expect([refused, pretended, inString].map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(outcomes).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(app.executed).toHaveLength(102);
  });

  test('a document that was refused is refused again without reading it, with other variables too, and is served later', async () => {
    const app = await start(way, { settings: { queueBudgetMs: 100 } });
    const first = send(app, reads(100));
    await app.arrived(100);
    await app.turn(1_000);
    const query = 'query ($name: String) { read(name: $name) }';
    const ask = (name: string) => app.post({ query, variables: { name } });

    const refused = await ask('a');
    const again = await ask('b');
    const purchase = app.post({ query: '{ purchase(id: 1) }' });
    // The second refusal began no operation.
    await app.arrived(102);
    for (let at = 0; at < 30; at += 1) await app.turn(1);
    await Promise.all(first);
    const served = ask('c');
    await app.arrived(103);
    await app.turn(1);

    const facts = ({ body, status, headers }: TestResponse) => {
      const [{ message, extensions }] = body.errors;
      const { requestId: _id, ...rest } = extensions;
      return [status, headers.get('retry-after'), headers.get('content-type'), message, rest];
    };
    expect(facts(refused)[0]).toBe(503);
    expect(facts(again)).toEqual(facts(refused));
    expect(again.body.errors[0].extensions.requestId).toBe(again.headers.get('x-request-id'));
    expect((await purchase).status).toBe(200);
    expect((await served).body.data).toEqual({ read: null });
    expect(app.executed).toContain('c');
  });

  test('a request whose client disconnects in the queue is not executed', async () => {
    const app = await start(way);
    const others = send(app, reads(64));
    await app.arrived(64);
    const leaving = new AbortController();
    const left = app
      .request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: '{ read(name: "left") }' }),
        signal: leaving.signal,
      })
      .catch(() => 'left');
    await app.arrived(65);
    await Promise.all(others);

    leaving.abort();
    await left;
    await app.closed(65);
    await app.turn(1);

    expect(app.executed).toHaveLength(64);
    expect(app.executed).not.toContain('left');
  });
});
