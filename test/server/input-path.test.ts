import { isInputObjectType } from 'graphql';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { schema } from '../../src/app/graph.ts';
import { startTestGateway } from '../support/gateway.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
afterEach(async () => expect(await gateway.upstreamCalls()).toEqual([]));

/** `text/event-stream` beside JSON selects the Yoga path. */
const paths = [
  ['the fast path', {}],
  ['the Yoga path', { accept: 'application/graphql-response+json, text/event-stream;q=0.1' }],
] as const;

const cart = /* GraphQL */ `mutation ($c: CreateCartInput!) {
  createCart(input: $c) { errors { code } } }`;
const register = /* GraphQL */ `mutation ($i: RegisterDomainInput!) {
  registerDomain(input: $i) { errors { code } } }`;
const quote = 'query ($i: QuoteOrderInput!) { quoteOrder(input: $i) { affordable } }';
const filtered = 'query ($f: DomainFilter) { domains(filter: $f) { totalCount } }';
const item = { description: 'x', quantity: true, unitPrice: '1', productType: 'y' };

const cases: readonly [string, string, object, readonly string[], RegExp][] = [
  [
    'one bad item of two',
    quote,
    { i: { lines: [], maxTotal: ['USD', '$'].map((currency) => ({ amount: '1', currency })) } },
    ['input', 'maxTotal', '1', 'currency'],
    /^"\$" is not a currency code such as/,
  ],
  [
    'a boolean where an exact decimal is expected',
    cart,
    { c: { items: [item] } },
    ['input', 'items', '0', 'quantity'],
    /^The value must be a string such as "12.50"/,
  ],
  [
    'text where a whole number is expected',
    register,
    { i: { domain: 'a.com', nameServers: [], period: 'a-long-text-that-may-be-secret' } },
    ['input', 'period'],
    /^Variable "\$i" is not valid at "i\.period": Int cannot represent non-integer value\.$/,
  ],
  [
    'a date that no calendar has',
    filtered,
    { f: { expires: { until: '2026-02-30' } } },
    ['filter', 'expires', 'until'],
    /^"2026-02-30" is not a date/,
  ],
  [
    'a literal in a list',
    '{ quoteOrder(input: { lines: [], maxTotal: [{ amount: "1", currency: "$" }] }) { affordable } }',
    {},
    ['input', 'maxTotal', '0', 'currency'],
    /^"\$" is not a currency code such as/,
  ],
];

describe.each(paths)('on %s an error about a value has its inputPath:', (_path, headers) => {
  test.each(cases)('%s', async (_what, query, variables, inputPath, sentence) => {
    const { data, errors } = await gateway.query(query, variables, headers);

    expect(data).toBeUndefined();
    const found = errors.find(
      ({ extensions }: { extensions: { inputPath?: readonly string[] } }) =>
        JSON.stringify(extensions.inputPath) === JSON.stringify(inputPath),
    );
    expect(found?.extensions).toMatchObject({ code: 'INVALID_INPUT', executed: 'NO' });
    if (typeof sentence === 'string') expect(found.message).toBe(sentence);
    else expect(found.message).toMatch(sentence);
  });

  test('an error about the document has no inputPath', async () => {
    const { errors } = await gateway.query('{ nothing }', {}, headers);

    expect(errors[0].extensions).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(errors[0].extensions).not.toHaveProperty('inputPath');
  });
});

const change = 'setNameServers: ["a.hosts.net", "b.hosts.net"], sync: true';
/** A document for each `@oneOf` input, without and with a variable, with too few or too many fields. */
const oneOfs: readonly [
  type: string,
  query: string,
  variables: object,
  inputPath: readonly string[],
][] = [
  [
    'OrderLineInput',
    '{ quoteOrder(input: { lines: [{}] }) { affordable } }',
    {},
    ['input', 'lines', '0'],
  ],
  [
    'OrderLineInput',
    'query ($i: QuoteOrderInput!) { quoteOrder(input: $i) { affordable } }',
    { i: { lines: [{ registration: null }] } },
    ['input', 'lines', '0', 'registration'],
  ],
  [
    'ContactChoiceInput',
    'mutation ($i: RegisterDomainInput!) { registerDomain(input: $i) { replayed } }',
    { i: { domain: 'a.com', registrant: {} } },
    ['input', 'registrant'],
  ],
  ['LookupInput', '{ order(by: {}) { id } }', {}, ['by']],
  [
    'LookupInput',
    'query ($id: ID, $key: String) { purchase(by: { id: $id, key: $key }) { id } }',
    { id: 'a', key: 'b' },
    ['by'],
  ],
  [
    'BulkChangeInput',
    `{ previewBulkChange(names: ["a.com"], change: { ${change} }) { count } }`,
    {},
    ['change'],
  ],
  [
    'BulkChangeInput',
    'query ($c: BulkChangeInput!) { previewBulkChange(names: ["a.com"], change: $c) { count } }',
    { c: {} },
    ['change'],
  ],
];

test('each @oneOf input of the schema has a case', () => {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isInputObjectType(type) && type.isOneOf,
  );

  expect(new Set(oneOfs.map(([type]) => type))).toEqual(new Set(types.map(({ name }) => name)));
});

test.each(oneOfs)(
  'one field of %s must be set: %s %j',
  async (type, query, variables, inputPath) => {
    const { errors } = await gateway.query(query, variables);

    const input = schema.getType(type);
    const members = isInputObjectType(input) ? Object.keys(input.getFields()).join(', ') : '';
    // The message of graphql-js about a null in a variable does not have the type.
    const names = JSON.stringify(variables).includes(':null') ? '' : `: ${members}`;
    expect(errors).toMatchObject([
      {
        message: `Exactly one field of this input must be set, and not to null${names}.`,
        extensions: { code: 'INVALID_INPUT', executed: 'NO', inputPath },
      },
    ]);
  },
);

test.each([[[12345678901]], [123456]])(
  'the response does not quote the auth code %j',
  async (authCode) => {
    const document = /* GraphQL */ `mutation ($i: TransferDomainInput!) {
    transferDomain(input: $i) { errors { code } } }`;
    const response = await gateway.query(document, { i: { domain: 'a.com', authCode } });

    expect(response.errors[0].extensions.inputPath).toEqual(['input', 'authCode']);
    expect(JSON.stringify(response)).not.toContain('123456');
  },
);

test.each([
  ['purchases', 'created'],
  ['purchases', 'settled'],
  ['orders', 'created'],
  ['bulkChanges', 'created'],
  ['events', 'at'],
  ['auditLog', 'at'],
  ['domains', 'expires'],
  ['domainStats', 'expires'],
])('a span of %s that ends at its start is refused: %s', async (list, span) => {
  const countOf = (until: string) =>
    gateway.query(
      `{ ${list}(filter: { ${span}: { from: "2026-02-01", until: "${until}" } }) { totalCount } }`,
    );

  expect((await countOf('2026-02-01')).errors).toMatchObject([
    {
      message:
        'A time span must end after its start; 2026-02-01T00:00:00.000Z is not after 2026-02-01T00:00:00.000Z.',
      extensions: { code: 'INVALID_INPUT', executed: 'NO', inputPath: ['filter', span, 'until'] },
    },
  ]);
  expect(await gateway.upstreamCalls()).toEqual([]);
  expect((await countOf('2026-02-01T00:00:01Z')).errors).toBeUndefined();
  await gateway.resetCalls();
});

test('a span of a bulk change is refused at its path', async () => {
  const { data } = await gateway.query(
    `mutation ($f: DomainFilter) { changeDomains(input: {
      idempotencyKey: "span", expectedCount: 1, change: { sync: true }, filter: $f
    }) { errors { code path } } }`,
    { f: { expires: { from: '2026-02-02', until: '2026-02-01' } } },
  );
  await gateway.resetCalls();

  expect(data.changeDomains.errors).toEqual([
    { code: 'INVALID_INPUT', path: ['input', 'filter', 'expires', 'until'] },
  ]);
});

test('a date is the start of its day, and a time without a zone is UTC', async () => {
  const count = async (at: string) =>
    (await gateway.query(filtered, { f: { expires: { from: at } } })).data.domains.totalCount;

  expect(await count('2027-03-01')).toBe(await count('2027-03-01T00:00:00Z'));
  expect(await count('2027-03-01T12:30')).toBe(await count('2027-03-01T14:30:00+02:00'));
  await gateway.resetCalls();
});
