import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allAccessScopes } from '../../src/kernel/caller.ts';
import type { RateStore } from '../../src/kernel/rate-store.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock, systemRandomness } from '../../src/kernel/system.ts';
import { createLog } from '../../src/observability/log.ts';
import { openSharedState, type SharedState } from '../../src/shared-state/shared-state.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';
import { startNeighbours } from './neighbours.ts';

const slow = { capacity: 10, perSecond: 0.001 };

describe.skipIf(whyNoRedis)(`rates that replicas share ${whyNoRedis ?? ''}`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  const open: SharedState[] = [];
  afterEach(() => {
    for (const state of open.splice(0)) state.close();
  });
  afterAll(() => redis?.close());

  /** Says which keys were counted here. */
  const locally: string[] = [];
  const local: RateStore = {
    async take(key, cost, { capacity }) {
      locally.push(key);
      return { granted: true, waitMs: 0, remaining: capacity - cost };
    },
  };
  const replica = async (account = 'live:shop') => {
    const log = createLog({ level: 'silent' });
    const url = new Secret(redis.url);
    const surroundings = {
      clock: systemClock,
      randomness: systemRandomness,
      log,
      answerWithinMs: 5_000,
    };
    const state = await openSharedState({ url, ...surroundings });
    open.push(state);
    return state.of(account).rates(local);
  };

  test('of what many take at once exactly as much is granted as there is', async () => {
    const replicas = await Promise.all([replica(), replica(), replica()]);

    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, at) => replicas[at % 3]?.take('key:shop', 1, slow)),
    );

    const granted = taken.filter((one) => one?.granted);
    expect(granted).toHaveLength(10);
    expect(Math.min(...granted.map((one) => Math.floor(one?.remaining ?? NaN)))).toBe(0);
    expect(locally).toEqual([]);
  });

  test('what is refused costs nothing, and says how long to wait', async () => {
    const rates = await replica();
    await rates.take('some', 8, slow);

    const refused = await rates.take('some', 3, slow);
    const granted = await rates.take('some', 2, slow);

    expect(refused).toMatchObject({ granted: false });
    expect(refused.waitMs).toBeGreaterThan(900_000);
    expect(refused.waitMs).toBeLessThanOrEqual(1_000_000);
    expect(granted).toMatchObject({ granted: true, waitMs: 0 });
  });

  test('what was taken comes back with time', async () => {
    const rates = await replica();
    const quick = { capacity: 10, perSecond: 1_000 };
    await rates.take('quick', 10, quick);

    await expect.poll(async () => (await rates.take('quick', 5, quick)).granted).toBe(true);
  });

  test('keys and accounts that look alike have buckets of their own', async () => {
    const one = await replica('a');
    const other = await replica('a:rate:b');

    await one.take('b:rate:b', 10, slow);

    expect(await other.take('b', 10, slow)).toMatchObject({ granted: true });
    expect(await one.take('b:rate', 10, slow)).toMatchObject({ granted: true });
  });

  test('what is no number there is a full bucket', async () => {
    const rates = await replica();
    await rates.take('broken', 10, slow);
    for (const garbage of ['nan', 'full', '-inf', '1e999']) {
      for (const each of await redis.client.keys('*')) {
        await redis.client.hset(each, { left: garbage, at: garbage });
      }
      const { remaining } = await rates.take('broken', 1, slow);
      expect(remaining).toBeGreaterThanOrEqual(0);
      expect(remaining).toBeLessThanOrEqual(10);
    }
  });

  test('while the server is away each replica counts by itself, and together again when it is back', async () => {
    const rates = await replica();
    await redis.stop();

    await rates.take('away', 1, slow);
    await rates.take('away', 1, slow);
    expect(locally).toEqual(['away', 'away']);
    await redis.start();

    const counted = async () => {
      await rates.take('away', 1, slow);
      return redis.client.keys('*');
    };
    await expect.poll(counted, { timeout: 5_000 }).toHaveLength(1);
  });
});

test.skipIf(whyNoRedis)(
  `what a key may ask for is counted by all gateways together ${whyNoRedis ?? ''}`,
  async () => {
    const redis = await startRedis();
    const key = 'key-of-the-shop-0123456789';
    const sha256 = createHash('sha256').update(key).digest('hex');
    const street = await startNeighbours(redis.url, {
      count: 2,
      sandboxDomains: 5,
      env: {
        API_KEYS: JSON.stringify({ shop: { sha256, scopes: allAccessScopes } }),
        RATE_LIMIT_PER_MINUTE: '1',
        RATE_LIMIT_BURST: '2',
      },
    });
    onTestFinished(async () => {
      await street.close();
      await redis.close();
    });
    const statuses: number[] = [];
    for (const gateway of [...street.all, ...street.all]) {
      const { status } = await gateway.query('{ reseller { name } }', {}, { 'x-api-key': key });
      statuses.push(status);
    }

    expect(statuses).toEqual([200, 200, 429, 429]);
  },
);
