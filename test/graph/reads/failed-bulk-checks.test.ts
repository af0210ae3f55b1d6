import { afterAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { freeNames, read } from './reads.ts';

const time = createGatewayClock();
const gateway = time.withTime(await startTestGateway({ sandboxDomains: 40, clock: time.clock }));
afterAll(() => gateway.close());
beforeEach(() => gateway.resetCalls());

const check = async (names: readonly string[]) => {
  const { found } = await read(
    gateway,
    `query ($names: [String!]!) { found: availabilities(names: $names) { state errorCode retryable } }`,
    { names },
  );
  return found;
};

const free = { state: 'AVAILABLE', errorCode: null, retryable: false };
const unknown = (errorCode: string) => ({ state: 'UNKNOWN', errorCode, retryable: true });

test.each([
  ['reset-a.com', 'UPSTREAM_UNAVAILABLE'],
  ['cut-a.com', 'UPSTREAM_PROTOCOL'],
])('%s among three names fails alone', async (name, errorCode) => {
  const [one = '', other = ''] = freeNames(2);

  expect(await check([one, name, other])).toEqual([free, unknown(errorCode), free]);
  // The list, its halves, and the two names of the half that failed again.
  expect(await gateway.countCalls()).toEqual({
    bulkcheckavailability: 2,
    singlecheckavailability: 3,
  });
});

test('a name that hangs fails alone, within a bounded time', { tags: ['G13'] }, async () => {
  const [one = '', other = ''] = freeNames(2);
  const startedMs = time.clock.monotonicMs();

  expect(await check([one, 'hang-a.com', other])).toEqual([
    free,
    unknown('UPSTREAM_TIMEOUT'),
    free,
  ]);
  expect(time.clock.monotonicMs() - startedMs).toBeLessThanOrEqual(6_100);
  expect(await gateway.countCalls()).toEqual({
    bulkcheckavailability: 2,
    singlecheckavailability: 3,
  });
});

test('two names that break their calls fail alone in a list of 100', {
  tags: ['G13'],
}, async () => {
  const names = freeNames(100).with(10, 'reset-a.com').with(90, 'cut-b.com');

  const found = await check(names);

  expect(found.filter(({ state }: { state: string }) => state === 'AVAILABLE')).toHaveLength(98);
  expect(found[10]).toEqual(unknown('UPSTREAM_UNAVAILABLE'));
  expect(found[90]).toEqual(unknown('UPSTREAM_PROTOCOL'));
  expect((await gateway.upstreamCalls()).length).toBeLessThanOrEqual(29);
});

test('a list is given up after seven calls when the upstream is down', async () => {
  const names = freeNames(100);
  for (const action of ['bulkcheckavailability', 'singlecheckavailability']) {
    await gateway.admin('POST', '/faults', { fault: 'reset', action, times: 1_000 });
  }

  expect(await check(names)).toEqual(names.map(() => unknown('UPSTREAM_UNAVAILABLE')));
  expect((await gateway.upstreamCalls()).length).toBe(7);
  await gateway.admin('DELETE', '/faults');
});

test('a failed list is not halved without remaining calls', { tags: ['G13'] }, async () => {
  const small = await startTestGateway({ sandboxDomains: 1, env: { MAX_UPSTREAM_CALLS: '2' } });

  const { found } = await read(
    small,
    '{ found: availabilities(names: ["reset-a.com", "maple-harbor.com"]) { state } }',
  );

  expect(found).toEqual([{ state: 'UNKNOWN' }, { state: 'UNKNOWN' }]);
  expect(await small.countCalls()).toEqual({ bulkcheckavailability: 2 });
  await small.close();
});
