import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openShop, type Shop } from '../../graph/purchases/shop.ts';
import { csvObjects } from '../../support/csv.ts';
import { download } from './downloads.ts';
import { chunksOf, openExport } from './raw-client.ts';

describe('the journal', () => {
  let folder: string;
  let shop: Shop;
  let journal: DatabaseSync;
  const rows = 350;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'export-'));
    shop = await openShop({ env: { DATA_DIR: folder } });
    const { errors } = await shop.register({ domain: 'template-export.com' });
    expect(errors).toEqual([]);
    journal = new DatabaseSync(join(folder, 'sandbox-journal.sqlite'));
    journal.exec('create temp table one as select * from operations');
    const change = journal.prepare(
      'update one set id = ?1, key = ?1, ordinal = ?2, claimed_at = ?3',
    );
    const copy = journal.prepare('insert into operations select * from one');
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
      "update operations set price_amount = null, price_currency = null where id = 'copy-2'",
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
        "update operations set claimed_at = '2025-99-99T99:99:99.999Z' where id = 'copy-1'";
      journal.exec(broken);
      const logged = shop.gateway.lines.length;
      const client = openExport(shop.gateway.url, 'purchases.csv', { version });
      const { text, errorCode } = await client.ended;

      expect(text).toContain('HTTP/1.1 200 OK');
      expect(chunksOf(text).isWhole).toBe(false);
      expect(errorCode).toBe('ECONNRESET');
      expect(shop.gateway.lines.slice(logged)).toMatchObject([
        { level: 'error', msg: 'export was cut off', error: { type: 'Fault' } },
      ]);
      await expect(download(shop.gateway, 'purchases.csv')).rejects.toThrow();
    },
  );

  test('that fails before the first row is an error in JSON', async () => {
    journal.exec(
      "update operations set claimed_at = '2999-99-99T99:99:99.999Z' where id = 'copy-1'",
    );
    const { status, headers, text } = await download(shop.gateway, 'purchases.csv');

    expect(status).toBeGreaterThanOrEqual(400);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(text).errors).toHaveLength(1);
  });
});
