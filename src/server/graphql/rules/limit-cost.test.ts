import { buildSchema } from 'graphql';
import { expect, test } from 'vitest';
import { createRequest, operationOf, refusalOf } from '../../../../test/support/server/request.ts';
import { CallBudget, type CostMark } from '../../../kernel/upstream-calls.ts';
import { limitCost } from './limit-cost.ts';

const schema = buildSchema(
  'type Query { free: Int, calls(count: Int!): Int, search(names: Int!): Int, list(rows: Int!): Int }',
);
const calls: CostMark = (count, args) => void count.calls(args.count);
const list: CostMark = (count, args) => void count.rows(`list ${args.rows}`, args.rows);
const search: CostMark = (count, args) => void count.search(args.names);
for (const [name, cost] of Object.entries({ calls, search, list })) {
  Object.assign(schema.getQueryType()?.getFields()[name] ?? {}, { extensions: { cost } });
}

const limit = 4;

async function check(text: string, variables?: Record<string, unknown>) {
  const rule = limitCost(schema, { maxUpstreamCalls: limit, maxStoredRows: 10 });
  const request = createRequest();
  const budget = new CallBudget(10);
  request.scope = { upstreamCalls: [], cachedReads: [], budget };
  const refusal = await refusalOf(rule.onOperation?.(operationOf(text, variables), request));
  const result = rule.onResult?.({ data: null, extensions: { other: 1 } }, request, false);
  return { refusal, extensions: result?.extensions, spare: budget.spare, request };
}

test.each([
  [0, null],
  [4, null],
  [5, { code: 'COST_LIMIT_EXCEEDED', status: 422, headers: {} }],
])(
  'of a limit of 4 an operation may need %i upstream calls, and its cost is reported',
  async (count, expected) => {
    const { refusal, extensions, spare } = await check('query ($n: Int!) { calls(count: $n) }', {
      n: count,
    });

    expect(refusal).toEqual(expected);
    expect(extensions).toEqual({ other: 1, cost: { upstreamCalls: count, limit } });
    // The calls of a refused operation are not reserved.
    expect(spare).toBe(expected ? 10 : 10 - count);
  },
);

test.each([
  ['{ list(rows: 10) same: list(rows: 10) }', null, 10],
  ['{ list(rows: 10) other: list(rows: 1) }', 'COST_LIMIT_EXCEEDED', 11],
])('of a limit of 10 stored rows %s is %s', async (text, code, storedRows) => {
  const { refusal, extensions } = await check(text);

  expect(refusal?.code ?? null).toBe(code);
  expect(extensions?.cost).toMatchObject({ storedRows, storedRowsLimit: 10 });
});

test('a search reserves its calls and shares the spare ones', async () => {
  const { request } = await check('{ a: search(names: 100) b: search(names: 100) }');

  // Each search may use its own call and half of the eight spare ones.
  expect(request.scope?.budget?.ofSearch(1).left).toBe(5);
});

test('an operation with invalid variables has no cost', async () => {
  const { refusal, extensions, request } = await check('query ($n: Int!) { calls(count: $n) }', {});

  expect(refusal).toBeNull();
  expect(extensions).toEqual({ other: 1 });
  expect(request.estimate).toBeNull();
});

test('an operation without a scope or a budget is limited too', async () => {
  const rule = limitCost(schema, { maxUpstreamCalls: limit, maxStoredRows: 10 });
  const within = operationOf('{ calls(count: 4) }');
  const request = createRequest();

  expect(await refusalOf(rule.onOperation?.(within, request))).toBeNull();
  request.scope = { upstreamCalls: [], cachedReads: [] };
  expect(await refusalOf(rule.onOperation?.(within, request))).toBeNull();
});
