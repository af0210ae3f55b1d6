import { createSchema } from 'graphql-yoga';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Fault } from '../../src/kernel/faults.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { openStream } from '../support/event-stream.ts';
import { requestPaths } from '../support/request-paths.ts';

describe.each(requestPaths)('on %s', (_name, way) => {
  const secret = 'hunter2';
  const bug = () => {
    throw new TypeError(`the password is ${secret}`);
  };

  const schema = createSchema({
    typeDefs: /* GraphQL */ `
    type Query { ok: Boolean, slow: Slow!, numbers: [Int!]!, broken: [Int], items: [Item] }
    type Slow { ok: Boolean, bug: Int, refused: Int, needed: Int! }
    type Item { ok: Boolean, bug: Int }
  `,
    resolvers: {
      Query: {
        ok: () => true,
        slow: () => ({ ok: true }),
        numbers: () => [1, 2, 3],
        items: () => [{ ok: true }, { ok: true }],
        broken: async function* () {
          yield 1;
          bug();
        },
      },
      Slow: {
        bug,
        needed: bug,
        refused() {
          throw new Fault('NOT_FOUND');
        },
      },
      Item: { bug },
    },
  });

  let app: TestApp;
  let linesBefore = 0;
  beforeAll(async () => {
    app = await startApp({ ...way, schema });
  });
  beforeEach(() => {
    linesBefore = app.lines.length;
  });
  afterAll(() => app.close());

  /** The parts of an incremental response, and all errors of the later parts. */
  async function sendQuery(query: string, variables: object = {}) {
    const events = await (await openStream(app.url, { query, variables })).rest();
    const parts = events.slice(0, -1).map(({ data }) => data);
    const errors = parts.flatMap(({ incremental = [] }) =>
      incremental.flatMap(({ errors = [] }: { errors: unknown[] }) => errors),
    );
    return { parts, errors };
  }

  describe('a bug in a later part is INTERNAL with a fixed message:', () => {
    test.each([
      ['in a deferred fragment', '{ ok ... @defer { slow { bug } } }', 1],
      ['that nulls its deferred fragment', '{ slow { ok ... @defer { needed } } }', 1],
      ['in a streamed item', '{ items @stream { ok bug } }', 2],
      ['in the streamed list', '{ broken @stream }', 1],
    ])('%s', async (_where, query, count) => {
      const { parts, errors } = await sendQuery(query);

      expect(errors).toHaveLength(count);
      for (const error of errors) {
        expect(error).toMatchObject({
          message: 'The gateway failed because of an internal error.',
          extensions: { code: 'INTERNAL', requestId: expect.any(String) },
        });
      }
      expect(JSON.stringify(parts)).not.toContain(secret);
      const lines = app.lines.slice(linesBefore);
      expect(lines).toHaveLength(count);
      expect(JSON.stringify(lines)).toContain('test/server/incremental.test.ts');
    });
  });

  test('a fault in a later part is returned with its message and is not logged', async () => {
    const { errors } = await sendQuery('{ slow { ok ... @defer { refused } } }');

    expect(errors).toMatchObject([
      {
        message: 'The account has no such object.',
        path: ['slow', 'refused'],
        extensions: { code: 'NOT_FOUND', executed: 'NO' },
      },
    ]);
    expect(app.lines.slice(linesBefore)).toEqual([]);
  });

  describe('a client that does not accept parts gets one complete response', () => {
    test.each(['application/json', 'application/graphql-response+json', '*/*', 'text/*, */*'])(
      '%s',
      async (accept) => {
        const query = '{ ok numbers @stream ... @defer { slow { ok } } }';

        const { status, headers, body } = await app.post({ query }, { accept });

        expect(status).toBe(200);
        expect(headers.get('content-type')).toMatch(/json/);
        expect(body.data).toEqual({ ok: true, numbers: [1, 2, 3], slow: { ok: true } });
        expect(body).not.toHaveProperty('hasNext');
      },
    );

    test('with a fixed message for a bug', async () => {
      const query = '{ slow { ok ... @defer { bug } } }';

      const { body } = await app.post({ query }, { accept: 'application/json' });

      expect(body.data).toEqual({ slow: { ok: true, bug: null } });
      expect(body.errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
    });
  });

  describe('an invalid "initialCount" is refused and not logged as a bug', () => {
    const withVariable = 'query ($count: Int) { numbers @stream(initialCount: $count) }';

    test.each([
      ['-1', '{ numbers @stream(initialCount: -1) }', {}],
      ['null', '{ numbers @stream(initialCount: null) }', {}],
      ['a variable of -1', withVariable, { count: -1 }],
      ['a variable of null', withVariable, { count: null }],
    ])('%s', async (_what, query, variables) => {
      const { parts } = await sendQuery(query, variables);

      expect(parts).toMatchObject([
        {
          errors: [
            {
              message: 'The "initialCount" of "@stream" must be an integer of at least 0.',
              extensions: { code: 'INVALID_REQUEST', executed: 'NO' },
            },
          ],
        },
      ]);
      expect(app.lines.slice(linesBefore)).toEqual([]);
    });

    test.each([
      ['0', '{ numbers @stream(initialCount: 0) }', {}, 0],
      ['a variable of 2', withVariable, { count: 2 }, 2],
      ['a variable that is not given', withVariable, {}, 0],
      ['a default of 1', withVariable.replace('Int)', 'Int = 1)'), {}, 1],
    ])('%s is a valid initialCount', async (_what, query, variables, count) => {
      const { parts } = await sendQuery(query, variables);

      expect(parts[0]?.data.numbers).toHaveLength(count);
    });
  });
});
