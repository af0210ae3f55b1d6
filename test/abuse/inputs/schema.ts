import { type AbuseInput, bad, document, written } from './input.ts';

const got = (query: string) =>
  written({ method: 'GET', target: `/graphql?query=${encodeURIComponent(query)}` });
const deep = `{ __schema { types { ${'fields { type { '.repeat(6)} name ${'} }'.repeat(6)} } } }`;

/** Requests that try to learn the schema. */
export const schemaInputs: readonly AbuseInput[] = [
  ...[
    ['the schema', '{ __schema { types { name } } }'],
    ['the schema under another name', '{ a: __schema { queryType { name } } }'],
    ['a type', `{ __type(name: "Domain") { fields { name } } }`],
    ['a type under another name', '{ t: __type(name: "Query") { name } }'],
    [
      'the schema in a fragment',
      '{ ...F } fragment F on Query { __schema { queryType { name } } }',
    ],
    [
      'a fragment on the schema',
      '{ ...F } fragment F on Query { __schema { ...S } } fragment S on __Schema { types { name } }',
    ],
    ['the schema in a part', '{ ... { __schema { types { name } } } }'],
    ['the schema in a circle', deep],
    ['the schema, unless it is skipped', '{ __schema @skip(if: false) { types { name } } }'],
    ['the SDL of Federation', '{ _service { sdl } }'],
    ['the SDL of stitching', '{ _sdl }'],
    ['a misspelt field', '{ domian(name: "a.com") { name } }'],
    ['a misspelt field below', '{ domain(name: "a.com") { nam } }'],
    ['a misspelt argument', '{ domain(nam: "a.com") { name } }'],
    ['a misspelt type', '{ ... on Quer { __typename } }'],
    ['a misspelt type of a variable', 'query ($n: DomainNam!) { domain(name: $n) { name } }'],
    [
      'a misspelt value',
      '{ tlds { nodes { price(operation: REGISTRATIO) { price { amount } } } } }',
    ],
    ['a misspelt directive', '{ __typename @skp(if: true) }'],
    ['a misspelt member of an input', '{ domains(filter: { stat: ACTIVE }) { totalCount } }'],
    ['a field without its parts', '{ reseller }'],
  ].flatMap(([name = '', query = '']) => [
    bad(`${name}, by POST`, document(query)),
    bad(`${name}, by GET`, got(query)),
  ]),
  bad('the schema by a mutation', document('mutation { __schema { types { name } } }')),
  bad('the schema by a subscription', document('subscription { __schema { types { name } } }')),
  bad('a misspelt subscription', document('subscription { operationSettle(id: "a") { id } }')),
  bad('the schema beside something', document('{ __typename __schema { types { name } } }')),
];
