import { beforeEach, expect, test } from 'vitest';
import {
  account,
  claimNumber,
  minute,
  moveTo,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import type { PurchaseRecord } from '../../../persistence/purchase-record.ts';
import type { NewEvent } from '../log.ts';
import { eventTables } from '../table.ts';
import { type EventJournal, withEvents } from './journal.ts';
import { eventNumber, idsOf } from './new-events.ts';

describeStore('events of settled purchases', (createStore) => {
  const { connect } = useStore(createStore);
  let journal: EventJournal;

  beforeEach(async () => {
    journal = withEvents(await connect(eventTables));
    for (let at = 1; at <= 4; at += 1) await journal.claim(claimNumber(at), unlimited);
    await moveTo(journal, 'operation-001', 'SUCCEEDED');
    await moveTo(journal, 'operation-002', 'PENDING');
    await journal.move('operation-003', ['CLAIMED'], { to: 'FAILED', at: minute(54) });
  });

  const unreported = async () => {
    const purchases = await journal.events.unreported(account, 10);
    return purchases.map(({ id, state }) => `${id} ${state}`);
  };
  const eventOf = (purchase: PurchaseRecord): NewEvent =>
    eventNumber(1, { id: `${purchase.id}:${purchase.state}`, purchaseId: purchase.id });
  const report = async () => {
    const purchases = await journal.events.unreported(account, 10);
    return journal.events.report(account, purchases.map(eventOf));
  };
  const correct = () =>
    journal.move('operation-003', ['FAILED'], { to: 'UNKNOWN', at: minute(56) });
  const all = async () => idsOf(await journal.events.list(account, { limit: 10 }));

  test('settled purchases are unreported, in the order of their settlement', async () => {
    expect(await unreported()).toEqual(['operation-003 FAILED', 'operation-001 SUCCEEDED']);
    expect(idsOf((await journal.events.unreported(account, 1)) as never)).toEqual([
      'operation-003',
    ]);
    expect(await journal.events.unreported('reseller-2', 10)).toEqual([]);
  });

  test('a reported purchase has its event, and is reported once', async () => {
    const purchases = await journal.events.unreported(account, 10);
    const events = purchases.map(eventOf);

    expect(await journal.events.report(account, events)).toBe(true);
    expect(await journal.events.report(account, events)).toBe(false);

    expect(await unreported()).toEqual([]);
    expect(await all()).toEqual(['operation-003:FAILED', 'operation-001:SUCCEEDED']);
  });

  test('an outcome that was corrected is reported again', async () => {
    await report();
    await correct();

    expect(await unreported()).toEqual(['operation-003 UNKNOWN']);
    await report();

    expect(await unreported()).toEqual([]);
    expect((await all()).at(-1)).toBe('operation-003:UNKNOWN');
  });

  test('an outcome that was corrected in the meantime has no event after its correction', {
    tags: ['E10'],
  }, async () => {
    const events = (await journal.events.unreported(account, 10)).map(eventOf);
    await correct();
    await report();

    expect(await journal.events.report(account, events)).toBe(false);
    expect(await all()).toEqual(['operation-001:SUCCEEDED', 'operation-003:UNKNOWN']);
  });

  test('a process that ended before it marked the purchase left the one event', {
    tags: ['E10'],
  }, async () => {
    const [first] = (await journal.events.unreported(account, 1)).map(eventOf);
    if (first) await journal.events.append(account, first);

    expect(await report()).toBe(true);
    expect(await all()).toEqual(['operation-003:FAILED', 'operation-001:SUCCEEDED']);
  });

  test('twenty processes that report at once store one event each, at positions without a gap', {
    tags: ['E10'],
  }, async () => {
    const stores = [journal, withEvents(await connect(eventTables))];
    const events = (await journal.events.unreported(account, 10)).map(eventOf);
    await journal.events.append(account, eventNumber(8));
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const some = at % 3 === 0 ? events.slice(0, 1) : events;
        return stores[at % 2]?.events.report(account, some).catch(() => false);
      }),
    );
    await journal.events.append(account, eventNumber(9));

    const stored = await journal.events.list(account, { limit: 10 });
    expect(stored.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
    expect(await unreported()).toEqual([]);
  });

  test('a purchase that settled before the first start has no event, and later ones do', async () => {
    await journal.events.beginReports('reseller-2');
    expect(await unreported()).toHaveLength(2);
    await journal.events.beginReports(account);
    expect(await unreported()).toEqual([]);
    await moveTo(journal, 'operation-004', 'UNKNOWN');
    await journal.events.beginReports(account);

    expect(await unreported()).toEqual(['operation-004 UNKNOWN']);
  });

  test('purchases are found by their domains, in the order of their claims', async () => {
    const found = (domains: readonly string[], of = account) => journal.byDomains(of, domains);

    expect(idsOf((await found(['name-3.com', 'name-1.com', 'x.com'])) as never)).toEqual([
      'operation-001',
      'operation-003',
    ]);
    expect(await found([])).toEqual([]);
    expect(await found(['name-1.com'], 'reseller-2')).toEqual([]);
  });
});
