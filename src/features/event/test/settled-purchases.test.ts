import { beforeEach, expect, test } from 'vitest';
import {
  account,
  claimNumber,
  minute,
  moveTo,
  name,
  unlimited,
} from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { trigger } from '../../../persistence/table.ts';
import { eventTables } from '../table.ts';
import { type EventJournal, withEvents } from './journal.ts';
import { eventNumber, idsOf, publishAll } from './new-events.ts';

const corrected = `operation-003:UNKNOWN:${minute(56).toISOString()}`;

describeStore('events of settled purchases', (createStore) => {
  const { connect, execute } = useStore(createStore);
  let journal: EventJournal;

  const publish = () => publishAll(journal.events);
  const correct = () =>
    journal.move('operation-003', ['FAILED'], { to: 'UNKNOWN', at: minute(56) });
  const all = async () => idsOf(await journal.events.list(account, { limit: 10 }));

  beforeEach(async () => {
    journal = withEvents(await connect(eventTables));
    for (let at = 1; at <= 4; at += 1) await journal.claim(claimNumber(at), unlimited);
    await journal.events.beginReading(account);
    await journal.move('operation-003', ['CLAIMED'], { to: 'FAILED', at: minute(54) });
    await moveTo(journal, 'operation-001', 'SUCCEEDED');
    await moveTo(journal, 'operation-002', 'PENDING');
  });

  test('a settled purchase is one event, in the order of the settlement, for its account', async () => {
    await journal.events.publish('reseller-2', minute(60));
    expect(await all()).toEqual([]);
    expect(await journal.events.publish(account, minute(60))).toBe(true);
    expect(await journal.events.publish(account, minute(60))).toBe(false);

    expect(await all()).toEqual(['operation-003:FAILED', 'operation-001:SUCCEEDED']);
    expect(await journal.events.byId(account, 'operation-003:FAILED')).toEqual({
      ...{ position: 1, id: 'operation-003:FAILED', type: 'PURCHASE_SETTLED', at: minute(60) },
      ...{ subject: 'name-3.com', domain: 'name-3.com', purchaseId: 'operation-003' },
      ...{ source: 'GATEWAY', caller: null, customer: null, before: null, after: 'FAILED' },
    });
  });

  test('an outcome that was corrected is another event', async () => {
    await publish();
    await correct();
    await publish();

    expect((await all()).at(-1)).toBe(corrected);
  });

  test('an outcome that is there again after a correction is an event of its own', {
    tags: ['E10'],
  }, async () => {
    await correct();
    await journal.move('operation-003', ['UNKNOWN'], { to: 'FAILED', at: minute(57) });
    await publish();

    const failedAgain = `operation-003:FAILED:${minute(57).toISOString()}`;
    expect((await all()).slice(-2)).toEqual([corrected, failedAgain]);
  });

  test('an outcome that was corrected in the meantime has no event after its correction', {
    tags: ['E10'],
  }, async () => {
    await correct();
    await publish();

    expect(await all()).toEqual([
      ...['operation-003:FAILED', 'operation-001:SUCCEEDED', corrected],
    ]);
  });

  test('a process that ended before it removed the event from the outbox left the one event', {
    tags: ['E10'],
  }, async () => {
    await execute('create table copy as select * from outbox');
    await publish();
    await execute('insert into outbox (account, events) select account, events from copy');
    await publish();
    await execute('drop table copy');

    expect(await all()).toEqual(['operation-003:FAILED', 'operation-001:SUCCEEDED']);
    expect(await journal.events.publish(account, minute(60))).toBe(false);
  });

  test('an event that gets the number of a published one is not removed with it', {
    tags: ['E10'],
  }, async () => {
    // As when another process publishes the same events, and then another purchase settles.
    const steps = trigger(
      'published_beside',
      'after insert on events',
      `delete from outbox; insert into outbox (account, events) values
        (new.account, '{ "id": "later", "type": "PURCHASE_SETTLED", "subject": "name-4.com" }');`,
      "new.id = 'operation-009:SUCCEEDED'",
    );
    await connect([...eventTables, { name: 'published_beside', steps: [steps] }]);
    await publish();
    await journal.claim(claimNumber(9), unlimited);
    await moveTo(journal, 'operation-009', 'SUCCEEDED');
    await publish();

    expect((await all()).slice(2)).toEqual(['operation-009:SUCCEEDED', 'later']);
  });

  test('twenty processes that publish at once store one event each, at positions without a gap', {
    tags: ['E10'],
  }, async () => {
    const stores = [journal, withEvents(await connect(eventTables))];
    await journal.events.append(account, eventNumber(8));
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        stores[at % 2]?.events.publish(account, minute(60)).catch(() => false),
      ),
    );
    await publish();
    await journal.events.append(account, eventNumber(9));

    const stored = await journal.events.list(account, { limit: 10 });
    expect(stored.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  test('a purchase that settled before the first start has no event, and later ones do', async () => {
    const other = claimNumber(5, { account: 'reseller-2' });
    const settle = async (at: number) => {
      const claim = {
        ...other,
        id: `other-${at}`,
        key: `other-${at}`,
        domain: name(`other-${at}.com`),
      };
      await journal.claim(claim, unlimited);
      await moveTo(journal, claim.id, 'UNKNOWN');
    };
    await settle(1);
    await journal.events.beginReading('reseller-2');
    await settle(2);
    await journal.events.beginReading('reseller-2');
    while (await journal.events.publish('reseller-2', minute(60)));

    expect(idsOf(await journal.events.list('reseller-2', { limit: 10 }))).toEqual([
      'other-2:UNKNOWN',
    ]);
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
