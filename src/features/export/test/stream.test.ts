import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { read } from '../../../../test/graph/reads/reads.ts';
import { startRecordedGateway } from '../../../../test/graph/writes/recorded-gateway.ts';
import { systemClock } from '../../../lib/system.ts';
import { createLog } from '../../../observability/log.ts';
import { download, jsonObjects } from './downloads.ts';
import { longList, longNames } from './long-list.ts';
import { chunksOf, openExport } from './raw-client.ts';

describe('a list that is longer than the buffers of a connection', () => {
  let waits = 0;
  const clock = {
    ...systemClock,
    wait(ms: number, signal?: AbortSignal) {
      // Between the slices of a list; the loops of the gateway wait longer.
      if (ms === 0) waits += 1;
      return systemClock.wait(ms, signal);
    },
  };
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) });
  const endOf = (file: string) =>
    expect.poll(() => lines.find((line) => line.msg === 'request' && line.file === file));
  let recorded: Awaited<ReturnType<typeof startRecordedGateway>>;
  beforeAll(async () => {
    const env = { DOMAIN_MAX_AGE_SECONDS: '600', UPSTREAM_TIMEOUT_MS: '60000' };
    recorded = await startRecordedGateway({ env, clock, log });
    recorded.replyNext(longList);
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

    expect(domains.nodes).toEqual([{ name: longNames.at(-1) }]);
    expect(servedAt).toBeLessThan(text.length);
    expect([errorCode, isWhole]).toEqual([null, true]);
    expect(jsonObjects(body).map(({ name }) => name)).toEqual(longNames);
    await endOf('domains.jsonl').toMatchObject({
      ...{ route: 'export', status: 200, outcome: 'finished', cost: 1, upstreamCalls: 0 },
    });
  });

  test('is not made for HEAD', async () => {
    const before = waits;
    const { status, text } = await download(recorded.gateway, 'domains.jsonl', { method: 'HEAD' });

    expect([status, text]).toEqual([200, '']);
    expect(waits - before).toBeLessThan(10);
  });

  test('is made no further after the client has disconnected', async () => {
    const client = openExport(recorded.gateway.url, 'domains.jsonl');
    await client.hasRead(500_000);
    client.disconnect();
    await endOf('domains.jsonl').toMatchObject({ outcome: 'aborted' });
    await sleep(300);
    const after = waits;
    await sleep(200);

    expect(waits).toBe(after);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
