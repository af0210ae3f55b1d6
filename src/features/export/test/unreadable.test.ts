import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../../../test/graph/purchases/shop.ts';
import { arm } from '../../../../test/graph/reads/reads.ts';
import { csvObjects } from '../../../../test/support/csv.ts';
import { newFolder } from '../../../../test/support/folder.ts';
import { startTestGateway } from '../../../../test/support/gateway.ts';
import { createLog } from '../../../observability/log.ts';
import { download } from './downloads.ts';
import { chunksOf, openExport } from './raw-client.ts';

describe('the journal', () => {
  let folder: string;
  let shop: Shop;
  let journal: DatabaseSync;
  const rows = 350;
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ level: 'info', write: (line) => void lines.push(JSON.parse(line)) });
  beforeAll(async () => {
    folder = await newFolder('export');
    shop = await openShop({ env: { DATA_DIR: folder }, log });
    const { errors } = await shop.register({ domain: 'template-export.com' });
    expect(errors).toEqual([]);
    journal = new DatabaseSync(join(folder, 'sandbox-journal.sqlite'));
    journal.exec('create temp table one as select * from purchases');
    const change = journal.prepare(
      'update one set id = ?1, key = ?1, ordinal = ?2, claimed_at = ?3',
    );
    const copy = journal.prepare('insert into purchases select * from one');
    journal.exec('begin');
    for (let at = 1; at < rows; at += 1) {
      // Several have the same time, so that pages end between them.
      const claimedAt = new Date(Date.UTC(2026, 0, 1) + Math.floor(at / 7) * 1_000);
      change.run(`copy-${at}`, 1_000 + at, claimedAt.toISOString());
      copy.run();
    }
    journal.exec('commit');
  });
  afterAll(async () => {
    journal?.close();
    await shop?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('of several pages is sent whole, newest first, each purchase once', async () => {
    const { text } = await download(shop.gateway, 'purchases.csv');
    const purchases = csvObjects(text);
    const times = purchases.map(({ createdAt }) => createdAt);

    expect(new Set(purchases.map(({ id }) => id)).size).toBe(rows);
    expect(purchases).toHaveLength(rows);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('has empty cells for a purchase whose price was not known', async () => {
    journal.exec(
      "update purchases set cost_amount = null, cost_currency = null, retail_amount = null where id = 'copy-2'",
    );
    const { status, text } = await download(shop.gateway, 'purchases.csv');

    expect(status).toBe(200);
    expect(csvObjects(text).filter(({ price }) => price === '')).toMatchObject([
      { key: 'copy-2', price: '', currency: '' },
    ]);
  });

  test.each(['1.1', '1.0'])(
    'that fails in the middle resets the connection, so that no HTTP/%s client takes the file for a whole one',
    async (version) => {
      const broken =
        "update purchases set claimed_at = '2025-99-99T99:99:99.999Z' where id = 'copy-1'";
      journal.exec(broken);
      lines.length = 0;
      const client = openExport(shop.gateway.url, 'purchases.csv', { version });
      const { text, errorCode } = await client.ended;

      expect(text).toContain('HTTP/1.1 200 OK');
      expect(chunksOf(text).isWhole).toBe(false);
      expect(errorCode).toBe('ECONNRESET');
      await expect
        .poll(() => lines)
        .toMatchObject([
          { level: 'error', msg: 'export was cut off', error: { type: 'Fault' } },
          {
            ...{ msg: 'request', route: 'export', file: 'purchases.csv', outcome: 'aborted' },
            codes: ['JOURNAL_UNAVAILABLE'],
          },
        ]);
      await expect(download(shop.gateway, 'purchases.csv')).rejects.toThrow();
    },
  );

  test('that fails before the first row is an error in JSON', async () => {
    journal.exec(
      "update purchases set claimed_at = '2999-99-99T99:99:99.999Z' where id = 'copy-1'",
    );
    const { status, headers, text } = await download(shop.gateway, 'purchases.csv');

    expect(status).toBe(500);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text).errors).toMatchObject([
      { extensions: { code: 'JOURNAL_UNAVAILABLE', executed: 'NO' } },
    ]);
  });
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
        env: { UPSTREAM_TIMEOUT_MS: fault === 'hang' ? '300' : '10000' },
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
