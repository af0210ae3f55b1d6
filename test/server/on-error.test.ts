import { createSchema } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Fault } from '../../src/kernel/faults.ts';
import { isStreamed } from '../../src/schema/incremental-delivery.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import { startTestGateway } from '../support/gateway.ts';
import { requestPaths } from '../support/request-paths.ts';

const fail = () => {
  throw new TypeError('deliberate');
};
/** With `executed: NO`. */
const missing = () => {
  throw new Fault('NOT_FOUND');
};
/** With `retryable: true`. */
const busy = () => {
  throw new Fault('RATE_LIMITED');
};
const schema = createSchema({
  typeDefs: /* GraphQL */ `
    interface Named { name: String! }
    type Item implements Named { name: String! bad: Int! none: Int! later: Int! }
    type Query { ok: Int! item: Item! items: [Item!]! numbers: [Int!]! pending: [Int!] named: Named! bad: Int! missing: Int }
    type Mutation { write: Item! refuse: Item busy: Item }
    type Subscription { ticks: Item! }
  `,
  resolvers: {
    Named: { __resolveType: () => 'Item' },
    Item: { name: () => 'a', bad: fail, none: () => null, later: async () => null },
    Query: {
      ok: () => 1,
      item: () => ({}),
      items: async () => [{}, null],
      numbers: async function* (_source: unknown, _input: unknown, _scope: unknown, info: never) {
        if (isStreamed(info)) yield* [1, null];
      },
      pending: () => [1, Promise.resolve(null), Promise.reject(new Error('deliberate'))],
      named: () => ({}),
      bad: fail,
      missing,
    },
    Mutation: { write: () => ({}), refuse: missing, busy },
    Subscription: {
      ticks: {
        subscribe: async function* () {
          yield { ticks: {} };
        },
      },
    },
  },
});

describe.each(requestPaths)('on %s', (_name, way) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ ...way, schema });
  });
  afterAll(() => app.close());

  const pathsOf = (errors: readonly { path: unknown }[] = []) => errors.map(({ path }) => path);

  test.each([
    ['{ ok bad }', { ok: 1, bad: null }, [['bad']]],
    ['{ item { name bad } }', { item: { name: 'a', bad: null } }, [['item', 'bad']]],
    [
      '{ item { none later } }',
      { item: { none: null, later: null } },
      [
        ['item', 'none'],
        ['item', 'later'],
      ],
    ],
    [
      '{ named { name ... on Item { bad } } }',
      { named: { name: 'a', bad: null } },
      [['named', 'bad']],
    ],
    ['{ items { name } }', { items: [{ name: 'a' }, null] }, [['items', 1]]],
    [
      '{ pending }',
      { pending: [1, null, null] },
      [
        ['pending', 1],
        ['pending', 2],
      ],
    ],
    ['mutation { write { name bad } }', { write: { name: 'a', bad: null } }, [['write', 'bad']]],
  ])('with NULL an error in %s sets its position to null', async (query, data, paths) => {
    // The first executions of a query do not use its compiled form.
    for (let run = 0; run < 3; run += 1) {
      const { status, body } = await app.post({ query, onError: 'NULL' });

      expect(status).toBe(200);
      expect(body.data).toEqual(data);
      expect(pathsOf(body.errors).toSorted()).toEqual(paths.toSorted());
      expect(body.errors[0].extensions.code).toBe('INTERNAL');
    }
  });

  test.each([undefined, null, 'PROPAGATE'])('with %s an error propagates', async (onError) => {
    for (let run = 0; run < 3; run += 1) {
      const { body } = await app.post({ query: '{ item { name bad } }', onError });

      expect(body).toMatchObject({ data: null, errors: [{ path: ['item', 'bad'] }] });
    }
  });

  test.each([
    ['{ ok missing }', 'NO'],
    ['mutation { refuse { name } }', 'NO'],
    ['mutation { refuse { name } write { name } }', 'UNKNOWN'],
    ['mutation { busy { name } write { name } }', 'UNKNOWN'],
  ])('with ABORT %s has no data, and errors with `executed: %s`', async (query, executed) => {
    for (let run = 0; run < 3; run += 1) {
      const { status, body } = await app.post({ query, onError: 'ABORT' });

      expect(status).toBe(200);
      expect(body.data).toBeNull();
      expect(body.errors[0].extensions.executed).toBe(executed);
      if (executed === 'UNKNOWN') expect(body.errors[0].extensions.retryable).toBe(false);
    }
  });

  test.each(['NULL', 'ABORT'])('a response without errors is the same with %s', async (onError) => {
    const query = '{ ok item { name } }';

    const plain = await app.post({ query });
    const other = await app.post({ query, onError });

    expect(other.body.data).toEqual(plain.body.data);
    expect(other.body.errors).toBeUndefined();
  });

  test('introspection shows the types of the schema also with NULL', async () => {
    const query = '{ __type(name: "Item") { fields { name type { kind } } } }';

    const { body } = await app.post({ query, onError: 'NULL' });

    expect(body.data).toEqual((await app.post({ query })).body.data);
    expect(body.data.__type.fields[0].type.kind).toBe('NON_NULL');
  });

  test.each(['FOO', 'null', '', 5, {}])('the value %j is refused', async (onError) => {
    const { status, body } = await app.post({ query: '{ ok }', onError });

    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      {
        message: 'The parameter "onError" must be PROPAGATE, NULL or ABORT.',
        extensions: { code: 'INVALID_REQUEST', executed: 'NO' },
      },
    ]);
  });

  test('a GET has it in its query', async () => {
    const query = new URLSearchParams({ query: '{ ok bad }', onError: 'NULL' });

    const response = await app.request(`/graphql?${query}`, {
      headers: { accept: 'application/json' },
    });

    expect(await response.json()).toMatchObject({ data: { ok: 1, bad: null } });
  });

  describe.each(['incrementalSpec=v0.2', 'deferSpec=20220824'])('with %s', (form) => {
    const read = async (query: string, onError: string) => {
      const response = await app.request('/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: `multipart/mixed;${form}` },
        body: JSON.stringify({ query, onError }),
      });
      const parts = (await response.text()).split('\r\n---').filter((part) => part.includes('{'));
      return parts.map((part) => JSON.parse(part.slice(part.indexOf('{'))));
    };

    test('NULL applies to each part', async () => {
      const parts = await read('{ ok numbers @stream ... @defer { item { bad } } }', 'NULL');

      const late = parts.flatMap(({ incremental = [] }) => incremental);
      expect(late).toContainEqual(
        expect.objectContaining({ data: { item: { bad: null } }, errors: [expect.anything()] }),
      );
      expect(late.flatMap(({ items = [] }) => items)).toEqual([1, null]);
    });

    test('ABORT sends one part', async () => {
      const [part, ...rest] = await read('{ ok ... @defer { item { bad } } }', 'ABORT');

      expect(part).toMatchObject({ data: null, errors: [{ path: ['item', 'bad'] }] });
      expect(rest).toEqual([]);
    });
  });

  test.each([
    ['NULL', { ticks: { name: 'a', bad: null } }],
    ['ABORT', null],
  ])('%s applies to each event of a subscription', async (onError, data) => {
    const query = 'subscription { ticks { name bad } }';

    const stream = await openStream(app.url, { query, parameters: { onError } });

    expect((await stream.next())?.data).toMatchObject({
      data,
      errors: [{ path: ['ticks', 'bad'] }],
    });
  });
});

test('with NULL the whole graph returns the same data', async () => {
  const gateway = await startTestGateway({ sandboxDomains: 5 });
  const query = `{ reseller { id name } domains(first: 3) { nodes { __typename id name tld { name } } pageInfo { hasNextPage } }
    node(id: "x") { id } purchases(first: 2) { nodes { id } } gateway { environment } }`;
  const send = async (onError?: string) => {
    const response = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, onError }),
    });
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown[] };
    return { data, errors: errors?.length };
  };

  const plain = await send();
  const nulled = await send('NULL');
  await gateway.close();

  expect(plain.data).toMatchObject({ domains: { nodes: { length: 3 } } });
  expect(nulled).toEqual(plain);
});
