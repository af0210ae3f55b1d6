import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runs } from '../../support/long.ts';
import type { Payload, Shop } from '../purchases/shop.ts';
import {
  callsByDomain,
  changeDomains,
  codesOf,
  itemOf,
  namesIn,
  openChangeShop,
  openRestartableShop,
  preview,
  waitForJob,
} from './change-shop.ts';

const domains = runs(160, 300);

describe(`${domains} domains get new name servers, three are locked, one reply is lost, and the gateway restarts half-way`, () => {
  const locked = ['held-demo.com', 'redemption-demo.com', 'leaving-demo.com'];
  const lost = 'private-demo.net';
  const change = { setNameServers: ['ns1.new-dns.net', 'NS2.new-dns.net.'] };
  const input = () => ({ idempotencyKey: 'many', names, expectedCount: domains, change });
  let shop: Shop;
  let names: readonly string[];
  let job: Payload;

  beforeAll(async () => {
    shop = await openRestartableShop({ sandboxDomains: 400, sandboxListSize: 0 });
    const others = (await namesIn(shop, ['ACTIVE'])).filter((name) => !locked.includes(name));
    names = [lost, ...locked, ...others.filter((name) => name !== lost)].slice(0, domains);
    await shop.arm('lost-answer', { action: 'modifynameserver', domain: lost });
    const { bulkChange: created } = await changeDomains(shop, input());
    const begun = await waitForJob(shop, created.id, ({ progress }) => progress.succeeded > 20);
    expect(begun.progress.waiting).toBeGreaterThan(10);
    await shop.gateway.restart();
    job = await waitForJob(shop, created.id);
  }, 60_000);
  afterAll(() => shop?.close());

  test('all but three succeed, each after a getdetails and with one modifynameserver', async () => {
    const writes = await callsByDomain(shop, 'modifynameserver');
    const reads = await callsByDomain(shop, 'getdetails');

    expect(job).toMatchObject({
      state: 'PARTIAL',
      progress: {
        waiting: 0,
        running: 0,
        succeeded: domains - 3,
        unchanged: 0,
        failed: 3,
        unknown: 0,
      },
    });
    expect(job.items.map(({ domainName }: Payload) => domainName)).toEqual(names);
    expect(names.map((name) => writes.get(name))).toEqual(names.map(() => 1));
    const again = names.filter((name) => reads.get(name) !== 1);
    expect(again).toContain(lost);
    // A domain that is in progress when the gateway stops, or stalls for longer than its short lease, is read again.
    expect(again.length).toBeLessThan(30);
  });

  test('each of them has the new name servers at the registrar, and its old ones in the job', async () => {
    const row = (await shop.rows(lost))[0];

    expect(row.nameServers).toEqual(['ns1.new-dns.net', 'ns2.new-dns.net']);
    expect(itemOf(job, lost)).toMatchObject({
      state: 'SUCCEEDED',
      before: { nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'], status: null },
      after: { nameServers: ['ns1.new-dns.net', 'ns2.new-dns.net'], privacyProtected: null },
      errors: [],
    });
    for (const name of names.filter((one) => !locked.includes(one))) {
      const [{ nameServers }] = await shop.rows(name);
      expect([name, nameServers]).toEqual([name, ['ns1.new-dns.net', 'ns2.new-dns.net']]);
    }
  });

  test('the locked ones have their reason', () => {
    expect(locked.map((name) => itemOf(job, name).state)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect(locked.map((name) => codesOf(itemOf(job, name)))).toEqual([
      ['LOCKED'],
      ['LOCKED'],
      ['LOCKED'],
    ]);
    expect(itemOf(job, 'redemption-demo.com').errors).toMatchObject([
      { status: 'PendingDelete', path: null, executed: 'NO' },
    ]);
  });

  test('the same key returns the job without an upstream call, and refuses other input', async () => {
    const again = await changeDomains(shop, {
      ...input(),
      names: names.map((name) => ` ${name.toUpperCase()}.`),
    });
    const others = [
      { names: names.toReversed() },
      { change: { setNameServers: ['ns1.new-dns.net', 'ns3.new-dns.net'] } },
      { change: { sync: true } },
      { names: names.slice(1), expectedCount: 299 },
    ];

    expect(again).toMatchObject({ bulkChange: { id: job.id }, replayed: true, errors: [] });
    for (const other of others) {
      const refused = await changeDomains(shop, { ...input(), ...other });
      expect(refused).toMatchObject({
        bulkChange: null,
        errors: [{ code: 'IDEMPOTENCY_CONFLICT', path: ['input', 'idempotencyKey'] }],
      });
    }
    expect(await shop.gateway.countCalls()).toEqual({});
  });
});

test('a filter that matches more than 2000 domains is refused, and the preview has their number', async () => {
  const shop = await openChangeShop({ sandboxDomains: 2_020, sandboxListSize: 0 });
  try {
    const change = { sync: true };
    const seen = await preview(shop, { filter: {}, change });
    const refused = await changeDomains(shop, { filter: {}, expectedCount: seen.count, change });

    const message = `A bulk change changes 1 to 2000 domains; the filter matches ${seen.count}.`;
    expect(seen.count).toBeGreaterThan(2_000);
    expect(seen).toMatchObject({ errors: [{ path: ['filter'], message }] });
    expect(refused).toMatchObject({
      bulkChange: null,
      errors: [{ path: ['input', 'filter'], message }],
    });
    expect(await shop.gateway.countCalls()).toEqual({ getdomainlist: 1 });
  } finally {
    await shop.close();
  }
});
