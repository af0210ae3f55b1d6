import { expect, test } from 'vitest';
import { isComplete, itemChanges, privacyChanges } from './run-changes.ts';

const names = (count: number) => Array.from({ length: count }, (_, at) => `name-${at}.com`);

test('bulk changes have at most 2000 domains, in their order', () => {
  const all = names(4_001);

  const changes = privacyChanges(all, true);

  expect(changes.map(({ expectedCount }) => expectedCount)).toEqual([2000, 2000, 1]);
  expect(changes.flatMap((one) => one.names)).toEqual(all);
  expect(privacyChanges([], true)).toEqual([]);
});

test('a bulk change with long name servers is shorter than the default of MAX_BODY_BYTES', () => {
  const nameServers = Array.from({ length: 13 }, (_, at) => `ns${at}.${'x'.repeat(60)}.net`);
  const items = names(2_000).map((domain) => ({ domain, nameServers }));

  const changes = itemChanges(items);

  expect(changes.flatMap(({ change }) => change.items)).toEqual(items);
  expect(Math.max(...changes.map((one) => JSON.stringify(one).length))).toBeLessThan(250_000);
  expect(
    Math.min(...changes.slice(0, -1).map((one) => JSON.stringify(one).length)),
  ).toBeGreaterThan(190_000);
});

const progress = {
  ...{ waiting: 0, running: 0, succeeded: 1, unchanged: 1, failed: 0, unknown: 0, cancelled: 0 },
};

test.each(['waiting', 'running', 'failed', 'unknown', 'cancelled'])(
  'a command that ends with a domain that is %s fails',
  (state) => {
    expect(isComplete(progress)).toBe(true);
    expect(isComplete({ ...progress, [state]: 1 })).toBe(false);
  },
);
