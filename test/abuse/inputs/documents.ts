import { globalId } from '../../../src/kernel/ids.ts';
import { type AbuseInput, bad, document, written } from './input.ts';

const many = (count: number, make: (at: number) => string, glue = ' ') =>
  Array.from({ length: count }, (_, at) => make(at)).join(glue);
const nested = (before: string, inside: string, after: string, times: number) =>
  `${before.repeat(times)}${inside}${after.repeat(times)}`;

/** A document above a limit. */
const large = (name: string, query: string, variables?: unknown): AbuseInput => ({
  ...{ name, bytes: document(query, variables), statuses: [400, 422], category: 'LIMIT' },
});
/** A document within the limits. */
const served = (name: string, query: string): AbuseInput => ({
  ...{ name, bytes: document(query), statuses: [200] },
});
const wrong = (name: string, query: string, variables?: unknown) =>
  bad(name, document(query, variables));

const available = (at: number) => `a${at}: availability(name: "name-${at}.com") { state }`;
const chain = (count: number) =>
  `{ ...F0 } ${many(count, (at) => `fragment F${at} on Query { ...F${at + 1} }`)} fragment F${count} on Query { __typename }`;
const doubling = (count: number, body: (at: number) => string) =>
  `{ ...F0 } ${many(count, (at) => `fragment F${at} on Query { ${body(at)} }`)} fragment F${count} on Query { __typename }`;
const reserved = ['__proto__', 'constructor', 'prototype', 'then', 'toString', 'valueOf', 'toJSON'];

const orderIds = many(100, (at) => `"${globalId('Order', `order-${at}`)}"`);

const items = 'bulkChanges(first: 20) { nodes { items(first: 500) { domainName state } } }';
const totals = 'stopReason finishedAt spent { estimated } quoted { estimated }';

/** They cost no upstream call. */
const storedLists: readonly AbuseInput[] = [
  large('500 items of each of 20 jobs', `{ ${items} }`),
  large(
    'the items of the same jobs under each alias',
    `{ ${many(10, (at) => `a${at}: ${items}`)} }`,
  ),
  large(
    'the lines of a hundred orders by id',
    `{ nodes(ids: [${orderIds}]) { ... on Order { lines { domainName } } } }`,
  ),
  large(
    'the lines of the same orders under each alias',
    `{ ${many(10, (at) => `a${at}: orders(first: 20) { nodes { lines { domainName } } }`)} }`,
  ),
  large(
    'the lines of other orders under each alias',
    `{ ${many(10, (at) => `a${at}: orders(first: ${20 + at}) { nodes { lines { domainName } } }`)} }`,
  ),
  large(
    'the sums of other orders under each alias',
    `{ ${many(50, (at) => `a${at}: orders(first: ${50 + at}) { nodes { ${totals} } }`)} }`,
  ),
  served(
    'the lines of 20 orders',
    '{ orders(first: 20) { nodes { lines { domainName state } } } }',
  ),
  served(
    'the sums of the same orders under each alias',
    `{ ${many(50, (at) => `a${at}: orders(first: 20) { nodes { ${totals} } }`)} }`,
  ),
];

export const documentInputs: readonly AbuseInput[] = [
  ...['', ' ', '#', '{', '{ a', '}', '{ a: }', '{ ... }', 'query', '{ a(b: "', '\0', '"""'].map(
    (text) => wrong(`the document ${JSON.stringify(text)}`, text),
  ),
  large('fields in fields', `{ ${nested('node { ', 'id', ' }', 2_000)} }`),
  large('fields in fields, 300 bytes', `{${nested('a{', 'b', '}', 99)}}`),
  large(
    'literal lists in lists',
    `{ domainsByName(names: ${nested('[', '', ']', 2_000)}) { name } }`,
  ),
  large(
    'literal objects in objects',
    `{ domains(filter: ${nested('{ a: ', '1', '}', 2_000)}) { name } }`,
  ),
  large('brackets that never end', '{'.repeat(100_000)),
  large('parts of fragments in one another', `{ ${nested('... { ', 'id', ' }', 500)} }`),
  large('types in types', `query (${'$a: '}${nested('[', 'Int', ']', 200)}) { __typename }`),
  large('a flood of tokens', `{ ${'a '.repeat(50_000)} }`),
  ...storedLists,
  large('a flood of cheap aliases', `{ ${many(200, (at) => `a${at}: __typename`)} }`),
  large('a flood of dear aliases', `{ ${many(200, available)} }`),
  large(
    'aliases through fragments',
    `{ ${'...F '.repeat(20)} } fragment F on Query { ${many(10, (at) => `a${at}: __typename`)} }`,
  ),
  large('one field five hundred times', `{ ${'__typename '.repeat(500)} }`),
  large('many root fields', `{ ${many(90, (at) => `f${at}`)} }`),
  large('a directive again and again', `{ __typename ${'@skip(if: false) '.repeat(300)} }`),
  large('ten directives at one place', `{ __typename ${'@aa '.repeat(10)} }`),
  large(
    'many directives',
    `{ ${many(60, () => '... @skip(if: true) @include(if: true) { id }')} }`,
  ),
  wrong(
    'a hundred operations',
    many(100, (at) => `query Q${at} { __typename }`),
  ),
  large('a thousand fragments in a chain', chain(1_200)),
  large('thirty fragments in a chain', chain(30)),
  large(
    'a fragment bomb',
    doubling(14, (at) => `${`...F${at + 1} `.repeat(4)} __typename`),
  ),
  large(
    'a fragment bomb of fields',
    doubling(14, (at) => `a { ...F${at + 1} } b { ...F${at + 1} }`),
  ),
  large(
    'a thousand unused fragments',
    `{ __typename } ${many(900, (at) => `fragment F${at} on Query { id }`)}`,
  ),
  large('a thousand variables', `query (${many(900, (at) => `$v${at}: Int`)}) { __typename }`),
  large(
    'a list of a thousand',
    `{ availabilities(names: [${many(1_000, (at) => `"n${at}.com"`)}]) { state } }`,
  ),
  large('a default of a thousand', `query ($n: [Int] = [${many(1_000, String)}]) { __typename }`),
  wrong('a fragment that holds itself', '{ ...F } fragment F on Query { ...F }'),
  wrong(
    'two fragments that hold each other',
    '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
  ),
  wrong(
    'a fragment that holds itself deeper',
    '{ ...F } fragment F on Query { node(id: "a") { ...F } }',
  ),
  wrong('a fragment that is nowhere', '{ ...Nothing }'),
  wrong(
    'a fragment twice',
    '{ ...F } fragment F on Query { __typename } fragment F on Query { __typename }',
  ),
  wrong('an unused fragment', '{ __typename } fragment F on Query { __typename }'),
  wrong('a fragment on nothing', '{ ... on Nothing { a } }'),
  wrong('two documents', '{ __typename } { __typename }'),
  wrong('definitions of types', 'type Query { a: Int } { __typename }'),
  wrong('an extension of the schema', 'extend type Query { a: Int }'),
  wrong('a directive that is unknown', '{ __typename @admin }'),
  wrong('a directive at the wrong place', 'query @skip(if: true) { __typename }'),
  wrong('a condition that is none', '{ __typename @include(if: "yes") }'),
  wrong('a hundred fields that are unknown', `{ ${many(55, (at) => `unknown${at}`)} }`),
  wrong('a very long name', `{ ${'a'.repeat(100_000)} }`),
  wrong('a very long text', `{ tld(name: 5, x: "${'a'.repeat(100_000)}") { name } }`),
  wrong('a huge number', `{ domains(first: ${'9'.repeat(50_000)}) { totalCount } }`),
  wrong('1e400', '{ domains(first: 1e400) { totalCount } }'),
  wrong('a number past 32 bits', '{ domains(first: 4294967297) { totalCount } }'),
  wrong('a letter past Unicode', '{ tld(name: "\\u{110000}") { name } }'),
  wrong('half a pair of letters', '{ tld(name: "\\ud800") { name } }'),
  wrong('a blank without width', '{ __type\u200bname }'),
  wrong('letters of the other direction', '{ \u202e__typename }'),
  wrong('Cyrillic letters', '{ __tуpename }'),
  ...reserved.map((name) => wrong(`the alias ${name}`, `{ ${name}: __typename }`)),
  ...reserved
    .slice(0, 3)
    .map((name) => wrong(`the variable ${name}`, `query ($${name}: Int) { __typename }`)),
  wrong('the operation constructor', 'query constructor { __typename }'),
  wrong('the fragment __proto__', '{ ...__proto__ } fragment __proto__ on Query { __typename }'),
  wrong(
    'two purchases',
    'mutation { a: registerDomain(input: {}) { errors { code } } b: registerDomain(input: {}) { errors { code } } }',
  ),
  wrong('a stream of less than nothing', '{ nodes(ids: []) @stream(initialCount: -1) { id } }'),
  large(
    'a flood of defers',
    `{ ${many(120, (at) => `... @defer(label: "${at}") { __typename }`)} }`,
  ),
];

const one = 'query ($n: Int) { domains(first: $n) { totalCount } }';
/** With a number that JSON.stringify never writes. */
const rawNumber = (digits: string) =>
  written({ body: `{"query":${JSON.stringify(one)},"variables":{"n":${digits}}}` });
const name = 'query ($n: DomainName!) { domains(filter: { nameServer: $n }) { totalCount } }';

export const variableInputs: readonly AbuseInput[] = [
  wrong('a variable that is a text', one, { n: 'two' }),
  wrong('a variable that is a list', one, { n: [1, 2] }),
  wrong('a variable that is an object', one, { n: { $gt: 0 } }),
  wrong('a variable that is half', one, { n: 1.5 }),
  bad('a variable of 1e400', rawNumber('1e400')),
  bad('a variable of a thousand digits', rawNumber('9'.repeat(1_000))),
  wrong('a required variable that is null', name, { n: null }),
  wrong('a required variable that is absent', name, {}),
  wrong('a name of a hundred thousand letters', name, { n: 'a'.repeat(100_000) }),
  wrong('a name with a zero', name, { n: 'a\0b.com' }),
  wrong('a name with a line break', name, { n: 'a\r\nb.com' }),
  wrong('a name with a quote', name, { n: "a'; drop table purchases; --.com" }),
  wrong('a name that is a URL', name, { n: 'http://169.254.169.254/' }),
  wrong('a name that goes up', name, { n: '../../etc/passwd' }),
  wrong('a name that is a template', name, { n: '{{7*7}}<%= 7*7 %>' }),
  wrong(
    'a hundred wrong items',
    'query ($n: [DomainState!]!) { domains(filter: { states: $n }) { totalCount } }',
    {
      n: Array(100).fill('a..b'),
    },
  ),
];
