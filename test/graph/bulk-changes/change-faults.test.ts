import { rm } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { createGatewayClock } from '../../support/gateway-clock.ts';
import { minuteMs, secondMs } from '../../support/simulated-clock.ts';
import { stopPurchases } from '../../support/stop-switch.ts';
import type { Payload, Shop } from '../purchases/shop.ts';
import {
  cancelChange,
  changeDomains,
  codesOf,
  openChangeShop,
  openRestartableShop,
  readJob,
  retryChange,
  runChange,
  waitForJob,
} from './change-shop.ts';

let shop: Shop;
afterEach(() => shop?.close());

const domain = 'unlocked-demo.com';
const change = { setNameServers: ['ns1.faulty.net', 'ns2.faulty.net'] };
const hosts = async () => (await shop.rows(domain))[0].nameServers;

describe('with simulated time,', () => {
  let time: ReturnType<typeof createGatewayClock>;
  /** The fewer looks for due items, the fewer steps of the clock. */
  const open = async (everyMs = secondMs) => {
    time = createGatewayClock();
    const opened = await openChangeShop({
      clock: time.clock,
      jobLeaseMs: 6 * everyMs,
    });
    shop = { ...opened, gateway: time.withTime(opened.gateway) };
  };
  const start = async (chosen: object = change) =>
    (await changeDomains(shop, { names: [domain], change: chosen })).bulkChange.id;
  const item = async (id: string): Promise<Payload> => (await readJob(shop, id)).items[0];
  const writes = async () => (await shop.gateway.countCalls()).modifynameserver ?? 0;

  test('a domain that cannot be read waits, can be cancelled, and is FAILED after 15 minutes', async () => {
    await open(4 * minuteMs);
    await shop.arm('gateway', { action: 'getdetails', times: 100_000 });
    const [id, other] = [await start(), await start()];

    await time.pass(14 * minuteMs);
    const waiting = await item(id);
    const { cancelled } = await cancelChange(shop, other);
    await time.pass(3 * minuteMs);
    const failed = await item(id);
    await shop.gateway.admin('DELETE', '/faults');
    await retryChange(shop, id);
    await time.pass(5 * secondMs);

    expect(waiting.state).not.toBe('FAILED');
    expect(cancelled).toBe(1);
    expect(failed).toMatchObject({ state: 'FAILED', before: null });
    expect(codesOf(failed)).toEqual(['UPSTREAM_UNAVAILABLE']);
    expect((await item(id)).state).toBe('SUCCEEDED');
    expect(await writes()).toBe(1);
  });

  test('a change whose reply is lost is UNKNOWN when no read is possible for 15 minutes, and is never sent again', async () => {
    await open(4 * minuteMs);
    await shop.arm('lost-answer', { action: 'modifynameserver' });
    await shop.arm('gateway', { action: 'getdetails', after: 1, times: 100_000 });
    const id = await start();

    await time.pass(14 * minuteMs);
    const running = await item(id);
    const cancelling = await cancelChange(shop, id);
    await time.pass(3 * minuteMs);
    const unknown = await item(id);
    await shop.gateway.admin('DELETE', '/faults');
    await retryChange(shop, id);
    await time.pass(5 * secondMs);

    const before = { nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'] };
    expect(running).toMatchObject({ state: 'RUNNING', before });
    expect(cancelling).toMatchObject({ cancelled: null });
    expect(unknown).toMatchObject({ state: 'UNKNOWN', before, after: null });
    expect(unknown.errors).toHaveLength(1);
    expect(await item(id)).toMatchObject({
      state: 'SUCCEEDED',
      before,
      after: { nameServers: change.setNameServers },
    });
    expect(await writes()).toBe(1);
  });

  test('a change that does not show after its lost reply is read five seconds later, and then sent again', async () => {
    await open();
    await shop.arm('reset', { action: 'modifynameserver', times: 2 });
    const id = await start();

    await time.pass(2 * secondMs);
    const running = await item(id);
    await time.pass(10 * secondMs);

    expect(running.state).toBe('RUNNING');
    expect(await item(id)).toMatchObject({
      state: 'SUCCEEDED',
      after: { nameServers: change.setNameServers },
    });
    expect(await writes()).toBe(3);
    expect(await hosts()).toEqual(change.setNameServers);
  });

  test('a difference whose reply is lost is computed from a new read, so that it keeps the changes of another party', async () => {
    await open();
    await shop.arm('reset', { action: 'modifynameserver' });
    const id = await start({
      replaceNameServer: { from: 'ns1.example-dns.net', to: 'ns1.new.net' },
    });
    await time.pass(2 * secondMs);
    const running = await item(id);
    const calls = await shop.gateway.countCalls();
    await shop.gateway.callUpstream('modifynameserver', {
      ...{ domain, nameservers: { ns1: 'ns1.example-dns.net', ns2: 'ns2.by-hand.net' } },
    });

    await time.pass(10 * secondMs);

    expect(running.state).toBe('RUNNING');
    expect(calls).toEqual({ getdetails: 2, modifynameserver: 1 });
    expect(await item(id)).toMatchObject({
      state: 'SUCCEEDED',
      before: { nameServers: ['ns1.example-dns.net', 'ns2.by-hand.net'] },
      after: { nameServers: ['ns1.new.net', 'ns2.by-hand.net'] },
    });
    expect(await hosts()).toEqual(['ns1.new.net', 'ns2.by-hand.net']);
  });

  test('a reply that is lost twice is verified by a new read each time', async () => {
    await open();
    await shop.arm('reset', { action: 'modifynameserver' });
    await shop.arm('lost-answer', { action: 'modifynameserver' });
    const id = await start();

    await time.pass(2 * secondMs);

    expect((await item(id)).state).toBe('SUCCEEDED');
    expect(await shop.gateway.countCalls()).toEqual({ getdetails: 3, modifynameserver: 2 });
  });

  test('a change that the registrar is too busy for is sent later', async () => {
    await open();
    const busy = { action: 'modifynameserver', code: 'API_2502_ERROR', times: 100 };
    await shop.arm('code', busy);
    const id = await start();
    const other = await start();

    await time.pass(secondMs);
    const waiting = await item(id);
    const tried = await writes();
    const { cancelled } = await cancelChange(shop, other);
    await shop.gateway.admin('DELETE', '/faults');
    await time.pass(12 * secondMs);

    expect(waiting).toMatchObject({ state: 'WAITING', before: null, errors: [] });
    // At most once for each job: the second one may be created while all of them pause.
    expect([1, 2]).toContain(tried);
    expect(cancelled).toBe(1);
    expect(await item(id)).toMatchObject({
      state: 'SUCCEEDED',
      after: { nameServers: change.setNameServers },
    });
    expect(await hosts()).toEqual(change.setNameServers);
  });
});

test('a gateway that ends while the reply is on its way continues with a read, and sends nothing again', async () => {
  shop = await openRestartableShop({ closeMs: 200 });
  await shop.arm('hold-after', { action: 'modifynameserver' });
  const { bulkChange: job } = await changeDomains(shop, { names: [domain], change });
  await waitForJob(shop, job.id, ({ progress }) => progress.running === 1);
  while (((await shop.gateway.admin('GET', '/held')) as Payload).held < 1) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  await shop.gateway.restart();
  const ended = await waitForJob(shop, job.id);

  expect(ended.items).toMatchObject([
    {
      state: 'SUCCEEDED',
      before: { nameServers: ['ns1.example-dns.net', 'ns2.example-dns.net'] },
      after: { nameServers: change.setNameServers },
    },
  ]);
  expect(await shop.gateway.countCalls()).toEqual({ getdetails: 2, modifynameserver: 1 });
});

test('the stop switch of purchases does not stop changes', async () => {
  const folder = await newFolder('changes');
  const env = { DATA_DIR: folder };
  try {
    shop = await openChangeShop({ env });
    await stopPurchases(env, 'no money');

    const job = await runChange(shop, { names: [domain], change });

    expect(job.state).toBe('SUCCEEDED');
    expect(await hosts()).toEqual(change.setNameServers);
  } finally {
    await rm(folder, { recursive: true });
  }
});
