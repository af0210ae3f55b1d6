import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { allAccessScopes } from '../../src/kernel/caller.ts';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { costlyDocument } from '../support/costly-document.ts';
import type { TestGatewayOptions } from '../support/gateway.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';
import { because } from '../support/skipped.ts';
import { startNeighbours } from './neighbours.ts';

async function openReplicas(options: TestGatewayOptions & { readonly count?: number }) {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  const replicas = await startNeighbours(redis.url, options);
  onTestFinished(() => replicas.close());
  // On a busy machine a gateway starts before it has subscribed, and misses the messages until then.
  await expect.poll(() => subscribersOf(redis)).toBe(replicas.all.length);
  return { redis, replicas };
}

/** The subscribers of the channel that has the fewest. */
async function subscribersOf({ client }: TestRedis): Promise<number> {
  const channels = (await client.pubsub('CHANNELS', '*:events')) as string[];
  const counts = await Promise.all(channels.map((channel) => client.pubsub('NUMSUB', channel)));
  return Math.min(...counts.map(([, count]) => Number(count)));
}

const details = (name: string) => `{ domain(name: "${name}", refresh: true) { name } }`;

test.skipIf(whyNoRedis)(
  `a Retry-After that one replica receives pauses all replicas${because(whyNoRedis)}`,
  async () => {
    const { replicas } = await openReplicas({ upstreamLimits: gateLimits });
    const [first, ...others] = replicas.all;
    await replicas.first.admin('POST', '/faults', {
      fault: 'busy',
      action: 'getdetails',
      ms: 30_000,
    });
    await first?.query(details('first.com'));
    const callsOfOne = await replicas.first.countCalls();

    for (const gateway of others) {
      const code = async () => {
        const { errors } = await gateway.query('{ reseller { name } }');
        return errors?.[0].extensions.code;
      };
      await expect.poll(code).toBe('RATE_LIMITED');
    }

    expect(callsOfOne).toEqual({ getdetails: 1 });
  },
);

test.skipIf(whyNoRedis)(
  `replicas share the calls per second of an account, and use their own limit without the server${because(whyNoRedis)}`,
  async () => {
    const { redis, replicas } = await openReplicas({ env: { UPSTREAM_RATE_PER_SECOND: '10' } });
    const timeOf = async (count: number) => {
      const startedMs = performance.now();
      const responses = replicas.all.flatMap((gateway, of) =>
        Array.from({ length: count }, (_, at) => gateway.query(details(`turn-${of}-${at}.com`))),
      );
      for (const { errors } of await Promise.all(responses)) expect(errors).toBeUndefined();
      return performance.now() - startedMs;
    };

    // Ten at once, and ten more each second.
    expect(await timeOf(12)).toBeGreaterThan(2_300);

    await redis.stop();
    await timeOf(2);
  },
);

test.skipIf(whyNoRedis)(
  `the rate limit of a key counts the requests of all replicas${because(whyNoRedis)}`,
  async () => {
    const key = 'key-of-the-shop-0123456789';
    const sha256 = createHash('sha256').update(key).digest('hex');
    const { replicas } = await openReplicas({
      count: 2,
      sandboxDomains: 5,
      env: {
        API_KEYS: JSON.stringify({ shop: { sha256, scopes: allAccessScopes } }),
        RATE_LIMIT_PER_MINUTE: '1',
      },
    });
    const headers = { 'x-api-key': key };
    // Two of the hundred calls that a key can request at once are left.
    await replicas.first.query(costlyDocument(98), {}, headers);
    const statuses: number[] = [];
    for (const gateway of [...replicas.all, ...replicas.all]) {
      const { status } = await gateway.query('{ reseller { name } }', {}, headers);
      statuses.push(status);
    }

    expect(statuses).toEqual([200, 200, 429, 429]);
  },
);
