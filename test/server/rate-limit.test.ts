import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { allAccessScopes } from '../../src/kernel/caller.ts';
import { systemClock } from '../../src/lib/system.ts';
import { registrationText } from '../samples/shared.ts';
import { costlyDocument } from '../support/costly-document.ts';
import { startTestGateway } from '../support/gateway.ts';
import { requestPaths } from '../support/request-paths.ts';

const keyOf = (name: string) => `a-long-enough-key-of-${name}`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** No token is added while the requests of a test run, however long they take. Differences of whole numbers are exact. */
let aheadMs = 0;
const clock = { ...systemClock, monotonicMs: () => aheadMs };
const names = ['shop', 'office', 'buyer', 'teller'];
const env = {
  API_KEYS: JSON.stringify(
    Object.fromEntries(
      names.map((name) => [name, { sha256: sha256(keyOf(name)), scopes: allAccessScopes }]),
    ),
  ),
  RATE_LIMIT_PER_MINUTE: '6',
};
/** Leaves two of the hundred calls that a key can request at once. */
const almostAll = costlyDocument(98);

test.each(requestPaths)(
  'on %s a key above its rate is refused, and other keys are served',
  async (_n, way) => {
    const gateway = await startTestGateway({ ...way, clock, env, sandboxDomains: 5 });
    const send = (name: string, document: string) =>
      fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'x-api-key': keyOf(name),
        },
        body: JSON.stringify({ query: document }),
      });
    const two = '{ reseller { name } tld(name: "com") { name } }';
    await send('shop', almostAll);

    const first = await send('shop', two);
    await gateway.resetCalls();
    const second = await send('shop', two);
    const other = await send('office', '{ reseller { name } }');
    const counted = await gateway.countCalls();
    aheadMs += 20_000;
    const third = await send('shop', two);

    expect([first.status, other.status, third.status]).toEqual([200, 200, 200]);
    expect(second.status).toBe(429);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThanOrEqual(19);
    expect(await second.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', executed: 'NO', retryable: true } }],
    });
    expect(counted).toEqual({ resellerdetails: 1 });

    await send('teller', almostAll);
    // Each request counts as at least a tenth of a call. A millisecond makes up for the rounding of twenty tenths.
    aheadMs += 1;
    const free = await Promise.all(
      Array.from({ length: 20 }, () => send('teller', '{ __typename }')),
    );
    expect(free.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await send('teller', '{ __typename }')).status).toBe(429);

    await send('buyer', almostAll);
    await send('buyer', two);
    const purchase = await send(
      'buyer',
      `mutation { ${registrationText('maple-rate.com', 'purchase { state }', ', idempotencyKey: "rate-1"')} }`,
    );
    const outcome = await send(
      'buyer',
      '{ purchase(by: { key: "rate-1" }) { state } purchases { totalCount } }',
    );
    const more = await send('buyer', '{ purchases { totalCount } reseller { name } }');
    await gateway.close();
    expect((await purchase.json()).data.registerDomain.purchase.state).toBe('SUCCEEDED');
    expect((await outcome.json()).data.purchase.state).toBe('SUCCEEDED');
    expect(more.status).toBe(429);
  },
);

const cachingGateway = await startTestGateway({
  clock,
  env: { ...env, DEVELOPMENT: 'false', TLD_MAX_AGE_SECONDS: '600', UPSTREAM: 'sandbox' },
  sandboxDomains: 5,
});
afterAll(() => cachingGateway.close());

test('a cached response counts like a request without upstream calls', async () => {
  const headers = { 'x-api-key': keyOf('shop') };
  const send = () => cachingGateway.query('{ tld(name: "com") { name } }', undefined, headers);
  await cachingGateway.query(almostAll, undefined, headers);
  await send();
  aheadMs += 20_000;

  const first = await send();
  const second = await send();

  expect(first.extensions.cost).toEqual({ upstreamCalls: 1, limit: 200 });
  expect(second).toEqual(first);
  // One of the two calls is left, minus the share of the cached response.
  const again = await Promise.all(Array.from({ length: 8 }, send));
  expect(again.map(({ status }) => status)).toEqual(Array(8).fill(200));
});
