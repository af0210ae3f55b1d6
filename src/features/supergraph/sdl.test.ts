import { type ExecutionResult, Kind, parse, print } from 'graphql';
import { expect, test } from 'vitest';
import { schema, sdlFiles, servedSchema } from '../../app/graph.ts';
import { execute } from '../../lib/graphql-js.ts';
import { features } from '../index.ts';
import { printSubgraph } from './sdl.ts';
import { withPrefix } from './served-graph.ts';

/** The directives of each field of an SDL, by `Type.field`. */
const directivesIn = (sdl: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parse(sdl).definitions.flatMap((type) =>
      type.kind === Kind.OBJECT_TYPE_DEFINITION
        ? (type.fields ?? []).map((field) => [
            `${type.name.value}.${field.name.value}`,
            (field.directives ?? []).map(print).join(' '),
          ])
        : [],
    ),
  );

const printed = directivesIn(printSubgraph(schema));

const page =
  '@listSize(assumedSize: 20, slicingArguments: ["first", "last"], requireOneSlicingArgument: false, sizedFields: ["edges", "nodes"])';

test.each([
  // Reads of data that is the same for all callers, of the account, and of data that is never cached.
  [
    'Query.tld',
    '@requiresScopes(scopes: [["domains:check"]]) @cost(weight: 1) @cacheControl(maxAge: 600, scope: PUBLIC)',
  ],
  [
    'Query.domains',
    `@requiresScopes(scopes: [["domains:read"]]) @cost(weight: 1) ${page} @cacheControl(maxAge: 10, scope: PRIVATE)`,
  ],
  [
    'Query.availability',
    '@requiresScopes(scopes: [["domains:check"]]) @cost(weight: 1) @cacheControl(maxAge: 3, scope: PRIVATE)',
  ],
  ['Query.reseller', '@requiresScopes(scopes: [["account:read"]]) @cost(weight: 1)'],
  ['Query.purchases', `@requiresScopes(scopes: [["domains:spend"], ["ops"]]) ${page}`],
  // Any key may select it.
  ['Query.gateway', '@authenticated'],
  // A default value excludes an assumed size.
  ['Order.lines', '@listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)'],
  // A call for each object, and one for all of them, which their root fields do not count.
  ['Contact.email', '@cost(weight: 1)'],
  [
    'Domain.tld',
    '@requiresScopes(scopes: [["domains:check"]]) @cacheControl(maxAge: 600, scope: PRIVATE)',
  ],
  [
    'Domain.authCode',
    '@tag(name: "secret") @requiresScopes(scopes: [["authcode:read"]]) @cost(weight: 1)',
  ],
  ['Tld.prices', '@cacheControl(inheritMaxAge: true)'],
  ['Tld.name', ''],
  ['Mutation.setNameServers', '@requiresScopes(scopes: [["domains:write"]]) @cost(weight: 1)'],
])('%s has the directives of its marks', (field, directives) => {
  expect(printed[field]).toBe(directives);
});

test('a prefix changes no directive', () => {
  const prefixed = directivesIn(printSubgraph(withPrefix(schema, 'Acme')));

  expect(
    Object.fromEntries(
      Object.entries(prefixed).map(([name, text]) => [name.replace(/^Acme/, ''), text]),
    ),
  ).toEqual(printed);
});

test('maximum ages are those of the settings', () => {
  const maxAges = { tldsMs: 0, domainsMs: 5_000, availabilityMs: 0 };
  const graph = servedSchema(
    { featureValues: { SUBGRAPH: true }, introspection: 'caller', maxAges },
    features,
  );
  const document = parse('{ _service { sdl } }');
  const { data } = execute({ schema: graph, document }) as ExecutionResult;
  const { _service: service } = data as { readonly _service: { readonly sdl: string } };
  const {
    'Query.tld': tld,
    'Query.domains': domains,
    'Query.availability': availability,
  } = directivesIn(service.sdl);

  expect(domains).toContain('@cacheControl(maxAge: 5, scope: PRIVATE)');
  expect([tld, availability].join()).not.toContain('cacheControl');
});

test('no other file has these directives', () => {
  expect(Object.keys(sdlFiles)).toEqual(
    ['schema', 'subgraph', 'stitching', 'semantic'].map((name) => `${name}.graphql`),
  );
  for (const [name, print] of Object.entries(sdlFiles)) {
    if (name === 'subgraph.graphql') continue;
    expect(print(schema)).not.toMatch(/@(cost|listSize|authenticated|requiresScopes|cacheControl)/);
  }
});
