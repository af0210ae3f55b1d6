import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/system.ts';
import { answerTo } from '../../src/upstream/domain-api/client.ts';
import { order } from '../graph/purchases/shop.ts';
import type { TestGateway } from '../support/gateway.ts';
import { startRedis, type TestRedis, whyNoRedis } from '../support/redis.ts';
import { type Neighbours, startNeighbours } from './neighbours.ts';

const price = '{ tld(name: "com") { price(operation: RENEWAL) { price { amount } } } }';
const dryRun = `mutation ($input: RegisterDomainInput!) {
  registerDomain(input: $input) { errors { code } } }`;

const pack = (text: string) => gzipSync(text).toString('base64');
const replies = fc
  .record({ result: fc.constantFrom('OK', 'NO', 7), data: fc.array(fc.jsonValue()) })
  .map((reply) => JSON.stringify(reply));

describe.skipIf(whyNoRedis)(`the catalogue that replicas share ${whyNoRedis ?? ''}`, () => {
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
  /** Whatever a gateway has kept by itself is too old for anything afterwards. */
  const forgetAll = () => {
    aheadMs += 48 * 3_600_000;
  };

  let redis: TestRedis;
  let street: Neighbours;
  beforeAll(async () => {
    redis = await startRedis();
    street = await startNeighbours(redis.url, { clock, env: { TLD_MAX_AGE_SECONDS: '1000' } });
  });
  beforeEach(async () => {
    forgetAll();
    await redis.client.flushall();
    await street.first.resetCalls();
  });
  afterAll(async () => {
    await street?.close();
    await redis?.close();
  });

  const calls = () => street.first.countCalls();
  const neighbour = () => street.all[1] as TestGateway;
  /** What was put there: its key, when it was asked for by the server's clock, and all the rest. */
  const shared = async () => {
    await expect.poll(() => redis.client.keys('*:answer:*')).toHaveLength(1);
    const [key = ''] = await redis.client.keys('*:answer:*');
    const [askedAt = '', ...rest] = ((await redis.client.get(key)) ?? '').split(' ');
    return { key, askedAtMs: Number(askedAt), packed: rest.join(' ') };
  };

  /** What was found there is replaced by what was asked for, which is put there in the background. */
  const isReplaced = (key: string, found: string | null) =>
    expect
      .poll(async () => (await redis.client.type(key)) === 'string' && redis.client.get(key))
      .not.toBeOneOf([false, null, found]);

  test('is asked for once, by whichever of three that need it at once, and the others tell how old it is', async () => {
    const answers = await Promise.all(street.all.map((gateway) => gateway.query(price)));

    expect(await calls()).toEqual({ tldlist: 1 });
    expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    const told = answers.map(({ extensions }) => extensions.upstream);
    expect(told.map((upstream) => upstream.calls).sort()).toEqual([0, 0, 1]);
    for (const { kept } of told.filter((upstream) => upstream.calls === 0)) {
      expect(kept).toEqual([expect.objectContaining({ action: 'tldlist', stale: false })]);
    }
  });

  test('grows no younger by being handed on', async () => {
    await street.first.query(price);
    const { key, askedAtMs, packed } = await shared();
    await redis.client.set(key, `${askedAtMs - 900_000} ${packed}`);

    const taken = await neighbour().query(price);
    const again = await neighbour().query(price);

    expect(await calls()).toEqual({ tldlist: 1 });
    for (const { extensions } of [taken, again]) {
      const [{ oldestMs }] = extensions.upstream.kept;
      expect(oldestMs).toBeGreaterThanOrEqual(900_000);
      expect(oldestMs).toBeLessThan(1_000_000);
    }
  });

  test.each([
    ['too old', -1_000_000],
    ['of a time to come', 900_000],
  ])('is not taken when it is %s', async (_why, shiftMs) => {
    await street.first.query(price);
    const { key, askedAtMs, packed } = await shared();
    const found = `${askedAtMs + shiftMs} ${packed}`;
    await redis.client.set(key, found);

    await neighbour().query(price);

    expect(await calls()).toEqual({ tldlist: 2 });
    await isReplaced(key, found);
  });

  test('is not what a purchase goes by', async () => {
    await street.first.query(price);
    const { key } = await shared();
    const found = await redis.client.get(key);

    const input = order({ domain: 'asks-itself.com', dryRun: true });
    const { data } = await neighbour().query(dryRun, { input });

    expect(data.registerDomain.errors).toEqual([]);
    expect(await calls()).toMatchObject({ tldlist: 2 });
    await isReplaced(key, found);
  });

  test('is asked for by the next when the one who asked for it fails', async () => {
    await street.first.admin('POST', '/faults', { fault: 'code', action: 'tldlist', code: '2501' });

    const answers = await Promise.all(street.all.map((gateway) => gateway.query(price)));

    expect(answers.filter(({ errors }) => errors)).toHaveLength(1);
    expect(await calls()).toEqual({ tldlist: 2 });
    await shared();
    expect(await redis.client.keys('*:asking:*')).toEqual([]);
  });

  test.each([
    ['no number', 'never asked for'],
    ['nothing that was packed', `${Date.now()} not packed`],
    ['no catalogue', `${Date.now()} ${pack('{"result":"OK","data":7}')}`],
    ['half a catalogue', `${Date.now()} ${pack('{"result":"OK","data":[')}`],
  ])('is asked for by who finds %s in its place', async (_what, text) => {
    const { data: right } = await street.first.query(price);
    const { key } = await shared();
    await redis.client.set(key, text);

    const { data, errors } = await neighbour().query(price);

    expect({ data, errors }).toEqual({ data: right, errors: undefined });
    expect(await calls()).toEqual({ tldlist: 2 });
    await isReplaced(key, text);
  });

  test('is asked for by who finds something of another type in its place', async () => {
    await street.first.query(price);
    const { key } = await shared();
    await redis.client.multi().del(key).lpush(key, 'a list').exec();

    const { errors } = await neighbour().query(price);

    expect(errors).toBeUndefined();
    expect(await calls()).toEqual({ tldlist: 2 });
    await isReplaced(key, null);
  });
});

test('whatever text a reply has been put there as, it is read as the catalogue or not at all', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), replies), (text) => {
      const answer = answerTo('tldlist', text);
      if (answer !== undefined) expect(answer).toMatchObject({ tlds: expect.any(Array) });
    }),
  );
});
