import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { errorFacts, read } from './reads.ts';

const gateway = await startTestGateway({ sandboxDomains: 40 });
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const notACursor = (argument: string) =>
  `"${argument}" is not a cursor of this list; pass a "cursor", "startCursor" or "endCursor" of it, with the same order.`;
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe.each([
  ['domains', 100],
  ['tlds', 1_000],
  ['purchases', 100],
])('%s refuses before an upstream call', { tags: ['G6'] }, (field, most) => {
  test.each([
    [`first: ${most + 1}`, `"first" must be from 0 to ${most}; it is ${most + 1}.`],
    [`last: ${most + 1}`, `"last" must be from 0 to ${most}; it is ${most + 1}.`],
    ['first: -1', `"first" must be from 0 to ${most}; it is -1.`],
    ['last: -1', `"last" must be from 0 to ${most}; it is -1.`],
    ['first: 5, last: 5', 'Pass "first" or "last", not both.'],
    ['first: 0, last: 0', 'Pass "first" or "last", not both.'],
    ['after: "no cursor"', notACursor('after')],
    ['before: "☃"', notACursor('before')],
    [`after: "${encoded(7)}"`, notACursor('after')],
    [`after: "${encoded([1, 2, 3])}"`, notACursor('after')],
    [`before: "${encoded({ a: 'b' })}"`, notACursor('before')],
    [`after: "${encoded(['a', 'b', 'c', 'd'])}"`, notACursor('after')],
  ])('%s', async (args, message) => {
    const { data, errors } = await gateway.query(`{ ${field}(${args}) { totalCount } }`);

    // The journal is the gateway's own, so `purchases` is not nullable.
    expect(data).toEqual(field === 'purchases' ? null : { [field]: null });
    expect(errors.map(errorFacts)).toEqual([
      { path: [field], message, code: 'BAD_USER_INPUT', retryable: false, executed: 'NO' },
    ]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  });
});

test.each(['domains', 'tlds'])(
  'an empty cursor of %s is refused and not treated as absent',
  async (field) => {
    const { errors } = await gateway.query(`{ ${field}(after: "") { totalCount } }`);

    expect(errors.map(errorFacts)).toMatchObject([{ path: [field], message: notACursor('after') }]);
    expect(await gateway.upstreamCalls()).toEqual([]);
  },
);

test.each([
  ['another list', 'tlds(first: 1)', 'domains(after: $cursor)'],
  ['another field', 'domains(first: 1)', 'domains(after: $cursor, orderBy: { field: EXPIRES_AT })'],
  [
    'another direction',
    'domains(first: 1)',
    'domains(after: $cursor, orderBy: { direction: DESC })',
  ],
])('a cursor of %s is refused', async (_what, first, second) => {
  const { it } = await read(gateway, `{ it: ${first} { pageInfo { endCursor } } }`);
  await gateway.resetCalls();

  const { errors } = await gateway.query(
    `query ($cursor: String) { it: ${second} { totalCount } }`,
    { cursor: it.pageInfo.endCursor },
  );

  expect(errors.map(errorFacts)).toMatchObject([
    { path: ['it'], message: notACursor('after'), code: 'BAD_USER_INPUT' },
  ]);
  expect(await gateway.upstreamCalls()).toEqual([]);
});

test('null equals an absent value for each of the four arguments', async () => {
  const { domains } = await read(
    gateway,
    '{ domains(first: null, last: 3, after: null, before: null) { nodes { name } } }',
  );

  expect(domains.nodes).toHaveLength(3);
});
