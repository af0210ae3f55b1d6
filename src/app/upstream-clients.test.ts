import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, test } from 'vitest';
import { createFakeReplicas } from '../../test/support/fake-replicas.ts';
import { money } from '../kernel/money.ts';
import { Secret } from '../kernel/secret.ts';
import { systemClock, systemRandomness } from '../lib/system.ts';
import { type GateLimits, gateLimits } from '../upstream/client/gate.ts';
import type { SharedDeps } from './shared-deps.ts';
import { connectUpstream } from './upstream-clients.ts';

const account = 'live:acme';

type Reply = (response: ServerResponse) => void;
const busy: Reply = (response) => response.writeHead(429, { 'retry-after': '30' }).end();
const json =
  (body: object): Reply =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
let reply = busy;
let received = 0;
afterEach(() => {
  reply = busy;
  received = 0;
});

const server = createServer((_request, response) => {
  received += 1;
  reply(response);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const opened = new AsyncDisposableStack();
afterAll(async () => {
  await opened.disposeAsync();
  server.close();
});

interface Options {
  readonly accountApiUrl?: string | null;
  readonly upstreamLimits?: GateLimits;
  readonly opened?: AsyncDisposableStack;
}

function connect({ accountApiUrl = url, upstreamLimits, opened: own = opened }: Options = {}) {
  const reported: unknown[] = [];
  const { replicas, sent, receive } = createFakeReplicas();
  const buckets: string[] = [];
  const shared = {
    async report(key: string) {
      buckets.push(key);
      return 0;
    },
    wait: async () => undefined,
  };
  const upstream = { concurrency: 4, timeoutMs: 5_000, ratePerSecond: 100 };
  const deps = {
    ...{ clock: systemClock, randomness: systemRandomness },
    config: { server: { queueBudgetMs: 5_000 }, upstream },
    ...(upstreamLimits && { upstreamLimits }),
  };
  const clients = connectUpstream(
    {
      ...{ domainApiUrl: url, accountApiUrl },
      credentials: () => ({ username: 'acme', password: new Secret('secret') }),
      observer: {
        calls: undefined,
        balancesRead: (balances: unknown) => void reported.push(balances),
      } as never,
      replicas: { notices: replicas.noticesOf(account), buckets: shared },
    },
    deps as unknown as SharedDeps,
    own,
  );
  const pauses = () => {
    const { domain, account } = clients.state();
    return [domain.pausedForMs > 0, (account?.pausedForMs ?? 0) > 0];
  };
  return { clients, sent, reported, buckets, receive, pauses };
}

test('a Retry-After pauses its own API, here and at other replicas, and calls are counted by API', async () => {
  const { clients, sent, buckets, pauses } = connect();

  await clients.domainActions.getdetails({ domain: 'a.com' }, {}).catch(() => undefined);
  expect([pauses(), sent, buckets]).toEqual([
    [true, false],
    [{ account, notice: { kind: 'pause', api: 'domain', ms: 30_000 } }],
    ['calls:domain'],
  ]);
  await clients.accountApi.deleteLogs({}, { token: new Secret('token') }).catch(() => undefined);

  expect([pauses(), sent.at(-1)?.notice, buckets]).toEqual([
    [true, true],
    { kind: 'pause', api: 'account', ms: 30_000 },
    ['calls:domain', 'calls:account'],
  ]);
});

test.each(['domain', 'account'] as const)(
  'a pause of another replica pauses the same API and no other: %s',
  (api) => {
    const { receive, pauses } = connect();

    receive(account, { kind: 'pause', api, ms: 30_000 });

    expect(pauses()).toEqual([api === 'domain', api === 'account']);
  },
);

test('without an Account API its calls are refused with a reason, nothing is sent, and it has no state', async () => {
  const { clients } = connect({ accountApiUrl: null });

  const refused = clients.accountApi.deleteLogs({}, { token: new Secret('token') });

  await expect(refused).rejects.toMatchObject({
    code: 'NOT_SUPPORTED',
    message: expect.stringContaining('ACCOUNT_API_URL'),
  });
  expect([received, clients.state().account]).toEqual([0, null]);
});

test.each([
  [
    [
      { balance: '12.5', currency: 'USD' },
      { balance: 'much', currency: 'EUR' },
    ],
    [money('12.5', 'USD')],
  ],
  ['none', []],
])(
  'the balances of an account are reported, but for those that cannot be read: %j',
  async (balances, expected) => {
    const { clients, reported } = connect();
    reply = json({ result: 'OK', id: 1, active: true, name: 'Acme', balances });

    await clients.domainActions.resellerdetails({}, {});

    expect(reported).toEqual([expected]);
  },
);

test('the limits of the gateway apply to each call', async () => {
  const breaker = { ...gateLimits.breaker, failures: 1 };
  const { clients } = connect({ upstreamLimits: { ...gateLimits, breaker } });
  reply = (response) => response.writeHead(500).end();

  await clients.domainActions.getdetails({ domain: 'a.com' }, {}).catch(() => undefined);

  expect(Object.values(clients.state().domain.breakers)).toContain('open');
});

test('no call is sent after the connections are closed', async () => {
  const own = new AsyncDisposableStack();
  const { clients } = connect({ opened: own });
  await own.disposeAsync();

  const refused = clients.domainActions.getdetails({ domain: 'a.com' }, {});

  await expect(refused).rejects.toMatchObject({ name: 'Fault' });
  expect(received).toBe(0);
});
