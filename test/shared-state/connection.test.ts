import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock } from '../../src/lib/system.ts';
import { createLog } from '../../src/observability/log.ts';
import { Connection, reconnectDelayMs } from '../../src/shared-state/connection.ts';
import { startRedis, whyNoRedis } from '../support/redis.ts';
import {
  createSimulatedClock,
  endOfTurn,
  type SimulatedClock,
} from '../support/simulated-clock.ts';
import { because } from '../support/skipped.ts';
import { type FakeServer, startFakeServer } from './fake-server.ts';

let lines: Record<string, unknown>[];
let opened: Connection[];
beforeEach(() => {
  lines = [];
  opened = [];
});
afterEach(() => {
  for (const connection of opened) connection.close();
});

const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
const connect = async (url: string, clock = systemClock, replyTimeoutMs?: number) => {
  const connection = await Connection.open({ url: new Secret(url), clock, log, replyTimeoutMs });
  opened.push(connection);
  return connection;
};
const ping = (at: Connection) => at.run((client) => client.ping());
/** The level of each line, and its code. */
const logged = (action: string) =>
  lines
    .filter((line) => line.action === action)
    .map(({ level, code }) => (code ? `${level} ${code}` : level));

describe('the connection to the shared state', () => {
  let server: FakeServer;
  let time: SimulatedClock;
  beforeEach(async () => {
    server = await startFakeServer();
    time = createSimulatedClock();
  });
  afterEach(() => server.close());

  const open = () => connect(server.url, time.clock);
  /** A command to which the server does not reply. */
  const failOnce = async (connection: Connection) => {
    server.reply('ping', null);
    const reply = ping(connection);
    await time.pass(100);
    expect(await reply).toBeUndefined();
    server.replyAsUsual();
  };

  test('a command returns the reply, and the server is logged as reachable once', async () => {
    const there = await open();

    expect([await ping(there), await ping(there)]).toEqual(['PONG', 'PONG']);

    expect(logged('commands')).toEqual(['info']);
  });

  test('a server that does not reply within 100 ms counts as unreachable', async () => {
    const there = await open();
    server.reply('ping', null);
    const settled: unknown[] = [];

    const reply = ping(there).then((result) => settled.push(result));
    await time.pass(99);
    const before = [...settled];
    await time.pass(1);
    await reply;

    expect(before).toEqual([]);
    expect(settled).toEqual([undefined]);
    expect(logged('commands')).toEqual(['info', 'warn TIMEOUT']);
  });

  test('a reply that arrived before its timer is read after it', async () => {
    const there = await open();
    const { promise, resolve } = Promise.withResolvers<string>();

    const reply = there.run(() => promise);
    time.passToNextTimer();
    await endOfTurn();
    resolve('PONG');
    await time.pass(0);

    expect(await reply).toBe('PONG');
    expect(logged('commands')).toEqual(['info']);
  });

  test('an unreachable server gets one command per second, and all others fail immediately', async () => {
    const there = await open();
    await failOnce(there);

    const early = await Promise.all(Array.from({ length: 50 }, () => ping(there)));
    await time.pass(999);
    const late = await ping(there);
    const sentBefore = server.received('ping').length;
    server.reply('ping', null);
    await time.pass(1);
    const trial = ping(there);
    const beside = await Promise.all(Array.from({ length: 50 }, () => ping(there)));
    await expect.poll(() => server.received('ping').length).toBe(sentBefore + 1);
    await time.pass(100);

    expect(new Set([...early, late, await trial, ...beside])).toEqual(new Set([undefined]));
    expect(sentBefore).toBe(1);
    expect(server.received('ping')).toHaveLength(2);
  });

  test('a server that replies to the command after a second is used again', async () => {
    const there = await open();
    await failOnce(there);

    await time.pass(1_000);

    expect([await ping(there), await ping(there)]).toEqual(['PONG', 'PONG']);
    expect(logged('commands')).toEqual(['info', 'warn TIMEOUT', 'info']);
    expect(server.connections()).toBe(2);
  });

  test('after two timeouts in a row both clients connect again, and the server is used at once', async () => {
    const there = await open();
    await failOnce(there);
    await time.pass(1_000);
    await failOnce(there);

    await expect.poll(() => server.connections()).toBe(4);
    await expect.poll(() => ping(there)).toBe('PONG');
  });

  test('a server that is back after a timeout and a broken connection is used at once', async () => {
    const there = await open();
    await failOnce(there);

    server.cut();

    await expect.poll(() => ping(there)).toBe('PONG');
  });

  test('a refused command returns undefined, and the next one is sent', async () => {
    const there = await open();
    server.reply('ping', '-WRONGTYPE no list');

    const refused = await ping(there);
    server.replyAsUsual();

    expect(refused).toBeUndefined();
    expect(await ping(there)).toBe('PONG');
    expect(logged('commands')).toEqual(['info', 'warn WRONGTYPE', 'info']);
  });

  test.each([
    [
      'the code of the system',
      Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      'ECONNRESET',
    ],
    ['a timeout of the client', new Error('Command timed out'), 'TIMEOUT'],
    ['the code of the server', new Error('NOAUTH Authentication required.'), 'NOAUTH'],
    ['the code alone', new Error('LOADING'), 'LOADING'],
    ['text', new Error('Connection is closed.'), 'BROKEN'],
    ['text in which capitals follow', new Error('it is DOWN'), 'BROKEN'],
    ['an empty code', Object.assign(new Error('It broke.'), { code: undefined }), 'BROKEN'],
    ['no error', 'text', 'UNKNOWN'],
  ])('a failure with %s has a code in the log', async (_what, failure, code) => {
    const there = await open();

    await there.run(() => Promise.reject(failure));

    expect(logged('commands')).toEqual(['info', `warn ${code}`]);
  });

  test('a server that accepts connections and sends nothing delays the start by one second', async () => {
    server.reply('info', null);
    const settled: Connection[] = [];

    const opening = open().then((connection) => settled.push(connection));
    await expect.poll(() => server.received('info').length).toBe(2);
    await time.pass(999);
    const before = settled.length;
    await time.pass(1);
    await opening;

    expect(before).toBe(0);
    expect(await ping(settled[0] as Connection)).toBeUndefined();
    expect(server.received('ping')).toEqual([]);
  });

  test('messages reach the listener of their channel', async () => {
    const there = await open();
    const received: string[] = [];
    there.subscribe('news', (message) => received.push(`news: ${message}`));
    there.subscribe('weather', (message) => received.push(`weather: ${message}`));
    await expect.poll(() => server.received('subscribe')).toEqual([['news'], ['weather']]);

    server.publish('other', 'nothing');
    server.publish('weather', 'rain');
    server.publish('news', 'late');

    await expect.poll(() => received).toEqual(['weather: rain', 'news: late']);
    expect(logged('events')).toEqual(['info']);
  });

  test('every channel is subscribed again when the connection breaks', async () => {
    const there = await open();
    const received: string[] = [];
    there.subscribe('news', (message) => received.push(message));
    there.subscribe('weather', (message) => received.push(message));
    await expect.poll(() => server.received('subscribe')).toHaveLength(2);

    server.cut();

    await expect.poll(() => server.received('subscribe')).toHaveLength(4);
    server.publish('news', 'back');
    await expect.poll(() => received).toEqual(['back']);
    expect(logged('events')).toEqual(['info', 'warn CLOSED', 'info']);
  });

  test('a channel of a connection that is not there yet is subscribed once, when it is', async () => {
    server.reply('info', null);
    const opening = open();
    await expect.poll(() => server.received('info').length).toBe(2);
    await time.pass(1_000);
    const there = await opening;
    there.subscribe('news', () => undefined);

    server.replyAsUsual();

    await expect.poll(() => logged('events')).toEqual(['info']);
    expect(server.received('subscribe')).toEqual([['news']]);
  });

  test('a refused subscription is logged and not repeated', async () => {
    server.reply('subscribe', '-NOPERM no permission');
    const there = await open();

    there.subscribe('news', () => undefined);

    await expect.poll(() => logged('events')).toEqual(['warn NOPERM']);
    expect(await ping(there)).toBe('PONG');
    expect(server.openConnections()).toBe(2);
  });

  test('a subscription without a reply is logged and repeated on a new connection', async () => {
    const there = await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    server.reply('subscribe', null);
    there.subscribe('news', () => undefined);
    await expect.poll(() => server.received('subscribe')).toEqual([['news']]);

    vi.advanceTimersByTime(2_000);
    await expect.poll(() => logged('events')).toEqual(['warn TIMEOUT']);
    await expect.poll(() => server.openConnections()).toBe(1);
    server.replyAsUsual();
    await expect.poll(() => vi.advanceTimersByTime(100) && server.connections()).toBe(3);

    await expect.poll(() => logged('events')).toEqual(['warn TIMEOUT', 'info']);
  });

  test('a closed connection sends nothing and logs nothing', async () => {
    const there = await open();
    server.reply('ping', null);
    server.reply('subscribe', null);
    there.subscribe('news', () => undefined);
    const unanswered = ping(there);
    await expect.poll(() => server.received('ping').length).toBe(1);
    await expect.poll(() => server.received('subscribe').length).toBe(1);

    there.close();

    expect(await unanswered).toBeUndefined();
    expect(await ping(there)).toBeUndefined();
    await expect.poll(() => server.openConnections()).toBe(0);
    expect(server.received('ping')).toHaveLength(1);
    expect(lines.map(({ level }) => level)).toEqual(['info']);
  });

  test('an unreachable server fails every command immediately and is logged once', async () => {
    const away = await connect('redis://someone:swordfish@127.0.0.1:1');

    const responses = await Promise.all(Array.from({ length: 50 }, () => ping(away)));

    expect(responses.every((response) => response === undefined)).toBe(true);
    expect(logged('commands')).toEqual(['warn ECONNREFUSED']);
    expect(JSON.stringify(lines)).not.toMatch(/swordfish|someone/);
  });
});

test.each([
  [1, 100],
  [2, 200],
  [5, 1_600],
  [6, 2_000],
  [1_000_000, 2_000],
])('attempt %i to reconnect follows after %i ms', (attempt, delayMs) => {
  expect(reconnectDelayMs(attempt)).toBe(delayMs);
});

test.skipIf(whyNoRedis)(
  `a server that restarts is used again, and each change is logged once${because(whyNoRedis)}`,
  async () => {
    const redis = await startRedis();
    const there = await connect(redis.url, systemClock, 5_000);
    const received: string[] = [];
    there.subscribe('news', (message) => received.push(message));
    const receives = (message: string) =>
      expect
        .poll(async () => {
          await redis.client.publish('news', message);
          return received.includes(message);
        })
        .toBe(true);
    expect(await ping(there)).toBe('PONG');
    await receives('begun');

    await redis.stop();
    await expect.poll(() => ping(there)).toBe(undefined);
    const away = await Promise.all(Array.from({ length: 50 }, () => ping(there)));
    await redis.start();

    expect(away.every((response) => response === undefined)).toBe(true);
    await expect.poll(() => ping(there)).toBe('PONG');
    await receives('back');
    const levels = (action: string) => logged(action).map((line) => `${line}`.split(' ')[0]);
    expect(levels('commands')).toEqual(['info', 'warn', 'info']);
    expect(levels('events')).toEqual(['info', 'warn', 'info']);
    await redis.close();
  },
);
