import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import type { SharedDeps } from '../../src/app/tenants.ts';
import { connectUpstream, type TenantReplicas } from '../../src/app/upstream-clients.ts';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';

const server = createServer((_request, response) =>
  response.writeHead(429, { 'retry-after': '30' }).end(),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const opened = new AsyncDisposableStack();
afterAll(async () => {
  await opened.disposeAsync();
  server.close();
});

function connect() {
  const published: unknown[] = [];
  const buckets: string[] = [];
  const listeners: ((pause: { api: 'domain' | 'account'; ms: number }) => void)[] = [];
  const replicas = {
    publishPause: (pause: unknown) => void published.push(pause),
    onPause: (listener: never) => void listeners.push(listener),
    buckets: () => ({
      async take(key: string) {
        buckets.push(key);
        return { granted: true, waitMs: 0, remaining: 1 };
      },
    }),
  };
  const upstream = { concurrency: 4, timeoutMs: 5_000, ratePerSecond: 100 };
  const shared = {
    ...{ clock: systemClock, randomness: systemRandomness },
    config: { server: { queueBudgetMs: 5_000 }, upstream },
  };
  const clients = connectUpstream(
    {
      ...{ domainApiUrl: url, accountApiUrl: url },
      credentials: () => ({ username: 'acme', password: new Secret('secret') }),
      observer: { calls: undefined } as never,
      replicas: replicas as unknown as TenantReplicas,
    },
    shared as unknown as SharedDeps,
    opened,
  );
  const receive = (pause: { api: 'domain' | 'account'; ms: number }) => {
    for (const listener of listeners) listener(pause);
  };
  const pauses = () => {
    const { domain, account } = clients.state();
    return [domain.pausedForMs > 0, (account?.pausedForMs ?? 0) > 0];
  };
  return { clients, published, buckets, receive, pauses };
}

test('a Retry-After pauses its own API, here and at other replicas, and calls are counted by API', async () => {
  const { clients, published, buckets, pauses } = connect();

  await clients.domainActions.getdetails({ domain: 'a.com' }, {}).catch(() => undefined);
  expect([pauses(), published, buckets]).toEqual([
    [true, false],
    [{ api: 'domain', ms: 30_000 }],
    ['calls:domain'],
  ]);
  await clients.accountApi.deleteLogs({}, { token: new Secret('token') }).catch(() => undefined);

  expect([pauses(), published.at(-1), buckets]).toEqual([
    [true, true],
    { api: 'account', ms: 30_000 },
    ['calls:domain', 'calls:account'],
  ]);
});

test.each(['domain', 'account'] as const)(
  'a pause of another replica pauses the same API and no other: %s',
  (api) => {
    const { receive, pauses } = connect();

    receive({ api, ms: 30_000 });

    expect(pauses()).toEqual([api === 'domain', api === 'account']);
  },
);
