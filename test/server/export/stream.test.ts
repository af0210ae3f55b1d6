import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/lib/system.ts';
import { createLog } from '../../../src/observability/log.ts';
import { arm, read } from '../../graph/reads/reads.ts';
import { startRecordedGateway } from '../../graph/writes/recorded-gateway.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { download, jsonObjects, listReply, listRow } from './downloads.ts';
import { chunksOf, openExport } from './raw-client.ts';

const nameOf = (at: number) => `domain-${String(at).padStart(5, '0')}.com`;
/** Longer than all buffers between the gateway and a client that does not read. */
const count = 3_000;
const hosts = Array.from({ length: 100 }, (_, at) => `ns${at}.${'a'.repeat(50)}.example`);
const wideRows = Array.from({ length: count }, (_, at) =>
  listRow(nameOf(at), { NameServers: hosts }),
);

describe('a list that is longer than the buffers of a connection', () => {
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
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) });
  const endOf = (file: string) =>
    expect.poll(() => lines.find((line) => line.msg === 'request' && line.file === file));
  let recorded: Awaited<ReturnType<typeof startRecordedGateway>>;
  beforeAll(async () => {
    const env = { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' };
    recorded = await startRecordedGateway({ env, clock, log });
    recorded.replyNext(listReply(wideRows));
    await read(recorded.gateway, '{ domains(first: 1) { totalCount } }');
  });
  afterEach(() => {
    lines.length = 0;
  });
  afterAll(() => recorded?.close());

  test('is sent whole, and a page of the graph is served before its end', async () => {
    const client = openExport(recorded.gateway.url, 'domains.jsonl');
    await client.hasRead(1_000);
    const { domains } = await read(recorded.gateway, '{ domains(last: 1) { nodes { name } } }');
    const servedAt = client.length();
    const { text, errorCode } = await client.ended;
    const { body, isWhole } = chunksOf(text);

    expect(domains.nodes).toEqual([{ name: nameOf(count - 1) }]);
    expect(servedAt).toBeLessThan(text.length);
    expect([errorCode, isWhole]).toEqual([null, true]);
    expect(jsonObjects(body).map(({ name }) => name)).toEqual(
      wideRows.map(({ DomainName }) => DomainName),
    );
    await endOf('domains.jsonl').toMatchObject({
      ...{ route: 'export', status: 200, outcome: 'finished', cost: 1, upstreamCalls: 0 },
    });
  });

  test('is made only as fast as the client reads it', async () => {
    const client = openExport(recorded.gateway.url, 'domains.jsonl', { readsAtOnce: false });
    const paused = await untilBlocked();
    client.resume();
    const { text } = await client.ended;

    expect(waits).toBeGreaterThan(paused + 10);
    expect(jsonObjects(chunksOf(text).body)).toHaveLength(count);
  });

  test('is not made for HEAD', async () => {
    const before = waits;
    const { status, text } = await download(recorded.gateway, 'domains.jsonl', { method: 'HEAD' });
    const after = await untilBlocked();

    expect([status, text]).toEqual([200, '']);
    expect(after - before).toBeLessThan(10);
  });

  test('is made no further after the client has disconnected', async () => {
    const client = openExport(recorded.gateway.url, 'domains.jsonl');
    await client.hasRead(500_000);
    client.disconnect();
    await endOf('domains.jsonl').toMatchObject({ outcome: 'aborted' });
    await sleep(50);
    const after = waits;
    await sleep(200);

    expect(waits).toBe(after);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('is one state of the list, while a domain is changed and the list is refreshed', async () => {
    const { gateway, replyNext } = recorded;
    const last = nameOf(count - 1);
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
      totalCount: count,
      nodes: [{ name: last, transferLocked: false }],
    });
    expect(rows.map(({ name }) => name)).toEqual(wideRows.map(({ DomainName }) => DomainName));
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
  replyNext(listReply(wideRows));
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

describe('a list that cannot be read', () => {
  test.each([
    ['domains.csv', 'getdomainlist', 'gateway', 503, 'UPSTREAM_UNAVAILABLE'],
    ['domains.jsonl', 'getdomainlist', 'cut', 502, 'UPSTREAM_PROTOCOL'],
    ['prices.csv', 'tldlist', 'hang', 504, 'UPSTREAM_TIMEOUT'],
  ])(
    'is an error in JSON with its status: %s, %s, %s',
    async (file, action, fault, status, code) => {
      const gateway = await startTestGateway({
        sandboxDomains: 5,
        env: { UPSTREAM_TIMEOUT_MS: '300' },
      });
      await arm(gateway, fault, action, { times: 9 });
      const failed = await download(gateway, file);
      const head = await download(gateway, file, { method: 'HEAD' });
      await gateway.admin('DELETE', '/faults');
      const later = await download(gateway, file);
      await gateway.close();

      expect(failed.status).toBe(status);
      expect(failed.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
      expect(failed.headers).not.toHaveProperty('content-disposition');
      expect(failed.headers).not.toHaveProperty('last-modified');
      expect(JSON.parse(failed.text).errors).toMatchObject([
        { extensions: { code, requestId: failed.headers['x-request-id'] } },
      ]);
      expect(head).toMatchObject({ status, text: '' });
      expect(later.status).toBe(200);
    },
  );
});
