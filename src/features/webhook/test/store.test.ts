import { beforeEach, describe, expect, test } from 'vitest';
import { account, minute } from '../../../../test/persistence/claims.ts';
import { describeStore } from '../../../../test/persistence/drivers.ts';
import { useStore } from '../../../../test/persistence/journal-store.ts';
import { Secret } from '../../../kernel/secret.ts';
import type { Journal } from '../../../persistence/journal.ts';
import { createEventStore } from '../../event/store.ts';
import { eventTables } from '../../event/table.ts';
import { eventNumber, leaseOf } from '../../event/test/new-events.ts';
import type { WebhookAttempt } from '../attempt-store.ts';
import type { WebhookProgress } from '../record.ts';
import { createWebhookStore, type NewWebhook, type WebhookStore } from '../store.ts';
import { webhookTables } from '../table.ts';

const hook = (at: number, changes: Partial<NewWebhook> = {}): NewWebhook => ({
  id: `hook-${at}`,
  url: `https://hook-${at}.example/`,
  description: null,
  types: [],
  ...{ owner: null, customer: null, labels: [], ...signed },
  secret: new Secret(`whsec_${at}`),
  createdAt: minute(at),
  position: 7,
  ...changes,
});

const signed = { format: 'STANDARD', chatId: null };
const fresh: WebhookProgress = {
  ...{ position: 7, missedUntil: null, failures: 0, failingSince: null, dueAt: null },
  suspension: null,
};

const failing: WebhookProgress = {
  ...{ position: 8, missedUntil: 6, failures: 3, failingSince: minute(2), dueAt: minute(5) },
  suspension: null,
};

const suspended: WebhookProgress = {
  ...{ ...failing, dueAt: null },
  suspension: { at: minute(4), reason: 'It is gone.' },
};

const attemptNumber = (at: number, changes: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
  ...{ id: `attempt-${String(at).padStart(3, '0')}`, webhookId: 'hook-1', kind: 'DELIVERY' },
  ...{ eventId: 'event-1', eventType: 'EXPIRING', at: minute(at), durationMs: 12, number: 2 },
  ...{ status: 500, failure: 'The endpoint responded 500.', nextAt: minute(at + 1), ...changes },
});

describeStore('webhooks', (createStore) => {
  const { connect } = useStore(createStore);
  let journal: Journal;
  let store: WebhookStore;
  let other: WebhookStore;

  beforeEach(async () => {
    journal = await connect(webhookTables);
    store = createWebhookStore(journal.database);
    other = createWebhookStore((await connect(webhookTables)).database);
  });

  const add = (webhook: NewWebhook, most = 50) => store.add(account, webhook, most);
  const lease = (by: WebhookStore, owner: string, from: number, until: number, id = 'hook-1') =>
    by.lease(account, id, leaseOf(owner, from, until));
  const byId = (id: string) => store.byId(account, id);
  /** Whether the progress was stored, by the owner of the lease. */
  const save = async (id: string, progress: WebhookProgress) => {
    await lease(store, 'one', 0, 10, id);
    return store.save(account, 'one', (await byId(id)) ?? { id, revision: 0 }, progress);
  };

  describe('a webhook', () => {
    test('is stored completely, and has the progress of a new one', async () => {
      const description = "'; drop table webhooks; -- \u{1f600}";
      await add(hook(1, { description, types: ['EXPIRING', 'BALANCE_LOW'] }));

      const stored = await byId('hook-1');
      expect({ ...stored, secret: stored?.secret?.reveal() }).toEqual({
        ...{ id: 'hook-1', source: 'API', url: 'https://hook-1.example/', description },
        ...{ owner: null, customer: null, labels: [], ...signed },
        ...{ types: ['EXPIRING', 'BALANCE_LOW'], createdAt: minute(1), secret: 'whsec_1' },
        ...{ oldSecret: null, revision: 0, progress: fresh },
      });
      expect(JSON.stringify(stored)).not.toContain('whsec_');
    });

    test('has its own URL and limit for each owner', async () => {
      const ofAcme = { owner: 'acme', customer: 'acme' };
      expect(await add(hook(1), 1)).toBe(true);
      expect(await add(hook(2, { url: hook(1).url, ...ofAcme }), 1)).toBe(true);
      expect(await add(hook(3, ofAcme), 1)).toBe(false);
      expect(await add(hook(3, ofAcme), 2)).toBe(true);

      expect(await byId('hook-2')).toMatchObject(ofAcme);
      // The chats of one bot have the same URL.
      const chats = ['-1', '-1', '-2'].map((chatId, at) =>
        add(hook(4 + at, { url: 'https://bot.example/', format: 'TELEGRAM', chatId }), 9),
      );
      expect(await Promise.all(chats)).toEqual([true, false, true]);
      const url = hook(1).url;
      expect(await store.change(account, 'hook-3', { url })).toBeNull();
      expect(await store.change(account, 'hook-1', { url: hook(3).url })).not.toBeNull();
    });

    test('is refused with the URL of another one, and above the limit', async () => {
      expect(await add(hook(1), 2)).toBe(true);
      expect(await add(hook(2, { url: hook(1).url }), 2)).toBe(false);
      expect(await add(hook(2), 2)).toBe(true);
      expect(await add(hook(3), 2)).toBe(false);
      expect(await store.add('reseller-2', hook(1), 1)).toBe(true);

      expect((await store.list(account)).map(({ id }) => id)).toEqual(['hook-1', 'hook-2']);
    });

    test('is listed from the oldest one, for its account only', async () => {
      for (const at of [3, 1, 2]) await add(hook(at));
      await add(hook(0, { createdAt: minute(2) }));
      await store.add('reseller-2', hook(9), 50);

      expect((await store.list(account)).map(({ id }) => id)).toEqual([
        ...['hook-1', 'hook-0', 'hook-2', 'hook-3'],
      ]);
      expect(await byId('hook-9')).toBeNull();
      expect(await store.byId('reseller-2', 'hook-1')).toBeNull();
    });
  });

  describe('a change', () => {
    beforeEach(async () => {
      await add(hook(1, { description: 'old', types: ['EXPIRING'] }));
      await add(hook(2));
      await save('hook-1', suspended);
    });

    test('of the filter or the description changes nothing else', async () => {
      const before = await byId('hook-1');
      const first = await store.change(account, 'hook-1', { types: [] });
      const second = await store.change(account, 'hook-1', { description: null });

      expect(first).toEqual({ ...before, types: [] });
      expect(second).toEqual({ ...before, types: [], description: null });
      expect(await byId('hook-1')).toEqual(second);
      expect(await store.change(account, 'hook-1', {})).toEqual(second);
    });

    test('of the URL ends the failures, and a result of a request to the old URL is not stored', async () => {
      const before = await byId('hook-1');
      const changed = await store.change(account, 'hook-1', { url: 'https://new.example/' });

      expect(changed?.url).toBe('https://new.example/');
      expect(changed?.progress).toEqual({
        ...{ ...suspended, failures: 0, failingSince: null, dueAt: null },
      });
      if (before) expect(await store.save(account, 'one', before, failing)).toBe(false);
      expect(await byId('hook-1')).toEqual(changed);
      expect(await save('hook-1', failing)).toBe(true);
    });

    test('that resumes makes it active, and a result of a request before it is not stored', async () => {
      const before = await byId('hook-1');
      const changed = await store.change(account, 'hook-1', { resume: true });

      expect(changed?.progress).toEqual({ ...fresh, position: 8, missedUntil: 6 });
      if (before) expect(await store.save(account, 'one', before, failing)).toBe(false);
      expect(await byId('hook-1')).toEqual(changed);
    });

    test('to the URL of another webhook, of an unknown webhook or of another account is refused', async () => {
      const change = (id: string, of = account) =>
        store.change(of, id, { url: hook(2).url, description: 'new' });

      expect([await change('hook-1'), await change('hook-3')]).toEqual([null, null]);
      expect(await change('hook-1', 'reseller-2')).toBeNull();
      expect(await byId('hook-1')).toMatchObject({ url: hook(1).url, description: 'old' });
      expect(await change('hook-2')).toMatchObject({ description: 'new' });
    });
  });

  test('a rotation keeps the secret before it until its time', async () => {
    await add(hook(1));
    const rotate = async (text: string, at: number) => {
      const rotation = { secret: new Secret(text), oldUntil: minute(at) };
      const rotated = await store.rotate(account, 'hook-1', rotation);
      const { secret, oldSecret } = rotated ?? {};
      return [secret?.reveal(), oldSecret?.secret.reveal(), oldSecret?.until];
    };

    expect(await rotate('whsec_b', 20)).toEqual(['whsec_b', 'whsec_1', minute(20)]);
    expect(await rotate('whsec_c', 30)).toEqual(['whsec_c', 'whsec_b', minute(30)]);
    const unknown = { secret: new Secret('whsec_d'), oldUntil: minute(1) };
    expect(await store.rotate(account, 'hook-2', unknown)).toBeNull();
    expect(await store.rotate('reseller-2', 'hook-1', unknown)).toBeNull();
  });

  describe('the progress', () => {
    beforeEach(async () => {
      await add(hook(1));
      await add(hook(2));
    });

    test('is stored completely, for one webhook', async () => {
      for (const progress of [failing, suspended, fresh]) {
        expect(await save('hook-1', progress)).toBe(true);
        expect((await byId('hook-1'))?.progress).toEqual(progress);
      }
      expect((await byId('hook-2'))?.progress).toEqual(fresh);
    });

    test('that is a suspension is one event, and another one after a resumption', async () => {
      const { database } = journal;
      await database.insertInto('outbox_readers').values({ account }).execute();
      await save('hook-1', suspended);
      await save('hook-1', suspended);
      await store.change(account, 'hook-1', { resume: true });
      await save('hook-1', suspended);

      const rows = await database.selectFrom('outbox').selectAll().orderBy('number').execute();
      const at = minute(4).toISOString();
      expect(rows.map(({ events }) => JSON.parse(events))).toEqual(
        [0, 1].map((revision) => ({
          ...{ id: `hook-1:${revision}:${at}`, type: 'WEBHOOK_SUSPENDED', at, customer: null },
          ...{ subject: 'hook-1', subjectType: 'Webhook', after: 'It is gone.' },
        })),
      );
    });

    test('is not stored without the lease of the webhook', { tags: ['W3'] }, async () => {
      const saveAs = (owner: string, by: WebhookStore) =>
        by.save(account, owner, { id: 'hook-1', revision: 0 }, failing);
      expect(await saveAs('two', other)).toBe(false);
      await lease(store, 'one', 0, 10);
      await lease(other, 'two', 0, 10, 'hook-2');
      expect(await saveAs('two', other)).toBe(false);
      await lease(other, 'two', 10, 20);
      expect(await saveAs('one', store)).toBe(false);
      expect((await byId('hook-1'))?.progress).toEqual(fresh);

      expect(await saveAs('two', other)).toBe(true);
      expect(await save('hook-3', failing)).toBe(false);
    });
  });

  describe('the lease of a webhook', () => {
    beforeEach(async () => {
      await add(hook(1));
      await add(hook(2));
    });

    test('is of one process until it ends', async () => {
      await lease(store, 'one', 0, 10);

      expect(await lease(other, 'two', 9, 20)).toBe(false);
      expect(await lease(store, 'one', 9, 12)).toBe(true);
      expect(await lease(other, 'two', 11, 20)).toBe(false);
      expect(await lease(other, 'two', 12, 20)).toBe(true);
      expect(await lease(store, 'one', 13, 30)).toBe(false);
    });

    test('is of one of twenty owners that request it at once over two connections', {
      tags: ['W3'],
    }, async () => {
      const leases = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          lease(at % 2 === 0 ? store : other, `owner-${at}`, 0, 10),
        ),
      );

      expect(leases.filter((isTaken) => isTaken)).toHaveLength(1);
    });

    test('is separate from those of other webhooks and accounts', async () => {
      await store.add('reseller-2', hook(1), 50);
      await lease(store, 'one', 0, 10);

      expect(await lease(other, 'two', 1, 10, 'hook-2')).toBe(true);
      expect(await other.lease('reseller-2', 'hook-1', leaseOf('two', 1, 10))).toBe(true);
      expect(await lease(other, 'two', 1, 10)).toBe(false);
    });

    test('is free after its owner released it, and after no other release', async () => {
      await lease(store, 'one', 0, 10);
      await lease(other, 'two', 1, 1);
      await store.lease('reseller-2', 'hook-1', leaseOf('one', 1, 1));
      await lease(store, 'one', 1, 1, 'hook-2');
      expect(await lease(other, 'two', 1, 10)).toBe(false);
      await lease(store, 'one', 1, 1);

      expect(await lease(other, 'two', 1, 10)).toBe(true);
    });

    test('that a wrong clock stored is not valid', async () => {
      await lease(store, 'one', 500, 510);

      expect(await lease(other, 'two', 1, 10)).toBe(true);
    });

    test('is removed with its webhook', async () => {
      await lease(store, 'one', 0, 10);
      await store.remove(account, 'hook-1');
      await add(hook(1));

      expect(await lease(other, 'two', 1, 10)).toBe(true);
    });
  });

  describe('the webhooks of the settings', () => {
    const crm = { ...{ id: 'crm', url: 'https://crm.example/' }, description: null, ...signed };
    const configure = (...all: Parameters<WebhookStore['configure']>[1]) =>
      store.configure(account, all, { position: 5, at: minute(3) });

    test('are added, changed and removed', async () => {
      await configure({ ...crm, types: ['EXPIRING'] });
      await add(hook(1));
      expect(await byId('crm')).toMatchObject({
        ...{ source: 'SETTINGS', secret: null, types: ['EXPIRING'], createdAt: minute(3) },
        progress: { ...fresh, position: 5 },
      });

      await save('crm', failing);
      await configure({ ...crm, types: [], description: 'CRM' });
      const changed = await byId('crm');
      expect(changed).toMatchObject({ description: 'CRM', types: [], progress: failing });
      await configure({ ...crm, url: 'https://new.example/', types: [] });
      expect(await byId('crm')).toMatchObject({
        url: 'https://new.example/',
        progress: { position: 8, failures: 0, dueAt: null },
      });

      await configure();
      expect((await store.list(account)).map(({ id }) => id)).toEqual(['hook-1']);
    });

    test('begin again when they are for another chat', async () => {
      const chat = { ...crm, types: [], format: 'TELEGRAM', chatId: '-1' };
      await configure(chat);
      await save('crm', { ...failing, position: 8 });
      await configure(chat);
      expect((await byId('crm'))?.progress.position).toBe(8);
      await configure({ ...chat, chatId: '-2' });
      expect(await byId('crm')).toMatchObject({
        ...{ format: 'TELEGRAM', chatId: '-2' },
        progress: { ...fresh, position: 5 },
      });
    });

    test('are not counted, have no secret to rotate, and one with the URL of another webhook is left out', async () => {
      await configure({ ...crm, types: [] });
      expect(await add(hook(1), 1)).toBe(true);
      const rotation = { secret: new Secret('whsec_b'), oldUntil: minute(1) };
      expect(await store.rotate(account, 'crm', rotation)).toBeNull();

      await configure({ ...crm, types: [] }, { ...crm, id: 'copy', types: [] });
      expect((await store.list(account)).map(({ id }) => id)).toEqual(['hook-1', 'crm']);
    });
  });

  describe('attempts', () => {
    beforeEach(async () => {
      await add(hook(1));
      await add(hook(2));
    });

    const addAll = async (...attempts: readonly WebhookAttempt[]) => {
      for (const attempt of attempts) await store.addAttempt(account, attempt);
    };
    const idsOf = async (limit: number) =>
      (await store.attempts(account, 'hook-1', limit)).map(({ id }) => Number(id.slice(-3)));

    test('are stored completely', async () => {
      const failed = attemptNumber(1);
      const accepted = attemptNumber(2, {
        ...{ kind: 'TEST', status: null, failure: null, nextAt: null },
      });
      await addAll(failed, accepted);

      expect(await store.attempts(account, 'hook-1', 9)).toEqual([accepted, failed]);
    });

    test('are listed from the newest one', async () => {
      const sameTime = attemptNumber(9, { at: minute(4) });
      await addAll(...[1, 2, 3, 4, 5].map((at) => attemptNumber(at)), sameTime);
      await addAll(attemptNumber(7, { webhookId: 'hook-2' }));

      expect(await idsOf(9)).toEqual([5, 9, 4, 3, 2, 1]);
      expect(await idsOf(2)).toEqual([5, 9]);
      expect(await store.attempts('reseller-2', 'hook-1', 9)).toEqual([]);
    });

    test('are bounded by their time in the account, and by their number for each webhook', async () => {
      await addAll(...[1, 2, 3, 4, 5].map((at) => attemptNumber(at)));
      await addAll(attemptNumber(1, { webhookId: 'hook-2' }));
      await store.deleteAttempts(account, 'hook-1', { before: minute(1), most: 5 });
      expect(await idsOf(9)).toEqual([5, 4, 3, 2, 1]);

      await store.deleteAttempts(account, 'hook-1', { before: minute(1), most: 3 });
      expect(await idsOf(9)).toEqual([5, 4, 3]);
      expect(await store.attempts(account, 'hook-2', 9)).toHaveLength(1);
      await store.deleteAttempts('reseller-2', 'hook-1', { before: minute(9), most: 0 });
      await store.deleteAttempts(account, 'hook-1', { before: minute(4), most: 3 });
      expect(await idsOf(9)).toEqual([5, 4]);
      expect(await store.attempts(account, 'hook-2', 9)).toHaveLength(0);
    });

    test('are removed with their webhook, and those of a removed one are not stored', async () => {
      await addAll(attemptNumber(1), attemptNumber(2, { webhookId: 'hook-2' }));

      expect(await store.remove('reseller-2', 'hook-1')).toBe(false);
      expect(await store.remove(account, 'hook-1')).toBe(true);
      expect(await store.remove(account, 'hook-1')).toBe(false);
      await addAll(attemptNumber(3));
      expect(await idsOf(9)).toEqual([]);
      expect(await store.attempts(account, 'hook-2', 9)).toHaveLength(1);
    });
  });

  test('an event that any process appends is stored once, at the next position', async () => {
    const tables = [...eventTables, ...webhookTables];
    const events = createEventStore((await connect(tables)).database);
    const others = createEventStore((await connect(tables)).database);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? events : others).append(account, eventNumber(at)),
      ),
    );
    await events.append(account, eventNumber(3, { before: 'CHANGED' }));

    const stored = await events.list(account, { limit: 50 });
    expect(stored.map(({ position }) => position)).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    expect(new Set(stored.map(({ id }) => id)).size).toBe(20);
    expect(await events.byId(account, 'event-003')).toEqual(
      stored.find(({ id }) => id === 'event-003'),
    );
    expect(await events.byId(account, 'event-020')).toBeNull();
    expect(await events.byId('reseller-2', 'event-003')).toBeNull();
  });
});
