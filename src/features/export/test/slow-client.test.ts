import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { read } from '../../../../test/graph/reads/reads.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';
import { createGatewayClock } from '../../../../test/support/gateway-clock.ts';
import { systemClock } from '../../../lib/system.ts';
import { download, jsonObjects, listReply, listRow } from './downloads.ts';
import { longList, longNames } from './long-list.ts';
import { chunksOf, openExport } from './raw-client.ts';

describe('a file for a client that does not read', () => {
  let waits = 0;
  const clock = {
    ...systemClock,
    wait(ms: number, signal?: AbortSignal) {
      waits += 1;
      return systemClock.wait(ms, signal);
    },
  };
  /** Waits until the gateway has made no more of a file for a while; the number of its waits so far. */
  const untilBlocked = async () => {
    for (let seen = -1; seen !== waits; await sleep(300)) seen = waits;
    return waits;
  };
  const env = { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' };
  const starting = startRecordedGateway({ env, clock });
  beforeAll(async () => {
    const { gateway, replyNext } = await starting;
    replyNext(longList);
    await read(gateway, '{ domains(first: 1) { totalCount } }');
  });
  afterAll(async () => (await starting).close());

  test('is made only as fast as the client reads it', async () => {
    const { gateway } = await starting;
    const client = openExport(gateway.url, 'domains.jsonl', { readsAtOnce: false });
    const paused = await untilBlocked();
    client.resume();
    const { text } = await client.ended;

    expect(waits).toBeGreaterThan(paused + 10);
    expect(jsonObjects(chunksOf(text).body)).toHaveLength(longNames.length);
  });

  test('is one state of the list, while a domain is changed and the list is refreshed', async () => {
    const { gateway, replyNext } = await starting;
    const last = longNames.at(-1) as string;
    const shown = `{ domains(last: 1) { totalCount nodes { name transferLocked } } }`;
    const client = openExport(gateway.url, 'domains.jsonl', { readsAtOnce: false });
    await untilBlocked();

    const unlocked = listRow(last, { LockStatus: 'false' });
    replyNext({ status: 200, body: '{"result":"OK","data":{"LockStatus":false}}' });
    replyNext({ status: 200, body: JSON.stringify({ result: 'OK', data: unlocked }) });
    replyNext(listReply([listRow('other.com')]));
    const written = await read(
      gateway,
      `mutation { disableTransferLock(input: { domain: "${last}" }) { errors { code } } }`,
    );
    const changed = await read(gateway, shown);
    await expect
      .poll(async () => (await read(gateway, shown)).domains.nodes[0].name)
      .toBe('other.com');
    client.resume();
    const { text } = await client.ended;
    const rows = jsonObjects(chunksOf(text).body);

    expect(written.disableTransferLock.errors).toEqual([]);
    expect(changed.domains).toMatchObject({
      totalCount: longNames.length,
      nodes: [{ name: last, transferLocked: false }],
    });
    expect(rows.map(({ name }) => name)).toEqual(longNames);
    expect(rows.every(({ transferLocked }) => transferLocked === true)).toBe(true);
    const { text: next } = await download(gateway, 'domains.jsonl');
    expect(jsonObjects(next).map(({ name }) => name)).toEqual(['other.com']);
  });
});

test('a client that takes longer than ten minutes is disconnected, and the cut is logged', async () => {
  const time = createGatewayClock();
  const { gateway, replyNext, close } = await startRecordedGateway({
    clock: time.clock,
    env: { DOMAIN_MAX_AGE_SECONDS: '600' },
  });
  replyNext(longList);
  const client = openExport(gateway.url, 'domains.jsonl');
  await client.hasRead(1_000);
  client.pause();
  await time.pass(599_000);
  const wasClosed = client.isClosed();
  await time.pass(2_000);
  client.resume();
  const { text, errorCode } = await client.ended;
  const { lines } = gateway;
  await close();

  expect(wasClosed).toBe(false);
  expect(chunksOf(text).isWhole).toBe(false);
  expect(errorCode).toBe('ECONNRESET');
  expect(lines).toMatchObject([{ level: 'error', msg: 'export was cut off' }]);
});
