import { expect, test } from 'vitest';
import type { Gateway } from '../../../console/gateway-client.ts';
import { isComplete, itemChanges, privacyChanges, runChanges } from './run-changes.ts';

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

test('each domain that was not changed is reported, also those of the second page', async () => {
  const all = names(501);
  const progressOfEnd = { ...progress, succeeded: 0, unchanged: 0, failed: all.length };
  const started = { id: 'change-1', state: 'RUNNING', progress: progressOfEnd };
  const client = {
    bulkChanges: {
      start: async () => ({ bulkChange: started, errors: [] }),
      async *follow() {
        yield { bulkChange: started };
      },
    },
    request: async (
      _document: string,
      { first, after }: { first: number; after: string | null },
    ) => {
      const from = after === null ? 0 : all.indexOf(after) + 1;
      const items = all.slice(from, from + first).map((domainName) => ({
        ...{ cursor: domainName, domainName, state: 'FAILED', errors: [{ message: 'No.' }] },
      }));
      return { bulkChange: { items } };
    },
  };
  const failures: string[] = [];
  const { signal } = new AbortController();
  const gateway = { client, origin: '' } as unknown as Gateway;

  const ended = await runChanges(gateway, privacyChanges(all, true), { failures, signal });

  expect(ended).toEqual(progressOfEnd);
  expect(failures).toEqual(all.map((name) => `${name} is FAILED: No.`));
});
