import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock, systemRandomness } from '../../src/lib/system.ts';
import type { TokenBuckets } from '../../src/lib/token-bucket.ts';
import { createLog } from '../../src/observability/log.ts';
import { openSharedState } from '../../src/shared-state/shared-state.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

let server: FakeServer;
let closeAll: (() => void)[];
beforeEach(async () => {
  server = await startFakeServer();
  closeAll = [];
});
afterEach(async () => {
  for (const close of closeAll) close();
  await server.close();
});

const open = async (account = 'live:shop') => {
  const state = await openSharedState({
    url: new Secret(server.url),
    log: createLog({ level: 'silent' }),
    clock: systemClock,
    randomness: systemRandomness,
    replyTimeoutMs: 5_000,
  });
  closeAll.push(state.close);
  return { ...state.of(account), close: state.close };
};
type Replica = Awaited<ReturnType<typeof open>>;

describe('messages between replicas', () => {
  /** What a replica receives, with the kind of the message. */
  const receivedBy = (replica: Replica) => {
    const received: unknown[] = [];
    replica.onWrite((write) => received.push({ write }));
    replica.onSettled((settled) => received.push({ settled }));
    replica.onPause((pause) => received.push({ pause }));
    return received;
  };
  const openTwo = async () => {
    const replicas = [await open(), await open()] as const;
    await expect.poll(() => server.received('subscribe')).toHaveLength(2);
    return replicas;
  };
  const channel = () => server.received('subscribe')[0]?.[0] ?? '';

  const purchase = { id: 'purchase-1', domain: 'some.com' };
  test.each<[string, (replica: Replica) => void, object]>([
    [
      'an ended write',
      (replica) => replica.publishWrite({ action: 'modifynameserver', domain: 'some.com' }),
      { write: { action: 'modifynameserver', domain: 'some.com' } },
    ],
    [
      'a settled purchase, by its id and domain alone,',
      (replica) => replica.publishSettled({ ...purchase, ...{ price: '10 USD' } }),
      { settled: purchase },
    ],
    [
      'a pause of one API',
      (replica) => replica.publishPause({ api: 'account', ms: 0 }),
      { pause: { api: 'account', ms: 0 } },
    ],
  ])('%s reaches the other replicas and not the sender', async (_what, publish, message) => {
    const [sender, other] = await openTwo();
    const [own, received] = [receivedBy(sender), receivedBy(other)];

    publish(sender);
    await expect.poll(() => server.received('publish')).toHaveLength(1);
    const [to = '', text = ''] = server.received('publish')[0] ?? [];
    server.publish(to, text);

    await expect.poll(() => received).toEqual([message]);
    expect([to, own]).toEqual([channel(), []]);
  });

  const textOf = (message: object) => JSON.stringify({ from: 'another', ...message });
  const pause = { api: 'domain', ms: 5 };
  const ofLength = (length: number) => {
    const text = textOf({ pause, rest: '' });
    return text.replace('""', `"${'x'.repeat(length - text.length)}"`);
  };
  test.each([
    ['that is no JSON', '{"from":'],
    ['that is no object', 'null'],
    ['without a sender', JSON.stringify({ pause })],
    ['with a domain that is no name', textOf({ write: { action: 'sync', domain: 'no name' } })],
    ['with an action that is no text', textOf({ write: { action: 1, domain: 'some.com' } })],
    ['with an id that is no text', textOf({ settled: { id: 7, domain: 'some.com' } })],
    ['about an unknown API', textOf({ pause: { ...pause, api: 'other' } })],
    ['with a negative pause', textOf({ pause: { ...pause, ms: -1 } })],
    ['with a pause that is no number', textOf({ pause: { ...pause, ms: '5' } })],
    ['of 2,001 characters', ofLength(2_001)],
  ])('a message %s is ignored', async (_what, text) => {
    const [replica] = await openTwo();
    const received = receivedBy(replica);

    server.publish(channel(), text);
    // Of the greatest length.
    server.publish(channel(), ofLength(2_000));

    await expect.poll(() => received).toEqual([{ pause }]);
  });

  test('a domain in a message is normalized', async () => {
    const [replica] = await openTwo();
    const received = receivedBy(replica);

    server.publish(channel(), textOf({ write: { action: 'sync', domain: 'Some.COM' } }));

    await expect.poll(() => received).toEqual([{ write: { action: 'sync', domain: 'some.com' } }]);
  });
});

describe('token buckets', () => {
  const taken: unknown[][] = [];
  beforeEach(() => void taken.splice(0));
  const local: TokenBuckets = {
    async take(...parameters) {
      taken.push(parameters);
      return { granted: true, waitMs: 3, remaining: 4 };
    },
  };
  const rate = { capacity: 10, perSecond: 2 };
  const replyOf = (granted: 0 | 1, waitMs: string, remaining: string) =>
    `*3\r\n:${granted}\r\n$${waitMs.length}\r\n${waitMs}\r\n$${remaining.length}\r\n${remaining}`;

  test.each([
    ['granted', 1, true],
    ['refused', 0, false],
  ] as const)(
    'a request that the server %s has its wait and rest',
    async (_what, reply, granted) => {
      server.reply('eval', replyOf(reply, '1500.5', '7.25'));
      const buckets = (await open()).buckets(local);

      const result = await buckets.take('key', 3, rate);

      expect(result).toEqual({ granted, waitMs: 1_500.5, remaining: 7.25 });
      expect(taken).toEqual([]);
    },
  );

  test('the server gets the cost, the rate, and whether the bucket may go into debt', async () => {
    const buckets = (await open()).buckets(local);

    await buckets.take('key', 3, rate);
    await buckets.take('key', 3, rate, false);
    await buckets.take('key', 3, rate, true);

    const parameters = server.received('eval').map(([, keys, , ...rest]) => [keys, ...rest]);
    expect(parameters).toEqual([
      ['1', '3', '10', '2', '0'],
      ['1', '3', '10', '2', '0'],
      ['1', '3', '10', '2', '1'],
    ]);
  });

  test.each([
    ['refuses', '-NOSCRIPT no scripts'],
    ['replies with something else to', '+OK'],
  ])('a request that the server %s is served locally', async (_what, reply) => {
    server.reply('eval', reply);
    const buckets = (await open()).buckets(local);

    const result = await buckets.take('key', 3, rate, true);

    expect(result).toEqual({ granted: true, waitMs: 3, remaining: 4 });
    expect(taken).toEqual([['key', 3, rate, true]]);
  });

  test('a closed state serves requests locally', async () => {
    const state = await open();

    state.close();
    await state.buckets(local).take('key', 3, rate);

    expect(taken).toEqual([['key', 3, rate, false]]);
    expect(server.received('eval')).toEqual([]);
  });
});

test('keys and channels have one hash tag per account, and contain no text of account or key', async () => {
  const local = { take: async () => ({ granted: true, waitMs: 0, remaining: 0 }) };
  const rate = { capacity: 1, perSecond: 1 };
  for (const account of ['live:shop', 'live:other']) {
    const buckets = (await open(account)).buckets(local);
    await buckets.take('key:shop', 1, rate);
    await buckets.take('key:other', 1, rate);
  }
  await expect.poll(() => server.received('subscribe')).toHaveLength(2);

  const keys = server.received('eval').map(([, , key = '']) => key);
  const channels = server.received('subscribe').map(([channel = '']) => channel);
  const tagOf = (name: string) => /^reseller-graph:\{([\w-]{32})\}:/.exec(name)?.[1];
  const [first, second, third, fourth] = keys.map(tagOf);
  expect(new Set(keys)).toHaveLength(4);
  expect([first, third]).toEqual([second, fourth]);
  expect(first).not.toBe(third);
  expect(channels.map(tagOf)).toEqual([first, third]);
  expect(channels.map((name) => name.split(':').at(-1))).toEqual(['events', 'events']);
  for (const key of keys) expect(key).toMatch(/^[^}]+\}:bucket:[\w-]{32}$/);
  expect([...keys, ...channels].join()).not.toMatch(/shop|other/);
});
