import fc from 'fast-check';
import {
  buildSchema,
  type DocumentNode,
  getOperationAST,
  NoUnusedFragmentsRule,
  NoUnusedVariablesRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runs } from '../../../test/support/long.ts';
import { documents, variables } from '../../../test/support/server/compiled/documents.ts';
import {
  createCompiledExecution,
  executeWithGraphqlJs,
  type Query,
} from '../../../test/support/server/compiled/executions.ts';
import { graph } from '../../../test/support/server/compiled/graph.ts';
import { createWorld } from '../../../test/support/server/compiled/world.ts';
import { endOfTurn } from '../../../test/support/simulated-clock.ts';

const queryOf = (text: string, given: Query['variables'] = {}): Query => {
  const document: DocumentNode = parse(text);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('The document has no operation.');
  return { document, operation, variables: given };
};

// In graphql-js nothing waits for the items of a list that fails: their rejections are unhandled.
const listeners = process.listeners('unhandledRejection');
let unhandled = 0;
const count = () => {
  unhandled += 1;
};
beforeAll(() => {
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', count);
});
afterAll(async () => {
  await endOfTurn();
  process.off('unhandledRejection', count);
  for (const listener of listeners) process.on('unhandledRejection', listener);
});

test('a compiled query has the response, the calls and the batches of graphql-js', async () => {
  const executeCompiled = createCompiledExecution(graph);
  const failureRates = fc.constantFrom(0, 0.01, 0.05, 0.2);
  await fc.assert(
    fc.asyncProperty(
      ...([documents, variables, fc.integer(), failureRates] as const),
      async (text, given, seed, failureRate) => {
        const query = queryOf(text, structuredClone(given));
        const run = async (execution: (world: object) => Promise<string | null>) => {
          const world = createWorld(seed, failureRate);
          const text = await execution(world).catch((error) => `not written: ${error}`);
          // Fields of an object that failed may still be executed.
          await endOfTurn();
          return { text, log: world.log };
        };
        const expected = await run((world) =>
          executeWithGraphqlJs(graph, { ...query, variables: structuredClone(given) }, world),
        );
        // The second execution uses the plan of the first one.
        for (const _time of [1, 2]) {
          const variables = structuredClone(given);
          expect(await run((world) => executeCompiled({ ...query, variables }, world))).toEqual(
            expected,
          );
        }
      },
    ),
    { numRuns: runs(250, 8_000) },
  );
}, 600_000);

test('errors of variables are those of graphql-js, also when there are many', async () => {
  const executeCompiled = createCompiledExecution(graph);
  const definitions = Array.from({ length: 60 }, (_, at) => `$v${at}: Int`);
  const wrong = Object.fromEntries(definitions.map((_, at) => [`v${at}`, 'text']));
  const query = queryOf(`query (${definitions.join()}) { text }`, wrong);

  const response = await executeCompiled(query, createWorld(1, 0));

  expect(response).toContain('error limit reached');
  expect(response).toBe(await executeWithGraphqlJs(graph, query, createWorld(1, 0)));
});

test.each([
  'mutation { text }',
  '{ text @skip(if: false) }',
  '{ ...F } fragment F on Query { a { text @include(if: true) } }',
  'query @unknown { text }',
  '{ __schema { queryType { name } } }',
  '{ ...F } fragment F on Query { __type(name: "A") { name } }',
])('%s is left to graphql-js', async (text) => {
  expect(await createCompiledExecution(graph)(queryOf(text), createWorld(1, 0))).toBeNull();
});

test('a value that JSON cannot represent makes its field null, and no other', async () => {
  const schema = buildSchema('scalar Big type Query { big: Big text: String }');
  const fields = schema.getQueryType()?.getFields();
  Object.assign(fields?.big ?? {}, { resolve: () => 5n });
  Object.assign(fields?.text ?? {}, { resolve: () => 'ok' });

  const response = await createCompiledExecution(schema)(queryOf('{ big text }'), {});

  expect(response).toContain('"data":{"big":null,"text":"ok"}');
  expect(response).toContain('"path":["big"]');
});

test('items of a list that failed do not end the process when they fail too', async () => {
  const schema = buildSchema('type Query { list: [Int!] }');
  const resolve = () => [Promise.reject(new Error('later')), new Error('at once')];
  Object.assign(schema.getQueryType()?.getFields().list ?? {}, { resolve });
  const before = unhandled;

  const response = await createCompiledExecution(schema)(queryOf('{ list }'), {});
  await endOfTurn();

  expect(response).toContain('at once');
  expect(unhandled).toBe(before);
});

test('the documents of the property are valid', () => {
  const rules = specifiedRules.filter(
    (rule) => rule !== NoUnusedFragmentsRule && rule !== NoUnusedVariablesRule,
  );
  fc.assert(
    fc.property(documents, (text) => {
      expect(validate(graph, parse(text), rules)).toEqual([]);
    }),
    { numRuns: 30 },
  );
});
