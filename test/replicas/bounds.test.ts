import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { allAccessScopes } from '../../src/kernel/caller.ts';
import { gateLimits } from '../../src/upstream/client/gate.ts';
import { costlyDocument } from '../support/costly-document.ts';
import { whyNoPostgres } from '../support/postgres.ts';
import { because } from '../support/skipped.ts';
import { type NeighbourOptions, startNeighbours } from './neighbours.ts';

async function openReplicas(options: NeighbourOptions) {
  const replicas = await startNeighbours(options);
  onTestFinished(() => replicas.close());
  return replicas;
}

const details = (name: string) => `{ domain(name: "${name}", refresh: true) { name } }`;

test.skipIf(whyNoPostgres)(
  `a Retry-After that one replica receives pauses all replicas${because(whyNoPostgres)}`,
  async () => {
    const { first, all } = await openReplicas({ upstreamLimits: gateLimits });
    await first.admin('POST', '/faults', { fault: 'busy', action: 'getdetails', ms: 30_000 });
    await first.query(details('first.com'));
    const callsOfOne = await first.countCalls();

    for (const gateway of all) {
      const code = async () => {
        const { errors } = await gateway.query('{ reseller { name } }');
        return errors?.[0].extensions.code;
      };
      await expect.poll(code).toBe('RATE_LIMITED');
    }

    expect(callsOfOne).toEqual({ getdetails: 1 });
  },
);

test.skipIf(whyNoPostgres)(
  `replicas that share the calls per second of an account refuse no read that waits, and use their own limit without the database${because(whyNoPostgres)}`,
  async () => {
    const perSecond = 10;
    const { first, all, way } = await openReplicas({
      env: { UPSTREAM_RATE_PER_SECOND: String(perSecond), AUDIT_REQUIRED: 'false' },
    });
    const readAll = async (count: number) => {
      const responses = all.flatMap((gateway, of) =>
        Array.from({ length: count }, (_, at) => gateway.query(details(`turn-${of}-${at}.com`))),
      );
      for (const { errors } of await Promise.all(responses)) expect(errors).toBeUndefined();
    };

    await readAll(15);

    // How fast they are is a question of time, which the tests of the bucket simulate.
    expect(await first.countCalls()).toEqual({ getdetails: 45 });

    await way.cut();
    await readAll(2);
  },
);

test.skipIf(whyNoPostgres)(
  `the rate limit of a key counts the requests of all replicas${because(whyNoPostgres)}`,
  async () => {
    const key = 'key-of-the-shop-0123456789';
    const sha256 = createHash('sha256').update(key).digest('hex');
    const { first, all } = await openReplicas({
      count: 2,
      sandboxDomains: 5,
      env: {
        API_KEYS: JSON.stringify({ shop: { sha256, scopes: allAccessScopes } }),
        RATE_LIMIT_PER_MINUTE: '1',
      },
    });
    const headers = { 'x-api-key': key };
    // Two of the hundred calls that a key can request at once are left.
    await first.query(costlyDocument(98), {}, headers);

    for (const gateway of all) {
      const granted: number[] = [];
      const status = async () => {
        const response = await gateway.query('{ reseller { name } }', {}, headers);
        granted.push(response.status);
        return response.status;
      };
      await expect.poll(status).toBe(429);
      expect(granted.length).toBeLessThan(100);
    }
  },
);
