import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Secret } from '../../src/kernel/secret.ts';
import { systemClock, systemRandomness } from '../../src/kernel/system.ts';
import { createLog } from '../../src/observability/log.ts';
import { openSharedState, type SharedState } from '../../src/shared-state/shared-state.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';

const pack = (bytes: string | Buffer) => gzipSync(bytes).toString('base64');
const long = 60_000;

describe.skipIf(whyNoRedis)(`answers that replicas share ${whyNoRedis ?? ''}`, () => {
  let redis: TestRedis;
  let states: SharedState[];
  beforeAll(async () => {
    redis = await startRedis();
    const url = new Secret(redis.url);
    const log = createLog({ level: 'silent' });
    const options = {
      url,
      clock: systemClock,
      randomness: systemRandomness,
      log,
      answerWithinMs: 5_000,
    };
    states = await Promise.all([openSharedState(options), openSharedState(options)]);
  });
  afterAll(async () => {
    for (const state of states ?? []) state.close();
    await redis?.close();
  });
  const answersOf = (at: number, account = 'live:shop') => {
    const state = states[at];
    if (!state) throw new Error('There are two.');
    return state.of(account).answers;
  };

  test('what one was told the other takes as it was, whatever text it is', async () => {
    const [one, other] = [answersOf(0), answersOf(1)];
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (text, key) => {
        await one.ask(key, long)(text);
        expect((await other.take(key, long))?.text).toBe(text);
      }),
      { numRuns: 20 },
    );
  });

  test('whatever somebody else has put in its place is a text or nothing', async () => {
    await redis.client.flushall();
    await answersOf(0).ask('key', long)('text');
    const [key = ''] = await redis.client.keys('*:answer:*');
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.base64String(),
      fc.nat().map((digits) => `${digits}${'9'.repeat(digits % 400)} ${pack('x')}`),
      fc.constant(`1 ${'x'.repeat(3_000_000)}`),
    );
    await fc.assert(
      fc.asyncProperty(garbage, async (text) => {
        await redis.client.set(key, text);
        expect(await answersOf(1).take('key', long)).toBe(null);
      }),
      { numRuns: 20 },
    );
  });

  test('what is too large when it is unpacked is not taken, and neither is it put there', async () => {
    const [one, other] = [answersOf(0, 'large'), answersOf(1, 'large')];
    await one.ask('key', long)('x'.repeat(16_000_001));
    expect(await other.take('key', long)).toBe(null);

    await redis.client.flushall();
    await other.ask('key', long)('text');
    const [key = ''] = await redis.client.keys('*:answer:*');
    const [second = ''] = await redis.client.time();
    await redis.client.set(key, `${second}000 ${pack(Buffer.alloc(16_000_001))}`);

    expect(await one.take('key', long)).toBe(null);
  });

  test('accounts have nothing in common', async () => {
    await answersOf(0, 'a').ask('key', long)('of a');

    expect(await answersOf(1, 'b').take('key', long)).toBe(null);
    expect((await answersOf(1, 'a').take('key', long))?.text).toBe('of a');
  });
});
