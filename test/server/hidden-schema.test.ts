import { readFileSync } from 'node:fs';
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';

/** Every type, field, argument and enum value of the graph. */
const schemaNames: ReadonlySet<string> = (() => {
  const text = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const types = Object.values(buildSchema(text).getTypeMap());
  return new Set(
    types.flatMap((type) => {
      if (isEnumType(type)) return [type.name, ...type.getValues().map(({ name }) => name)];
      if (isInputObjectType(type)) return [type.name, ...Object.keys(type.getFields())];
      if (!isObjectType(type) && !isInterfaceType(type)) return [type.name];
      const fields = Object.values(type.getFields());
      const args = fields.flatMap((field) => field.args.map(({ name }) => name));
      return [type.name, ...fields.map(({ name }) => name), ...args];
    }),
  );
})();

/** English words that are also names in the graph. */
const english = new Set(
  'Boolean Float Int String argument at do field fields found in is name not of on query required set state to type value'.split(
    ' ',
  ),
);

/** Names of the graph that are in a response and not in its request. */
const revealedBy = (message: string, request: string): readonly string[] =>
  (message.match(/[A-Za-z_]\w*/g) ?? []).filter(
    (word) => schemaNames.has(word) && !english.has(word) && !request.includes(word),
  );

const purchase = 'mutation ($i: RegisterDomainInput!) { registerDomain(input: $i) { replayed } }';
const requests: readonly (readonly [document: string, variables?: object])[] = [
  ['{ dom }'],
  ['{ domain }'],
  ['{ domain { name } }'],
  ['{ domain(nam: "a.com") { name } }'],
  ['{ domain(name: 5) { name } }'],
  ['{ domain(name: "a.com") }'],
  ['{ domain(name: "a.com") { nam } }'],
  ['{ domain(name: "a.com") { name { x } } }'],
  ['{ domain(name: null) { name } }'],
  ['{ domains(filter: { stat: X }) { totalCount } }'],
  ['{ domains(filter: { states: [NOPE] }) { totalCount } }'],
  ['{ domains(filter: 5) { totalCount } }'],
  ['{ domains(first: "x") { totalCount } }'],
  ['{ tld(name: "com") { price } }'],
  ['{ tld(name: "com") { price(operation: NOPE) { currency } } }'],
  ['query ($n: Int) { domain(name: $n) { name } }'],
  ['query ($n: Nope) { domain(name: $n) { name } }'],
  ['query ($f: DomainFilter) { domains(filter: $f) { totalCount } }', { f: { stat: 1 } }],
  ['query ($f: DomainFilter) { domains(filter: $f) { totalCount } }', { f: { states: ['NOPE'] } }],
  ['query ($f: DomainFilter) { domains(filter: $f) { totalCount } }', { f: 7 }],
  ['mutation { registerDomain }'],
  ['mutation { registerDomain(input: {}) { errors { code } } }'],
  ['mutation { registerDomain(input: { domain: "a.com", registrant: {} }) { errors { code } } }'],
  ['mutation { registerDomain(input: { period: "one" }) { nope } }'],
  [purchase, { i: {} }],
  [purchase, { i: { domain: 5 } }],
  [purchase, {}],
  ['{ ...F } fragment F on Nope { x }'],
  ['{ ... on Domain { name } }'],
  ['{ gateway @nope { version } }'],
  ['{ gateway @skip { version } }'],
  ['subscription { purchaseSettled }'],
  // Names in comments and strings, which are no names of the document.
  ['# name DomainName Query\n{ domain }'],
  ['{ tld(name: "Tld Query") { nope } }'],
];

describe.each([true, false])('with introspection off, and the fast path %s,', (fastPath) => {
  const started = startTestGateway({ fastPath, sandboxDomains: 1, env: { DEVELOPMENT: 'false' } });
  afterAll(async () => (await started).close());

  test.each(requests.map(([document, variables = {}]) => ({ document, variables })))(
    '$document with $variables is refused without a name of the graph that it lacks',
    { tags: ['S4'] },
    async ({ document, variables }) => {
      const { data, errors } = await (await started).query(document, variables);

      expect(data ?? null).toBeNull();
      expect(errors.length).toBeGreaterThan(0);
      const code = document.replace(/"[^"]*"|#.*/g, '') + JSON.stringify(variables);
      for (const { message } of errors)
        expect([message, revealedBy(message, code)]).toEqual([message, []]);
    },
  );

  test.each([
    [
      'one error in a variable',
      purchase,
      { i: {} },
      ['The value at "input" does not fit the schema.'],
    ],
    [
      'two errors at two places',
      '{ a: domain(name: "a.com") { nam } b: domain(name: "b.com") { nam } }',
      {},
      ['Cannot query field "nam".', 'Cannot query field "nam".'],
    ],
  ])('equal errors are %s', async (_what, document, variables, expected) => {
    const { errors } = await (await started).query(document, variables);

    expect(errors.map(({ message }: { message: string }) => message)).toEqual(expected);
  });
});
