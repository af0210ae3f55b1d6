import type { ExecutionResult } from 'graphql';
import { expect, test } from 'vitest';
import { createRequest } from '../../../../test/support/server/request.ts';
import type { RequestScope } from '../../http/http-request.ts';
import { reportUpstreamCalls } from './report-upstream-calls.ts';

type Call = RequestScope['upstreamCalls'][number];
type Read = RequestScope['cachedReads'][number];

const call = (action: string, durationMs = 1, shared = false): Call =>
  ({ action, durationMs, ...(shared && { shared }) }) as Call;
const read = (action: string, ageMs: number, stale = false): Read =>
  ({ action, ageMs, stale, leftMs: 0 }) as Read;

function startReport(isDetailed: boolean) {
  const rule = reportUpstreamCalls(isDetailed);
  const scope = { upstreamCalls: [] as Call[], cachedReads: [] as Read[] };
  const request = createRequest();
  request.scope = scope;
  const report = (result: ExecutionResult & { hasNext?: boolean } = { data: null }) =>
    rule.onResult?.(result, request, false);
  return { scope, report, request };
}

test('calls are counted by action without those that other requests share, and listed in whole milliseconds', () => {
  const { scope, report } = startReport(true);
  scope.upstreamCalls.push(call('a', 1.6), call('b', 2), call('a'), call('a', 9.4, true));

  expect(report({ data: null, extensions: { other: 1 } })?.extensions).toEqual({
    other: 1,
    upstream: {
      calls: 3,
      byAction: { a: 2, b: 1 },
      list: [
        { action: 'a', durationMs: 2 },
        { action: 'b', durationMs: 2 },
        { action: 'a', durationMs: 1 },
        { action: 'a', durationMs: 9, shared: true },
      ],
    },
  });
});

test('a caller that is bound to a customer receives no report of calls', () => {
  const { scope, report, request } = startReport(true);
  request.caller = { ...request.caller, customer: 'acme' };
  scope.upstreamCalls.push(call('a'));

  expect(report()?.extensions).toBeUndefined();
});

test('cached reads are reported by action, with their number, the age of the oldest and whether one is stale', () => {
  const { scope, report } = startReport(true);
  scope.cachedReads.push(read('a', 10.4), read('b', 5), read('a', 2_999.6, true), read('a', 7));

  expect(report()?.extensions).toEqual({
    stale: [{ action: 'a', ageSeconds: 2 }],
    upstream: {
      ...{ calls: 0, byAction: {}, list: [] },
      cached: [
        { action: 'a', answers: 3, oldestMs: 3_000, stale: true },
        { action: 'b', answers: 1, oldestMs: 5, stale: false },
      ],
    },
  });
});

test('without details only stale actions are reported, each with the age of its oldest read', () => {
  const { scope, report } = startReport(false);
  scope.upstreamCalls.push(call('a'));
  scope.cachedReads.push(
    read('a', 1_000, true),
    read('a', 3_000, true),
    read('b', 999, true),
    read('c', 1),
  );

  expect(report({ data: null, extensions: { other: 1 } })?.extensions).toEqual({
    other: 1,
    stale: [
      { action: 'a', ageSeconds: 3 },
      { action: 'b', ageSeconds: 0 },
    ],
  });
});

test('without details a result without stale data is not changed', () => {
  const { scope, report } = startReport(false);
  scope.upstreamCalls.push(call('a'));
  scope.cachedReads.push(read('a', 1_000));
  const result = { data: null };

  expect(report(result)).toBe(result);
});

test('a request that was refused before its operation has no report', () => {
  const result = { errors: [] };

  expect(reportUpstreamCalls(true).onResult?.(result, createRequest(), false)).toBe(result);
});

/** The actions of the calls that each result reports, the answers of the cached reads and the stale actions. */
function reportsOf(results: readonly (ExecutionResult & { hasNext?: boolean })[]) {
  const { scope, report } = startReport(true);
  return results.map((result, at) => {
    scope.upstreamCalls.push(call(`call ${at}`));
    scope.cachedReads.push(read('read', 1_000, at === 0));
    const { upstream, stale } = (report(result)?.extensions ?? {}) as {
      stale?: readonly object[];
      upstream?: { byAction: object; cached: readonly { answers: number }[] };
    };
    const answers = upstream?.cached.map((one) => one.answers);
    return upstream && [Object.keys(upstream.byAction), answers, stale?.length ?? 0];
  });
}

test('of the parts of a response the last one reports all', () => {
  expect(reportsOf([{ data: null, hasNext: true }, { hasNext: true }, { hasNext: false }])).toEqual(
    [undefined, undefined, [['call 0', 'call 1', 'call 2'], [3], 1]],
  );
});

test('an event reports what followed the event before', () => {
  expect(reportsOf([{ data: {} }, { data: {} }])).toEqual([
    [['call 0'], [1], 1],
    [['call 1'], [1], 0],
  ]);
});
