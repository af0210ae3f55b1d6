import {
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isObjectType,
  isRequiredArgument,
  Kind,
  parse,
} from 'graphql';
import { createSchema } from 'graphql-yoga';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workloads } from '../../bench/workloads.ts';
import { examplesOf } from '../../src/app/features.ts';
import { schema } from '../../src/app/graph.ts';
import { readConfig } from '../../src/app/read-config.ts';
import { features } from '../../src/features/index.ts';
import { exampleTabs } from '../../src/server/ui/graphiql/examples.ts';
import { createRandom, type Random } from '../simulation/random.ts';
import { startApp } from '../support/app.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { runs } from '../support/long.ts';

let compiled: TestGateway;
let interpreted: TestGateway;
beforeAll(async () => {
  const env = { DEVELOPMENT: 'false' };
  compiled = await startTestGateway({ env });
  const sameSandbox = {
    DOMAIN_API_URL: `${compiled.sandboxUrl}/domain-api`,
    COMPILED_QUERIES: 'false',
  };
  interpreted = await startTestGateway({ env: { ...env, ...sameSandbox } });
});
afterAll(async () => {
  await interpreted.close();
  await compiled.close();
});

/** Arguments of fields that are drawn: of those that need some, and of those at the root. */
const drawnArguments: Readonly<Record<string, readonly string[]>> = {
  'Query.availabilities': ['(names: ["maple-harbor.com", "a..com", "casino.com", "maple.nosuch"])'],
  'Query.availability': ['(name: "maple-harbor.com")', '(name: "casino.com")'],
  'Query.domain': ['(name: "reseller-demo.com")', '(name: "missing-one.com")'],
  'Query.domainStats': [''],
  'Query.domains': ['', '(first: 3)', '(first: 2, after: "no cursor")', '(last: 2)'],
  'Query.domainsByName': ['(names: ["reseller-demo.com", "missing-one.com"])'],
  'Query.node': ['(id: "nothing")'],
  'Query.searchDomains': ['(labels: ["maple"], tlds: ["com", "de", "nosuch"])'],
  'Query.tld': ['(name: "com")', '(name: ".DE")', '(name: "nosuch")'],
  'Query.tlds': ['(first: 3)', '(first: 2, filter: { names: ["com", "de"] })'],
  'Tld.price': ['(operation: REGISTRATION)', '(operation: RENEWAL, period: 3)'],
  'Tld.quote': ['(operation: REGISTRATION, period: 2)', '(operation: TRANSFER, period: 1)'],
};
/** Fields with a time or a request in them. */
const times = new Set(['asOf', 'oldestRowAt', 'from', 'until']);
const changing = new Set([...times, 'requestId', 'gateway', 'purchases']);

/** A selection of some of the fields of a type, a few of them twice. */
function drawSelection(type: GraphQLOutputType, depth: number, random: Random): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const chosen = fields.flatMap((field) => {
    const choices = drawnArguments[`${named}.${field.name}`];
    const isPossible = choices || !(named.name === 'Query' || field.args.some(isRequiredArgument));
    const isDeep = isCompositeType(getNamedType(field.type));
    if (!isPossible || changing.has(field.name) || (isDeep && depth === 0)) return [];
    const chances = { '': named === schema.getQueryType() ? 0.15 : 0.4, 'again: ': 0.02 };
    const aliases = Object.entries(chances).flatMap(([alias, chance]) =>
      random.chance(chance) ? alias : [],
    );
    return aliases.map((alias) => {
      const drawn = choices ? random.pick(choices) : '';
      return `${alias && `${field.name}_${alias}`}${field.name}${drawn} ${drawSelection(field.type, depth - 1, random)}`;
    });
  });
  return `{ __typename ${chosen.join(' ')} }`;
}

/** All fields below a field, without those that need arguments or change with each read. */
function everything(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = isObjectType(named) ? Object.values(named.getFields()) : [];
  const chosen = fields.flatMap((field) => {
    const isComposite = isCompositeType(getNamedType(field.type));
    if (field.args.some(isRequiredArgument) || times.has(field.name)) return [];
    if (isComposite && depth === 0) return [];
    return `${field.name} ${everything(field.type, depth - 1)}`;
  });
  return `{ __typename ${chosen.join(' ')} }`;
}

const root = (name: string, args: string, depth: number) => {
  const field = schema.getQueryType()?.getFields()[name];
  return `{ ${name}${args} ${field ? everything(field.type, depth) : ''} }`;
};

const ofTabs = exampleTabs('sandbox', await examplesOf(features))
  .flatMap(({ query }) => {
    const operations = parse(query).definitions.filter(
      (one) => one.kind === Kind.OPERATION_DEFINITION,
    );
    return operations.map((operation) => [query, operation] as const);
  })
  .filter(([, operation]) => operation.operation === 'query')
  .map(([query, { name }]) => ({ query, operationName: name?.value, variables: {} }));

const requests: readonly { readonly query: string; readonly variables?: object }[] = [
  ...ofTabs,
  ...workloads.map(({ document, exchange }) => ({
    query: document,
    variables: exchange(1).variables,
  })),
  ...[
    root('domains', '(first: 3)', 3),
    root('domain', '(name: "reseller-demo.com")', 3),
    root('availabilities', '(names: ["maple-harbor.com", "a..com", "casino.com"])', 2),
    root('tlds', '(first: 3)', 3),
    root('domainStats', '', 2),
    root('reseller', '', 2),
    root('node', '(id: "nothing")', 1),
    '{ a: domain(name: "reseller-demo.com") { name } b: domain(name: "missing-one.com") { name } }',
    '{ domains(first: 3, after: "no cursor") { nodes { name } } }',
    'query ($name: String!) { domain(name: $name) { name } }',
    '{ domains(first: 2) { nodes { ...on Node { id __typename } } } }',
    '{ __schema { queryType { name } } }',
    '{ domains(first: 2) { nodes { name @skip(if: true) state } } }',
  ].map((query) => ({ query })),
];

async function expectEqualResponses(body: object): Promise<string> {
  const send = async ({ url }: TestGateway) => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      text: (await response.text()).replaceAll(/"requestId":"[^"]*"/g, ''),
    };
  };

  const expected = await send(interpreted);
  expect(await send(compiled)).toEqual(expected);
  // The second time a query is compiled.
  expect(await send(compiled)).toEqual(expected);
  return expected.text;
}

test.each(requests)('compiled, $query has the response of graphql-js', async (body) => {
  await expectEqualResponses(body);
});

test('compiled queries of any fields have the responses of graphql-js', async () => {
  const query = schema.getQueryType();
  if (!query) throw new Error('The graph has no queries.');
  const count = runs(8, 200);
  const refused: string[] = [];
  for (let seed = 1; seed <= count; seed += 1) {
    const body = { query: drawSelection(query, 4, createRandom(seed)) };
    const response = await expectEqualResponses(body);
    if (!response.includes('"data":{')) refused.push(response);
  }
  expect(refused.length).toBeLessThan(count / 5);
});

describe('COMPILED_QUERIES', () => {
  /** `trace` is the stack of its resolver. */
  const traced = createSchema({
    typeDefs: 'type Query { trace: String }',
    resolvers: { Query: { trace: () => new Error('Here.').stack } },
  });

  const [compiledFile, interpretedFile] = [
    'graphql/compiled/execute-query.ts',
    // The executor of graphql-js is one file in version 16 and several in 17.
    'node_modules/graphql/execution/',
  ];
  test.each([
    ['true', compiledFile],
    ['false', interpretedFile],
  ])('%s executes queries with %s from the second time on', async (COMPILED_QUERIES, file) => {
    const { compilesQueries } = readConfig({ COMPILED_QUERIES }).server;
    const app = await startApp({ schema: traced, settings: { compilesQueries } });
    const files: string[] = [];
    for (let turn = 0; turn < 3; turn += 1)
      files.push((await app.post({ query: '{ trace }' })).body.data.trace);
    await app.close();

    expect(files).toEqual([interpretedFile, file, file].map((one) => expect.stringContaining(one)));
  });
});
