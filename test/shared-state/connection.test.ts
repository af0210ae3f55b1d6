import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock } from '../../src/lib/system.ts';
import { createLog } from '../../src/observability/log.ts';
import { Connection } from '../../src/shared-state/connection.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';

describe.skipIf(whyNoRedis)(`the connection to the shared state ${whyNoRedis ?? ''}`, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.close());

  let connection: Connection | undefined;
  let lines: Record<string, unknown>[];
  afterEach(() => connection?.close());

  const connect = async (url = redis.url, replyTimeoutMs = 5_000) => {
    lines = [];
    const log = createLog({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
    connection = await Connection.open({
      url: new Secret(url),
      clock: systemClock,
      log,
      replyTimeoutMs,
    });
    return connection;
  };
  const ping = (at: Connection) => at.run((client) => client.ping());
  const levelsOf = (action: string) =>
    lines.filter((line) => line.action === action).map(({ level }) => level);

  test('an unreachable server fails every command immediately and is logged once', async () => {
    const away = await connect('redis://someone:swordfish@127.0.0.1:1');

    const responses = await Promise.all(Array.from({ length: 50 }, () => ping(away)));

    expect(responses.every((response) => response === undefined)).toBe(true);
    expect(levelsOf('commands')).toEqual(['warn']);
    expect(JSON.stringify(lines)).not.toMatch(/swordfish|someone/);
  });

  test('a server that restarts is used again, and each change is logged once', async () => {
    const there = await connect();
    const received: string[] = [];
    there.subscribe('news', (message) => received.push(message));
    expect(await ping(there)).toBe('PONG');

    await redis.stop();
    await expect.poll(() => ping(there)).toBe(undefined);
    const away = await Promise.all(Array.from({ length: 50 }, () => ping(there)));
    await redis.start();

    expect(away.every((response) => response === undefined)).toBe(true);
    await expect.poll(() => ping(there), { timeout: 5_000 }).toBe('PONG');
    await expect
      .poll(async () => {
        await redis.client.publish('news', 'back');
        return received.includes('back');
      })
      .toBe(true);
    expect(levelsOf('commands')).toEqual(['info', 'warn', 'info']);
    expect(levelsOf('events')).toEqual(['info', 'warn', 'info']);
  });

  test('only one command at a time waits for a server that hangs, and the server is used when it continues', async () => {
    const there = await connect(redis.url, 200);
    let sent = 0;
    const count = () =>
      there.run((client) => {
        sent += 1;
        return client.ping();
      });

    redis.hang();
    expect(await count()).toBe(undefined);
    const away = await Promise.all(Array.from({ length: 50 }, count));
    const sentWhileAway = sent - 1;
    redis.goOn();

    expect(away.every((response) => response === undefined)).toBe(true);
    expect(sentWhileAway).toBe(0);
    await expect.poll(() => ping(there), { timeout: 5_000 }).toBe('PONG');
  });

  test('a refused command returns undefined, and the next one is sent', async () => {
    const there = await connect();
    await redis.client.set('text', 'no list');

    expect(await there.run((client) => client.llen('text'))).toBe(undefined);
    expect(await ping(there)).toBe('PONG');
    expect(lines.map(({ code }) => code)).toContain('WRONGTYPE');
  });
});
